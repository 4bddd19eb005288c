//! Changing values somewhere inside JSON.

use serde_json::Value;

use crate::values::near_misses_of_json;

/// Another value of the same kind.
pub(super) fn other_value(value: &Value) -> Value {
    near_misses_of_json(value).into_iter().next().map_or(Value::Bool(true), |miss| miss.value)
}

/// Changes all values without parts for which `is_meant` holds; `None` if there are none.
pub(super) fn change_where(value: &mut Value, is_meant: &impl Fn(&Value) -> bool) -> Option<()> {
    let any = |changes: Vec<Option<()>>| changes.into_iter().flatten().next();
    match value {
        Value::Array(list) => any(list.iter_mut().map(|value| change_where(value, is_meant)).collect()),
        Value::Object(map) => any(map.values_mut().map(|value| change_where(value, is_meant)).collect()),
        leaf if is_meant(leaf) => {
            *leaf = other_value(leaf);
            Some(())
        }
        _ => None,
    }
}

/// Changes the first value without parts; `None` if there is none.
pub(super) fn change_first(value: &mut Value) -> Option<()> {
    match value {
        Value::Array(list) => list.iter_mut().find_map(change_first),
        Value::Object(map) => map.values_mut().find_map(change_first),
        leaf => {
            *leaf = other_value(leaf);
            Some(())
        }
    }
}
