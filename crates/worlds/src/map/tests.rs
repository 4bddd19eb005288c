//! The map as a visitor meets it: requests in, pages and state out.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Map;
use super::lookup::{self, Found};
use super::routing::{self, Mode};
use crate::Site;
use crate::kit::visitor::{FORM, at, request, text};

fn get(map: &mut Map, target: &str) -> (u16, String) {
    let response = map.handle(&request("GET", "map.localhost", target, "", "")).into_http();
    (response.status().as_u16(), text(&response))
}

fn post(map: &mut Map, target: &str, fields: &[(&str, &str)]) -> u16 {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    map.handle(&request("POST", "map.localhost", target, FORM, &body)).into_http().status().as_u16()
}

#[test]
fn worlds_of_one_seed_share_the_places_and_others_have_their_own() {
    let (first, second) = (Map::new(7), Map::new(7));
    assert!(Arc::ptr_eq(&first.catalogue, &second.catalogue));
    assert!(first.state().to_string().len() < 4_000);
    assert_ne!(get(&mut Map::new(7), "/").1, get(&mut Map::new(8), "/").1);
    for seed in [1, 7, 99] {
        assert!(Map::new(seed).catalogue.places.len() >= 3_000, "{seed}");
    }
}

#[test]
fn full_names_and_phones_are_given_once() {
    let map = Map::new(7);
    let mut names: Vec<String> =
        map.catalogue.places.iter().map(|place| map.catalogue.full_name(place)).collect();
    let mut phones: Vec<&str> = map.catalogue.places.iter().map(|place| place.phone.as_str()).collect();
    for list in [names.len(), phones.len()] {
        assert_eq!(list, map.catalogue.places.len());
    }
    names.sort_unstable();
    names.dedup();
    phones.sort_unstable();
    phones.dedup();
    assert_eq!((names.len(), phones.len()), (map.catalogue.places.len(), map.catalogue.places.len()));
}

#[test]
fn pages_answer() {
    let mut map = Map::new(7);
    let town = map.catalogue.country.towns[3].slug.clone();
    for target in [
        "/",
        "/?at=51.6,-16.2&z=5",
        "/search?q=cafe",
        "/search?category=pharmacy&rating=3&open=1&feature=wheelchair&sort=rating&page=2",
        "/search?q=zzzz",
        "/place/2001",
        "/place/2001?z=8",
        "/place/2001/review",
        "/place/2001/suggest",
        "/route",
        "/route?from=2&to=nowhere",
        "/lists",
        "/lists/favourites",
        "/contributions",
        "/missing",
        "/settings",
        "/towns",
        "/at?point=51.6,-16.2",
        "/at?point=here",
        "/static/style.css",
        "/suggest?q=caf",
        &format!("/town/{town}"),
    ] {
        let (status, text) = get(&mut map, target);
        assert_eq!(status, 200, "{target}");
        assert!(!text.is_empty(), "{target}");
    }
    for target in ["/place/1", "/place/x", "/town/none", "/lists/none", "/static/none.css", "/nowhere"] {
        assert_eq!(get(&mut map, target).0, 404, "{target}");
    }
}

#[test]
fn words_lead_to_ends() {
    let map = Map::new(7);
    let (country, catalogue) = (&map.catalogue.country, &map.catalogue);
    let place = &catalogue.places[40];
    let address = country.write_address(place.address);
    for text in [catalogue.full_name(place), address.to_uppercase(), place.point.coordinates()] {
        let Found::One(end) = lookup::resolve(country, catalogue, &text) else { panic!("{text}") };
        assert!(end.point.metres_to(place.point) < 12.0, "{text}");
    }
    assert!(matches!(lookup::resolve(country, catalogue, &country.towns[9].name), Found::One(_)));
    assert!(matches!(lookup::resolve(country, catalogue, "Bakery"), Found::Several(_)));
    for text in ["", "zzzz", "0 High Street, Nowhere", "91.0, 400.0"] {
        assert!(matches!(lookup::resolve(country, catalogue, text), Found::Nothing), "{text}");
    }
    assert_eq!(lookup::coordinates("NaN, NaN"), None);
}

