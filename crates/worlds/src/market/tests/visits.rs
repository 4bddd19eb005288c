use serde_json::{Value, json};

use super::{Market, get, post, text};
use crate::Site;
use crate::market::atlas::Place;
use crate::market::stock::Stock;
use crate::market::storefront::{STOREFRONTS, storefront};
use crate::site_hosts;

const SEED: u64 = 7;

#[test]
fn the_world_knows_every_storefront_by_its_host() {
    for site in STOREFRONTS {
        assert!(site_hosts().contains(&(site.host().as_str(), "market")), "{}", site.key);
    }
    assert!(site_hosts().contains(&("compass.localhost", "market")));
}

#[test]
fn every_page_of_every_site_opens() {
    let mut market = Market::new(SEED);
    for site in STOREFRONTS {
        let stock = Stock::of_seed(site, SEED);
        let shelf = site.trade.shelves[0].slug;
        let mut targets = vec!["/".to_owned(), "/find".to_owned(), "/saved".to_owned(), "/help".to_owned()];
        targets.push(format!("/shelf/{shelf}"));
        targets.push(stock.items()[0].path());
        targets.push(if site.trade.deliveries().is_empty() { "/bookings" } else { "/basket" }.to_owned());
        for target in targets {
            let response = get(&mut market, &site.host(), &target);
            assert_eq!(response.status(), 200, "{} {target}", site.key);
            assert!(text(&response).contains(&site.name.replace('&', "&amp;")));
        }
        for target in ["/nowhere", "/item/XX-1", "/shelf/none"] {
            assert_eq!(get(&mut market, &site.host(), target).status(), 404, "{} {target}", site.key);
        }
        for name in ["base.css", "theme.css", "market.js"] {
            assert_eq!(get(&mut market, &site.host(), &format!("/assets/{name}")).status(), 200);
        }
        assert!(text(&get(&mut market, "compass.localhost", "/")).contains(&site.url()));
    }
}

#[test]
fn a_stock_has_hundreds_of_items_with_names_of_their_own() {
    for site in STOREFRONTS {
        let stock = Stock::of_seed(site, SEED);
        assert!(stock.items().len() >= 200, "{} has {}", site.key, stock.items().len());
        let names: std::collections::BTreeSet<&str> =
            stock.items().iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names.len(), stock.items().len(), "{}", site.key);
        for facet in site.trade.facets {
            let bears = |key: &str| {
                matches!(key, "price" | "distance")
                    || stock.items().iter().any(|i| !i.values(key).is_empty() || i.number(key).is_some())
            };
            assert!(bears(facet.key), "no item of {} has a {}", site.key, facet.key);
        }
    }
}

#[test]
fn another_seed_is_another_stock() {
    for site in STOREFRONTS {
        let [one, other] = [SEED, SEED + 1].map(|seed| Stock::of_seed(site, seed));
        let same = one.items().iter().zip(other.items()).filter(|(a, b)| a.name == b.name).count();
        assert!(same * 2 < one.items().len(), "{}", site.key);
    }
}

#[test]
fn what_goes_into_the_basket_is_ordered_with_its_delivery() {
    let mut market = Market::new(SEED);
    let host = "fennelrye.localhost";
    let incomplete = post(&mut market, host, "/basket/add", "item=FR-1001&quantity=2");
    assert_eq!(incomplete.status(), 422);
    assert!(text(&incomplete).contains("Please choose: size."));
    post(&mut market, host, "/basket/add", "item=FR-1001&size=1+litre&quantity=2");
    post(&mut market, host, "/basket/add", "item=FR-1001&size=1+litre&quantity=1");
    let line = market.state()["fennelrye"]["basket"]["FR-1001-1-litre"].clone();
    assert_eq!((&line["quantity"], &line["option"]), (&json!(3), &json!("1 litre")));
    assert_eq!(post(&mut market, host, "/checkout", "delivery=Pigeon").status(), 422);
    post(&mut market, host, "/checkout", "delivery=Evening+delivery");
    let state = market.state();
    let order = &state["fennelrye"]["orders"]["O-1"];
    let site = storefront("fennelrye").expect("a site");
    let price = Stock::of_seed(site, SEED).item("FR-1001").expect("an item").price_of(Some("1 litre"));
    assert_eq!(order["total_cents"], json!(price.0 * 3 + 290));
    assert_eq!(state["fennelrye"]["basket"], json!({}));
    assert_eq!(state["basketway"]["orders"], json!({}));
}

