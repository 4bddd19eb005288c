//! What a scripted agent finds out about the suite's people.

use std::collections::{BTreeMap, BTreeSet};

use umpire_model::Persona;
use umpire_persona::audit::About;
use umpire_persona::inference::{choices, likeliest, question};
use umpire_persona::{Histories, History, Tables};
use umpire_recall::{Bank, Bm25, Cut, Entry, Index, Keys, Method};

use crate::files::{suite_folder, suite_tasks};

fn bank(history: &History) -> Bank {
    let entry = |entry: &umpire_persona::Entry| Entry {
        timestamp: entry.timestamp.to_string(),
        kind: entry.kind.name().to_owned(),
        object: entry.object.clone(),
        website: entry.website.clone(),
    };
    Bank::new(history.entries.iter().map(entry).collect())
}

fn truths(persona: &Persona) -> Vec<(About, String)> {
    let website = (About::Website, persona.website.host.clone());
    let preferences =
        persona.preferences.iter().map(|one| (About::Preference(one.key.clone()), one.value.clone()));
    let home = persona
        .location
        .iter()
        .flat_map(|home| [(About::Address, home.address.clone()), (About::City, home.city.clone())]);
    std::iter::once(website).chain(preferences).chain(home).collect()
}

/// Counting what a plain question brings up tells most truths, and not all: an agent built on it lies between one that
/// knows and one that guesses.
#[test]
fn most_truths_are_told_by_what_a_question_brings_up() {
    let tables = Tables::embedded();
    let tasks = suite_tasks();
    let histories =
        Histories::parse(&std::fs::read_to_string(suite_folder().join("histories.toml")).expect("a file"))
            .expect("histories");
    let (mut told, mut all, mut whole, mut wishes) = (0, 0, 0, 0);
    let mut indexes = BTreeMap::new();
    for task in &tasks {
        let Some(persona) = &task.persona else { continue };
        let (bank, index) = indexes.entry(persona.id.clone()).or_insert_with(|| {
            let bank = bank(&histories.history(tables, &tasks, &persona.id).expect("a history"));
            let index =
                Index::build(&bank, Keys::default(), &Method::Lexical(Bm25::default())).expect("an index");
            (bank, index)
        });
        let wish = task.levels.last().expect("the vaguest level");
        let truths = truths(persona);
        let asked: BTreeSet<String> =
            truths.iter().map(|(about, _)| question(tables, &task.category, wish, about)).collect();
        let hits = asked.iter().flat_map(|asked| index.search(asked, Cut::default()).expect("hits"));
        let entries = hits.map(|hit| &bank.entries()[hit.id]);
        let texts: Vec<String> =
            entries.map(|entry| format!("{}, {}", entry.object, entry.website)).collect();
        let right = truths.iter().filter(|(about, truth)| {
            let guess = likeliest(tables, &task.category, about, texts.iter().map(String::as_str));
            guess.as_ref() == Some(truth)
        });
        let right = right.count();
        for (about, truth) in &truths {
            let is_choice = choices(tables, &task.category, about).contains(truth);
            assert!(is_choice || *about == About::Address, "{}: {about} could not be guessed", task.id);
        }
        told += right;
        all += truths.len();
        whole += usize::from(right == truths.len());
        wishes += 1;
    }
    println!("{told} of {all} truths told, {whole} of {wishes} wishes wholly");
    assert!(told * 10 > all * 9, "{told} of {all}");
    assert!(whole * 2 > wishes && whole < wishes, "{whole} of {wishes}");
}
