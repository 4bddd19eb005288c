//! JSON documents inside texts.

use super::{Context, Unreadable, ValueType};
use crate::python::{Value, parse_json, str_of};
use crate::reference::text::fold;

/// The document in compact form, keys sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonValue(String);

impl ValueType for JsonValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let Value::Str(text) = value else { return Err(Unreadable("not a JSON text")) };
        let document = parse_json(&fold(text, Some(context))).map_err(|_| Unreadable("not a JSON text"))?;
        let mut compact = String::new();
        write_sorted(&document, &mut compact);
        Ok(Self(compact))
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }

    fn report(&self) -> Value {
        Value::from(self.0.as_str())
    }
}

fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::None => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Float(float) if float.is_nan() => out.push_str("NaN"),
        Value::Float(float) if float.is_infinite() => {
            out.push_str(if *float > 0.0 { "Infinity" } else { "-Infinity" });
        }
        number @ (Value::Int(_) | Value::Float(_)) => out.push_str(&str_of(number)),
        Value::Str(text) => out.push_str(&quoted(text)),
        Value::List(items) | Value::Tuple(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_sorted(item, out);
            }
            out.push(']');
        }
        Value::Dict(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (at, (key, value)) in entries.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&quoted(key));
                out.push(':');
                write_sorted(value, out);
            }
            out.push('}');
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::cases::assert_reads;

    #[test]
    fn keys_are_sorted_and_text_is_folded() {
        assert_reads(
            "json",
            &[
                (r#""{\"b\": 1, \"a\": [1.0, null]}""#, Some(r#""{\"a\":[1.0,null],\"b\":1}""#)),
                (r#""{\"A\": 1, \"a\": 2}""#, Some(r#""{\"a\":2}""#)),
                (r#""{""#, None),
                ("5", None),
            ],
        );
    }
}
