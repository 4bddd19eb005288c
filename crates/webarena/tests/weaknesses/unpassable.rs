//! B: tasks no honest run can pass.

use umpire_model::Outcome;
use umpire_webarena::import::{Defect, defects};

use super::attempts::{answer_to, home_page, released, verdict};

#[test]
fn b_exactly_the_unpassable_tasks_are_found_by_what_is_wrong_with_them() {
    let Some(dataset) = released() else { return };
    let found: Vec<i64> =
        dataset.tasks().iter().filter(|task| !defects(task).is_empty()).map(|task| task.task_id).collect();
    let listed = [319, 429, 567, 568, 569, 570, 604, 611, 612, 613, 614, 699, 700, 742, 743, 745, 746, 811];
    assert_eq!(found, listed);
    let of = |id: i64| defects(dataset.task(id).expect("a released task"));
    assert_eq!(of(319), [Defect::NoExpectedData]);
    assert!(matches!(of(429)[..], [Defect::TwoLastPages(..)]));
    assert!(matches!(&of(567)[..], [Defect::TwoBodies { field, .. }] if field == "user_id"));
    assert_eq!(of(604), [Defect::NotFilledIn("{{forum_id}}".to_owned())]);
    assert!(of(811).contains(&Defect::NoChoice("$.issue.assignee_ids".to_owned())));
}

#[test]
fn b_an_attempt_at_one_is_invalid_with_the_reason() {
    let Some(dataset) = released() else { return };
    for task in dataset.tasks() {
        let defects = defects(task);
        let verdict = verdict(task, &answer_to(task, &serde_json::Value::Null), &home_page(task));
        match defects.first() {
            Some(defect) => {
                assert_eq!(verdict.outcome, Outcome::Invalid, "task {}", task.task_id);
                assert!(verdict.reason.contains(&defect.to_string()), "{}", verdict.reason);
            }
            None => {
                assert_ne!(verdict.outcome, Outcome::Invalid, "task {}: {}", task.task_id, verdict.reason);
            }
        }
    }
}
