use proptest::prelude::*;

use super::{FORM, Market, request};
use crate::Site;
use crate::market::storefront::STOREFRONTS;

/// Paths near the real ones, so that the fuzzing gets past the routing.
fn target() -> impl Strategy<Value = String> {
    let known =
        "find shelf item book basket add change checkout bookings B-1 cancel saved orders help assets";
    let shelves = STOREFRONTS.iter().flat_map(|site| site.trade.shelves).map(|shelf| shelf.slug.to_owned());
    let ids = STOREFRONTS.iter().map(|site| format!("{}-1001", site.origin.prefix));
    let known: Vec<String> = known.split_whitespace().map(str::to_owned).chain(shelves).chain(ids).collect();
    let segment = prop_oneof![4 => prop::sample::select(known), 1 => "[a-z%0-9.-]{0,8}"];
    let query = prop::collection::vec((field(), value()), 0..5);
    (prop::collection::vec(segment, 0..4), query).prop_map(|(segments, pairs)| {
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        format!("/{}?{query}", segments.join("/"))
    })
}

fn field() -> impl Strategy<Value = String> {
    let fixed =
        "q page sort min max near kind item line delivery quantity".split_whitespace().map(str::to_owned);
    let declared = STOREFRONTS.iter().flat_map(|site| {
        let facets = site.trade.facets.iter().map(|facet| facet.key.to_owned());
        facets.chain(site.trade.asks.iter().map(|ask| ask.key().to_owned()))
    });
    prop::sample::select(fixed.chain(declared).collect::<Vec<_>>())
}

fn value() -> impl Strategy<Value = String> {
    let likely =
        ["Portmere", "2026-04-18", "9999-12-31", "118 Alder Street", "2", "0", "-1", "99999999999999999999"];
    prop_oneof![prop::sample::select(likely.to_vec()).prop_map(str::to_owned), "\\PC{0,12}"]
}

fn form() -> impl Strategy<Value = String> {
    prop::collection::vec((field(), value()), 0..6)
        .prop_map(|pairs| url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_request_breaks_a_marketplace(
        requests in prop::collection::vec(
            (
                prop::sample::select(vec!["GET", "POST", "PUT", "HEAD"]),
                prop::sample::select(STOREFRONTS.iter().map(|site| site.host()).collect::<Vec<_>>()),
                target(),
                form(),
            ),
            1..8,
        )
    ) {
        let mut market = Market::new(7);
        for (method, host, target, body) in requests {
            let response = market.handle(&request(method, &host, &target, FORM, &body)).into_http();
            prop_assert!(!response.status().is_server_error(), "{} {} {}", method, host, target);
        }
        // Whatever was done, the state still is one the market accepts.
        let state = market.state();
        prop_assert_eq!(market.set_state(state), Ok(()));
    }
}
