//! A visitor's own words as a suite of one task.

use std::path::Path;

use umpire_arena::HostRule;
use umpire_model::{Check, Difficulty, Suite, SuiteError, SuiteFile, Task, TaskKind, UndecidableCheck};
use umpire_worlds::site_names;

/// Runs of visitors' own tasks are named after it.
pub const SUITE: &str = "arena";
/// Seed of the built-in world: the same as the built-in suites', so that people find what they saw there.
const WORLD_SEED: u64 = 1;

/// All built-in sites are there, in a copy of the attempt's own; beyond them, the hosts that the operator allows. The
/// battle's id is in the task's, so that the same words asked twice are two tasks.
pub fn suite(
    battle: &str,
    text: &str,
    kind: TaskKind,
    start_url: &str,
    hosts: &[HostRule],
) -> Result<Suite, SuiteError> {
    let file = SuiteFile {
        version: umpire_model::SUITE_VERSION,
        name: SUITE.to_owned(),
        description: "Asked for by a visitor of the arena".to_owned(),
        world: "built-in".to_owned(),
        seed: WORLD_SEED,
        hosts: hosts.iter().cloned().map(String::from).collect(),
        tasks: vec!["tasks.jsonl".to_owned()],
        sessions: Vec::new(),
        histories: None,
        only: Vec::new(),
        accounts: std::collections::BTreeMap::new(),
        folder: None,
    };
    let id = format!("own-{battle}");
    let task = Task {
        template: id.clone(),
        id,
        kind,
        intent: text.to_owned(),
        hint: None,
        intent_with_hint: None,
        sites: site_names().into_iter().map(str::to_owned).collect(),
        start_urls: vec![start_url.to_owned()],
        category: "own".to_owned(),
        ui_elements: Vec::new(),
        difficulty: Difficulty::Medium,
        reference: Vec::new(),
        checks: vec![Check::Undecidable(UndecidableCheck {
            reason: "a visitor's own task: the vote is its outcome".to_owned(),
        })],
        states: std::collections::BTreeMap::new(),
        session: None,
        account: None,
        extra_sessions: 0,
        levels: Vec::new(),
        persona: None,
        validity: umpire_model::Validity::default(),
        origin: None,
    };
    let place = Path::new(SUITE).join("suite.toml");
    let wrong = |problem: String| SuiteError { file: place.clone(), line: None, problem };
    let toml = toml::to_string(&file).map_err(|error| wrong(error.to_string()))?;
    let line = serde_json::to_string(&task).map_err(|error| wrong(error.to_string()))?;
    Suite::parse(&place, &toml, &[(Path::new(SUITE).join("tasks.jsonl"), line)], &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_words_make_a_task_that_no_rule_decides() {
        for text in ["Buy a \"lamp\".\nThen <b>stop</b> {{today}} \\ '''", "x", "日本語 🚆"] {
            let made = suite("b1", text, TaskKind::Mutate, "http://shop.localhost/", &[]);
            let instances = made.expect("a suite").instances();
            assert_eq!(instances.len(), 1, "{text}");
            assert_eq!(instances[0].intent, text);
            assert!(matches!(instances[0].checks[..], [Check::Undecidable(_)]));
        }
    }

    #[test]
    fn the_same_words_in_two_battles_are_two_tasks() {
        let made =
            |battle| suite(battle, "x", TaskKind::Retrieve, "http://shop.localhost/", &[]).expect("one");
        assert_ne!(made("b1").digest, made("b2").digest);
    }
}
