use std::sync::Arc;

use http::StatusCode;
use serde_json::json;

use super::{Hub, PAGES, get, hub_with, post, request, text};
use crate::Site;

#[test]
fn a_seed_decides_every_byte() {
    let (mut one, mut same, mut other) = (Hub::new(7), Hub::new(7), Hub::new(8));
    assert_eq!(one.state(), same.state());
    assert_ne!(one.state(), other.state());
    for page in PAGES {
        assert_eq!(get(&mut one, page).body(), get(&mut same, page).body(), "{page}");
    }
    assert_ne!(get(&mut one, "/devices").body(), get(&mut other, "/devices").body());
}

#[test]
fn worlds_of_one_seed_share_their_history() {
    let (one, other) = (Hub::new(7), Hub::new(7));
    assert!(Arc::ptr_eq(&one.account, &other.account));
    assert!(one.state().to_string().len() < 50_000);
}

#[test]
fn looking_changes_nothing() {
    let mut hub = Hub::new(7);
    let before = hub.state();
    for page in PAGES {
        assert_eq!(get(&mut hub, page).status(), StatusCode::OK, "{page}");
    }
    for file in ["style.css", "hub.js", "settings.js", "activity.js", "appearance.js", "mark.svg"] {
        assert_eq!(get(&mut hub, &format!("/assets/{file}")).status(), StatusCode::OK, "{file}");
    }
    for file in ["frame", "consent.css", "consent.js"] {
        let response = hub.handle(&request("GET", "consent.localhost", &format!("/{file}"), "", ""));
        assert_eq!(response.into_http().status(), StatusCode::OK, "{file}");
    }
    assert_eq!(get(&mut hub, "/nowhere").status(), StatusCode::NOT_FOUND);
    assert_eq!(hub.state(), before);
}

#[test]
fn every_link_of_the_hub_leads_somewhere() {
    let mut hub = Hub::new(7);
    for page in PAGES {
        for link in text(&get(&mut hub, page)).split("href=\"").skip(1) {
            let link = link.split('"').next().unwrap_or_default().replace("&amp;", "&");
            if link.starts_with('/') {
                assert_eq!(get(&mut hub, &link).status(), StatusCode::OK, "{link} on {page}");
            }
        }
    }
}

#[test]
fn an_inverted_switch_is_drawn_on_when_nothing_flows() {
    for (flows, drawn) in [(true, "false"), (false, "true")] {
        let mut hub = hub_with(&[("/privacy/improve_services", json!(flows))]);
        let label = "Do not use my content to improve Orrery services";
        let expected = format!("aria-checked=\"{drawn}\" aria-label=\"{label}\"");
        assert!(text(&get(&mut hub, "/privacy")).contains(&expected), "flows: {flows}");
    }
}

#[test]
fn signed_out_visitors_see_nothing_but_the_entrance() {
    let mut hub = hub_with(&[("/signed_in", json!(false))]);
    for page in PAGES {
        let response = get(&mut hub, page);
        assert!(!text(&response).contains("Maren"), "{page}");
        let expected =
            if page.starts_with("/api") { StatusCode::UNAUTHORIZED } else { StatusCode::SEE_OTHER };
        assert_eq!(response.status(), expected, "{page}");
    }
}

#[test]
fn what_a_visitor_types_is_escaped() {
    let mut hub = Hub::new(7);
    let evil = "%3Cscript%3Ealert(1)%3C/script%3E%22";
    post(&mut hub, "/tokens/new", &format!("name={evil}&expiry=7&scope=mail%3Aread"));
    post(
        &mut hub,
        "/profile",
        &format!("display_name={evil}&pronouns=she&language=en&bio={evil}&city={evil}"),
    );
    let search = format!("/search?q={evil}");
    for page in ["/", "/tokens", "/profile", &search] {
        let html = text(&get(&mut hub, page));
        assert!(html.contains("&lt;script&gt;alert") && !html.contains("<script>alert"), "{page}");
    }
}

#[test]
fn a_state_that_does_not_fit_is_refused_with_its_field() {
    let hub = Hub::new(7);
    for (pointer, value, named) in [
        ("/privacy", json!({"locaton_history": true}), "locaton_history"),
        ("/ads/personalisation", json!("loud"), "loud"),
        ("/sessions/session-2", json!({"device": "x"}), "missing field"),
        ("/consent/purposes", json!({}), "consent.purposes"),
        ("/communication/offers", json!({"email": true}), "communication.offers"),
    ] {
        let mut state = hub.state();
        *state.pointer_mut(pointer).expect("an existing place") = value;
        let error = Hub::new(7).set_state(state).expect_err(pointer);
        assert!(error.contains(named), "{pointer}: {error}");
    }
    let mut extra = hub.state();
    extra["surprise"] = json!(1);
    assert!(Hub::new(7).set_state(extra).expect_err("unknown field").contains("surprise"));
}
