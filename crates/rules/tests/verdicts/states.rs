//! Checks on the world's state.

use crate::support::{Attempt, answer};
use serde_json::{Value, json};
use umpire_model::{Outcome, TaskKind, Verdict};

fn judged(before: &Value, after: &Value, path: &str, expect: &Value) -> Verdict {
    let worlds = |shop: &Value| json!({"shop": shop, "forum": {"noise": shop}});
    Attempt::answered(&answer("mutate", "SUCCESS", &json!(null)))
        .states(&worlds(before), &worlds(after))
        .judged_by(
            TaskKind::Mutate,
            json!([{"type": "state", "site": "shop", "path": path, "expect": expect}]),
        )
}

#[test]
fn conditions_on_the_state_after() {
    let shop = json!({
        "cart": {"items": {"SKU-1": {"quantity": 1, "gift": false}, "a/b": {"quantity": 2.0}}},
        "orders": [{"id": 7, "lines": [{"sku": "A"}], "note": {"text": "x", "at": 1}}],
        "coupon": null,
    });
    for (path, expect, reason) in [
        ("/cart/items/SKU-1/quantity", json!({"equals": 1.0}), "the check held"),
        (
            "/cart/items/SKU-1/quantity",
            json!({"equals": 2}),
            "state: /cart/items/SKU-1/quantity is 1, expected 2",
        ),
        ("/cart/items/a~1b/quantity", json!({"equals": 2}), "the check held"),
        (
            "/cart/items/SKU-2/quantity",
            json!({"equals": 2}),
            "state: /cart/items/SKU-2/quantity is missing, expected 2",
        ),
        ("/cart/items/SKU-1", json!({"equals": {"gift": false, "quantity": 1}}), "the check held"),
        (
            "/cart/items/SKU-1",
            json!({"equals": {"gift": true, "quantity": 1}}),
            "state: /cart/items/SKU-1/gift is false, expected true",
        ),
        (
            "/cart/items/SKU-1",
            json!({"equals": {"quantity": 1}}),
            "state: /cart/items/SKU-1/gift is false, expected nothing there",
        ),
        ("/coupon", json!({"equals": null}), "the check held"),
        ("/coupon", json!("absent"), "the check held"),
        ("/nothing/here", json!("absent"), "the check held"),
        (
            "/cart/items/SKU-1/quantity",
            json!("absent"),
            "state: /cart/items/SKU-1/quantity is 1, expected nothing there",
        ),
        ("/orders", json!({"contains": {"id": 7, "note": {"text": "x"}}}), "the check held"),
        ("/orders", json!({"contains": {"id": 8}}), "state: nothing in /orders has {\"id\":8}"),
        ("/cart/items", json!({"contains": {"quantity": 2}}), "the check held"),
        ("/coupon", json!({"contains": 1}), "state: /coupon is null, expected a list or map with 1"),
        ("/orders", json!({"count": 1}), "the check held"),
        ("/cart/items", json!({"count": 2}), "the check held"),
        ("/cart/items", json!({"count": 3}), "state: /cart/items has 2 entries, expected 3"),
        (
            "/nothing",
            json!({"count": 0}),
            "state: /nothing is missing, expected a list or map with 0 entries",
        ),
    ] {
        let verdict = judged(&json!({}), &shop, path, &expect);
        assert_eq!(verdict.reason, reason, "{path} {expect}");
        assert_eq!(verdict.outcome == Outcome::Pass, reason == "the check held");
    }
}

#[test]
fn nothing_else_may_change() {
    let before = json!({"cart": {"A": 1}, "orders": {}, "theme": "light", "visits": [1]});
    for (after, path, allowed, reason) in [
        (before.clone(), "", json!([]), "the check held"),
        (
            json!({"cart": {"A": 2}, "orders": {}, "theme": "light", "visits": [1.0]}),
            "",
            json!(["/cart"]),
            "the check held",
        ),
        (
            json!({"cart": {"A": 2}, "orders": {}, "theme": "light", "visits": [1]}),
            "",
            json!(["/cart/A"]),
            "the check held",
        ),
        (
            json!({"cart": {"A": 2}, "orders": {}, "theme": "dark", "visits": [1]}),
            "",
            json!(["/cart"]),
            "state: unexpected change, /theme was \"light\" and is \"dark\"",
        ),
        (
            json!({"cart": {"A": 2}, "orders": {}, "theme": "dark", "visits": [1]}),
            "/cart",
            json!(["/cart/A"]),
            "the check held",
        ),
        (
            json!({"cart": {"A": 1, "B": 1}, "orders": {}, "theme": "light", "visits": [1]}),
            "",
            json!(["/cart/A"]),
            "state: unexpected change, /cart/B was missing and is 1",
        ),
        (
            json!({"cart": {}, "orders": {"1": {}}, "theme": "light", "visits": []}),
            "",
            json!([]),
            "state: unexpected change, /cart/A was 1 and is missing; and 2 more",
        ),
    ] {
        let verdict = judged(&before, &after, path, &json!({"unchanged_except": allowed}));
        assert_eq!(verdict.reason, reason, "{after} except {allowed}");
        assert_eq!(verdict.checks[0].evidence, [2, 3]);
    }
}
