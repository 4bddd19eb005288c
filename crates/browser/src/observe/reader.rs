//! A pull reader for JSON that Chromium wrote.
//!
//! A snapshot of 5,000 elements is a megabyte of small integers. Reading them straight into their columns, instead of
//! through a general decoder, took an observation of that page from about 9 ms of this process's time to 7.

use std::borrow::Cow;

/// The text is not the JSON expected, at this byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unexpected JSON at byte {0}")]
pub(super) struct Malformed(usize);

type Read<T> = Result<T, Malformed>;

/// Fifteen digits fit a double exactly; the point is not one.
const MOST_DIGITS: usize = 15;
const POWERS: [f64; MOST_DIGITS] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14];

pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space. Chromium writes none, so the first is nearly always it.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        while let Some(byte) = self.byte() {
            if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    #[inline]
    fn take(&mut self, wanted: u8) -> bool {
        let found = self.next() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: u8) -> Read<()> {
        if self.take(wanted) { Ok(()) } else { Err(Malformed(self.at)) }
    }

    /// Calls `field` with each key; it has to read or skip the value.
    pub fn object(&mut self, mut field: impl FnMut(&mut Self, &str) -> Read<()>) -> Read<()> {
        self.expect(b'{')?;
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.expect(b':')?;
            field(self, &key)?;
            if !self.take(b',') {
                return self.expect(b'}');
            }
        }
    }

    /// Calls `item` before each element; it has to read or skip it.
    #[inline]
    pub fn array(&mut self, mut item: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        self.expect(b'[')?;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.take(b',') {
                return self.expect(b']');
            }
        }
    }

    pub fn integers<T: TryFrom<i64>>(&mut self) -> Read<Vec<T>> {
        // A separator and two digits or more: seldom too little, and what is too much is never touched.
        let span = memchr::memchr(b']', &self.text.as_bytes()[self.at..]).unwrap_or_default();
        let mut values = Vec::with_capacity(span / 3);
        self.each_integer(|value| T::try_from(value).map(|value| values.push(value)).is_ok())?;
        Ok(values)
    }

    /// Moves behind a value that is written exactly like an earlier one, a whole list or object.
    #[inline]
    pub fn repeats(&mut self, earlier: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(earlier.as_bytes());
        self.at += if found { earlier.len() } else { 0 };
        found
    }

    /// Hands on each integer of a list, in one pass over its bytes: columns of them are most of a snapshot. `each` says
    /// whether it fits. Chromium writes no white space, so none is expected here. Gives the list as it is written.
    #[inline]
    pub fn each_integer(&mut self, mut each: impl FnMut(i64) -> bool) -> Read<&'a str> {
        self.expect(b'[')?;
        let start = self.at;
        let (mut value, mut digits, mut negative) = (0_i64, 0, false);
        for (place, &byte) in self.text.as_bytes()[start..].iter().enumerate() {
            match byte {
                b'0'..=b'9' => {
                    value = value.wrapping_mul(10).wrapping_add(i64::from(byte - b'0'));
                    digits += 1;
                }
                b',' | b']' => {
                    let is_empty_list = byte == b']' && place == 0;
                    let is_integer = (1..=MOST_DIGITS).contains(&digits);
                    if !(is_empty_list || is_integer && each(if negative { -value } else { value })) {
                        return Err(Malformed(start + place));
                    }
                    if byte == b']' {
                        self.at = start + place + 1;
                        return Ok(&self.text[start - 1..self.at]);
                    }
                    (value, digits, negative) = (0, 0, false);
                }
                b'-' if digits == 0 && !negative => negative = true,
                _ => return Err(Malformed(start + place)),
            }
        }
        Err(Malformed(start))
    }

    #[inline]
    pub fn integer<T: TryFrom<i64>>(&mut self) -> Read<T> {
        let negative = self.take(b'-');
        let (start, rest) = (self.at, &self.text.as_bytes()[self.at..]);
        let mut value: i64 = 0;
        let mut length = 0;
        for byte in rest {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
            length += 1;
        }
        self.at += length;
        if !(1..=MOST_DIGITS).contains(&length) || matches!(self.byte(), Some(b'.' | b'e' | b'E')) {
            return Err(Malformed(start));
        }
        T::try_from(if negative { -value } else { value }).map_err(|_| Malformed(start))
    }

    #[inline]
    pub fn number(&mut self) -> Read<f64> {
        let negative = self.take(b'-');
        let (start, rest) = (self.at, &self.text.as_bytes()[self.at..]);
        let (mut value, mut length, mut point) = (0_u64, 0, None);
        for byte in rest {
            let digit = byte.wrapping_sub(b'0');
            if digit <= 9 {
                value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            } else if *byte == b'.' && point.is_none() {
                point = Some(length);
            } else {
                break;
            }
            length += 1;
        }
        let is_whole = !matches!(rest.get(length), Some(b'e' | b'E' | b'.' | b'+' | b'-'));
        let is_plain = is_whole && point.is_none_or(|point| point > 0 && point + 1 < length);
        // With so few digits, dividing by a power of ten gives the nearest double.
        let value = if is_plain && (1..=MOST_DIGITS).contains(&length) {
            self.at += length;
            value as f64 / POWERS[point.map_or(0, |point| length - point - 1)]
        } else {
            let written = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
            self.at += rest.iter().take_while(written).count();
            self.text[start..self.at].parse().map_err(|_| Malformed(start))?
        };
        Ok(if negative { -value } else { value })
    }

    pub fn string(&mut self) -> Read<Cow<'a, str>> {
        let (start, escaped) = self.string_span()?;
        if !escaped {
            return Ok(Cow::Borrowed(&self.text[start + 1..self.at - 1]));
        }
        let quoted = &self.text[start..self.at];
        serde_json::from_str::<String>(quoted).map(Cow::Owned).map_err(|_| Malformed(start))
    }

    /// Moves behind a string; gives its first quote's place and whether anything in it is escaped.
    fn string_span(&mut self) -> Read<(usize, bool)> {
        self.next();
        let start = self.at;
        self.expect(b'"')?;
        let mut escaped = false;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            self.at += memchr::memchr2(b'"', b'\\', rest).ok_or(Malformed(start))?;
            if self.byte() == Some(b'"') {
                break;
            }
            escaped = true;
            self.at += 2;
        }
        self.at += 1;
        Ok((start, escaped))
    }

    /// Moves behind any value. What is in it is only looked at for where it ends.
    pub fn skip(&mut self) -> Read<()> {
        let start = self.at;
        match self.next() {
            Some(b'"') => self.string_span().map(drop),
            Some(b'[') => self.skip_nested(b'[', b']'),
            Some(b'{') => self.skip_nested(b'{', b'}'),
            Some(_) => {
                let rest = &self.text.as_bytes()[self.at..];
                let ends =
                    |byte: &u8| matches!(byte, b',' | b':' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t');
                let length = rest.iter().position(ends).unwrap_or(rest.len());
                self.at += length;
                if length > 0 { Ok(()) } else { Err(Malformed(start)) }
            }
            None => Err(Malformed(start)),
        }
    }

    /// Moves behind a list or an object. In well-formed JSON the two kinds of brackets never cross, so that only those of
    /// its own kind have to be counted; those in strings are not brackets.
    fn skip_nested(&mut self, open: u8, close: u8) -> Read<()> {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(found) = memchr::memchr3(open, close, b'"', &self.text.as_bytes()[self.at..]) {
            self.at += found;
            match self.byte() {
                Some(b'"') => {
                    self.string_span()?;
                    continue;
                }
                Some(byte) if byte == open => depth += 1,
                _ => depth -= 1,
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
        Err(Malformed(start))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_read_or_skipped_by_key() {
        let text = r#" {"skip": [1, {"a": "]}\"", "b": [true, null, -1.5e3]}], "n": -7, "x": [0.5, 12], "s": "a\nb"} "#;
        let (mut n, mut x, mut s) = (0_i32, Vec::new(), String::new());
        let mut reader = Reader::new(text);
        let read = reader.object(|reader, key| {
            match key {
                "n" => n = reader.integer()?,
                "s" => s = reader.string()?.into_owned(),
                "x" => reader.array(|reader| {
                    x.push(reader.number()?);
                    Ok(())
                })?,
                _ => reader.skip()?,
            }
            Ok(())
        });
        assert_eq!(read, Ok(()));
        assert_eq!((n, x.as_slice(), s.as_str()), (-7, [0.5, 12.0].as_slice(), "a\nb"));
    }

    #[test]
    fn what_is_cut_off_or_of_another_kind_is_an_error() {
        for text in ["", "[", "[1", "[1,", "[1 2]", "\"a", "[1.5]", "[99999999999999999999]", "{\"a\"}"] {
            assert!(Reader::new(text).integers::<i32>().is_err(), "{text}");
        }
        assert!(Reader::new("[300]").integers::<u8>().is_err());
        assert!(Reader::new("\"\\").string().is_err());
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Into::into),
            any::<i32>().prop_map(Into::into),
            (-1e9..1e9).prop_map(Into::into),
            any::<String>().prop_map(Into::into),
            Just(serde_json::Value::Null),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn skipping_ends_behind_the_value(value in json(), after in "[,\\]}]") {
            let text = format!("{value}{after}");
            let mut reader = Reader::new(&text);
            prop_assert_eq!(reader.skip(), Ok(()));
            prop_assert_eq!(&text[reader.at..], after);
        }

        #[test]
        fn numbers_and_strings_read_as_a_general_decoder_reads_them(number in -1e7..1e7, decimals in 0_usize..9, text in any::<String>()) {
            let written = format!("{number:.decimals$}");
            let expected: f64 = serde_json::from_str(&written).expect("a number");
            prop_assert_eq!(Reader::new(&written).number(), Ok(expected));
            let quoted = serde_json::Value::from(text.as_str()).to_string();
            prop_assert_eq!(Reader::new(&quoted).string().map(Cow::into_owned), Ok(text));
        }

        #[test]
        fn nothing_makes_it_panic(text in "[\\[\\]{}\",:\\\\0-9a.eE -é]{0,40}") {
            let _ = Reader::new(&text).skip();
            let _ = Reader::new(&text).string();
            let _ = Reader::new(&text).number();
            let _ = Reader::new(&text).object(|reader, _| reader.skip());
        }
    }
}