#[test]
fn a_route_has_one_address() {
    let mut map = Map::new(7);
    let (place, town) =
        (map.catalogue.full_name(&map.catalogue.places[40]), map.catalogue.country.towns[9].name.clone());
    let mut ask = |from: &str, to: &str, mode: &str| {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("from", from), ("to", to), ("mode", mode)])
            .finish();
        let response =
            map.handle(&request("GET", "map.localhost", &format!("/route?{query}"), "", "")).into_http();
        response.headers().get("location").map(|location| location.to_str().expect("an address").to_owned())
    };
    let canonical = ask(&place.to_uppercase(), &town.to_lowercase(), "bike").expect("a redirect");
    assert!(canonical.contains("mode=bike") && canonical.contains(&town));
    assert_eq!(ask(&place, &town, "bike"), None, "the canonical address stays");
    assert_eq!(ask(&place, "nowhere at all", "bike"), None);
}

#[test]
fn routes_add_up_and_cars_are_quicker_than_feet() {
    let map = Map::new(7);
    let catalogue = &map.catalogue;
    let end = |at: usize| match lookup::resolve(
        &catalogue.country,
        catalogue,
        &catalogue.full_name(&catalogue.places[at]),
    ) {
        Found::One(end) => end,
        _ => panic!("every place is found by its full name"),
    };
    for (from, to) in [(0, 900), (12, 13), (2_000, 40), (700, 3_000)] {
        let find =
            |mode| routing::find(&catalogue.country, &end(from), &end(to), mode, false).expect("a way");
        let (car, foot) = (find(Mode::Car), find(Mode::Foot));
        assert!(car.seconds < foot.seconds, "{from} {to}");
        for route in [&car, &foot] {
            assert_eq!(route.legs.iter().map(|leg| leg.metres).sum::<u32>(), route.metres);
            let straight = end(from).point.metres_to(end(to).point);
            assert!(f64::from(route.metres) > straight * 0.9 - 60.0, "{from} {to}");
        }
        let back =
            routing::find(&catalogue.country, &end(to), &end(from), Mode::Foot, false).expect("a way back");
        assert!(back.metres.abs_diff(foot.metres) <= 2, "walking back is as far");
        assert!(!foot.legs.iter().any(|leg| leg.instruction.contains(" M1")), "walkers keep off motorways");
    }
}

