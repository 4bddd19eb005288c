//! The encyclopedia's tasks, alone and with the map, against the facts: expected answers are worked out again without
//! the pages.

use serde_json::{Value, json};
use umpire_model::{Check, Instance, NetworkCheck};

use super::Encyclopedia;
use super::facts::{Facts, Person};
use super::history;
use super::titles::Titles;
use crate::kit::task_file::{TaskFile, is_possible, results, typed};

const SEED: u64 = 7;

fn tasks() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/verified/encyclopedia.jsonl"), SEED)
}

fn both_sites() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/verified/multi.jsonl"), SEED)
}

fn assert_answers(tasks: &TaskFile, template: &str, work_out: impl Fn(&Instance) -> Value) {
    for instance in tasks.of_template(template) {
        assert_eq!(results(instance), [work_out(instance)], "{}", instance.id);
    }
}

fn person_in<'a>(facts: &'a Facts, titles: &Titles, instance: &Instance) -> &'a Person {
    let at = titles.people.iter().position(|title| instance.intent.contains(title.as_str()));
    &facts.people[at.unwrap_or_else(|| panic!("{}: nobody is named", instance.id))]
}

fn work_in<'a>(facts: &'a Facts, titles: &Titles, instance: &Instance) -> &'a Person {
    let at = titles.works.iter().position(|title| instance.intent.contains(&format!("“{title}”")));
    let work = &facts.works[at.unwrap_or_else(|| panic!("{}: no work is named", instance.id))];
    &facts.people[work.creator]
}

#[test]
fn the_files_hold_what_they_promise() {
    for (tasks, least) in [(tasks(), 25), (both_sites(), 12)] {
        assert!(tasks.instances.len() >= least);
        assert!(tasks.instances.iter().any(|instance| !is_possible(instance)));
        tasks.assert_is_sound();
    }
}

#[test]
fn people_and_works_have_the_expected_facts() {
    let quire = Encyclopedia::new(SEED);
    let (facts, country) = (&quire.library.shelf().facts, &quire.library.country);
    let (titles, tasks) = (Titles::of(facts), tasks());
    assert_answers(&tasks, "quire-birthday", |instance| {
        json!(person_in(facts, &titles, instance).born.to_string())
    });
    assert_answers(&tasks, "quire-work-creator", |instance| json!(work_in(facts, &titles, instance).name));
    assert_answers(&tasks, "quire-creator-birthplace", |instance| {
        json!(country.towns[work_in(facts, &titles, instance).birthplace].name)
    });
    assert_answers(&tasks, "quire-species-described", |instance| {
        let named = facts.species.iter().find(|species| instance.intent.contains(&species.name));
        json!(named.expect("a species").described)
    });
}

#[test]
fn the_library_has_the_expected_order() {
    let quire = Encyclopedia::new(SEED);
    let (shelf, country) = (quire.library.shelf(), &quire.library.country);
    let tasks = tasks();
    assert_answers(&tasks, "quire-ranked-river", |instance| {
        let mut rivers: Vec<_> = country.rivers.iter().collect();
        rivers.sort_by_key(|river| std::cmp::Reverse(river.length));
        let rank = if instance.intent.contains("second") { 1 } else { 4 };
        json!(country.peaks[rivers[rank].source].name)
    });
    assert_answers(&tasks, "quire-links-here", |instance| {
        let named =
            shelf.articles.iter().find(|article| instance.intent.contains(&format!("“{}”", article.title)));
        json!(shelf.linking_to(&named.expect("an article").slug).len())
    });
    assert_answers(&tasks, "quire-category-size", |instance| {
        let named = shelf.categories.iter().find(|(name, _)| instance.intent.contains(&format!("“{name}”")));
        json!(named.expect("a category").1.len())
    });
}

#[test]
fn revisions_have_the_expected_authors() {
    let quire = Encyclopedia::new(SEED);
    assert_answers(&tasks(), "quire-revision-author", |instance| {
        let mut articles = quire.library.shelf().articles.iter();
        let asked = articles.find(|article| instance.intent.contains(&format!("about {}?", article.title)));
        let number = instance.intent.split(' ').find_map(|word| word.parse::<u32>().ok()).expect("a number");
        let versions = history::versions(SEED, asked.expect("an article"));
        json!(versions.iter().find(|version| version.number == number).expect("a revision").author)
    });
}

#[test]
fn ways_lead_from_one_birthplace_to_the_other() {
    let quire = Encyclopedia::new(SEED);
    let facts = &quire.library.shelf().facts;
    let titles = Titles::of(facts);
    for instance in both_sites().of_template("multi-birthplace-distance") {
        let named = titles.people.iter().enumerate().filter_map(|(at, title)| {
            let town = &quire.library.country.towns[facts.people[at].birthplace].name;
            instance.intent.find(title.as_str()).map(|place| (place, town.as_str()))
        });
        let mut born: Vec<_> = named.collect();
        born.sort_unstable();
        let towns: Vec<_> = born.into_iter().map(|(_, town)| town).collect();
        assert_eq!(towns, [typed(instance, "From"), typed(instance, "To")], "{}", instance.id);
    }
}

#[test]
fn what_may_not_be_edited_is_protected() {
    let quire = Encyclopedia::new(SEED);
    for instance in tasks().of_template("quire-protected") {
        let looked_at = |check: &Check| match check {
            Check::Network(NetworkCheck { url, .. }) => {
                url.first().and_then(|url| url.split('/').nth(4)).map(str::to_owned)
            }
            _ => None,
        };
        let slug = instance.checks.iter().find_map(looked_at).expect("the article is looked at");
        assert!(quire.library.article(&slug).expect("it exists").protected, "{}", instance.id);
    }
}

#[test]
fn town_halls_of_birthplaces_answer_the_phone() {
    let quire = Encyclopedia::new(SEED);
    let facts = &quire.library.shelf().facts;
    let titles = Titles::of(facts);
    let pages = crate::map::documents(SEED);
    assert_answers(&both_sites(), "multi-birthplace-town-hall", |instance| {
        let town = &quire.library.country.towns[person_in(facts, &titles, instance).birthplace].name;
        let hall = pages
            .iter()
            .find(|page| page.title.starts_with(&format!("{town} Town Hall,")))
            .expect("a town hall");
        let phone = hall.text.rsplit("Phone ").next().unwrap_or_default();
        json!(phone.trim_end_matches('.'))
    });
}
