//! The search engine's tasks against its index.

use serde_json::{Value, json};
use umpire_model::{Action, Instance, Target};

use super::SearchEngine;
use super::question::Question;
use crate::kit::task_file::{TaskFile, results};
use crate::kit::visitor::request;

const SEED: u64 = 7;

fn tasks() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/verified/search.jsonl"), SEED)
}

fn question_of(instance: &Instance) -> Question {
    let typed = instance.reference.iter().find_map(|action| match action {
        Action::Type(Target::Named { name, .. }, text) if name == "Search the web" => Some(text),
        _ => None,
    });
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("q", typed.unwrap_or_else(|| panic!("{}: nothing is asked", instance.id)))
        .finish();
    Question::of(&request("GET", "search.localhost", &format!("/search?{query}"), "", ""))
}

fn assert_answers(template: &str, work_out: impl Fn(&Question) -> Value) {
    for instance in tasks().of_template(template) {
        assert_eq!(results(instance), [work_out(&question_of(instance))], "{}", instance.id);
    }
}

#[test]
fn the_file_holds_what_it_promises() {
    assert!(tasks().instances.len() >= 15);
    tasks().assert_is_sound();
}

#[test]
fn questions_have_the_expected_answers() {
    let plumb = SearchEngine::new(SEED);
    let index = plumb.index();
    assert_answers("plumb-result-count", |question| json!(index.find(question).len()));
    assert_answers("plumb-did-you-mean", |question| json!(index.corrected(question)));
}

#[test]
fn pages_to_open_are_among_the_first_ten() {
    let plumb = SearchEngine::new(SEED);
    for template in ["plumb-find-article", "plumb-find-product", "plumb-open-place"] {
        for instance in tasks().of_template(template) {
            let opened = instance.reference.iter().rev().find_map(|action| match action {
                Action::Click(Target::Named { role, name, .. }) if role == "link" => Some(name),
                _ => None,
            });
            let found = plumb.index().find(&question_of(instance));
            // A tab may stand between the question and the page, so more than the first ten are looked at.
            assert!(found.iter().take(40).any(|page| Some(&page.title) == opened), "{}", instance.id);
        }
    }
}
