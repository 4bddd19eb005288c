//! Comma-separated texts, in any order.

use super::{Context, Unreadable, ValueType};
use crate::python::{Value, str_of, strip};
use crate::reference::text::fold;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringListValue(Vec<String>);

impl ValueType for StringListValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let text = match value {
            Value::Str(text) => fold(text, Some(context)),
            falsy if !falsy.truthy() => return Err(Unreadable("an empty list")),
            other => str_of(other),
        };
        let mut items: Vec<String> =
            text.split(',').map(strip).filter(|item| !item.is_empty()).map(str::to_owned).collect();
        items.sort();
        if items.is_empty() { Err(Unreadable("an empty list")) } else { Ok(Self(items)) }
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }

    fn report(&self) -> Value {
        Value::List(self.0.iter().map(|item| Value::from(item.as_str())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{assert_accepts, assert_reads};

    #[test]
    fn order_does_not_count_but_number_does() {
        assert_reads(
            "string_list",
            &[
                (r#""b, a,,""#, Some(r#"["a", "b"]"#)),
                ("true", Some(r#"["True"]"#)),
                (r#"",""#, None),
                ("0", None),
            ],
        );
        assert_accepts("string_list", &[(r#""a,b""#, r#""B, A""#, true), (r#""a,a""#, r#""a""#, false)]);
    }
}
