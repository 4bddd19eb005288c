//! Every expected item of the persona suite is derived again here, from the stock and the persona's preferences and
//! not from the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use umpire_model::{Action, Check, Instance, Persona, Preference, StateExpectation, Suite, Task, TaskKind};

use crate::World;
use crate::kit::calendar::Day;
use crate::market::atlas::{Place, Point};
use crate::market::item::Item;
use crate::market::liking::suits;
use crate::market::stock::Stock;
use crate::market::storefront::{STOREFRONTS, Storefront, storefront};
use crate::market::trade::Ask;

fn suite() -> Suite {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../suites/persona");
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).expect(name);
    let toml = read("suite.toml");
    let names = Suite::parse_file(Path::new("suite.toml"), &toml).expect("suite.toml").tasks;
    let files: Vec<(PathBuf, String)> = names.iter().map(|name| (name.into(), read(name))).collect();
    Suite::parse(Path::new("suite.toml"), &toml, &files, &[]).expect("a well-formed suite")
}

/// A task with everything its ground truth is about.
struct Wish {
    task: Task,
    persona: Persona,
    site: &'static Storefront,
    /// What the state must hold after a mutation: a basket line, an order, a booking.
    deal: Value,
    item: String,
}

impl Wish {
    fn of(task: Task, seed: u64) -> Self {
        let persona = task.persona.clone().expect("a persona");
        let key = persona.website.host.strip_suffix(".localhost").expect("a host of ours");
        let site = storefront(key).expect("a storefront");
        assert_eq!(persona.website.name, site.name);
        let mut deal = Value::Null;
        let mut item = None;
        for check in &task.checks {
            match check {
                Check::State(state) => match &state.expect {
                    StateExpectation::Equals(value) | StateExpectation::Contains(value) => {
                        deal = value.clone();
                        let line = value["lines"].as_object().and_then(|lines| lines.values().next());
                        let id = line.unwrap_or(value)["item"].as_str();
                        item = id.or_else(|| state.path.rsplit('/').next()).map(str::to_owned);
                    }
                    _ => {}
                },
                Check::Response(response) => {
                    let name = response.results.as_ref().and_then(|results| results[0].as_str());
                    let stock = Stock::of_seed(site, seed);
                    let named = name.and_then(|name| stock.items().iter().find(|i| i.name == name));
                    item = named.map(|found| found.id.clone()).or(item);
                }
                _ => {}
            }
        }
        Self { persona, site, deal, item: item.expect("an expected item"), task }
    }

    fn home(&self) -> Option<Point> {
        let location = self.persona.location.as_ref()?;
        Place::parse(&location.city, &location.address).map(Place::point)
    }

    /// The day in the intent, as in `April 14, 2026`.
    fn day(&self) -> Option<Day> {
        (0..180)
            .map(|offset| crate::kit::calendar::TODAY.plus(offset))
            .find(|day| self.task.intent.contains(&day.to_string()))
    }

    fn number(&self, item: &Item, key: &str) -> i64 {
        match key {
            "price" if self.site.trade.day_priced => {
                self.day().map_or(i64::from(item.price.0), |day| i64::from(item.on_day(item.price, day).0))
            }
            "distance" => {
                item.place.expect("a place").point().tenths_to(self.home().expect("the home of the persona"))
            }
            _ => item.number(key).expect(key),
        }
    }

    /// Same shelf, same city, same route, and to be had on the day: what the intent says at every level.
    fn is_meant(&self, item: &Item, expected: &Item) -> bool {
        item.shelf.slug == expected.shelf.slug
            && ["city", "from", "to"].iter().all(|key| item.values(key) == expected.values(key))
            && self.day().is_none_or(|day| {
                item.is_open_on(day) && (item.times.is_empty() || !item.times_on(day).is_empty())
            })
    }

    /// Whether a preference is about the item; others are about what is decided when the deal is made.
    fn is_about_item(&self, preference: &Preference) -> bool {
        self.site.trade.facets.iter().any(|facet| facet.key == preference.key)
            && self.deal.get(&preference.key).is_none_or(|_| preference.key == "insurance")
    }

    fn suits(&self, item: &Item, preference: &Preference) -> bool {
        let value = preference.value.as_str();
        match preference.key.as_str() {
            "rating" => self.number(item, "rating") as f64 >= value.parse::<f64>().expect("stars") * 10.0,
            "distance" => self.number(item, "distance") <= value.parse::<i64>().expect("miles") * 10,
            "pages" | "hours" => self.number(item, &preference.key) <= value.parse().expect("a number"),
            key => item.has(key, value),
        }
    }

    /// Number and direction of the superlative in the intent.
    fn superlative(&self) -> (&'static str, i64) {
        let shortest = if self.site.trade.name == "Courses" { "hours" } else { "minutes" };
        let words = [
            ("cheapest", "price", 1),
            ("best-rated", "rating", -1),
            ("nearest", "distance", 1),
            ("soonest", "days", 1),
            ("earliest", "departs", 1),
            ("shortest", shortest, 1),
        ];
        let (_, key, sign) =
            words.into_iter().find(|(word, ..)| self.task.intent.contains(word)).expect("a superlative");
        (key, sign)
    }

    /// Ids of the best among the items meant that suit all of these preferences.
    fn best(&self, stock: &Stock, preferences: &[&Preference]) -> Vec<String> {
        let expected = stock.item(&self.item).expect("the expected item");
        let (key, sign) = self.superlative();
        let mut ranked: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        for item in stock.items().iter().filter(|item| self.is_meant(item, expected)) {
            if preferences.iter().all(|preference| self.suits(item, preference)) {
                ranked.entry(sign * self.number(item, key)).or_default().push(item.id.clone());
            }
        }
        ranked.into_values().next().unwrap_or_default()
    }
}

