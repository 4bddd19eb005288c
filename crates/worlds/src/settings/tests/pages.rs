use std::collections::BTreeSet;

use http::StatusCode;
use serde_json::json;

use super::{SITES, get, linked_pages, post, text};
use crate::Site;
use crate::settings::description::{Holds, Kind};

#[test]
fn a_seed_decides_every_byte() {
    for make in SITES {
        let (mut one, mut same, mut other) = (make(7), make(7), make(8));
        assert_eq!(one.state(), same.state());
        assert_ne!(one.state(), other.state());
        assert_eq!(get(&mut one, "/").body(), get(&mut same, "/").body());
        assert_ne!(get(&mut one, "/").body(), get(&mut other, "/").body());
    }
}

#[test]
fn every_link_leads_somewhere_and_looking_changes_nothing() {
    for make in SITES {
        let mut site = make(7);
        let before = site.state();
        let pages = linked_pages(&mut site);
        assert!(pages.len() > 15, "{pages:?}");
        for page in pages {
            assert_eq!(get(&mut site, &page).status(), StatusCode::OK, "{page}");
        }
        assert_eq!(get(&mut site, "/no/such/page").status(), StatusCode::NOT_FOUND);
        assert_eq!(get(&mut site, "/settings/nowhere").status(), StatusCode::NOT_FOUND);
        assert_eq!(site.state(), before);
    }
}

/// Ids name controls in the state and in forms, labels name them for people and agents.
#[test]
fn descriptions_name_everything_once() {
    for make in SITES {
        let site = make(7);
        let description = site.brand.description();
        let mut ids = BTreeSet::new();
        for (page, _, _, control) in description.controls() {
            assert!(ids.insert(control.id), "{} is there twice", control.id);
            if let Kind::Choice { options, usual, .. } = control.kind {
                assert!(options.iter().any(|(id, _)| *id == usual), "{}: {usual}", control.id);
            }
            let namesakes =
                description.controls().filter(|(p, _, _, c)| p.slug == page.slug && c.label == control.label);
            assert_eq!(namesakes.count(), 1, "{} on {}", control.label, page.slug);
        }
        for page in description.pages {
            let blocks: BTreeSet<&str> = page.blocks.iter().map(|block| block.id).collect();
            assert_eq!(blocks.len(), page.blocks.len(), "{}", page.slug);
            for block in page.blocks {
                if let Holds::List(list) = block.holds {
                    assert!(description.list(list).is_some(), "{list}");
                }
            }
        }
        assert!(description.page("cookies").is_some(), "the cookie banner leads there");
    }
}

#[test]
fn every_control_is_drawn_on_its_page() {
    for make in SITES {
        let mut site = make(7);
        for (page, _, _, control) in site.brand.description().controls() {
            let path = format!("/settings/{}{}", page.slug, if page.late { "/blocks" } else { "" });
            let label = maud::html! { (control.label) }.into_string();
            assert!(text(&get(&mut site, &path)).contains(&label), "{} on {path}", control.label);
        }
    }
}

#[test]
fn what_a_visitor_types_is_escaped() {
    let mut site = crate::social::site(7);
    let evil = "%3Cscript%3Ealert(1)%3C/script%3E%22";
    post(&mut site, "/settings/profile/about", &format!("display_name={evil}&bio={evil}"));
    post(&mut site, "/settings/lists/muted_words/add", &format!("entry={evil}"));
    let search = format!("/settings/search?q={evil}");
    for page in ["/me", "/settings/profile", "/settings/safety", &search] {
        let html = text(&get(&mut site, page));
        assert!(html.contains("&lt;script&gt;alert") && !html.contains("<script>alert"), "{page}");
    }
}

#[test]
fn settings_are_found_by_their_words() {
    let mut site = crate::social::site(7);
    assert!(text(&get(&mut site, "/settings/search?q=two-step")).contains("href=\"/settings/security\""));
    assert!(text(&get(&mut site, "/settings/search?q=quantum+mode")).contains("No setting matches"));
}

#[test]
fn a_state_that_does_not_fit_is_refused_with_its_field() {
    for (pointer, value, named) in [
        ("/settings/private_account", json!("yes"), "private_account"),
        ("/settings/theme", json!("plaid"), "theme"),
        ("/mail/likes", json!({"push": true}), "mail.likes"),
        ("/sessions/session-2", json!({"device": "x"}), "missing field"),
        ("/lists", json!({}), "lists"),
        ("/deletion", json!({"reason": "", "scheduled_for": ""}), "deletion.reason"),
        ("/exports/export-1/parts", json!(["soul"]), "soul"),
    ] {
        let mut site = crate::social::site(7);
        let mut state = site.state();
        *state.pointer_mut(pointer).expect("an existing place") = value;
        let error = site.set_state(state).expect_err(pointer);
        assert!(error.contains(named), "{pointer}: {error}");
    }
}
