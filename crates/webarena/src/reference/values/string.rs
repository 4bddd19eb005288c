//! Text, compared loosely, and patterns in place of text.

use super::{Context, Unreadable, ValueType};
use crate::python::{Pattern, PatternFlags, Value, is_regex_literal, str_of, strip};
use crate::reference::text::fold;

/// Folded text, or a pattern as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringValue(String);

/// What may surround a text without changing it.
const LOOSE_ENDS: &[char] = &['\'', '"', '`', '.', ',', ';', ':', '!', '?'];

impl StringValue {
    pub fn text(&self) -> &str {
        &self.0
    }

    fn from_text(text: &str, context: Option<&Context>) -> Self {
        let folded = fold(text, context);
        if is_regex_literal(&folded) { Self(folded) } else { Self(strip(&folded.to_lowercase()).to_owned()) }
    }

    fn is_pattern_for(&self, other: &Self) -> bool {
        const FLAGS: PatternFlags = PatternFlags { ignore_case: true, dot_matches_newline: false };
        is_regex_literal(&self.0)
            && Pattern::matching_whole(&self.0, FLAGS).is_ok_and(|pattern| pattern.is_match(&other.0))
    }
}

impl ValueType for StringValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        Ok(match value {
            Value::Str(text) => Self::from_text(text, Some(context)),
            falsy if !falsy.truthy() => Self(String::new()),
            other => Self(strip(&str_of(other).to_lowercase()).to_owned()),
        })
    }

    fn same(&self, other: &Self) -> bool {
        self == other
            || self.0.trim_matches(LOOSE_ENDS) == other.0.trim_matches(LOOSE_ENDS)
            || self.is_pattern_for(other)
            || other.is_pattern_for(self)
    }

    fn any_same_raw(expected: &[Self], actual: &Value) -> bool {
        let Value::Str(text) = actual else { return false };
        Self::any_same(expected, &[Self::from_text(text, None)])
    }

    fn report(&self) -> Value {
        Value::from(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{assert_accepts, assert_reads};

    #[test]
    fn everything_is_text() {
        assert_reads(
            "string",
            &[
                (r#"" Foo  BAR ""#, Some(r#""foo bar""#)),
                ("0", Some(r#""""#)),
                ("null", Some(r#""""#)),
                ("5.0", Some(r#""5.0""#)),
                ("true", Some(r#""true""#)),
                (r#"{"A": 1}"#, Some(r#""{'a': 1}""#)),
                (r#"["a", "b"]"#, Some(r#""a""#)),
                (r#"["a"]"#, None),
                ("[]", None),
            ],
        );
    }

    #[test]
    fn loose_ends_and_patterns() {
        assert_accepts(
            "string",
            &[
                (r#""foo""#, r#""'Foo.'""#, true),
                (r#""foo""#, r#""food""#, false),
                (r#""^F.*$""#, r#""food""#, true),
                (r#""food""#, r#""^.*$""#, true),
                (r#""^(bad$""#, r#""x""#, false),
                (r#"["a", "b"]"#, r#""b""#, true),
                (r#""""#, r#""!?.""#, true),
            ],
        );
    }
}
