//! Objects: the same properties, no more and no fewer, each equal by its own type.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Expected, Order, ValueType};
use crate::ruling::Undecided;
use crate::words;

pub(super) fn property_types(schema: &Value) -> Result<BTreeMap<String, ValueType>, Undecided> {
    match schema.get("properties") {
        None => Ok(BTreeMap::new()),
        Some(Value::Object(properties)) => properties
            .iter()
            .map(|(name, schema)| Ok((name.clone(), ValueType::of_schema(schema)?)))
            .collect(),
        Some(other) => {
            Err(Undecided::Broken(format!("the properties {} are not an object", words::value(other))))
        }
    }
}

/// A property the schema does not mention has the type its expected value shows.
pub(super) fn expect(
    properties: &BTreeMap<String, ValueType>,
    value: &Map<String, Value>,
    order: Order,
) -> Result<BTreeMap<String, Expected>, Undecided> {
    value
        .iter()
        .map(|(name, value)| {
            let value_type = properties.get(name).unwrap_or(&ValueType::Inferred);
            Ok((name.clone(), value_type.expect(value, order)?))
        })
        .collect()
}

pub(super) fn accepts(expected: &BTreeMap<String, Expected>, actual: &Value) -> bool {
    actual.as_object().is_some_and(|actual| {
        actual.len() == expected.len()
            && expected
                .iter()
                .all(|(name, expected)| actual.get(name).is_some_and(|actual| expected.accepts(actual)))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn properties_have_types_of_their_own() {
        let schema = json!({"type": "object", "properties": {
            "name": {"type": "string"},
            "price": {"type": "string", "format": "currency"},
            "tags": {"type": "array", "items": {"type": "string"}},
        }});
        let value_type = ValueType::of_schema(&schema).expect("known");
        let expected = json!({"name": ["Lamp", "Desk lamp"], "price": "$5", "tags": ["a", "b"], "stock": 3});
        let expected = value_type.expect(&expected, Order::Any).expect("readable");
        for (actual, accepted) in [
            (json!({"name": "desk lamp", "price": 5, "tags": ["b", "a"], "stock": "3"}), true),
            (json!({"stock": 3, "tags": ["a", "b"], "price": "5.00 USD", "name": "LAMP"}), true),
            (json!({"name": "lamp", "price": 5, "tags": ["a"], "stock": 3}), false),
            (json!({"name": "lamp", "price": 6, "tags": ["a", "b"], "stock": 3}), false),
            (json!({"name": "lamp", "price": 5, "tags": ["a", "b"]}), false),
            (json!({"name": "lamp", "price": 5, "tags": ["a", "b"], "stock": 3, "more": 1}), false),
            (json!({"Name": "lamp", "price": 5, "tags": ["a", "b"], "stock": 3}), false),
            (json!("{\"name\": \"lamp\"}"), false),
        ] {
            assert_eq!(expected.accepts(&actual), accepted, "{actual}");
        }
    }
}
