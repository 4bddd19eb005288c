//! What reading a pattern may cost, told from its text before any engine reads it.

/// Reading takes time in proportion to length. The longest pattern of the released task files has 170 bytes.
const LONGEST_PATTERN: usize = 2048;

/// Ignoring case goes through the characters of a range one by one. Enough for four times the basic plane.
const MOST_CHARACTERS: usize = 1 << 18;

/// Letters, numbers and the like come in hundreds of ranges: as many characters as take as long.
const LIKE_LETTERS: usize = 1 << 13;
const LIKE_DIGITS: usize = 1 << 10;

/// A pattern that would take too long to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Costly {
    #[error("the pattern is longer than {LONGEST_PATTERN} bytes")]
    Long,
    #[error("the classes of the pattern hold more characters than can be compared without case")]
    Wide,
}

/// Refuses a pattern that is too long, or whose ranges are too wide.
pub fn refuse_costly(pattern: &str) -> Result<(), Costly> {
    if pattern.len() > LONGEST_PATTERN {
        Err(Costly::Long)
    } else if characters_in_classes(pattern) > MOST_CHARACTERS {
        Err(Costly::Wide)
    } else {
        Ok(())
    }
}

/// Every hyphen is taken for one of a range, which is never too little: outside of classes it costs nothing.
fn characters_in_classes(pattern: &str) -> usize {
    let mut total = 0;
    let mut rest = pattern;
    while let Some((first, after)) = next_character(rest) {
        total += match rest.as_bytes() {
            [b'\\', b'w' | b'W' | b'p' | b'P', ..] => LIKE_LETTERS,
            [b'\\', b'd' | b'D' | b's' | b'S', ..] => LIKE_DIGITS,
            _ => 0,
        };
        rest = after;
        if let Some((last, after)) = rest.strip_prefix('-').and_then(next_character) {
            total += (last as usize).saturating_sub(first as usize);
            rest = after;
        }
    }
    total
}

/// The first character of a pattern, literal or as an escape by its number, and what comes after it.
fn next_character(pattern: &str) -> Option<(char, &str)> {
    let mut characters = pattern.chars();
    let first = characters.next()?;
    let rest = characters.as_str();
    if first != '\\' {
        return Some((first, rest));
    }
    let length = match rest.chars().next() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        escaped => return Some((escaped?, rest.get(escaped?.len_utf8()..)?)),
    };
    let number = rest.get(1..).unwrap_or_default();
    let (digits, after) = match number.strip_prefix('{').and_then(|braced| braced.split_once('}')) {
        Some(braced) => braced,
        None => number.split_at_checked(length).unwrap_or((number, "")),
    };
    let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    Some((code.unwrap_or(char::MAX), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_counted_however_they_are_written() {
        for (pattern, count) in [
            ("", 0),
            ("[a-z]", 25),
            ("[a-zA-Z0-9_-]", 59),
            (r"[\x00-\x7f]", 127),
            (r"[\x{80}-\x{10ffff}]", 0x10_ffff - 0x80),
            (r"[\u4e00-\u9fff]", 0x51ff),
            (r"[\U00000080-\U0010ffff]", 0x10_ffff - 0x80),
            ("[é-\u{ffff}]", 0xffff - 0xe9),
            (r"\d-\d", LIKE_DIGITS),
            (r"[\w\s]", LIKE_LETTERS + LIKE_DIGITS),
            (r"\", 0),
            ("a-", 0),
        ] {
            assert_eq!(characters_in_classes(pattern), count, "{pattern}");
        }
    }

    #[test]
    fn only_what_costs_too_much_is_refused() {
        assert_eq!(refuse_costly(&"a".repeat(LONGEST_PATTERN)), Ok(()));
        assert_eq!(refuse_costly(&"a".repeat(LONGEST_PATTERN + 1)), Err(Costly::Long));
        assert_eq!(refuse_costly(r"^[^\x00-\x7f]+$"), Ok(()));
        assert_eq!(refuse_costly(r"^[\x{80}-\x{10ffff}]$"), Err(Costly::Wide));
        assert_eq!(refuse_costly(&r"\w".repeat(100)), Err(Costly::Wide));
    }
}
