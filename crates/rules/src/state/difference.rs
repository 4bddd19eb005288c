//! What differs between two states, place by place.

use std::collections::BTreeSet;

use serde_json::Value;

use super::pointer::Pointer;
use crate::json_equality;

#[derive(Debug, PartialEq)]
pub(super) struct Difference<'a> {
    pub(super) at: Pointer,
    pub(super) before: Option<&'a Value>,
    pub(super) after: Option<&'a Value>,
}

/// All differences at `at` and inside it, except those inside `allowed` places. Each is reported as deep as both sides
/// go together, in the order of sorted keys. Lists are compared position by position.
pub(super) fn differences<'a>(
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    at: Pointer,
    allowed: &[Pointer],
) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    collect(before, after, at, allowed, &mut found);
    found
}

fn collect<'a>(
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    at: Pointer,
    allowed: &[Pointer],
    found: &mut Vec<Difference<'a>>,
) {
    if allowed.iter().any(|place| place.covers(&at)) {
        return;
    }
    let alike = match (before, after) {
        (None, None) => true,
        (Some(before), Some(after)) => json_equality::equal(before, after),
        _ => false,
    };
    if alike {
        return;
    }
    // A parent may come or go with an allowed place inside it; then only its other contents are a difference.
    let allowed_inside = allowed.iter().any(|place| at.covers(place));
    let steps = match (before, after) {
        (Some(Value::Object(_)), Some(Value::Object(_))) | (Some(Value::Array(_)), Some(Value::Array(_))) => {
            steps_of(before, after)
        }
        (Some(Value::Object(_) | Value::Array(_)), None)
        | (None, Some(Value::Object(_) | Value::Array(_)))
            if allowed_inside =>
        {
            steps_of(before, after)
        }
        _ => {
            found.push(Difference { at, before, after });
            return;
        }
    };
    for step in steps {
        collect(step.value_in(before), step.value_in(after), at.child(step.name()), allowed, found);
    }
}

enum Step<'a> {
    Key(&'a str),
    Position(usize),
}

impl Step<'_> {
    fn name(&self) -> String {
        match self {
            Self::Key(key) => (*key).to_owned(),
            Self::Position(position) => position.to_string(),
        }
    }

    fn value_in<'v>(&self, container: Option<&'v Value>) -> Option<&'v Value> {
        match self {
            Self::Key(key) => container?.get(key),
            Self::Position(position) => container?.get(position),
        }
    }
}

fn steps_of<'a>(before: Option<&'a Value>, after: Option<&'a Value>) -> Vec<Step<'a>> {
    let sides = || [before, after].into_iter().flatten();
    let keys: BTreeSet<&str> =
        sides().filter_map(Value::as_object).flat_map(|map| map.keys().map(String::as_str)).collect();
    let longest = sides().filter_map(Value::as_array).map(Vec::len).max().unwrap_or(0);
    keys.into_iter().map(Step::Key).chain((0..longest).map(Step::Position)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn places(before: &Value, after: &Value, allowed: &[&str]) -> Vec<String> {
        let allowed: Vec<Pointer> = allowed.iter().map(|text| Pointer::parse(text).expect(text)).collect();
        differences(Some(before), Some(after), Pointer::default(), &allowed)
            .into_iter()
            .map(|difference| difference.at.to_string())
            .collect()
    }

    #[test]
    fn places_that_differ() {
        let before = json!({"cart": {"a": 1, "b": 2}, "orders": [{"id": 1}], "name": "Ann"});
        for (after, allowed, expected) in [
            (json!({"cart": {"a": 1.0, "b": 2}, "orders": [{"id": 1}], "name": "Ann"}), vec![], vec![]),
            (
                json!({"cart": {"a": 3, "b": 2}, "orders": [{"id": 1}], "name": "Ann"}),
                vec![],
                vec!["/cart/a"],
            ),
            (
                json!({"cart": {"a": 3, "b": 4}, "orders": [{"id": 1}], "name": "Ann"}),
                vec!["/cart/a"],
                vec!["/cart/b"],
            ),
            (
                json!({"cart": {"a": 3, "b": 4, "c": 1}, "orders": [], "name": "Ann"}),
                vec!["/cart"],
                vec!["/orders/0"],
            ),
            (
                json!({"cart": {"a": 1, "b": 2}, "orders": [{"id": 1}, {"id": 2}]}),
                vec![],
                vec!["/name", "/orders/1"],
            ),
            (json!({"cart": null, "orders": [{"id": 1}], "name": "Ann"}), vec!["/cart/a"], vec!["/cart"]),
            (json!([]), vec![], vec!["the state"]),
            (json!([]), vec![""], vec![]),
        ] {
            assert_eq!(places(&before, &after, &allowed), expected, "{after} {allowed:?}");
        }
    }

    #[test]
    fn an_allowed_place_allows_its_new_parents_but_not_their_other_contents() {
        let (before, after) = (json!({}), json!({"cart": {"items": [1], "coupon": "X"}}));
        assert_eq!(places(&before, &after, &["/cart/items"]), ["/cart/coupon"]);
        assert_eq!(places(&after, &before, &["/cart/items"]), ["/cart/coupon"]);
        assert_eq!(places(&before, &after, &["/other"]), ["/cart"]);
    }
}
