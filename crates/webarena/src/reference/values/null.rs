//! The absence of a value, and the words for it.

use super::{Context, Unreadable, ValueType};
use crate::python::{Value, is_space};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NullValue;

impl ValueType for NullValue {
    fn read(value: &Value, _context: &Context) -> Result<Self, Unreadable> {
        let is_null = match value {
            Value::Str(text) => {
                let lower = text.to_lowercase();
                let words: Vec<&str> = lower.split(is_space).filter(|word| !word.is_empty()).collect();
                let text = words.join(" ").replace(" / ", "/").replace("/ ", "/").replace(" /", "/");
                matches!(text.as_str(), "" | "n/a" | "na" | "nan" | "null" | "none")
            }
            other => !other.truthy() && !other.is_number(),
        };
        if is_null { Ok(Self) } else { Err(Unreadable("not nothing")) }
    }

    fn same(&self, _other: &Self) -> bool {
        true
    }

    fn report(&self) -> Value {
        Value::None
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::assert_reads;

    #[test]
    fn words_for_nothing() {
        assert_reads(
            "null",
            &[
                ("null", Some("null")),
                (r#"" N / A ""#, Some("null")),
                (r#""None""#, Some("null")),
                (r#""-""#, None),
                ("false", None),
                ("0", None),
            ],
        );
    }
}