#[test]
fn forms_change_the_state_or_say_why_not() {
    let mut map = Map::new(7);
    assert_eq!(post(&mut map, "/lists", &[("name", "Sunday walks")]), 303);
    assert_eq!(at(&map, "/lists/sunday-walks/name"), "Sunday walks");
    assert_eq!(post(&mut map, "/lists", &[("name", "sunday WALKS")]), 422);
    assert_eq!(post(&mut map, "/place/2005/save", &[("list", "sunday-walks"), ("note", "bring bread")]), 303);
    assert_eq!(at(&map, "/lists/sunday-walks/places/2005"), "bring bread");
    assert_eq!(post(&mut map, "/place/2005/save", &[("list", "none")]), 422);
    assert_eq!(post(&mut map, "/lists/sunday-walks/remove", &[("place", "2005")]), 303);
    assert_eq!(post(&mut map, "/lists/sunday-walks/remove", &[("place", "2005")]), 404);
    assert_eq!(post(&mut map, "/lists/sunday-walks", &[("name", "Walks"), ("shared", "on")]), 303);
    assert_eq!(at(&map, "/lists/sunday-walks/shared"), true);
    assert_eq!(post(&mut map, "/lists/sunday-walks/delete", &[]), 303);
    assert_eq!(at(&map, "/lists/sunday-walks"), Value::Null);

    let police = map.catalogue.places.iter().find(|place| place.category.slug == "police").expect("one").id;
    let cafe = map.catalogue.places.iter().find(|place| place.category.slug == "cafe").expect("one").id;
    let review = [("stars", "2"), ("text", "Cold tea.")];
    assert_eq!(post(&mut map, &format!("/place/{police}/review"), &review), 422);
    assert_eq!(post(&mut map, &format!("/place/{cafe}/review"), &review), 303);
    assert_eq!(at(&map, &format!("/reviews/{cafe}/stars")), 2);
    for bad in [[("stars", "6"), ("text", "x")], [("stars", "3"), ("text", " ")]] {
        assert_eq!(post(&mut map, &format!("/place/{cafe}/review"), &bad), 422);
    }
    assert_eq!(post(&mut map, &format!("/place/{cafe}/review/delete"), &[]), 303);

    assert_eq!(post(&mut map, "/place/2009/suggest", &[("kind", "phone"), ("text", "0123 456789")]), 303);
    assert_eq!(
        at(&map, "/suggestions/suggestion-1"),
        json!({"place": 2009, "kind": "phone", "text": "0123 456789"})
    );
    assert_eq!(
        post(&mut map, "/missing", &[("name", "X"), ("category", "cafe"), ("address", "1 Nowhere, Z")]),
        422
    );
    assert_eq!(post(&mut map, "/contributions/suggestion-1/withdraw", &[]), 303);
    assert_eq!(
        post(&mut map, "/settings", &[("units", "imperial"), ("mode", "bike"), ("home", "zzzz")]),
        422
    );
    assert_eq!(post(&mut map, "/settings", &[("units", "imperial"), ("mode", "bike")]), 303);
    assert_eq!((at(&map, "/settings/units"), at(&map, "/settings/home")), (json!("imperial"), json!("")));
}

#[test]
fn state_survives_a_round_trip_and_refuses_strangers() {
    let mut map = Map::new(7);
    let state = map.state();
    map.set_state(state.clone()).expect("its own state");
    assert_eq!(map.state(), state);
    for (pointer, odd) in [
        ("/settings/units", json!("leagues")),
        ("/reviews", json!({"1": {"stars": 1, "text": ""}})),
        ("/made", json!(-1)),
    ] {
        let mut broken = state.clone();
        *broken.pointer_mut(pointer).expect("a field") = odd;
        assert!(map.set_state(broken).is_err(), "{pointer}");
    }
}

proptest! {
    #[test]
    fn no_request_breaks_the_map(
        requests in prop::collection::vec(
            (
                prop::sample::select(&["GET", "POST", "PUT", "HEAD"][..]),
                prop::sample::select(&["", "search", "place/2001", "place/2001/save", "place/2001/review", "place/2001/suggest", "route", "lists",
                    "lists/favourites", "lists/favourites/remove", "at", "missing", "settings", "suggest", "town/x", "contributions/suggestion-1/withdraw"][..]),
                "([?](q|near|at|z|page|from|to|point|sort|rating|mode)=[a-zA-Z0-9%,. +-]{0,14}(&(z|at|category|page)=[0-9a-z.,-]{0,12})?)?",
                "((name|list|place|note|stars|text|kind|category|address|units|mode|home)=[a-z0-9%+]{0,10}&){0,4}",
            ),
            1..6,
        )
    ) {
        let mut map = Map::new(7);
        for (method, path, query, body) in requests {
            let target = format!("/{path}{query}");
            let Ok(uri) = target.parse::<http::Uri>() else { continue };
            let response = map.handle(&request(method, "map.localhost", &uri.to_string(), FORM, &body)).into_http();
            prop_assert!(!response.status().is_server_error(), "{} {}", method, target);
        }
        let state = map.state();
        prop_assert!(map.set_state(state).is_ok());
    }
}
