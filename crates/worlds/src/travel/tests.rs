//! Skerry as its visitors see it: requests in, pages and state out.

use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;
use proptest::prelude::*;
use serde_json::json;

use super::Travel;
use super::catalogue::City;
use crate::Site;
use crate::kit::visitor::{FORM, at, request, text};

const FLIGHT: &str = "/flights/GRH-ORL-2026-04-02-3";
const PAGES: [&str; 9] = [
    "/",
    "/flights?from=Greyharbour&to=orl&date=2026-04-02&stops=0&sort=duration",
    FLIGHT,
    "/stays?city=Orlanthe&kind=hotel&amenity=pool&sort=rating&page=2",
    "/stays/7010",
    "/trips",
    "/cities",
    "/cities/esperanza-bay",
    "/help",
];

fn get(travel: &mut Travel, target: &str) -> http::Response<Bytes> {
    travel.handle(&request("GET", "travel.localhost", target, "", "")).into_http()
}

fn post(travel: &mut Travel, target: &str, form: &str) -> http::Response<Bytes> {
    travel.handle(&request("POST", "travel.localhost", target, FORM, form)).into_http()
}

fn travel_behind(wall: &str) -> Travel {
    let mut travel = Travel::new(7);
    let mut state = travel.state();
    state["wall"]["kind"] = json!(wall);
    travel.set_state(state).expect("a fitting state");
    travel
}

#[test]
fn a_seed_decides_every_byte_and_is_shared() {
    let (mut one, mut same, mut other) = (travel_behind("none"), travel_behind("none"), Travel::new(8));
    assert!(Arc::ptr_eq(&one.catalogue, &same.catalogue));
    for page in PAGES {
        assert_eq!(get(&mut one, page).body(), get(&mut same, page).body(), "{page}");
    }
    assert_ne!(get(&mut one, "/picture/7010.svg").body(), get(&mut other, "/picture/7010.svg").body());
    assert!(one.catalogue.stays.len() > 1000);
}

#[test]
fn looking_changes_nothing_where_nothing_is_counted() {
    let mut travel = travel_behind("none");
    let before = travel.state();
    for page in PAGES {
        assert_eq!(get(&mut travel, page).status(), StatusCode::OK, "{page}");
        for link in text(&get(&mut travel, page)).split("href=\"").skip(1) {
            let link = link.split('"').next().unwrap_or_default().replace("&amp;", "&");
            assert_eq!(get(&mut travel, &link).status(), StatusCode::OK, "{link} on {page}");
        }
    }
    for nowhere in [
        "/nowhere",
        "/flights/GRH-GRH-2026-04-02-1",
        "/flights/GRH-ORL-2020-01-01-1",
        "/stays/1",
        "/trips/SKY-1",
        "/cities/atlantis",
    ] {
        assert_eq!(get(&mut travel, nowhere).status(), StatusCode::NOT_FOUND, "{nowhere}");
    }
    assert_eq!(travel.state(), before);
}

#[test]
fn every_page_is_behind_the_wall_until_it_is_passed() {
    for wall in ["puzzle", "checkbox"] {
        let mut travel = travel_behind(wall);
        for page in PAGES {
            let response = get(&mut travel, page);
            assert_eq!(response.status(), StatusCode::FORBIDDEN, "{wall} {page}");
            assert_eq!(response.headers()["x-bot-wall"], wall);
        }
        let refused = post(&mut travel, FLIGHT, "name=Ada+Moor&email=a@b.example&people=1");
        assert_eq!((refused.status(), at(&travel, "/trips")), (StatusCode::FORBIDDEN, json!({})), "{wall}");
    }
}

