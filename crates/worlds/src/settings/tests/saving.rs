use http::StatusCode;
use serde_json::{Value, json};

use super::{SITES, get, post, post_json, text};
use crate::settings::SettingsSite;
use crate::settings::description::{Kind, Saved};
use crate::{Site, social};

fn setting(site: &SettingsSite, id: &str) -> Value {
    site.state()["settings"][id].clone()
}

#[test]
fn toggles_that_save_themselves_store_what_their_wording_means() {
    for make in SITES {
        let mut site = make(7);
        for (_, _, saved, control) in site.brand.description().controls() {
            let Kind::Toggle { inverted, .. } = control.kind else { continue };
            for drawn in [true, false] {
                let before = setting(&site, control.id);
                let body = json!({"id": control.id, "value": drawn, "confirmed": control.confirm.is_some()});
                let status = post_json(&mut site, &body).status();
                if saved == Saved::AtOnce && !control.locked {
                    assert_eq!(status, StatusCode::OK, "{}", control.id);
                    assert_eq!(setting(&site, control.id), json!(drawn != inverted), "{}", control.id);
                } else {
                    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{}", control.id);
                    assert_eq!(setting(&site, control.id), before, "{}", control.id);
                }
            }
        }
    }
}

#[test]
fn a_control_that_asks_does_not_change_unasked() {
    let mut site = social::site(7);
    let before = setting(&site, "private_account");
    let unasked = json!({"id": "private_account", "value": before == json!(false)});
    assert_eq!(post_json(&mut site, &unasked).status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(setting(&site, "private_account"), before);
}

#[test]
fn a_block_is_saved_whole_or_not_at_all() {
    let mut site = social::site(7);
    let good = "message_requests=nobody&typing_shown=on";
    assert_eq!(post(&mut site, "/settings/safety/messages", good).status(), StatusCode::SEE_OTHER);
    assert_eq!(setting(&site, "message_requests"), json!("nobody"));
    assert_eq!(setting(&site, "read_receipts"), json!(false));
    assert_eq!(setting(&site, "typing_shown"), json!(true));

    let before = site.state();
    let bad = "message_requests=martians&read_receipts=on";
    assert_eq!(post(&mut site, "/settings/safety/messages", bad).status(), StatusCode::UNPROCESSABLE_ENTITY);
    let long = format!("display_name={}", "x".repeat(41));
    assert_eq!(post(&mut site, "/settings/profile/about", &long).status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(site.state(), before);
}

#[test]
fn an_inverted_checkbox_in_a_form_stores_the_opposite() {
    let mut site = social::site(7);
    post(&mut site, "/settings/data/use", "model_training=on&post_lifetime=year");
    assert_eq!(setting(&site, "model_training"), json!(false));
    post(&mut site, "/settings/data/use", "post_lifetime=year");
    assert_eq!(setting(&site, "model_training"), json!(true));
}

#[test]
fn the_locked_cell_of_the_matrix_stays_on() {
    for make in SITES {
        let mut site = make(7);
        assert_eq!(post(&mut site, "/settings/mail", "").status(), StatusCode::SEE_OTHER);
        let (topic, channel) = site.brand.description().mail.locked;
        for (id, row) in &site.state.mail {
            for (by, on) in row {
                assert_eq!(*on, (id.as_str(), by.as_str()) == (topic, channel), "{id} by {by}");
            }
        }
    }
}

#[test]
fn the_banner_sets_every_cookie_that_can_be_refused() {
    for make in SITES {
        for (answer, allowed) in [("all", true), ("necessary", false)] {
            let mut site = make(7);
            site.state.cookies_answered = false;
            assert!(text(&get(&mut site, "/")).contains("Only necessary"));
            post(&mut site, &format!("/cookies/{answer}"), "");
            assert!(site.state.cookies_answered);
            for (_, block, _, control) in site.brand.description().controls() {
                if block.id == "cookies" {
                    assert_eq!(site.state.is_on(control.id), allowed || control.locked, "{}", control.id);
                }
            }
            assert!(!text(&get(&mut site, "/")).contains("Only necessary"));
        }
    }
}

#[test]
fn lists_grow_and_shrink_only_as_described() {
    let mut site = social::site(7);
    let before = site.state();
    for (path, form) in [
        ("/settings/lists/blocked/add", "entry=x"),
        ("/settings/lists/interests/add", "entry=x"),
        ("/settings/lists/blocked/clear", ""),
        ("/settings/lists/blocked/remove", "entry=nobody-known"),
        ("/lists/blocked", "entry=nobody-known"),
        ("/lists/searches", "entry=post-1"),
    ] {
        assert_eq!(post(&mut site, path, form).status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(site.state(), before, "{path}");
    }
    post(&mut site, "/settings/lists/muted_words/add", "entry=Season++Ticket");
    assert!(site.state.list_has("muted_words", "season ticket"));
    post(&mut site, "/settings/lists/muted_words/remove", "entry=season+ticket");
    assert_eq!(site.state(), before);

    let away = post(&mut site, "/lists/saved", "entry=post-1&back=//evil.example");
    assert_eq!(away.headers()["location"], "/?done=entry-added");
    assert!(site.state.list_has("saved", "post-1"));
    post(&mut site, "/lists/saved", "entry=post-1&back=/saved");
    assert_eq!(site.state(), before);
}

#[test]
fn the_current_session_cannot_be_ended_and_the_others_can() {
    let mut site = social::site(7);
    assert_eq!(post(&mut site, "/settings/sessions/session-1/end", "").status(), StatusCode::NOT_FOUND);
    post(&mut site, "/settings/sessions/session-3/end", "");
    assert!(!site.state.sessions.contains_key("session-3"));
    post(&mut site, "/settings/sessions/end-others", "");
    assert_eq!(site.state.sessions.keys().collect::<Vec<_>>(), ["session-1"]);
}

#[test]
fn one_export_at_a_time() {
    let mut site = social::site(7);
    post(&mut site, "/settings/export", "format=json");
    assert!(!site.state.has_pending_export(), "nothing to include");
    post(&mut site, "/settings/export", "part=posts&part=soul&format=json");
    post(&mut site, "/settings/export", "part=media&format=csv");
    let pending: Vec<_> = site.state.exports.iter().filter(|(id, _)| *id != "export-1").collect();
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].1.parts.iter().collect::<Vec<_>>(), ["posts"]);
    let id = pending[0].0.clone();
    post(&mut site, &format!("/settings/export/{id}/cancel"), "");
    assert!(!site.state.has_pending_export());
}

#[test]
fn deletion_wants_the_name_and_a_reason() {
    let mut site = social::site(7);
    for form in ["handle=someone&reason=privacy", "handle=noorcastellan&reason=", "reason=privacy"] {
        post(&mut site, "/settings/deletion", form);
        assert_eq!(site.state.deletion, None, "{form}");
    }
    post(&mut site, "/settings/deletion", "handle=noorcastellan&reason=privacy");
    assert_eq!(site.state()["deletion"], json!({"reason": "privacy", "scheduled_for": "2026-04-15"}));
    post(&mut site, "/settings/deletion/cancel", "");
    assert_eq!(site.state.deletion, None);
}
