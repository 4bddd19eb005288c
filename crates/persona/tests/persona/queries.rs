//! Wishes at three levels: those of the persona suite made again by masking, drawn ones, and the released ones.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use umpire_persona::queries::{
    BadQueries, Masks, Problem, QuerySet, problems, read_sets, to_json, write_queries,
};
use umpire_persona::scoring::Part;
use umpire_persona::{Tables, free_profile, people};

use crate::files::{shared, suite_tasks};

fn told(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

/// The suite's vaguer wishes were written by hand, so they say whether masking does what a person would do.
#[test]
fn masking_writes_the_suites_own_vaguer_wishes() {
    let mut same = 0;
    let tasks = suite_tasks();
    for task in &tasks {
        let persona = task.persona.as_ref().expect("a persona");
        let domain = &Tables::embedded().of_category(&task.category).expect("a domain").name;
        let set = Masks::embedded().mask(&task.id, domain, &task.intent, persona).expect(&task.id);
        assert_eq!(set.texts[1], task.levels[0], "{}", task.id);
        assert_eq!(told(&problems(&set)), Vec::<String>::new(), "{}", task.id);
        same += usize::from(set.texts[2] == task.levels[1]);
        let by_hand = QuerySet::of_task(task).expect("three levels");
        assert_eq!(told(&problems(&by_hand)), Vec::<String>::new(), "{} as it is", task.id);
    }
    println!(
        "{same} of {} wishes of level 2 are word for word those of the suite, all of level 1 are",
        tasks.len()
    );
    assert!(same * 10 >= tasks.len() * 9, "{same} of {}", tasks.len());
}

#[test]
fn drawn_wishes_say_and_hide_what_they_should() {
    let tables = Tables::embedded();
    let mut written = 0;
    for person in people(tables, 11, 40) {
        let profile = free_profile(tables, 11, person);
        let write = || write_queries(tables, Masks::embedded(), 11, &profile);
        let sets: Vec<QuerySet> = write().into_iter().collect::<Result<_, _>>().expect("wishes");
        assert_eq!(sets, write().into_iter().collect::<Result<Vec<_>, _>>().expect("wishes"));
        let file = to_json(&sets).expect("a file");
        assert_eq!(read_sets(&file).expect("its own file"), sets);
        for set in &sets {
            assert_eq!(told(&problems(set)), Vec::<String>::new(), "{set:#?}");
        }
        written += sets.len();
    }
    println!("{written} sets written and checked");
    assert!(written > 300);
}

#[test]
fn the_released_wishes_have_the_leaks_that_were_flagged() {
    let (Some(rows), Some(flags)) =
        (shared("data/persona2web/query_sets.jsonl"), shared("data/persona2web/quality_flags.jsonl"))
    else {
        return;
    };
    let flagged = |flag: &str| -> BTreeSet<String> {
        let has = |row: &&Value| row["flags"].as_array().expect("flags").iter().any(|known| known == flag);
        flags.iter().filter(has).map(|row| row["query_id"].as_str().expect("an id").to_owned()).collect()
    };
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let lines: Vec<String> = rows.iter().map(ToString::to_string).collect();
    let sets = read_sets(&lines.join("\n")).expect("released wishes");
    assert_eq!(sets.len(), rows.len());
    for set in &sets {
        for problem in problems(set) {
            let name = match &problem {
                Problem::Leak { level: 1, part: Part::Website, .. } => "level1_leaks_website",
                Problem::Leak { level: 2, part: Part::Website, .. } => "level2_leaks_website",
                Problem::Leak { part: Part::Preference(_), .. } => "level2_leaks_preference",
                Problem::Leak { .. } => "leaks_location",
                Problem::Missing { part: Part::Preference(_), .. } => "level0_level1_preferences_differ",
                Problem::Missing { .. } => "level0_does_not_say",
                Problem::Vague { .. } => "level0_still_vague",
            };
            found.entry(name).or_default().insert(set.id.clone());
        }
    }
    println!("{} released sets checked", rows.len());
    for (name, ids) in &found {
        let flagged = flagged(name);
        let both = ids.intersection(&flagged).count();
        let ours: Vec<&String> = ids.difference(&flagged).collect();
        let theirs: Vec<&String> = flagged.difference(ids).collect();
        println!("{name}: {both} found and flagged, only found {ours:?}, only flagged {theirs:?}");
    }
    for name in ["level1_leaks_website", "level2_leaks_website"] {
        let missed: Vec<String> = flagged(name).difference(&found[name]).cloned().collect();
        assert_eq!(missed, Vec::<String>::new(), "{name}");
    }
    // `my city` and `my home city` are told at the end of the same text.
    for id in flagged("level0_still_vague").difference(&found["level0_still_vague"]) {
        let text = rows.iter().find(|row| row["query_id"] == **id).map(|row| row["level0"].to_string());
        assert!(
            text.as_ref().is_some_and(|text| text.contains("my city") || text.contains("my home city")),
            "{text:?}"
        );
    }
}

#[test]
fn files_that_are_none_say_why() {
    for (text, problem) in [
        ("", "there are no wishes in it"),
        ("{\"version\": 9, \"sets\": []}", "it has version 9"),
        ("{\n\"version\": 1,\n\"sets\": [{}]}", "line 3: missing field `id`"),
        ("{\"query_id\": \"a\"}", "line 1: missing field `level0`"),
        ("\nnonsense", "line 2: expected ident"),
    ] {
        let error = read_sets(text).expect_err(text).to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
    assert_eq!(read_sets("{\"version\": 1, \"sets\": []}"), Err(BadQueries::Empty));
}