#[test]
fn the_box_wants_a_click_that_the_browser_vouches_for() {
    let mut travel = travel_behind("checkbox");
    let verify = |travel: &mut Travel, body: &str| {
        travel.handle(&request("POST", "guard.localhost", "/verify", "application/json", body)).into_http()
    };
    verify(&mut travel, r#"{"trusted": false}"#);
    assert_eq!((at(&travel, "/wall/failures"), at(&travel, "/wall/passed")), (json!(1), json!(false)));
    verify(&mut travel, r#"{"trusted": true}"#);
    assert_eq!((at(&travel, "/wall/passes"), at(&travel, "/wall/passed")), (json!(1), json!(true)));
    assert_eq!(get(&mut travel, "/").status(), StatusCode::OK);
}

/// The form of every choice of tiles, by trying them all.
fn solution(number: u32) -> String {
    let forms = (1_u32..512).map(|choice| {
        let tiles = (1..=9).filter(|tile| choice & (1 << (tile - 1)) != 0).map(|tile| format!("tile={tile}"));
        format!("{}&next=/help", tiles.collect::<Vec<_>>().join("&"))
    });
    let solves = |form: &String| {
        let mut travel = travel_behind("puzzle");
        let mut state = travel.state();
        state["wall"]["puzzle"] = json!(number);
        travel.set_state(state).expect("a fitting state");
        post(&mut travel, "/wall/puzzle", form);
        at(&travel, "/wall/passed") == json!(true)
    };
    let right: Vec<String> = forms.filter(solves).collect();
    assert_eq!(right.len(), 1, "one choice is right");
    right[0].clone()
}

#[test]
fn the_puzzle_has_one_solution_and_an_end_of_patience() {
    let mut travel = travel_behind("puzzle");
    post(&mut travel, "/wall/puzzle", "tile=1&next=/help");
    assert_eq!((at(&travel, "/wall/puzzle"), at(&travel, "/wall/failures")), (json!(2), json!(1)));
    let passed = post(&mut travel, "/wall/puzzle", &solution(2));
    assert_eq!(passed.headers()["location"], "/help");
    assert_eq!(get(&mut travel, "/help").status(), StatusCode::OK);

    let mut turned_away = travel_behind("puzzle");
    for _ in 0..3 {
        post(&mut turned_away, "/wall/puzzle", "tile=1");
    }
    let number = at(&turned_away, "/wall/puzzle").as_u64().expect("a number") as u32;
    post(&mut turned_away, "/wall/puzzle", &solution(number));
    assert_eq!(get(&mut turned_away, "/").headers()["x-bot-wall"], "denied");
}

#[test]
fn the_rate_wall_falls_after_the_wait_and_not_before() {
    let mut travel = travel_behind("rate");
    post(&mut travel, "/wall/waited", "");
    assert_eq!(at(&travel, "/wall/passes"), json!(0), "nobody was asked to wait");
    for _ in 0..4 {
        assert_eq!(get(&mut travel, "/help").status(), StatusCode::OK);
    }
    for refusals in 1..3 {
        let refused = get(&mut travel, "/help");
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(refused.headers().contains_key("retry-after"));
        assert_eq!(at(&travel, "/wall/refusals"), json!(refusals));
    }
    assert_eq!(get(&mut travel, "/assets/style.css").status(), StatusCode::OK, "files are not counted");
    post(&mut travel, "/wall/waited", "");
    assert_eq!(get(&mut travel, "/help").status(), StatusCode::OK);
}

#[test]
fn flights_and_stays_are_booked_and_cancelled() {
    let mut travel = travel_behind("none");
    let who = "name=Ada+Moor&email=ada@example.org&people=1";
    let flight = travel.catalogue.flight("GRH-ORL-2026-04-02-3").expect("a flight");
    let (price, bag) = (flight.price, if flight.bag_included { 0 } else { super::booking::BAG_PRICE });
    post(&mut travel, FLIGHT, &format!("{who}&seat=window&bag=on"));
    assert_eq!(at(&travel, "/trips/SKY-4101/total"), json!(price + bag));
    assert_eq!(at(&travel, "/trips/SKY-4101/booked/flight/seat"), json!("window"));
    let night = travel.catalogue.stay("7010").expect("a stay").price;
    post(&mut travel, "/stays/7010", &format!("{who}&arrival=2026-05-01&nights=3&note=%3Cb%3Elate%3C/b%3E"));
    assert_eq!(at(&travel, "/trips/SKY-4102/total"), json!(night * 3));
    post(&mut travel, "/trips/SKY-4101/cancel", "");
    assert_eq!(at(&travel, "/trips/SKY-4101/status"), json!("cancelled"));
    for (target, form) in [
        (FLIGHT, "name=Ada&email=ada@example.org&people=1"),
        (FLIGHT, "name=Ada+Moor&email=ada&people=1"),
        (FLIGHT, "name=Ada+Moor&email=ada@example.org&people=99"),
        ("/stays/7010", "name=Ada+Moor&email=ada@example.org&people=1&arrival=2020-01-01&nights=2"),
        ("/stays/7010", "name=Ada+Moor&email=ada@example.org&people=1&arrival=2026-05-01&nights=0"),
    ] {
        assert_eq!(post(&mut travel, target, form).status(), StatusCode::UNPROCESSABLE_ENTITY, "{form}");
    }
    assert_eq!(at(&travel, "/bookings"), json!(2));
}

#[test]
fn searches_keep_what_was_asked_for() {
    let travel = travel_behind("none");
    let (from, to) = (City::named("GRH").expect("a city"), City::named("orlanthe").expect("a city"));
    let search =
        |query: &str| request("GET", "travel.localhost", &format!("/x?date=2026-04-02&{query}"), "", "");
    let flights = super::search::flights(&travel.catalogue, &search("stops=0"), from, to);
    assert!(!flights.is_empty() && flights.iter().all(|flight| flight.via.is_empty()));
    assert!(flights.is_sorted_by_key(|flight| flight.price));
    let stays = super::search::stays(&travel.catalogue, &search("amenity=pool&stars=4&sort=distance"), to);
    assert!(stays.stays.iter().all(|stay| stay.amenities.contains("pool") && stay.stars >= 4));
    assert!(stays.total > 0 && stays.stays.is_sorted_by_key(|stay| stay.distance));
}

#[test]
fn a_state_that_does_not_fit_is_refused() {
    for (pointer, value, named) in [
        ("/wall/kind", json!("moat"), "moat"),
        ("/favourites", json!([1]), "stay 1"),
        (
            "/trips",
            json!({"X": {"booked": {"stay": {"id": 1, "arrival": "", "nights": 1, "note": ""}}, "name": "", "email": "", "people": 1, "total": 1, "status": "confirmed"}}),
            "`X`",
        ),
    ] {
        let mut state = Travel::new(7).state();
        *state.pointer_mut(pointer).expect("an existing place") = value;
        let error = Travel::new(7).set_state(state).expect_err(pointer);
        assert!(error.contains(named), "{pointer}: {error}");
    }
}

fn target() -> impl Strategy<Value = String> {
    let known = "flights GRH-ORL-2026-04-02-3 stays 7010 favourite trips SKY-4101 cancel cities orlanthe help wall puzzle waited tile 1 \
                 3.svg verify box picture assets";
    let segment = prop_oneof![
        4 => prop::sample::select(known.split_whitespace().collect::<Vec<_>>()).prop_map(str::to_owned),
        1 => "[a-z%0-9.-]{0,8}",
    ];
    let query = prop::option::of("[?](from|to|city|date|people|nights|page|max|stops)=[a-zA-Z0-9%+-]{0,12}");
    (prop::collection::vec(segment, 0..4), query)
        .prop_map(|(segments, query)| format!("/{}{}", segments.join("/"), query.unwrap_or_default()))
}

proptest! {
    #[test]
    fn no_request_breaks_the_site(
        wall in prop::sample::select(vec!["none", "none", "puzzle", "checkbox", "rate"]),
        requests in prop::collection::vec(
            (
                prop::sample::select(vec!["GET", "POST", "PUT", "HEAD"]),
                prop::sample::select(vec!["travel.localhost", "guard.localhost"]),
                target(),
                prop::sample::select(vec!["application/x-www-form-urlencoded", "application/json"]),
                prop_oneof![
                    "(name|email|people|nights|arrival|tile|next)=\\PC{0,20}",
                    Just("name=A+B&email=a@b.c&people=2&arrival=2026-04-01&nights=3".to_owned()),
                ],
            ),
            1..10,
        )
    ) {
        let mut travel = travel_behind(wall);
        for (method, host, target, content_type, body) in requests {
            let response = travel.handle(&request(method, host, &target, content_type, &body)).into_http();
            prop_assert!(!response.status().is_server_error(), "{} {}", method, target);
        }
        let state = travel.state();
        prop_assert!(travel.set_state(state).is_ok());
    }
}
