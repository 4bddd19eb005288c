//! What tasks ask of the travel site, worked out again from what can be booked.

use std::cmp::Reverse;

use serde_json::{Value, json};
use umpire_model::{Action, Check, Instance, StateExpectation, Target};

use super::Travel;
use super::catalogue::{Catalogue, City, Flight, Stay, bookable};
use crate::Site;
use crate::kit::task_file::{TaskFile, results};
use crate::kit::visitor::{FORM, at, request};

const SEED: u64 = 7;

fn captcha() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/obstacles/captcha.jsonl"), SEED)
}

fn direct() -> TaskFile {
    TaskFile::parse(include_str!("../../../../suites/obstacles/direct.jsonl"), SEED)
}

fn flights(from: &str, to: &str, day: &str) -> Vec<Flight> {
    let city = |name: &str| City::named(name).unwrap_or_else(|| panic!("{name} is not a city"));
    let day = bookable(day).unwrap_or_else(|| panic!("{day} cannot be booked"));
    Catalogue::shared(SEED).flights(city(from), city(to), day)
}

fn stays<'c>(
    catalogue: &'c Catalogue,
    city: &str,
    fits: impl Fn(&Stay) -> bool + 'c,
) -> impl Iterator<Item = &'c Stay> {
    let city = City::named(city).expect("a city");
    catalogue.stays.iter().filter(move |stay| stay.city == city && fits(stay))
}

/// The first by a key that no two share: a task with two answers would be no task.
fn only_first<T, K: Ord>(all: impl IntoIterator<Item = T>, key: impl Fn(&T) -> K) -> T {
    let mut all: Vec<T> = all.into_iter().collect();
    all.sort_by_key(|one| key(one));
    assert!(all.len() < 2 || key(&all[0]) < key(&all[1]), "there are two");
    all.into_iter().next().expect("one at least")
}

fn equals<'i>(instance: &'i Instance, path: &str) -> &'i Value {
    let of = |check: &'i Check| match check {
        Check::State(state) if state.path == path => match &state.expect {
            StateExpectation::Equals(wanted) => Some(wanted),
            _ => None,
        },
        _ => None,
    };
    instance.checks.iter().find_map(of).unwrap_or_else(|| panic!("{}: nothing at {path}", instance.id))
}

/// The answer of a question that was asked in front of a wall.
fn answer(catalogue: &Catalogue, task: &str) -> Value {
    match task {
        "captcha-cheapest-nonstop" => {
            let mut flights = flights("Greyharbour", "Orlanthe", "2026-04-02");
            flights.retain(|flight| flight.via.is_empty());
            json!(only_first(flights, |flight| flight.price).number)
        }
        "captcha-first-departure" => {
            let flights = flights("Fjellstad", "Kalindra", "2026-04-17");
            json!(only_first(flights, |flight| flight.departs).airline)
        }
        "captcha-fare-with-bag" => {
            let mut flights = flights("Tollgate", "Zephyra", "2026-04-09");
            flights.retain(|flight| flight.bag_included);
            json!(only_first(flights, |flight| flight.price).price)
        }
        "captcha-best-pool" => {
            let fits = |stay: &Stay| stay.kind == "hotel" && stay.amenities.contains("pool");
            json!(only_first(stays(catalogue, "Bravanne", fits), |stay| Reverse(stay.rating)).name)
        }
        "captcha-closest-breakfast" => {
            let fits = |stay: &Stay| stay.stars >= 4 && stay.amenities.contains("breakfast");
            json!(only_first(stays(catalogue, "Ravenskar", fits), |stay| stay.distance).name)
        }
        "captcha-house-rules" => {
            let cheapest = only_first(stays(catalogue, "Kalindra", |_| true), |stay| stay.price);
            json!(format!("{}:00", cheapest.check_in_from))
        }
        "captcha-cheapest-bed" => {
            json!(only_first(stays(catalogue, "Zephyra", |_| true), |stay| stay.price).price)
        }
        other => panic!("{other} is not known here"),
    }
}

#[test]
fn questions_behind_walls_have_the_expected_answers() {
    let catalogue = Catalogue::shared(SEED);
    let tasks = captcha();
    for template in ["captcha-flight", "captcha-stay", "captcha-house-rules", "captcha-city-guide"] {
        for instance in tasks.of_template(template) {
            assert_eq!(results(instance), [answer(&catalogue, &instance.task)], "{}", instance.id);
        }
    }
}