#[test]
fn a_room_is_booked_for_a_free_day_and_can_be_given_back() {
    let mut market = Market::new(SEED);
    let host = "nightjar.localhost";
    let stock = Stock::of_seed(storefront("nightjar").expect("a site"), SEED);
    let item = &stock.items()[0];
    let day = (1..60)
        .map(|offset| crate::kit::calendar::TODAY.plus(offset))
        .find(|day| item.is_open_on(*day))
        .expect("a free day");
    let choice = format!("checkin={}&nights=3&guests=2&room=King+room", day.iso());
    let review = text(&get(&mut market, host, &format!("/book/{}?{choice}", item.id)));
    assert!(review.contains("Confirm reservation"));
    assert_eq!(market.state()["nightjar"]["bookings"], json!({}), "looking at it books nothing");
    post(&mut market, host, &format!("/book/{}", item.id), &choice);
    let booking = market.state()["nightjar"]["bookings"]["B-1"].clone();
    let night = item.on_day(item.price_of(Some("King room")), day);
    assert_eq!(booking["total_cents"], json!(night.0 * 3));
    assert_eq!((&booking["room"], &booking["nights"]), (&json!("King room"), &json!("3")));
    post(&mut market, host, "/bookings/B-1/cancel", "");
    assert_eq!(market.state()["nightjar"]["bookings"], json!({}));
    let past = format!("/book/{}?checkin=2026-01-01&room=King+room", item.id);
    assert!(!text(&get(&mut market, host, &past)).contains("Confirm reservation"));
}

#[test]
fn distances_are_measured_from_the_address_given() {
    let mut market = Market::new(SEED);
    let near = "/find?city=Portmere&near=118+Alder+Street&distance=20&sort=near";
    let page = text(&get(&mut market, "nightjar.localhost", near));
    assert!(page.contains(" away"));
    let home = Place::parse("Portmere", "118 Alder Street").expect("an address").point();
    let stock = Stock::of_seed(storefront("nightjar").expect("a site"), SEED);
    let mut within = 0;
    for item in stock.items().iter().filter(|item| item.has("city", "Portmere")) {
        let tenths = item.place.expect("a place").point().tenths_to(home);
        assert_eq!(page.contains(&format!("/item/{}?", item.id)), tenths <= 20, "{}", item.name);
        within += usize::from(tenths <= 20);
    }
    assert!(within > 1);
    let lost = text(&get(&mut market, "nightjar.localhost", "/find?city=Portmere&near=1+Nowhere+Road"));
    assert!(lost.contains("We cannot find that address"));
}

#[test]
fn hearts_go_on_and_off() {
    let mut market = Market::new(SEED);
    let host = "basketway.localhost";
    assert_eq!(post(&mut market, host, "/saved/BW-1003", "").status(), 200);
    assert!(market.state()["basketway"]["saved"]["BW-1003"].is_string());
    assert!(text(&get(&mut market, host, "/saved")).contains("/item/BW-1003"));
    post(&mut market, host, "/saved/BW-1003", "");
    assert_eq!(market.state()["basketway"]["saved"], json!({}));
}

#[test]
fn a_state_that_does_not_fit_is_refused_and_says_where() {
    let line = |quantity: u32| json!({"item": "FR-1001", "name": "x", "quantity": quantity});
    for (pointer, value, problem) in [
        ("/fennelrye/basket", json!({"FR-1": line(1)}), "fennelrye/basket/FR-1: `FR-1001` is called"),
        ("/fennelrye/saved", json!({"FR-0": "x"}), "there is no item `FR-0`"),
        ("/fennelrye/orders", json!(3), "invalid type"),
        (
            "/nightjar/bookings",
            json!({"B-1": {"item": "NJ-1", "name": "x", "total_cents": 1}}),
            "no item `NJ-1`",
        ),
    ] {
        let mut market = Market::new(SEED);
        let mut state = market.state();
        *state.pointer_mut(pointer).expect("a place in the state") = value;
        let refused = market.set_state(state).expect_err(problem);
        assert!(refused.contains(problem), "{refused}");
    }
    let mut market = Market::new(SEED);
    let mut state = market.state();
    state["bazaar"] = state["fennelrye"].clone();
    assert!(market.set_state(state).is_err());
    assert!(market.set_state(Value::Null).is_err());
}

#[test]
fn what_a_visitor_types_is_escaped() {
    let mut market = Market::new(SEED);
    let page = text(&get(&mut market, "fennelrye.localhost", "/find?q=%3Cscript%3Ealert(1)%3C/script%3E"));
    assert!(!page.contains("<script>alert"));
}
