//! Task sets aimed at a mode, from the built-in suite of obstacles.

use std::path::{Path, PathBuf};

use umpire_failures::{KnownMode, aim, known_mode_of};
use umpire_model::Suite;

fn obstacles() -> Suite {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/obstacles");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("file");
    let files =
        ["popups.jsonl", "captcha.jsonl", "direct.jsonl"].map(|name| (PathBuf::from(name), read(name)));
    Suite::parse(&folder.join("suite.toml"), &read("suite.toml"), &files, &[]).expect("our own")
}

fn written(aimed: &umpire_failures::Aimed) -> Suite {
    let files = [(PathBuf::from("tasks.jsonl"), aimed.tasks_jsonl.clone())];
    Suite::parse(Path::new("suite.toml"), &aimed.suite_toml, &files, &[]).expect("a suite that loads")
}

#[test]
fn a_known_mode_is_provoked_by_its_own_tasks_and_has_twins() {
    let suite = obstacles();
    for (mode, category, twins) in [
        ("captcha", "Captcha", true),
        ("popups", "Consent", false),
        ("direct-navigation", "Direct navigation", false),
    ] {
        let known = KnownMode::by_name(mode).expect("known");
        let aimed = aim(&suite, Some(known), &[], 10).expect("tasks");
        assert_eq!(aimed.provoking, 10, "{mode}");
        let made = written(&aimed);
        assert_eq!(made.instances().len(), aimed.provoking + aimed.twins);
        assert_eq!(made.file.seed, suite.file.seed, "the same world, so the same answers");
        assert!(made.tasks.iter().all(|task| known.set.categories().contains(&task.category.as_str())));
        assert!(made.tasks.iter().any(|task| task.category == category), "{mode}");
        assert!(!twins || aimed.twins > 0, "{mode} has tasks with nothing in the way");
        let templates: std::collections::BTreeSet<&str> =
            made.tasks.iter().map(|task| task.template.as_str()).collect();
        assert!(templates.len() >= 4, "{templates:?}");
    }
}

#[test]
fn a_group_of_complaints_finds_tasks_by_its_words() {
    let suite = obstacles();
    let terms = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let aimed = aim(&suite, None, &terms(&["weather", "forecast", "rain"]), 5).expect("tasks");
    let made = written(&aimed);
    assert!(made.tasks.iter().all(|task| task.intent.contains("rain") || task.template.contains("weather")));
    assert!(aim(&suite, None, &terms(&["submarine", "periscope"]), 5).is_err());
}

#[test]
fn salient_terms_lead_to_the_mode_they_speak_of() {
    for (terms, wanted) in [
        (&["captcha", "blocked"][..], Some("captcha")),
        (&["cookies", "banner", "article"], Some("popups")),
        (&["addresses", "guessed"], Some("direct-navigation")),
        (&["lamp", "price"], None),
    ] {
        let terms: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
        assert_eq!(known_mode_of(&terms).map(|mode| mode.name), wanted, "{terms:?}");
    }
}
