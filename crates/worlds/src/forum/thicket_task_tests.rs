//! The forum's tasks in the suite `verified`, with answers worked out again from its posts.

use serde_json::json;
use umpire_model::Instance;

use super::catalogue::{Catalogue, Post};
use crate::kit::task_file::{TaskFile, results};

const SEED: u64 = 7;

fn tasks() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/verified/forum.jsonl"), SEED)
}

/// The only post with the title that the intent quotes.
fn post_in<'a>(catalogue: &'a Catalogue, instance: &Instance) -> &'a Post {
    let title = instance.intent.split('"').nth(1).expect("a quoted title");
    let mut named = catalogue.all_posts().filter(|post| post.title == title);
    let post = named.next().unwrap_or_else(|| panic!("{}: no post", instance.id));
    assert!(named.next().is_none(), "{}: two posts have this title", instance.id);
    post
}

#[test]
fn the_file_holds_what_it_promises() {
    assert!(tasks().instances.len() >= 20);
    tasks().assert_is_sound();
}

#[test]
fn posts_have_the_expected_details() {
    let catalogue = Catalogue::shared(SEED);
    for instance in tasks().of_template("thicket-author") {
        assert_eq!(results(instance), [json!(post_in(&catalogue, instance).author)], "{}", instance.id);
    }
    for instance in tasks().of_template("thicket-post-date") {
        assert_eq!(results(instance), [json!(post_in(&catalogue, instance).at.day())], "{}", instance.id);
    }
}

#[test]
fn the_impossible_is_impossible() {
    let catalogue = Catalogue::shared(SEED);
    for instance in tasks().of_template("thicket-unknown-user") {
        let known = catalogue.everybody().any(|person| instance.intent.contains(&person.name));
        assert!(!known, "{}", instance.id);
    }
    for instance in tasks().of_template("thicket-restricted") {
        let closed = catalogue.communities.iter().filter(|community| community.words.restricted);
        assert!(
            closed.into_iter().any(|community| instance.intent.contains(community.words.name)),
            "{}",
            instance.id
        );
    }
}
