//! Issues of a project, and the comments under issues and merge requests.

use std::collections::BTreeSet;

use umpire_model::Random;

use super::{DAY, choose_early, sentence};
use crate::code::catalogue::Person;
use crate::code::state::{Issue, IssueState};
use crate::code::vocabulary::{
    BUG_TITLES, COMMENT_LINES, DOC_TITLES, FEATURE_TITLES, ISSUE_BODIES, LABELS, MILESTONES, ProjectWords,
};
use crate::kit::moment::Moment;
use crate::kit::text::choose;

/// Issues of one project, oldest first.
pub fn issues(words: &ProjectWords, team: &[&Person], people: &[Person], random: &mut Random) -> Vec<Issue> {
    let kinds: [(&str, &[&str]); 3] =
        [("bug", BUG_TITLES), ("feature", FEATURE_TITLES), ("documentation", DOC_TITLES)];
    let mut subjects: Vec<(&str, &str, &str)> = kinds
        .iter()
        .flat_map(|(kind, titles)| titles.iter().map(move |title| (*kind, *title)))
        .flat_map(|(kind, title)| words.parts.iter().map(move |part| (kind, title, *part)))
        .collect();
    random.shuffle(&mut subjects);
    let count = random.between(16, 34) as usize;
    let mut ages: Vec<i64> = (0..count).map(|_| random.between(2 * 60, 540 * DAY)).collect();
    ages.sort_by_key(|age| std::cmp::Reverse(*age));
    subjects
        .into_iter()
        .zip(ages)
        .map(|((kind, title, part), age)| {
            let mut labels = BTreeSet::from([kind.to_owned()]);
            if random.chance(45) {
                let (extra, ..) = LABELS[3 + random.below(LABELS.len() - 3)];
                labels.insert(extra.to_owned());
            }
            // Old issues are mostly done.
            let closed = random.chance(if age > 200 * DAY { 80 } else { 35 });
            // Half of the reports come from the team, the others from anywhere.
            let author = if random.chance(50) {
                choose_early(random, team).map(|person| person.username.clone())
            } else {
                random.pick(people).map(|person| person.username.clone())
            };
            let milestone = random.chance(60).then(|| {
                let wanted = if closed { 0 } else { 2 };
                MILESTONES[wanted + random.below(2)].0.to_owned()
            });
            Issue {
                title: sentence(title, part),
                body: sentence(choose(random, ISSUE_BODIES), part),
                author: author.unwrap_or_default(),
                state: if closed { IssueState::Closed } else { IssueState::Open },
                labels,
                assignee: random
                    .chance(65)
                    .then(|| choose_early(random, team).map(|person| person.username.clone()))
                    .flatten(),
                milestone,
                created: Moment::minutes_ago(age as u32),
                replies: random.below(7),
            }
        })
        .collect()
}

/// What others said under the thread with this key, oldest first: author, text and time.
pub fn replies(
    seed: u64,
    key: &str,
    count: usize,
    begun: Moment,
    people: &[Person],
) -> Vec<(String, &'static str, Moment)> {
    let mut random = Random::stream(seed, &format!("code replies {key}"));
    let mut lines = COMMENT_LINES.to_vec();
    random.shuffle(&mut lines);
    let age = begun.age_minutes().max(1);
    let mut ages: Vec<i64> = (0..count.min(lines.len())).map(|_| random.between(1, age)).collect();
    ages.sort_by_key(|age| std::cmp::Reverse(*age));
    lines
        .into_iter()
        .zip(ages)
        .map(|(line, age)| {
            // Nobody but the visitor speaks for the visitor, who is the first in the table.
            let author = people.get(1 + random.below(people.len().saturating_sub(1)));
            (
                author.map(|person| person.username.clone()).unwrap_or_default(),
                line,
                Moment::minutes_ago(age as u32),
            )
        })
        .collect()
}
