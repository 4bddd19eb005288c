//! Python values from and to any format `serde` knows.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::value::{Dict, Int, Value};

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl From<&serde_json::Value> for Value {
    fn from(json: &serde_json::Value) -> Self {
        match json {
            serde_json::Value::Null => Self::None,
            serde_json::Value::Bool(truth) => Self::Bool(*truth),
            serde_json::Value::Number(number) => match Int::from_decimal(&number.to_string()) {
                Some(int) => Self::Int(int),
                None => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            serde_json::Value::String(text) => Self::from(text.as_str()),
            serde_json::Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            serde_json::Value::Object(entries) => {
                Self::Dict(entries.iter().map(|(key, value)| (key.clone(), Self::from(value))).collect())
            }
        }
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_none<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E: de::Error>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E: de::Error>(self, int: i64) -> Result<Value, E> {
        Ok(Value::from(int))
    }

    fn visit_u64<E: de::Error>(self, int: u64) -> Result<Value, E> {
        Int::from_decimal(&int.to_string()).map(Value::Int).ok_or_else(|| E::custom("not an integer"))
    }

    fn visit_f64<E: de::Error>(self, float: f64) -> Result<Value, E> {
        Ok(Value::Float(float))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Str(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut dict = Dict::new();
        while let Some((key, value)) = entries.next_entry()? {
            dict.insert(key, value);
        }
        Ok(Value::Dict(dict))
    }
}

impl Serialize for Value {
    /// Tuples become lists. Integers beyond 64 bits lose their last digits, which no report depends on.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_unit(),
            Self::Bool(truth) => serializer.serialize_bool(*truth),
            Self::Int(int) => match int.to_i64() {
                Some(small) => serializer.serialize_i64(small),
                None => serializer.serialize_f64(int.to_f64().unwrap_or(f64::INFINITY)),
            },
            Self::Float(float) => serializer.serialize_f64(*float),
            Self::Str(text) => serializer.serialize_str(text),
            Self::List(items) | Self::Tuple(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Self::Dict(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse_json;

    #[test]
    fn values_survive_the_way_through_json() {
        let json = r#"{"b":[1,-2.5,null,true,"x"],"a":{"c":18446744073709551615}}"#;
        let value: Value = serde_json::from_str(json).expect("JSON");
        assert_eq!(value, parse_json(json).expect("JSON"));
        assert_eq!(value, Value::from(&serde_json::from_str::<serde_json::Value>(json).expect("JSON")));
        let small = r#"{"b":[1,-2.5,null,true,"x"],"a":{}}"#;
        let value: Value = serde_json::from_str(small).expect("JSON");
        assert_eq!(serde_json::to_string(&value).expect("JSON"), small);
    }
}
