use proptest::prelude::*;

use super::{Hub, request};
use crate::Site;

/// Paths near the real ones, so that the fuzzing gets past the routing.
fn target() -> impl Strategy<Value = String> {
    let known = "security recovery email-1 remove passkeys devices session-1 sign-out privacy visibility api activity \
                 appearance ads communication data request export-1 cancel tokens new token-1 revoke apps app-1 delete \
                 two-factor password profile choice search sign-in";
    let segment = prop_oneof![
        4 => prop::sample::select(known.split_whitespace().collect::<Vec<_>>()).prop_map(str::to_owned),
        1 => "[a-z%0-9.]{0,8}",
    ];
    let query = prop::option::of("[?](kind|page|q|done)=[a-z0-9%+-]{0,12}");
    (prop::collection::vec(segment, 0..4), query)
        .prop_map(|(segments, query)| format!("/{}{}", segments.join("/"), query.unwrap_or_default()))
}

fn form() -> impl Strategy<Value = String> {
    let known = "step method code part format delivery name expiry scope kind address current new again topic reason \
                 display_name birthday setting value";
    let name = prop::sample::select(known.split_whitespace().collect::<Vec<_>>());
    prop::collection::vec((name, "\\PC{0,12}"), 0..6)
        .prop_map(|pairs| url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
}

fn one_of(choices: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(choices)
}

proptest! {
    #[test]
    fn no_request_breaks_the_hub(
        requests in prop::collection::vec(
            (
                one_of(&["GET", "POST", "PUT", "HEAD"]),
                one_of(&["hub.localhost", "consent.localhost"]),
                target(),
                one_of(&["application/x-www-form-urlencoded", "application/json", "text/plain"]),
                prop_oneof![form(), "\\PC{0,30}", Just(r#"{"setting":"read_receipts","on":true}"#.to_owned())],
            ),
            1..8,
        )
    ) {
        let mut hub = Hub::new(7);
        for (method, host, target, content_type, body) in requests {
            let response = hub.handle(&request(method, host, &target, content_type, &body)).into_http();
            prop_assert!(!response.status().is_server_error(), "{} {}", method, target);
        }
        // Whatever was done, the state still is one the hub accepts.
        let state = hub.state();
        prop_assert!(hub.set_state(state).is_ok());
    }
}
