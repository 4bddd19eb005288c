//! The map's tasks against its places: expected answers are worked out again without the pages.

use serde_json::{Value, json};
use umpire_model::Instance;

use super::Map;
use super::catalogue::Place;
use super::lookup::{self, Found};
use super::reviews;
use super::routing::{self, End, Mode};
use crate::kit::task_file::{TaskFile, is_possible, results, typed};

const SEED: u64 = 7;

fn tasks() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/verified/map.jsonl"), SEED)
}

fn both_sites() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/verified/multi.jsonl"), SEED)
}

/// The place that the intent names; of several, the one with the longest name.
fn place_in<'a>(map: &'a Map, instance: &Instance) -> &'a Place {
    let named = |place: &&Place| {
        instance.intent.contains(&place.name) && instance.intent.contains(map.catalogue.town_name(place))
    };
    let places = map.catalogue.places.iter().filter(named);
    places.max_by_key(|place| place.name.len()).unwrap_or_else(|| panic!("{}: no place", instance.id))
}

fn end(map: &Map, text: &str) -> End {
    match lookup::resolve(&map.catalogue.country, &map.catalogue, text) {
        Found::One(end) => end,
        _ => panic!("{text} is not one place"),
    }
}

fn assert_answers(template: &str, work_out: impl Fn(&Instance) -> Value) {
    for instance in tasks().of_template(template) {
        assert_eq!(results(instance), [work_out(instance)], "{}", instance.id);
    }
}

#[test]
fn the_file_holds_what_it_promises() {
    let tasks = tasks();
    assert!(tasks.instances.len() >= 25);
    assert!(tasks.instances.iter().filter(|instance| !is_possible(instance)).count() >= 4);
    tasks.assert_is_sound();
}

#[test]
fn places_have_the_expected_details() {
    let map = Map::new(SEED);
    assert_answers("map-phone", |instance| json!(place_in(&map, instance).phone));
    assert_answers("map-closing-time", |instance| {
        let hours = place_in(&map, instance).hours.on(5);
        json!(hours.split('–').next_back())
    });
    assert_answers("map-reverse-lookup", |instance| {
        let point = lookup::coordinates(typed(instance, "Coordinates")).expect("coordinates");
        let country = &map.catalogue.country;
        json!(country.write_address(country.address_at(point).expect("an address")))
    });
}

#[test]
fn landmarks_stand_in_the_expected_districts() {
    let map = Map::new(SEED);
    for instance in both_sites().of_template("multi-landmark-district") {
        let landmarks = map.catalogue.places.iter().filter(|place| place.article.is_some());
        let named = landmarks.filter(|place| {
            instance.intent.contains(&format!("the {}", place.name))
                && instance.intent.contains(map.catalogue.town_name(place))
        });
        let place = named.max_by_key(|place| place.name.len()).expect("a landmark");
        let town = &map.catalogue.country.towns[place.address.town];
        assert_eq!(results(instance), [json!(town.district_of(place.address))], "{}", instance.id);
    }
}

#[test]
fn routes_have_the_expected_lengths() {
    let map = Map::new(SEED);
    let route = |instance: &Instance, mode: Mode| {
        let (from, to) = (end(&map, typed(instance, "From")), end(&map, typed(instance, "To")));
        routing::find(&map.catalogue.country, &from, &to, mode, false).expect("a way")
    };
    assert_answers("map-route-distance", |instance| {
        json!(map.state.settings.units.write(route(instance, Mode::Car).metres))
    });
    for instance in both_sites().of_template("multi-birthplace-distance") {
        let distance = map.state.settings.units.write(route(instance, Mode::Car).metres);
        assert_eq!(results(instance), [json!(distance)], "{}", instance.id);
    }
    assert_answers("map-route-duration", |instance| {
        let mode = if instance.intent.contains("on foot") { Mode::Foot } else { Mode::Bike };
        json!(route(instance, mode).duration())
    });
}

#[test]
fn the_best_and_the_nearest_are_alone() {
    let map = Map::new(SEED);
    for instance in tasks().of_template("map-best-rated") {
        let [Value::String(answer)] = &results(instance)[..] else { panic!("{}", instance.id) };
        let town = typed(instance, "Search the map");
        let in_town = |place: &&Place| map.catalogue.town_name(place) == town;
        let best =
            map.catalogue.places.iter().filter(in_town).find(|place| place.name == *answer).expect("a place");
        let rivals = map.catalogue.places.iter().filter(in_town);
        let better = rivals.filter(|place| place.category.slug == best.category.slug && place.id != best.id);
        assert!(better.clone().count() > 2);
        let tenths = |place: &Place| reviews::tenths(place, None);
        assert!(better.clone().all(|place| tenths(place) < tenths(best)), "{}", instance.id);
    }
    for instance in tasks().of_template("map-nearest") {
        let [Value::String(answer)] = &results(instance)[..] else { panic!("{}", instance.id) };
        let here = end(&map, typed(instance, "Search the map")).point;
        let of_name = map.catalogue.places.iter().filter(|place| place.name == *answer);
        let distance = |place: &Place| place.point.metres_to(here);
        let near = of_name.min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("a place");
        let same_kind = map.catalogue.places.iter().filter(|place| place.category.slug == near.category.slug);
        assert!(
            same_kind.clone().all(|place| place.id == near.id || distance(place) > distance(near) + 20.0),
            "{}",
            instance.id
        );
    }
}

#[test]
fn the_impossible_is_impossible() {
    let map = Map::new(SEED);
    for instance in tasks().of_template("map-review-not-allowed") {
        assert!(!place_in(&map, instance).category.takes_reviews(), "{}", instance.id);
    }
    for instance in tasks().of_template("map-missing-place") {
        let asked = typed(instance, "Search the map");
        assert!(matches!(lookup::resolve(&map.catalogue.country, &map.catalogue, asked), Found::Nothing));
    }
}
