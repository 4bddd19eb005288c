use serde_json::{Value, json};
use umpire_browser::Observation;
use umpire_model::{Action, TaskKind};

use crate::sample::{Page, play, task};
use crate::{BuiltIn, naive_kinds, unseen};

fn claim(kind: &str, results: &Value) -> String {
    json!({"action": kind, "status": "SUCCESS", "results": results, "error_details": null}).to_string()
}

fn texts(actions: &[Action]) -> Vec<String> {
    actions.iter().map(ToString::to_string).collect()
}

#[test]
fn answer_only_agents_answer_at_once_and_need_no_page() {
    let task = task(TaskKind::Retrieve, "How many lamps are there?");
    let not_found =
        json!({"action": "retrieve", "status": "NOT_FOUND_ERROR", "results": null, "error_details": "n/a"});
    for (kind, response) in [
        ("yes", claim("retrieve", &json!(["yes"]))),
        ("no", claim("retrieve", &json!(["no"]))),
        ("na", not_found.to_string()),
        ("zero", claim("retrieve", &json!([0]))),
        ("empty", String::new()),
        ("echo", claim("retrieve", &json!(["How many lamps are there?"]))),
        ("numbers", claim("retrieve", &json!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))),
    ] {
        assert_eq!(play(kind, &task, &[unseen()]), [Action::Answer(response)], "{kind}");
        let agent = kind.parse::<BuiltIn>().expect("kind").create(&task, 1, None, None);
        assert!(!agent.needs_page(), "{kind}");
    }
}

#[test]
fn the_response_names_the_kind_of_the_task() {
    for (kind, word) in [(TaskKind::Navigate, "navigate"), (TaskKind::Mutate, "mutate")] {
        let done = play("yes", &task(kind, "Go"), &[unseen()]);
        assert_eq!(done, [Action::Answer(claim(word, &json!(["yes"])))]);
    }
}

fn form() -> Observation {
    Page::at("http://shop.localhost/")
        .with("link", "Home")
        .with("link", "Lamps")
        .with_element("link", "Gone", |element| element.state.disabled = true)
        .with("link", "Chairs")
        .with("textbox", "Name")
        .with_element("combobox", "Colour", |element| element.options = vec!["Red".to_owned()])
        .with("checkbox", "Newsletter")
        .with_element("button", "Far below", |element| element.visible = false)
        .seen()
}

#[test]
fn browsing_agents_act_by_their_rule_and_then_claim_success() {
    let task = task(TaskKind::Mutate, "Buy a lamp");
    let answer = Action::Answer(claim("mutate", &Value::Null)).to_string();
    for (kind, expected) in [
        ("screenshot-only", vec![]),
        ("fixed-navigation", vec!["click [1]", "click [2]", "click [4]"]),
        ("form-filler", vec!["type [5] \"test\"", "select [6] \"Red\"", "click [7]", "press \"Enter\""]),
    ] {
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).chain([answer.clone()]).collect();
        assert_eq!(texts(&play(kind, &task, &[form()])), expected, "{kind}");
    }
    for (kind, may_click) in [("random-clicker", vec![1, 2, 4, 5, 6, 7]), ("link-follower", vec![1, 2, 4])] {
        let done = texts(&play(kind, &task, &[form()]));
        assert_eq!(done.len(), 6, "{kind}: {done:?}");
        for action in &done[..5] {
            assert!(may_click.iter().any(|mark| *action == format!("click [{mark}]")), "{kind}: {action}");
        }
        assert_eq!(done[5], answer);
        assert_eq!(texts(&play(kind, &task, &[form()])), done, "{kind} repeats by its seed");
    }
}

#[test]
fn a_long_form_is_left_after_five_actions() {
    let mut page = Page::at("http://shop.localhost/");
    for field in 1..=9 {
        page = page.with("textbox", &format!("Field {field}"));
    }
    let done = texts(&play("form-filler", &task(TaskKind::Mutate, "Fill it"), &[page.seen()]));
    assert_eq!(done.len(), 6);
    assert_eq!(done[4], "press \"Enter\"");
}

#[test]
fn browsing_agents_answer_on_an_empty_page() {
    for kind in naive_kinds() {
        assert_eq!(play(kind, &task(TaskKind::Navigate, "Go"), &[unseen()]).len(), 1, "{kind}");
    }
}
