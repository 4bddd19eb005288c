//! What tasks ask of the paper, worked out again from what is in it.

use serde_json::{Value, json};
use umpire_model::{Action, Check, Instance, StateExpectation};

use super::catalogue::{Article, Catalogue};
use super::state::PURPOSES;
use super::{boxes, prose};
use crate::kit::task_file::{TaskFile, results};

const SEED: u64 = 7;

fn popups() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/obstacles/popups.jsonl"), SEED)
}

fn direct() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/obstacles/direct.jsonl"), SEED)
}

/// The article that a task is about: the one whose headline its reference types into the search field.
fn article<'c>(catalogue: &'c Catalogue, instance: &Instance) -> &'c Article {
    let typed = instance.reference.iter().find_map(|action| match action {
        Action::Type(_, text) => catalogue.articles.iter().find(|article| article.headline == *text),
        _ => None,
    });
    typed.unwrap_or_else(|| panic!("{}: no article is looked for", instance.id))
}

/// Whether some check wants this address.
fn wants(instance: &Instance, url: &str) -> bool {
    instance.checks.iter().any(
        |check| matches!(check, Check::Network(network) if network.url.iter().any(|wanted| wanted == url)),
    )
}

/// What a state check expects at a path.
fn expected<'i>(instance: &'i Instance, wanted_path: &str) -> Vec<&'i StateExpectation> {
    let of = |check: &'i Check| match check {
        Check::State(state) if state.path == wanted_path => Some(&state.expect),
        _ => None,
    };
    instance.checks.iter().filter_map(of).collect()
}

#[test]
fn boxes_of_articles_say_what_tasks_expect() {
    let catalogue = Catalogue::shared(SEED);
    for instance in popups().of_template("popup-at-a-glance") {
        let article = article(&catalogue, instance);
        let answer = match instance.task.as_str() {
            "popup-glance-budget" => json!(article.facts.budget),
            "popup-glance-people" => json!(article.facts.people),
            "popup-glance-begins" => json!(article.facts.begins.iso()),
            other => panic!("{other} is not known here"),
        };
        assert_eq!(results(instance), [answer], "{}", instance.id);
        assert!(wants(instance, &format!("http://news.localhost/api/article/{}/rest", article.id)));
    }
}

#[test]
fn own_choices_leave_out_what_the_intent_leaves_out() {
    let companies: u64 = PURPOSES
        .iter()
        .find(|(id, ..)| *id == "partners")
        .and_then(|(.., told)| told.split(' ').find_map(|word| word.parse().ok()))
        .expect("a number of companies");
    for instance in popups().of_template("popup-own-choice") {
        assert_eq!(results(instance), [json!(companies)], "{}", instance.id);
        let allowed: &[&str] = match instance.task.as_str() {
            "popup-only-measurement" => &["measurement"],
            "popup-all-but-partners" => &["measurement", "personalisation", "advertising"],
            other => panic!("{other} is not known here"),
        };
        let expected = expected(instance, "/consent");
        let [StateExpectation::Equals(wanted)] = expected[..] else { panic!("{}", instance.id) };
        for (purpose, ..) in PURPOSES {
            assert_eq!(wanted["purposes"][purpose], allowed.contains(&purpose), "{}: {purpose}", instance.id);
        }
    }
}

/// The one with the most of something; two of them would make the task ambiguous.
fn only_highest<T, K: Ord>(all: impl Iterator<Item = T>, key: impl Fn(&T) -> K) -> T {
    let mut all: Vec<T> = all.collect();
    all.sort_by_key(|one| std::cmp::Reverse(key(one)));
    assert!(all.len() < 2 || key(&all[0]) > key(&all[1]), "there are two");
    all.into_iter().next().expect("one at least")
}

#[test]
fn pages_behind_pop_ups_have_the_expected_answers() {
    let catalogue = Catalogue::shared(SEED);
    for instance in popups().of_template("popup-read-on") {
        let answer = match instance.task.as_str() {
            "popup-busiest-share" => {
                let busiest = only_highest(boxes::shares(SEED).into_iter(), |share| share.volume);
                json!(busiest.company)
            }
            "popup-windiest-day" => {
                let towns = boxes::weather(SEED);
                let town = towns.iter().find(|town| town.place == "Castlemere").expect("a forecast");
                json!(only_highest(town.days.iter(), |day| day.wind).day.iso())
            }
            "popup-most-discussed" => {
                let places = catalogue.articles.iter().filter(|article| article.section.name == "Places");
                json!(catalogue.author_of(only_highest(places, |article| article.comments)).name)
            }
            "popup-best-comment" => {
                let comments = prose::comments(&catalogue, article(&catalogue, instance));
                let best = only_highest(comments.into_iter(), |comment| comment.recommendations);
                json!(best.reader)
            }
            other => panic!("{other} is not known here"),
        };
        assert_eq!(results(instance), [answer], "{}", instance.id);
    }
}

#[test]
fn what_is_done_behind_pop_ups_is_done_to_what_the_intent_names() {
    let catalogue = Catalogue::shared(SEED);
    for instance in popups().of_template("popup-then-act") {
        let wanted = match instance.task.as_str() {
            "popup-save-article" => StateExpectation::Equals(json!([article(&catalogue, instance).id])),
            "popup-follow-author" => {
                let author = catalogue.authors.iter().find(|author| instance.intent.contains(&author.name));
                StateExpectation::Equals(json!([author.expect("an author").slug]))
            }
            "popup-comment" => {
                let said = instance.intent.split(['“', '”']).nth(3).expect("a comment");
                let about = article(&catalogue, instance).id;
                StateExpectation::Contains(json!({"article": about, "text": said}))
            }
            other => panic!("{other} is not known here"),
        };
        let path = match instance.task.as_str() {
            "popup-save-article" => "/saved",
            "popup-follow-author" => "/following",
            _ => "/comments",
        };
        assert!(expected(instance, path).contains(&&wanted), "{}: {wanted:?}", instance.id);
    }
}

#[test]
fn pages_reached_directly_have_the_expected_answers() {
    let catalogue = Catalogue::shared(SEED);
    let tasks = direct();
    let assert_answers = |template: &str, work_out: &dyn Fn(&Instance) -> Value| {
        for instance in tasks.of_template(template) {
            assert_eq!(results(instance), [work_out(instance)], "{}", instance.id);
        }
    };
    assert_answers("direct-weather", &|instance| {
        let towns = boxes::weather(SEED);
        let town = towns
            .iter()
            .find(|town| wants(instance, &format!("http://news.localhost/weather/{}", town.slug)))
            .expect("a town");
        let told = |day: &&boxes::Forecast| format!("{} {}", day.day.day_of_month(), day.day.month());
        let day = town.days.iter().find(|day| instance.intent.contains(&told(day)));
        json!(day.expect("a day").rain_percent)
    });
    assert_answers("direct-share", &|instance| {
        let shares = boxes::shares(SEED);
        let share = shares.iter().find(|share| instance.intent.contains(share.company));
        json!(share.expect("a company").close)
    });
    assert_answers("direct-own-search", &|instance| {
        json!(catalogue.author_of(article(&catalogue, instance)).name)
    });
    for instance in tasks.of_template("direct-follow") {
        let author = catalogue.authors.iter().find(|author| instance.intent.contains(&author.name));
        let wanted = StateExpectation::Equals(json!([author.expect("an author").slug]));
        assert_eq!(expected(instance, "/following"), [&wanted], "{}", instance.id);
    }
}
