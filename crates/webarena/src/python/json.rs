//! JSON as Python's `json.loads` reads it: `NaN` and infinities are numbers, integers keep every digit, the last of
//! several equal keys wins, and nesting ends where Python's stack would.

use thiserror::Error;

use super::value::{Dict, Int, Value};

/// Python's recursion limit is 1000 frames, a few of which the evaluator itself stands on.
const NESTING_LIMIT: usize = 990;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JsonError {
    #[error("not JSON at byte {at}: {expected} expected")]
    Syntax { at: usize, expected: &'static str },
    /// Kept apart from `Syntax`, because text that is not JSON is an answer and this is an evaluator error.
    #[error("JSON nested deeper than {NESTING_LIMIT} levels")]
    TooDeep,
}

/// Parses a whole text. Lone surrogate escapes become U+FFFD, as Rust text cannot hold them.
pub fn parse_json(text: &str) -> Result<Value, JsonError> {
    let mut parser = Parser { text, at: 0 };
    parser.skip_blanks();
    let value = parser.value(0)?;
    parser.skip_blanks();
    if parser.at < text.len() {
        return Err(parser.expected("end of text"));
    }
    Ok(value)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn expected(&self, expected: &'static str) -> JsonError {
        JsonError::Syntax { at: self.at, expected }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, literal: &str) -> bool {
        let found = self.rest().starts_with(literal);
        if found {
            self.at += literal.len();
        }
        found
    }

    fn value(&mut self, depth: usize) -> Result<Value, JsonError> {
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                Ok(Value::Str(self.string()?))
            }
            Some(b'[' | b'{') if depth >= NESTING_LIMIT => Err(JsonError::TooDeep),
            Some(b'[') => self.list(depth + 1),
            Some(b'{') => self.dict(depth + 1),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                const CONSTANTS: [(&str, Value); 5] = [
                    ("null", Value::None),
                    ("true", Value::Bool(true)),
                    ("false", Value::Bool(false)),
                    ("NaN", Value::Float(f64::NAN)),
                    ("Infinity", Value::Float(f64::INFINITY)),
                ];
                CONSTANTS
                    .into_iter()
                    .find_map(|(literal, value)| self.eat(literal).then_some(value))
                    .ok_or_else(|| self.expected("a value"))
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_blanks();
        if self.eat("]") {
            return Ok(Value::List(items));
        }
        loop {
            self.skip_blanks();
            items.push(self.value(depth)?);
            self.skip_blanks();
            if self.eat("]") {
                return Ok(Value::List(items));
            }
            if !self.eat(",") {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn dict(&mut self, depth: usize) -> Result<Value, JsonError> {
        self.at += 1;
        let mut entries = Dict::new();
        self.skip_blanks();
        if self.eat("}") {
            return Ok(Value::Dict(entries));
        }
        loop {
            self.skip_blanks();
            if !self.eat("\"") {
                return Err(self.expected("a key"));
            }
            let key = self.string()?;
            self.skip_blanks();
            if !self.eat(":") {
                return Err(self.expected("`:`"));
            }
            self.skip_blanks();
            let value = self.value(depth)?;
            entries.insert(key, value);
            self.skip_blanks();
            if self.eat("}") {
                return Ok(Value::Dict(entries));
            }
            if !self.eat(",") {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        if self.eat("-Infinity") {
            return Ok(Value::Float(f64::NEG_INFINITY));
        }
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        // A leading zero stands alone: in `012` the number is `0`, and what follows is for the caller to refuse.
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else if self.skip_digits() == 0 {
            return Err(self.expected("a digit"));
        }
        let integer_end = self.at;
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.skip_digits() == 0 {
                self.at = integer_end;
            }
        }
        let fraction_end = self.at;
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if self.skip_digits() == 0 {
                self.at = fraction_end;
            }
        }
        let literal = &self.text[start..self.at];
        let value = if self.at == integer_end {
            Int::from_decimal(literal).map(Value::Int)
        } else {
            literal.parse().ok().map(Value::Float)
        };
        value.ok_or_else(|| self.expected("a number"))
    }

    fn skip_digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    /// Reads up to and including the closing quote.
    fn string(&mut self) -> Result<String, JsonError> {
        let mut content = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.find(['"', '\\']).unwrap_or(rest.len());
            if let Some(control) = rest[..plain].find(|c: char| c < ' ') {
                self.at += control;
                return Err(self.expected("no control character"));
            }
            content.push_str(&rest[..plain]);
            self.at += plain;
            if self.eat("\"") {
                return Ok(content);
            }
            if !self.eat("\\") {
                return Err(self.expected("a closing quote"));
            }
            content.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let escape = self.peek().ok_or_else(|| self.expected("an escape"))?;
        self.at += 1;
        Ok(match escape {
            b'"' | b'\\' | b'/' => char::from(escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex4()?;
                self.low_surrogate_after(first)
                    .or_else(|| char::from_u32(first))
                    .unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => {
                self.at -= 1;
                return Err(self.expected("an escape"));
            }
        })
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = code.ok_or_else(|| self.expected("four hexadecimal digits"))?;
        self.at += 4;
        Ok(code)
    }

    /// The character of a surrogate pair whose first half was just read; consumes the second half only if it fits.
    fn low_surrogate_after(&mut self, first: u32) -> Option<char> {
        if !(0xD800..0xDC00).contains(&first) || !self.rest().starts_with("\\u") {
            return None;
        }
        let before = self.at;
        self.at += 2;
        match self.hex4() {
            Ok(second) if (0xDC00..0xE000).contains(&second) => {
                char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00))
            }
            _ => {
                self.at = before;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn python_accepts_more_numbers_than_json_has() {
        let parsed = parse_json("[NaN, Infinity, -Infinity, 1e400, 123456789012345678901, -0, 1.5E+2]")
            .expect("valid");
        let Value::List(items) = parsed else { panic!("a list") };
        assert!(matches!(items[0], Value::Float(nan) if nan.is_nan()));
        assert_eq!(items[1], Value::Float(f64::INFINITY));
        assert_eq!(items[2], Value::Float(f64::NEG_INFINITY));
        assert_eq!(items[3], Value::Float(f64::INFINITY));
        assert_eq!(items[4].as_str(), None);
        assert!(matches!(&items[4], Value::Int(int) if int.to_string() == "123456789012345678901"));
        assert_eq!(items[5], Value::from(0));
        assert_eq!(items[6], Value::from(150.0));
    }

    #[test]
    fn the_last_of_equal_keys_wins_in_the_first_ones_place() {
        let parsed = parse_json(r#"{"a":1,"b":2,"a":3}"#).expect("valid");
        let entries = parsed.as_dict().expect("a dict");
        assert_eq!(entries.keys().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(entries["a"], Value::from(3));
    }

    #[test]
    fn escapes_are_read() {
        assert_eq!(parse_json(r#""\u00e9\ud83d\ude00\n\/""#).expect("valid"), Value::from("é😀\n/"));
        assert_eq!(parse_json(r#""\ud83d\u0041\ude00x""#).expect("valid"), Value::from("\u{fffd}A\u{fffd}x"));
    }

    #[test]
    fn what_python_refuses_is_refused() {
        for text in [
            "",
            " ",
            "\u{feff}{}",
            "{} x",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "'a'",
            "01",
            "+1",
            ".5",
            "1.",
            "1e",
            "-",
            "nan",
            "True",
            "\"a\nb\"",
            "\"\\x41\"",
            "\"\\u12\"",
            "\"abc",
            "[1",
            "{\"a\"",
            "\u{a0}1",
        ] {
            assert!(matches!(parse_json(text), Err(JsonError::Syntax { .. })), "{text:?}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error_of_its_own() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse_json(&nested(500)).is_ok());
        assert_eq!(parse_json(&nested(100_000)), Err(JsonError::TooDeep));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in r#"[\[\]{}",:\\u0-9eE.+\-a-f é\n]{0,40}"#) {
            let _ = parse_json(&text);
        }

        #[test]
        fn strict_json_is_read_as_serde_reads_it(items in proptest::collection::vec((".{0,8}", any::<i64>(), any::<bool>()), 0..6)) {
            let json = serde_json::to_string(&items).expect("writable");
            let expected = Value::List(
                items.into_iter().map(|(text, int, truth)| Value::List(vec![text.into(), int.into(), truth.into()])).collect(),
            );
            prop_assert_eq!(parse_json(&json).expect("valid"), expected);
        }
    }
}
