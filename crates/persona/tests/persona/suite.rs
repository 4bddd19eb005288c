//! The histories of the persona suite's people.

use std::collections::BTreeSet;

use umpire_model::Task;
use umpire_persona::audit::{About, audit};
use umpire_persona::{BadHistories, Histories, History, Tables};

use crate::files::{suite_folder, suite_tasks};

fn histories() -> Histories {
    Histories::parse(&std::fs::read_to_string(suite_folder().join("histories.toml")).expect("a file"))
        .expect("histories")
}

fn users(tasks: &[Task]) -> BTreeSet<&str> {
    tasks.iter().filter_map(|task| task.persona.as_ref()).map(|persona| persona.id.as_str()).collect()
}

/// A change of tables or generator changes every history; then the digests are written anew with
/// `UMPIRE_WRITE_DIGESTS=1`, and the change shows in the suite.
#[test]
fn everybody_has_the_committed_history() {
    let (tasks, mut histories) = (suite_tasks(), histories());
    if std::env::var_os("UMPIRE_WRITE_DIGESTS").is_some() {
        histories.digests.clear();
        let mut lines = Vec::new();
        for user in users(&tasks) {
            let Err(BadHistories::Another { made, .. }) = histories.history(Tables::embedded(), &tasks, user)
            else {
                panic!("{user} has no truths");
            };
            lines.push(format!("{user} = \"{made}\""));
        }
        let path = suite_folder().join("histories.toml");
        let text = std::fs::read_to_string(&path).expect("a file");
        let (head, _) = text.split_once("[digests]").expect("digests");
        std::fs::write(path, format!("{head}[digests]\n{}\n", lines.join("\n"))).expect("written");
        return;
    }
    let named: BTreeSet<&str> = histories.digests.keys().map(String::as_str).collect();
    assert_eq!(named, users(&tasks));
    for user in users(&tasks) {
        let history = histories.history(Tables::embedded(), &tasks, user).expect(user);
        assert!((1_950..=2_050).contains(&history.entries.len()), "{user}: {}", history.entries.len());
    }
}

#[test]
fn every_wish_can_be_answered_from_the_history_of_who_wishes_it() {
    let (tasks, histories) = (suite_tasks(), histories());
    let mut certified = 0;
    for user in users(&tasks) {
        let profile = histories.profile(Tables::embedded(), &tasks, user).expect(user);
        let history = histories.history(Tables::embedded(), &tasks, user).expect(user);
        let audit = audit(Tables::embedded(), &profile, &history);
        assert_eq!(audit.findings(), Vec::<String>::new(), "{user}");
        let wishes =
            tasks.iter().filter(|task| task.persona.as_ref().is_some_and(|persona| persona.id == user));
        for task in wishes {
            let persona = task.persona.as_ref().expect("a persona");
            let shown = |about: &About, value: &str| {
                let domain = &Tables::embedded().of_category(&task.category).expect("a domain").name;
                let of = |support: &&umpire_persona::audit::Support| {
                    support.about == *about
                        && support.value == value
                        && support.domain.as_ref().is_none_or(|known| known == domain)
                };
                audit.support.iter().find(of).is_some_and(umpire_persona::audit::Support::is_inferable)
            };
            assert!(shown(&About::Website, &persona.website.host), "{}", task.id);
            for preference in &persona.preferences {
                let about = About::Preference(preference.key.clone());
                assert!(shown(&about, &preference.value), "{}: {preference:?}", task.id);
            }
            if let Some(location) = &persona.location {
                assert!(
                    shown(&About::Address, &location.address) && shown(&About::City, &location.city),
                    "{}",
                    task.id
                );
            }
            certified += 1;
        }
    }
    println!("{certified} wishes of {} people certified", users(&tasks).len());
    assert_eq!(certified, tasks.len());
}

#[test]
fn another_history_is_refused() {
    let (tasks, mut histories) = (suite_tasks(), histories());
    let user = *users(&tasks).first().expect("somebody");
    histories.seed += 1;
    let error = histories.history(Tables::embedded(), &tasks, user).expect_err("another").to_string();
    assert!(error.contains("has another history than the committed one"), "{error}");
    let error = histories.history(Tables::embedded(), &tasks, "nobody").expect_err("nobody").to_string();
    assert_eq!(error, "no task is a wish of `nobody`");
    assert!(
        Histories::parse("version = 9\nseed = 1\n[extent]\nentries = 1\nuntil = \"2026-03-15\"\n[digests]\n")
            .is_err()
    );
}

/// What a history looks like, as far as a few lines tell; a change of wording shows here.
#[test]
fn the_file_is_one_entry_a_line() {
    let (tasks, histories) = (suite_tasks(), histories());
    let user = *users(&tasks).first().expect("somebody");
    let history = histories.history(Tables::embedded(), &tasks, user).expect(user);
    let file = history.to_json();
    assert_eq!(file.lines().count(), history.entries.len() + 2);
    assert_eq!(History::parse(&file).expect("its own file"), history);
}
