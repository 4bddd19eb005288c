//! Yes and no.

use super::{Context, Unreadable, ValueType};
use crate::python::Value;
use crate::reference::text::fold;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BooleanValue(bool);

impl ValueType for BooleanValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        match value {
            Value::Str(text) => match fold(text, Some(context)).as_str() {
                "true" | "yes" | "y" | "1" | "t" | "on" => Ok(Self(true)),
                "false" | "no" | "n" | "0" | "f" | "off" => Ok(Self(false)),
                _ => Err(Unreadable("neither yes nor no")),
            },
            number if number.is_number() => Ok(Self(number.truthy())),
            _ => Err(Unreadable("neither yes nor no")),
        }
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }

    fn report(&self) -> Value {
        Value::Bool(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::assert_reads;

    #[test]
    fn yes_and_no() {
        assert_reads(
            "boolean",
            &[
                (r#"" Yes ""#, Some("true")),
                (r#""off""#, Some("false")),
                ("-1", Some("true")),
                ("0.0", Some("false")),
                (r#""maybe""#, None),
                ("null", None),
            ],
        );
    }
}
