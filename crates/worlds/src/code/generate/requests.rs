//! Merge requests of a project.

use std::collections::BTreeSet;

use umpire_model::Random;

use super::{DAY, choose_early, sentence};
use crate::code::catalogue::Person;
use crate::code::state::{MergeRequest, Pipeline, RequestState};
use crate::code::vocabulary::{BRANCH_VERBS, ProjectWords, REQUEST_BODIES, REQUEST_TITLES};
use crate::kit::moment::Moment;
use crate::kit::text::choose;

/// Merge requests of one project, oldest first. `branches` are those that people work on: each has one open request,
/// but for the last, which nobody has proposed yet.
pub fn merge_requests(
    words: &ProjectWords,
    branches: &[String],
    team: &[&Person],
    random: &mut Random,
) -> Vec<MergeRequest> {
    let mut subjects: Vec<(&str, &str)> =
        REQUEST_TITLES.iter().flat_map(|title| words.parts.iter().map(move |part| (*title, *part))).collect();
    random.shuffle(&mut subjects);
    let done = random.between(7, 16) as usize;
    let open = branches.len().saturating_sub(1);
    let mut ages: Vec<i64> = (0..done).map(|_| random.between(40 * DAY, 500 * DAY)).collect();
    ages.extend((0..open).map(|_| random.between(3 * 60, 39 * DAY)));
    ages.sort_by_key(|age| std::cmp::Reverse(*age));
    subjects
        .into_iter()
        .zip(ages)
        .enumerate()
        .map(|(at, ((title, part), age))| {
            let is_open = at >= done;
            let source = match branches.get(at.wrapping_sub(done)).filter(|_| is_open) {
                Some(branch) => branch.clone(),
                None => branch_name(choose(random, BRANCH_VERBS), part),
            };
            let state = match (is_open, random.chance(80)) {
                (true, _) => RequestState::Open,
                (false, true) => RequestState::Merged,
                (false, false) => RequestState::Closed,
            };
            let someone =
                |random: &mut Random| choose_early(random, team).map(|person| person.username.clone());
            MergeRequest {
                title: sentence(title, part),
                body: sentence(choose(random, REQUEST_BODIES), part),
                author: someone(random).unwrap_or_default(),
                state,
                source,
                target: "main".to_owned(),
                labels: random.chance(50).then(|| "feature".to_owned()).into_iter().collect(),
                assignee: someone(random).filter(|_| random.chance(60)),
                reviewer: someone(random).filter(|_| random.chance(70)),
                draft: is_open && random.chance(15),
                approved_by: BTreeSet::new(),
                pipeline: match random.below(10) {
                    0 | 1 if is_open => Pipeline::Failed,
                    2 if is_open => Pipeline::Running,
                    _ => Pipeline::Passed,
                },
                conflicts: is_open && random.chance(15),
                created: Moment::minutes_ago(age as u32),
                replies: random.below(6),
            }
        })
        .collect()
}

/// `fix-tile-cache`.
pub fn branch_name(verb: &str, part: &str) -> String {
    format!("{verb}-{}", part.to_lowercase().replace(' ', "-"))
}
