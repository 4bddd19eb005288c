//! When two JSON values say the same: numbers by value (1 is 1.0), objects in any order, everything else literally.

use serde_json::{Number, Value};

pub(crate) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => equal_numbers(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| equal(value, other)))
        }
        (a, b) => a == b,
    }
}

/// True if `whole` has everything `part` asks for: objects may have more fields, everything else must be equal.
pub(crate) fn includes(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, value)| whole.get(key).is_some_and(|found| includes(found, value)))
        }
        (whole, part) => equal(whole, part),
    }
}

fn equal_numbers(a: &Number, b: &Number) -> bool {
    // Integers are compared as integers: above 2^53 different ones meet in the same double.
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a == b,
        _ => a.as_f64() == b.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equality() {
        for (a, b, same) in [
            (json!(1), json!(1.0), true),
            (json!(-0.0), json!(0), true),
            (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64), false),
            (json!(u64::MAX), json!(i64::MAX), false),
            (json!("1"), json!(1), false),
            (json!(true), json!(1), false),
            (json!(null), json!(false), false),
            (json!({"a": 1, "b": [2]}), json!({"b": [2.0], "a": 1}), true),
            (json!({"a": 1}), json!({"a": 1, "b": null}), false),
            (json!([1, 2]), json!([2, 1]), false),
        ] {
            assert_eq!(equal(&a, &b), same, "{a} and {b}");
            assert_eq!(equal(&b, &a), same, "{b} and {a}");
        }
    }

    #[test]
    fn inclusion_is_deep_for_objects_and_literal_for_lists() {
        let whole = json!({"id": 7, "who": {"name": "Ann", "age": 4}, "tags": ["a", "b"]});
        for (part, included) in [
            (json!({}), true),
            (json!({"id": 7.0}), true),
            (json!({"who": {"name": "Ann"}}), true),
            (json!({"who": {"name": "Bob"}}), false),
            (json!({"tags": ["a"]}), false),
            (json!({"other": null}), false),
        ] {
            assert_eq!(includes(&whole, &part), included, "{part}");
        }
    }
}
