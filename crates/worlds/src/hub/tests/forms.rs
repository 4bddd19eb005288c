use http::StatusCode;
use serde_json::{Map, Value, json};

use super::{Hub, at, get, hub_with, post, post_json, text};
use crate::Site;

#[test]
fn forms_change_what_they_say() {
    let ads = "personalisation=page&sensitive=block&partner_data=on&topic=Wine";
    for (target, body, pointer, expected) in [
        (
            "/profile",
            "display_name=M+O&pronouns=they&birthday=1988-07-21&city=Delft&language=nl&bio=",
            "/profile/city",
            json!("Delft"),
        ),
        ("/privacy/visibility", "show_city=on", "/privacy/show_birthday", json!(false)),
        ("/privacy/cookies", "", "/consent/answered", json!(false)),
        ("/ads", ads, "/ads/personalisation", json!("page")),
        ("/ads", ads, "/ads/purchase_measurement", json!(false)),
        ("/ads", ads, "/ads/topics/Gambling", Value::Null),
        ("/communication", "offers.post=on", "/communication/offers/post", json!(true)),
        ("/devices/session-3/sign-out", "", "/sessions/session-3", Value::Null),
        (
            "/security/recovery",
            "kind=email&address=a%40b.example",
            "/security/recovery/email-101/address",
            json!("a@b.example"),
        ),
        ("/security/passkeys/passkey-2/remove", "", "/security/passkeys/passkey-2", Value::Null),
        (
            "/security/password",
            "current=Tidal-Meadow-58&new=Copper-Kettle-91&again=Copper-Kettle-91",
            "/security/password_changed",
            json!("2026-03-16"),
        ),
        ("/tokens/token-2/revoke", "", "/tokens/token-2", Value::Null),
        (
            "/tokens/new",
            "name=x&expiry=7&scope=mail%3Aread",
            "/tokens/token-101/expires",
            json!("2026-03-23"),
        ),
        ("/apps/app-4/remove", "", "/apps/app-4", Value::Null),
        (
            "/data/request",
            "step=confirm&part=mail&format=csv&delivery=link",
            "/exports/export-101/status",
            json!("pending"),
        ),
        (
            "/delete",
            "reason=other&understood=yes&confirmation=maren.oyelaran",
            "/deletion/scheduled_for",
            json!("2026-04-15"),
        ),
        ("/sign-out", "", "/signed_in", json!(false)),
    ] {
        let mut hub = Hub::new(7);
        assert_ne!(at(&hub, pointer), expected, "{target} would prove nothing");
        let status = post(&mut hub, target, body).status();
        assert!(status == StatusCode::SEE_OTHER || status == StatusCode::CREATED, "{target}: {status}");
        assert_eq!(at(&hub, pointer), expected, "{target}");
    }
}

#[test]
fn forms_that_do_not_fit_change_nothing() {
    for (target, body, status) in [
        ("/profile", "display_name=&pronouns=she&language=en", 422),
        ("/profile", "display_name=M&pronouns=she&language=en&birthday=yesterday", 422),
        ("/ads", "personalisation=everything&sensitive=allow", 422),
        ("/devices/session-1/sign-out", "", 409),
        ("/devices/session-77/sign-out", "", 404),
        ("/security/recovery", "kind=email&address=nobody", 422),
        ("/security/recovery", "kind=phone&address=12", 422),
        ("/security/recovery", "kind=email&address=OYELARAN.maren%40brightpost.example", 422),
        ("/security/password", "current=Tidal-Meadow-58&new=short&again=short", 422),
        ("/security/two-factor", "step=code&method=app&code=000000", 422),
        ("/security/two-factor/off", "", 409),
        ("/tokens/new", "name=&expiry=7&scope=mail%3Aread", 422),
        ("/tokens/new", "name=x&expiry=7", 422),
        ("/tokens/new", "name=x&expiry=never&scope=files%3Awrite", 422),
        ("/tokens/new", "name=ci-runner&expiry=7&scope=mail%3Aread", 422),
        ("/data/request", "step=parts", 422),
        ("/data/request", "step=confirm&part=mail&format=pdf&delivery=link", 422),
        ("/data/export-1/cancel", "", 409),
        ("/delete", "reason=other&understood=yes&confirmation=maren", 422),
        ("/delete", "reason=&understood=yes&confirmation=maren.oyelaran", 422),
    ] {
        let mut hub = Hub::new(7);
        let before = hub.state();
        assert_eq!(post(&mut hub, target, body).status().as_u16(), status, "{target} {body}");
        assert_eq!(hub.state(), before, "{target} {body}");
    }
}

