//! JSON read from a stream, one token at a time, keeping nothing the caller did not ask for.
//!
//! A recorded trace can be a gigabyte of bodies nobody looks at, and one body can be most of it. So strings are cut
//! at a limit while they are read, and skipped values are checked for their structure but never stored. What counts
//! as JSON is what Python's parser accepts, because that is what wrote or will read these files.

use std::io::{self, BufRead};

use memchr::memchr2;

/// Python gives up on deeper nesting too.
const DEEPEST_NESTING: usize = 990;
/// Python refuses longer integers.
const LONGEST_NUMBER: usize = 4300;

#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    #[error("cannot read: {0}")]
    Read(#[from] io::Error),
    #[error("not JSON at byte {offset}: {problem}")]
    Syntax { offset: u64, problem: &'static str },
}

/// The kind of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Object,
    Array,
    Text,
    /// A number, `true`, `false`, `null` or one of Python's `NaN`, `Infinity`, `-Infinity`.
    Bare,
}

/// A string of at most the asked length; `truncated` if there was more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitedText {
    pub text: String,
    pub truncated: bool,
}

pub struct JsonStream<R> {
    input: R,
    offset: u64,
    nesting: usize,
}

impl<R: BufRead> JsonStream<R> {
    pub fn new(input: R) -> Self {
        Self { input, offset: 0, nesting: 0 }
    }

    /// Whether only white space is left.
    pub fn at_end(&mut self) -> Result<bool, JsonError> {
        Ok(self.peek()?.is_none())
    }

