//! What must be true of every verdict.

use crate::support::{Attempt, answer, form_post, page};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use umpire_model::{Body, TaskKind};

fn checks(results: &Value, schema: &Value, ordered: bool) -> Value {
    json!([
        {"type": "response", "status": "SUCCESS", "results": results, "schema": schema, "ordered": ordered},
        {"type": "network", "url": ["^http://.*$"], "query": {"q": ["a"]}},
        {"type": "network", "url": ["http://shop.localhost/"], "method": "POST", "post": {"a": "b"}, "absent": true},
        {"type": "network", "url": ["http://shop.localhost/"], "last": true},
        {"type": "state", "site": "shop", "path": "/a", "expect": {"equals": {"b": 1}}},
        {"type": "state", "site": "shop", "path": "/a", "expect": {"contains": {"b": 1}}},
        {"type": "state", "site": "shop", "expect": {"unchanged_except": ["/a/b"]}},
    ])
}

/// Values that often meet: few words in several spellings.
fn result() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(vec!["a", "A.", "b", "$1", "1", "1.0", "2026-01-01", "Jan 1, 2026", "yes", ""])
            .prop_map(Value::from),
        (0..3_i64).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ]
}

fn expected_result() -> impl Strategy<Value = Value> {
    prop_oneof![result(), prop::collection::vec(result(), 1..3).prop_map(Value::from)]
}

fn any_state() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (0..3_i64).prop_map(Value::from),
        Just(Value::Null),
        any::<String>().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[ab/~]{1,2}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_evidence_gives_a_verdict_and_the_same_one_twice(
        response in prop_oneof![any::<String>(), result().prop_map(|r| answer("retrieve", "SUCCESS", &json!([r])))],
        expected in prop::collection::vec(expected_result(), 0..3),
        urls in prop::collection::vec(prop_oneof![any::<String>(), "http://shop\\.localhost/[a?=&%]{0,6}"], 0..4),
        body in any::<String>(),
        before in any_state(),
        after in any_state(),
    ) {
        let build = || {
            let attempt = Attempt::answered(&response)
                .states(&json!({"shop": before}), &json!({"shop": after}))
                .exchange(form_post(9, "http://shop.localhost/", Body::Text(body.clone())));
            urls.iter().fold(attempt, |attempt, url| attempt.exchange(page(1, url)))
        };
        let judge = |attempt: &Attempt| {
            attempt.judged_by(TaskKind::Retrieve, checks(&json!(expected), &Value::Null, false))
        };
        let first = serde_json::to_vec(&judge(&build())).expect("serializes");
        let second = serde_json::to_vec(&judge(&build())).expect("serializes");
        prop_assert_eq!(first, second);
    }

    #[test]
    fn the_order_of_an_unordered_answer_does_not_matter(
        expected in prop::collection::vec(expected_result(), 0..5),
        actual in prop::collection::vec(result(), 0..5),
        swaps in prop::collection::vec((any::<Index>(), any::<Index>()), 1..6),
    ) {
        let outcome = |results: &[Value]| {
            let check = json!([{"type": "response", "status": "SUCCESS", "results": expected}]);
            Attempt::answered(&answer("retrieve", "SUCCESS", &json!(results)))
                .judged_by(TaskKind::Retrieve, check)
                .outcome
        };
        let mut shuffled = actual.clone();
        if !actual.is_empty() {
            for (from, to) in swaps {
                shuffled.swap(from.index(actual.len()), to.index(actual.len()));
            }
        }
        prop_assert_eq!(outcome(&actual), outcome(&shuffled));
    }

    #[test]
    fn a_change_outside_the_exceptions_never_passes(before in any_state(), after in any_state()) {
        let check = json!([{"type": "state", "site": "shop", "expect": {"unchanged_except": []}}]);
        let verdict = Attempt::answered(&answer("mutate", "SUCCESS", &json!(null)))
            .states(&json!({"shop": before}), &json!({"shop": after}))
            .judged_by(TaskKind::Mutate, check);
        prop_assert_eq!(verdict.checks[0].held, before == after);
    }
}