fn wishes() -> Vec<Wish> {
    let suite = suite();
    let seed = suite.file.seed;
    suite.tasks.into_iter().map(|task| Wish::of(task, seed)).collect()
}

#[test]
fn there_are_enough_query_sets_of_every_trade_and_site() {
    let suite = suite();
    assert!(suite.tasks.len() >= 60, "{}", suite.tasks.len());
    assert_eq!(suite.instances().len(), suite.tasks.len() * 3);
    for task in &suite.tasks {
        let preferences = task.persona.as_ref().map_or(0, |persona| persona.preferences.len());
        assert!(preferences >= 2, "{} rests on {preferences}", task.id);
    }
    let trades: BTreeSet<&str> = suite.tasks.iter().map(|task| task.category.as_str()).collect();
    let all: BTreeSet<&str> = STOREFRONTS.iter().map(|site| site.trade.name).collect();
    assert_eq!(trades, all);
    let sites: BTreeSet<&str> = wishes().iter().map(|wish| wish.site.key).collect();
    assert_eq!(sites.len(), STOREFRONTS.len());
    for instance in suite.instances() {
        World::create(&instance.sites, suite.file.seed, &instance.world).expect("a world for the instance");
    }
}

#[test]
fn the_expected_item_is_the_one_that_suits_the_persona_best() {
    let seed = suite().file.seed;
    for wish in wishes() {
        let stock = Stock::of_seed(wish.site, seed);
        let about: Vec<&Preference> =
            wish.persona.preferences.iter().filter(|preference| wish.is_about_item(preference)).collect();
        assert!(!about.is_empty(), "{}", wish.task.id);
        assert_eq!(wish.best(&stock, &about), [wish.item.as_str()], "{}", wish.task.id);
        let home = wish.persona.location.as_ref().map(|at| (at.city.as_str(), at.address.as_str()));
        for Preference { key, value, .. } in &about {
            let told = |id: &str| suits(seed, &wish.persona.website.host, id, (key, value), home);
            assert_eq!(told(&wish.item), Some(true), "{}: {key}", wish.task.id);
            let unlike = stock.items().iter().any(|item| told(&item.id) == Some(false));
            assert!(unlike, "{}: {key} suits all", wish.task.id);
            assert_eq!(told("XX-1"), None);
        }
        for left_out in &about {
            let others: Vec<&Preference> = about.iter().copied().filter(|other| other != left_out).collect();
            let guess = wish.best(&stock, &others);
            assert!(!guess.contains(&wish.item), "{}: `{}` decides nothing", wish.task.id, left_out.key);
        }
        assert!(!wish.best(&stock, &[]).contains(&wish.item), "{}: no preference decides", wish.task.id);
    }
}

#[test]
fn what_is_decided_in_a_deal_is_what_the_persona_prefers() {
    for wish in wishes().iter().filter(|wish| wish.task.kind == TaskKind::Mutate) {
        let line = wish.deal["lines"].as_object().and_then(|lines| lines.values().next());
        let option = line.unwrap_or(&wish.deal).get("option");
        let has_option = |key: &str| {
            wish.site.trade.asks.iter().any(|ask| matches!(ask, Ask::Option { .. }) && key != "delivery")
        };
        for preference in wish.persona.preferences.iter().filter(|p| !wish.is_about_item(p)) {
            let decided = wish.deal.get(&preference.key).or(option.filter(|_| has_option(&preference.key)));
            assert_eq!(decided.and_then(Value::as_str), Some(preference.value.as_str()), "{}", wish.task.id);
        }
    }
}

/// What a persona prefers at a kind of site is one thing: a history could not support two.
#[test]
fn no_persona_contradicts_itself() {
    let mut known: BTreeMap<(String, &str, String), String> = BTreeMap::new();
    for wish in wishes() {
        let trade = wish.site.trade.name;
        let facts = wish
            .persona
            .preferences
            .iter()
            .map(|preference| (preference.key.clone(), preference.value.clone()))
            .chain([("website".to_owned(), wish.site.key.to_owned())]);
        for (key, value) in facts {
            let first = known.entry((wish.persona.id.clone(), trade, key)).or_insert_with(|| value.clone());
            assert_eq!(*first, value, "{}", wish.task.id);
        }
    }
    let mut homes: BTreeMap<String, umpire_model::Location> = BTreeMap::new();
    for persona in wishes().into_iter().map(|wish| wish.persona) {
        if let Some(location) = persona.location {
            assert_eq!(*homes.entry(persona.id).or_insert_with(|| location.clone()), location);
        }
    }
}

#[test]
fn every_change_is_fenced_and_every_answer_is_the_expected_one() {
    for instance in suite().tasks.iter().flat_map(Instance::of) {
        let fenced = instance.checks.iter().any(
            |check| matches!(check, Check::State(s) if matches!(s.expect, StateExpectation::UnchangedExcept(_))),
        );
        let visited = instance.checks.iter().any(|check| matches!(check, Check::Network(_)));
        assert!(if instance.kind == TaskKind::Mutate { fenced } else { visited }, "{}", instance.id);
        let Some(Action::Answer(answer)) = instance.reference.last() else {
            panic!("{} has no answer", instance.id);
        };
        let answer: Value = serde_json::from_str(answer).expect("a JSON answer");
        let results = instance.checks.iter().find_map(|check| match check {
            Check::Response(response) => Some(serde_json::json!(response.results)),
            _ => None,
        });
        assert_eq!(Some(&answer["results"]), results.as_ref(), "{}", instance.id);
    }
}