    pub fn kind(&mut self) -> Result<Kind, JsonError> {
        match self.peek()? {
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b'"') => Ok(Kind::Text),
            Some(_) => Ok(Kind::Bare),
            None => Err(self.syntax("unexpected end")),
        }
    }

    /// Visits the members of the next value, an object. The visitor must read each member's value.
    pub fn members(
        &mut self,
        mut visit: impl FnMut(&mut Self, &str) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        const LONGEST_KEY: usize = 1024;
        self.open(b'{')?;
        if !self.closes_at_once(b'}')? {
            let mut key = Vec::new();
            loop {
                if self.kind()? != Kind::Text {
                    return Err(self.syntax("a member needs a name"));
                }
                key.clear();
                self.string(Some((&mut key, LONGEST_KEY)))?;
                self.expect(b':')?;
                visit(self, &String::from_utf8_lossy(&key))?;
                if !self.goes_on(b'}')? {
                    break;
                }
            }
        }
        self.nesting -= 1;
        Ok(())
    }

    /// Visits the elements of the next value, an array. The visitor must read each element.
    pub fn elements(
        &mut self,
        mut visit: impl FnMut(&mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        self.open(b'[')?;
        if !self.closes_at_once(b']')? {
            loop {
                visit(self)?;
                if !self.goes_on(b']')? {
                    break;
                }
            }
        }
        self.nesting -= 1;
        Ok(())
    }

    /// The next value, a string, cut after `limit` bytes.
    pub fn text(&mut self, limit: usize) -> Result<LimitedText, JsonError> {
        let mut bytes = Vec::new();
        let truncated = self.string(Some((&mut bytes, limit)))?;
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(broken) => String::from_utf8_lossy(broken.as_bytes()).into_owned(),
        };
        Ok(LimitedText { text, truncated })
    }

    /// The next value as written, a number or a bare word.
    pub fn bare(&mut self) -> Result<String, JsonError> {
        self.peek()?;
        let mut token = Vec::new();
        while let Some(byte) = self.next_in_token()? {
            token.push(byte);
            if token.len() > LONGEST_NUMBER {
                return Err(self.syntax("the number is too long"));
            }
        }
        let valid =
            matches!(token.as_slice(), b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity")
                || is_number(&token);
        match String::from_utf8(token) {
            Ok(token) if valid => Ok(token),
            _ => Err(self.syntax("neither a value nor a number")),
        }
    }

    /// Reads over the next value, whatever it is.
    pub fn skip(&mut self) -> Result<(), JsonError> {
        let mut closers: Vec<u8> = Vec::new();
        loop {
            let closer = match self.kind()? {
                Kind::Object => Some((b'{', b'}')),
                Kind::Array => Some((b'[', b']')),
                Kind::Text => {
                    self.string(None)?;
                    None
                }
                Kind::Bare => {
                    self.bare()?;
                    None
                }
            };
            let mut value_is_complete = true;
            if let Some((opener, closer)) = closer {
                self.open(opener)?;
                if self.closes_at_once(closer)? {
                    self.nesting -= 1;
                } else {
                    closers.push(closer);
                    value_is_complete = false;
                }
            }
            while value_is_complete {
                let Some(&closer) = closers.last() else { return Ok(()) };
                if self.goes_on(closer)? {
                    value_is_complete = false;
                } else {
                    closers.pop();
                    self.nesting -= 1;
                }
            }
            if closers.last() == Some(&b'}') {
                if self.kind()? != Kind::Text {
                    return Err(self.syntax("a member needs a name"));
                }
                self.string(None)?;
                self.expect(b':')?;
            }
        }
    }

    fn open(&mut self, opener: u8) -> Result<(), JsonError> {
        self.expect(opener)?;
        self.nesting += 1;
        if self.nesting > DEEPEST_NESTING { Err(self.syntax("nested too deeply")) } else { Ok(()) }
    }

    fn closes_at_once(&mut self, closer: u8) -> Result<bool, JsonError> {
        let is_empty = self.peek()? == Some(closer);
        if is_empty {
            self.consume(1);
        }
        Ok(is_empty)
    }

    fn goes_on(&mut self, closer: u8) -> Result<bool, JsonError> {
        match self.peek()? {
            Some(b',') => {
                self.consume(1);
                Ok(true)
            }
            Some(byte) if byte == closer => {
                self.consume(1);
                Ok(false)
            }
            _ => Err(self.syntax("expected a comma or the end of the container")),
        }
    }

    /// Reads a string, appending up to `limit` bytes of it to the sink if there is one. True if the limit was hit.
    fn string(&mut self, mut sink: Option<(&mut Vec<u8>, usize)>) -> Result<bool, JsonError> {
        self.expect(b'"')?;
        let mut truncated = false;
        let mut keep = |bytes: &[u8]| {
            if let Some((kept, limit)) = sink.as_mut() {
                let room = limit.saturating_sub(kept.len());
                truncated |= bytes.len() > room;
                kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
            }
        };
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Err(self.syntax("the string does not end"));
            }
            let stop = memchr2(b'"', b'\\', buffer);
            keep(&buffer[..stop.unwrap_or(buffer.len())]);
            let stop_byte = stop.map(|at| buffer[at]);
            let read = stop.map_or(buffer.len(), |at| at + 1);
            self.consume(read);
            match stop_byte {
                None => {}
                Some(b'"') => return Ok(truncated),
                Some(_) => self.escape(&mut keep)?,
            }
        }
    }

    /// Hands on what the escape after a backslash stands for.
    fn escape(&mut self, keep: &mut impl FnMut(&[u8])) -> Result<(), JsonError> {
        let unescaped: &[u8] = match self.next_byte()? {
            b'"' => b"\"",
            b'\\' => b"\\",
            b'/' => b"/",
            b'b' => b"\x08",
            b'f' => b"\x0c",
            b'n' => b"\n",
            b'r' => b"\r",
            b't' => b"\t",
            b'u' => return self.unicode_escape(keep),
            _ => return Err(self.syntax("unknown escape")),
        };
        keep(unescaped);
        Ok(())
    }

    /// A surrogate without its partner, which Rust's text cannot hold, becomes U+FFFD.
    fn unicode_escape(&mut self, keep: &mut impl FnMut(&[u8])) -> Result<(), JsonError> {
        let mut keep_char = |c: char| keep(c.encode_utf8(&mut [0; 4]).as_bytes());
        let mut unit = self.code_unit()?;
        while (0xd800..0xdc00).contains(&unit) && self.input.fill_buf()?.first() == Some(&b'\\') {
            self.consume(1);
            if self.input.fill_buf()?.first() != Some(&b'u') {
                keep_char(char::REPLACEMENT_CHARACTER);
                return self.escape(keep);
            }
            self.consume(1);
            let next = self.code_unit()?;
            if let Some(Ok(c)) = char::decode_utf16([unit, next]).next() {
                keep_char(c);
                return Ok(());
            }
            keep_char(char::REPLACEMENT_CHARACTER);
            unit = next;
        }
        keep_char(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER));
        Ok(())
    }

    fn code_unit(&mut self) -> Result<u16, JsonError> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit =
                char::from(self.next_byte()?).to_digit(16).ok_or_else(|| self.syntax("bad \\u escape"))?;
            unit = unit << 4 | digit as u16;
        }
        Ok(unit)
    }

    /// The next byte that is not white space, without taking it.
    fn peek(&mut self) -> Result<Option<u8>, JsonError> {
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            let blank = buffer.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
            let found = buffer.get(blank).copied();
            self.consume(blank);
            if found.is_some() {
                return Ok(found);
            }
        }
    }

    fn expect(&mut self, wanted: u8) -> Result<(), JsonError> {
        if self.peek()? == Some(wanted) {
            self.consume(1);
            Ok(())
        } else {
            Err(self.syntax(match wanted {
                b':' => "expected a colon",
                b'"' => "expected a string",
                b'{' => "expected an object",
                _ => "expected an array",
            }))
        }
    }

    fn next_byte(&mut self) -> Result<u8, JsonError> {
        let byte = self
            .input
            .fill_buf()?
            .first()
            .copied()
            .ok_or(JsonError::Syntax { offset: self.offset, problem: "unexpected end" })?;
        self.consume(1);
        Ok(byte)
    }

    fn next_in_token(&mut self) -> Result<Option<u8>, JsonError> {
        let byte = self.input.fill_buf()?.first().copied();
        let in_token = byte.filter(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.'));
        if in_token.is_some() {
            self.consume(1);
        }
        Ok(in_token)
    }

    fn consume(&mut self, count: usize) {
        self.input.consume(count);
        self.offset += count as u64;
    }

    pub(super) fn syntax(&self, problem: &'static str) -> JsonError {
        JsonError::Syntax { offset: self.offset, problem }
    }
}