#[test]
fn what_is_booked_and_marked_is_what_the_intent_means() {
    let catalogue = Catalogue::shared(SEED);
    let tasks = captcha();
    for instance in tasks.of_template("captcha-book") {
        let trip = equals(instance, "/trips/SKY-4101");
        if instance.task == "captcha-book-flight" {
            let cheapest =
                only_first(flights("Aldermoor", "Esperanza Bay", "2026-04-25"), |flight| flight.price);
            let booked = (&trip["booked"]["flight"]["id"], &trip["total"]);
            assert_eq!(booked, (&json!(cheapest.id), &json!(cheapest.price)), "{}", instance.id);
        } else {
            let fits = |stay: &Stay| stay.kind == "guesthouse" && stay.amenities.contains("pets");
            let cheapest = only_first(stays(&catalogue, "Halmere", fits), |stay| stay.price);
            let booked = (&trip["booked"]["stay"]["id"], &trip["total"]);
            assert_eq!(booked, (&json!(cheapest.id), &json!(cheapest.price * 2)), "{}", instance.id);
        }
    }
    for instance in tasks.of_template("captcha-favourite") {
        let best = only_first(stays(&catalogue, "Junipero", |_| true), |stay| Reverse(stay.rating));
        assert_eq!(equals(instance, "/favourites"), &json!([best.id]), "{}", instance.id);
    }
    for instance in tasks.of_template("captcha-cancel") {
        let trips = &instance.world["travel"]["trips"];
        let id = trips["SKY-3907"]["booked"]["flight"]["id"].as_str().expect("a flight");
        assert_eq!(catalogue.flight(id).expect("bookable").to.name, "Marisol", "{}", instance.id);
        assert!(trips.as_object().is_some_and(|trips| trips.len() == 2), "{}", instance.id);
        assert_eq!(equals(instance, "/trips/SKY-3907/status"), "cancelled", "{}", instance.id);
    }
}

/// The squares that a reference chooses, as the form sends them.
fn squares(instance: &Instance) -> Vec<String> {
    let of = |action: &Action| match action {
        Action::Click(Target::Named { name, .. }) => {
            name.strip_prefix("Square ").map(|square| format!("tile={square}"))
        }
        _ => None,
    };
    instance.reference.iter().filter_map(of).collect()
}

#[test]
fn squares_of_every_puzzle_are_the_right_ones() {
    let tasks = captcha();
    let puzzles = tasks.instances.iter().filter(|instance| instance.state.as_deref() == Some("puzzle"));
    let mut solved = 0;
    for instance in puzzles {
        let mut travel = Travel::new(SEED);
        let mut state = travel.state();
        for (name, value) in instance.world["travel"]["wall"].as_object().expect("a wall") {
            state["wall"][name] = value.clone();
        }
        travel.set_state(state).expect("a fitting state");
        let form = squares(instance).join("&");
        travel.handle(&request("POST", "travel.localhost", "/wall/puzzle", FORM, &form));
        assert_eq!(at(&travel, "/wall/passed"), true, "{}: {form}", instance.id);
        solved += 1;
    }
    assert!(solved >= 10, "{solved}");
}

#[test]
fn pages_reached_directly_have_the_expected_answers() {
    let tasks = direct();
    for instance in tasks.of_template("direct-city") {
        let city = City::all().find(|city| instance.intent.contains(city.name)).expect("a city");
        assert_eq!(results(instance), [json!(city.region)], "{}", instance.id);
    }
    for instance in tasks.of_template("direct-query") {
        let told = |before: &str, after: &str| {
            let rest = instance.intent.rsplit_once(before).map_or("", |(_, rest)| rest);
            rest.split_once(after).map_or(rest, |(told, _)| told).to_owned()
        };
        let (from, to) = (told("flight from ", " to "), told(" to ", " on "));
        let flights = flights(&from, &to, &told(" on ", " costs"));
        let cheapest = only_first(flights, |flight| flight.price);
        assert_eq!(results(instance), [json!(cheapest.price)], "{}", instance.id);
    }
}