#[test]
fn signing_out_everywhere_else_keeps_this_session() {
    let mut hub = Hub::new(7);
    post(&mut hub, "/devices/sign-out-others", "");
    let sessions = at(&hub, "/sessions");
    assert_eq!(sessions.as_object().map(Map::len), Some(1));
    assert_eq!(sessions["session-1"]["current"], true);
    assert!(text(&get(&mut hub, "/api/activity")).contains("8 sessions were signed out"));
}

#[test]
fn security_alerts_cannot_be_switched_off() {
    let mut hub = Hub::new(7);
    post(&mut hub, "/communication", "");
    let row = json!({"email": true, "post": false, "push": false, "sms": false});
    assert_eq!(at(&hub, "/communication/security"), row);
}

#[test]
fn the_two_step_wizard_turns_on_at_its_last_step() {
    let mut hub = Hub::new(7);
    let code = hub.account.app_code.clone();
    let path = "/security/two-factor";
    assert!(text(&post(&mut hub, path, "step=method&method=app")).contains("6-digit code"));
    assert!(
        text(&post(&mut hub, path, &format!("step=code&method=app&code={code}"))).contains("backup codes")
    );
    let unsaved = post(&mut hub, path, &format!("step=finish&method=app&code={code}"));
    assert_eq!(unsaved.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(at(&hub, "/security/two_factor"), "off");
    // People type the code the way their app groups it.
    let grouped = format!("{}+{}", &code[..3], &code[3..]);
    post(&mut hub, path, &format!("step=finish&method=app&code={grouped}&saved=yes"));
    assert_eq!(at(&hub, "/security/two_factor"), "app");
}

#[test]
fn the_last_recovery_method_stays_while_two_step_verification_is_on() {
    let mut hub = hub_with(&[("/security/two_factor", json!("app"))]);
    assert_eq!(post(&mut hub, "/security/recovery/phone-1/remove", "").status(), StatusCode::SEE_OTHER);
    assert_eq!(post(&mut hub, "/security/recovery/email-1/remove", "").status(), StatusCode::CONFLICT);
    assert_eq!(at(&hub, "/security/recovery/email-1/kind"), "email");
    post(&mut hub, "/security/two-factor/off", "");
    assert_eq!(post(&mut hub, "/security/recovery/email-1/remove", "").status(), StatusCode::SEE_OTHER);
    assert_eq!(at(&hub, "/security/recovery"), json!({}));
}

#[test]
fn switches_save_what_they_show_and_inverted_ones_the_opposite() {
    let mut hub = Hub::new(7);
    for (setting, shown, stored) in [
        ("location_history", false, false),
        ("location_history", true, true),
        ("read_receipts", false, false),
        ("improve_services", true, false),
        ("improve_services", false, true),
    ] {
        let body = json!({"setting": setting, "on": shown});
        assert_eq!(post_json(&mut hub, "hub.localhost", "/api/privacy", &body).status(), StatusCode::OK);
        assert_eq!(at(&hub, &format!("/privacy/{setting}")), stored, "{setting}");
    }
    for body in
        [json!({"setting": "show_city", "on": true}), json!({"setting": "nope", "on": true}), json!([])]
    {
        let response = post_json(&mut hub, "hub.localhost", "/api/privacy", &body);
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    }
}

#[test]
fn the_consent_frame_is_shown_until_it_is_answered() {
    let mut hub = hub_with(&[("/consent/answered", json!(false))]);
    let frame = "src=\"http://consent.localhost/frame\"";
    assert!(text(&get(&mut hub, "/help")).contains(frame));
    let partial = json!({"purposes": {"ads": true}});
    let refused = post_json(&mut hub, "consent.localhost", "/choice", &partial);
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let choice =
        json!({"purposes": {"preferences": true, "measurement": false, "ads": false, "partners": false}});
    let accepted = post_json(&mut hub, "consent.localhost", "/choice", &choice);
    let receipt = serde_json::from_slice::<Value>(accepted.body()).expect("JSON")["receipt"].clone();
    assert!(receipt.as_str().is_some_and(|receipt| receipt.starts_with("CR-")));
    assert_eq!(
        at(&hub, "/consent"),
        json!({"answered": true, "purposes": choice["purposes"], "receipt": receipt})
    );
    assert!(!text(&get(&mut hub, "/help")).contains(frame));
    // The hub's own host has no such door.
    assert_eq!(post_json(&mut hub, "hub.localhost", "/choice", &choice).status(), StatusCode::NOT_FOUND);
}

#[test]
fn signing_in_needs_the_right_password() {
    let mut hub = hub_with(&[("/signed_in", json!(false))]);
    let wrong = post(&mut hub, "/sign-in", "email=maren.oyelaran%40orrery.example&password=guess");
    assert_eq!(wrong.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(at(&hub, "/signed_in"), false);
    post(&mut hub, "/sign-in", "email=maren.oyelaran%40orrery.example&password=Tidal-Meadow-58");
    assert_eq!(at(&hub, "/signed_in"), true);
}

/// The value that a response wants kept, as a browser sends it back.
fn cookie_of(response: &http::Response<bytes::Bytes>) -> String {
    let set = response.headers().get("set-cookie").and_then(|value| value.to_str().ok()).unwrap_or_default();
    set.split(';').next().unwrap_or_default().to_owned()
}

fn get_with(hub: &mut Hub, target: &str, cookie: &str) -> http::Response<bytes::Bytes> {
    let request = http::Request::get(format!("http://hub.localhost{target}"))
        .header("host", "hub.localhost")
        .header("cookie", cookie)
        .body(bytes::Bytes::new())
        .expect("a request");
    hub.handle(&crate::Request::parse(request)).into_http()
}

#[test]
fn browsers_that_sign_in_by_cookie_have_sessions_of_their_own() {
    let mut hub = Hub::new(7);
    let mut state = hub.state();
    state["signs_in_by_cookie"] = json!(true);
    hub.set_state(state).expect("a fitting state");
    let seeded = hub.state()["sessions"].as_object().expect("sessions").len();
    assert_eq!(get(&mut hub, "/").status(), 303, "nobody is in");
    let form = "email=maren.oyelaran%40orrery.example&password=Tidal-Meadow-58";
    let first = cookie_of(&post(&mut hub, "/sign-in", form));
    let second = cookie_of(&post(&mut hub, "/sign-in", form));
    assert!(!first.is_empty() && first != second);
    assert_eq!(hub.state()["sessions"].as_object().expect("sessions").len(), seeded + 2);
    assert_eq!(get_with(&mut hub, "/devices", &first).status(), 200);
    assert_eq!(get_with(&mut hub, "/devices", "orrery_session=guess").status(), 303);
    let devices = text(&get_with(&mut hub, "/devices", &second));
    assert_eq!(devices.matches("This device").count(), 1);
    // The cookie's value is not in the state: whoever reads a recording cannot sign in with it.
    let value = first.split('=').nth(1).expect("a value").to_owned();
    assert!(!hub.state().to_string().contains(&value));
}
