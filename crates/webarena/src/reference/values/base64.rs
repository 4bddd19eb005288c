//! Base64 texts, compared by what they hold; the expected side may be a pattern for the content.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Context, Unreadable, ValueType};
use crate::python::{Pattern, PatternFlags, Value, is_regex_literal, strip};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base64Value(String);

impl ValueType for Base64Value {
    fn read(value: &Value, _context: &Context) -> Result<Self, Unreadable> {
        let Value::Str(text) = value else { return Err(Unreadable("not a text")) };
        let text = strip(text);
        if text.is_empty() {
            return Err(Unreadable("an empty text"));
        }
        if is_regex_literal(text) {
            return Ok(Self(text.to_owned()));
        }
        let bytes = STANDARD.decode(text).map_err(|_| Unreadable("not base64"))?;
        let content = String::from_utf8(bytes).map_err(|_| Unreadable("not base64 of a text"))?;
        Ok(Self(strip(&content.replace("\r\n", "\n").replace('\r', "\n")).to_owned()))
    }

    fn same(&self, other: &Self) -> bool {
        self == other || self.is_pattern_for(other) || other.is_pattern_for(self)
    }

    fn report(&self) -> Value {
        Value::from(self.0.as_str())
    }
}

impl Base64Value {
    fn is_pattern_for(&self, other: &Self) -> bool {
        const FLAGS: PatternFlags = PatternFlags { ignore_case: false, dot_matches_newline: true };
        is_regex_literal(&self.0)
            && Pattern::matching_whole(&self.0, FLAGS).is_ok_and(|pattern| pattern.is_match(&other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{assert_accepts, assert_reads};

    #[test]
    fn the_content_is_compared() {
        assert_reads(
            "base64",
            &[
                (r#""SGVsbG8gV29ybGQ=""#, Some(r#""Hello World""#)),
                (r#""SGVsbG8gV29ybGQ""#, None),
                (r#""""#, None),
                (r#""/w==""#, None),
            ],
        );
        assert_accepts(
            "base64",
            &[
                (r#""^Hello.*$""#, r#""SGVsbG8gV29ybGQ=""#, true),
                (r#""^hello.*$""#, r#""SGVsbG8gV29ybGQ=""#, false),
            ],
        );
    }
}
