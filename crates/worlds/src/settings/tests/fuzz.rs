use proptest::prelude::*;

use super::{HOST, SITES, request};
use crate::Site;

/// Paths near the real ones, so that the fuzzing gets past the routing.
fn target() -> impl Strategy<Value = String> {
    let known = "settings api control mail sessions session-2 end end-others tokens new token-1 revoke apps app-1 remove \
                 lists blocked muted_words searches saved add clear export export-1 cancel deletion profile about safety \
                 data use copy cookies all necessary search blocks explore people ads security assets";
    let segment = prop_oneof![
        5 => prop::sample::select(known.split_whitespace().collect::<Vec<_>>()).prop_map(str::to_owned),
        1 => "[a-z%0-9.]{0,8}",
    ];
    let query = prop::option::of("[?](q|page|done|topic|sort)=[a-z0-9%+-]{0,20}");
    (prop::collection::vec(segment, 0..4), query)
        .prop_map(|(segments, query)| format!("/{}{}", segments.join("/"), query.unwrap_or_default()))
}

fn form() -> impl Strategy<Value = String> {
    let known = "entry back part format reason handle name expiry scope display_name bio theme likes.push cookies_marketing";
    let name = prop::sample::select(known.split_whitespace().collect::<Vec<_>>());
    prop::collection::vec((name, "\\PC{0,12}"), 0..6)
        .prop_map(|pairs| url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_request_breaks_a_site(
        which in 0..SITES.len(),
        requests in prop::collection::vec(
            (
                prop::sample::select(&["GET", "POST", "PUT", "HEAD"][..]),
                target(),
                prop::sample::select(&["application/x-www-form-urlencoded", "application/json", "text/plain"][..]),
                prop_oneof![form(), "\\PC{0,30}", Just(r#"{"id":"theme","value":7,"confirmed":true}"#.to_owned())],
            ),
            1..8,
        )
    ) {
        let mut site = SITES[which](7);
        for (method, target, content_type, body) in requests {
            let response = site.handle(&request(method, HOST, &target, content_type, &body)).into_http();
            prop_assert!(!response.status().is_server_error(), "{} {}", method, target);
        }
        // Whatever was done, the state still is one the site accepts.
        let state = site.state();
        prop_assert!(site.set_state(state).is_ok());
    }
}