fn is_number(token: &[u8]) -> bool {
    let digits = |from: &mut &[u8]| {
        let count = from.iter().take_while(|b| b.is_ascii_digit()).count();
        let (digits, rest) = from.split_at(count);
        *from = rest;
        digits.len()
    };
    let mut rest = token.strip_prefix(b"-").unwrap_or(token);
    let leading_zero = rest.starts_with(b"0");
    let whole = digits(&mut rest);
    if whole == 0 || (leading_zero && whole > 1) {
        return false;
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        rest = fraction;
        if digits(&mut rest) == 0 {
            return false;
        }
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        rest = exponent.strip_prefix(b"-").or_else(|| exponent.strip_prefix(b"+")).unwrap_or(exponent);
        if digits(&mut rest) == 0 {
            return false;
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::*;

    fn skipped(json: &[u8]) -> Result<bool, JsonError> {
        // A buffer of three bytes puts every token across a boundary somewhere.
        let mut stream = JsonStream::new(BufReader::with_capacity(3, json));
        stream.skip()?;
        stream.at_end()
    }

    #[test]
    fn well_formed_values_are_skipped_whole() {
        for json in
            ["{}", " [] ", r#"{"a": [1, -2.5e+3, {"b": null}], "c": "\"\\u0041"}"#, "NaN", "-Infinity", "0"]
        {
            assert!(skipped(json.as_bytes()).expect(json), "{json}");
        }
    }

    #[test]
    fn broken_values_are_errors() {
        for json in
            ["", "{", "[1,]", r#"{"a" 1}"#, "{1:2}", "[1}", r#""a"#, "01", "1.", "tru", r#""\x""#, "[1 2]"]
        {
            assert!(skipped(json.as_bytes()).is_err(), "{json}");
        }
        assert!(skipped("[".repeat(100_000).as_bytes()).is_err());
    }

    #[test]
    fn strings_are_cut_at_the_limit() {
        let mut stream = JsonStream::new(&br#""abcdef" "ab""#[..]);
        let cut = stream.text(3).expect("a string");
        assert_eq!((cut.text.as_str(), cut.truncated), ("abc", true));
        let whole = stream.text(3).expect("a string");
        assert_eq!((whole.text.as_str(), whole.truncated), ("ab", false));
    }

    #[test]
    fn surrogates_pair_up_or_are_replaced() {
        for (json, expected) in [
            (r#""\ud83d\ude00""#, "😀"),
            (r#""\ud83d\n""#, "\u{fffd}\n"),
            (r#""\ud83dx""#, "\u{fffd}x"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\ude00""#, "\u{fffd}"),
        ] {
            let mut stream = JsonStream::new(BufReader::with_capacity(3, json.as_bytes()));
            assert_eq!(stream.text(100).expect(json).text, expected, "{json}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = skipped(&bytes);
        }

        #[test]
        fn what_serde_writes_is_read_back(text in any::<String>()) {
            let json = serde_json::to_string(&text).expect("a string");
            let mut stream = JsonStream::new(BufReader::with_capacity(5, json.as_bytes()));
            prop_assert_eq!(stream.text(usize::MAX).expect("json").text, text);
        }
    }
}
