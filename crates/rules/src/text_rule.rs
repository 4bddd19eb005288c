//! A text a check expects: literal, or a pattern if it starts with `^` and ends with `$`.

use regex::Regex;

use crate::ruling::Undecided;

#[derive(Debug)]
pub(crate) enum TextRule {
    Literal(String),
    Pattern(Regex),
}

impl TextRule {
    pub(crate) fn new(expected: &str) -> Result<Self, Undecided> {
        Ok(pattern(expected)?.map_or_else(|| Self::Literal(expected.to_owned()), Self::Pattern))
    }

    pub(crate) fn accepts(&self, text: &str) -> bool {
        match self {
            Self::Literal(expected) => expected == text,
            Self::Pattern(pattern) => pattern.is_match(text),
        }
    }
}

/// The pattern that `expected` is, if it is one. It must cover the whole text, alternations included: `^a|b$` accepts
/// `a` and `b` and nothing longer.
pub(crate) fn pattern(expected: &str) -> Result<Option<Regex>, Undecided> {
    let Some(inside) = expected.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) else {
        return Ok(None);
    };
    // Alone first: `a)|(b` would only make sense between the brackets it is about to get.
    Regex::new(inside)
        .and_then(|_| Regex::new(&format!(r"\A(?:{inside})\z")))
        .map(Some)
        .map_err(|_| Undecided::Broken(format!("`{expected}` is not a pattern that can be read")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_cover_the_whole_text() {
        for (expected, text, accepted) in [
            ("lamp", "lamp", true),
            ("lamp", "Lamp", false),
            ("l.mp", "lamp", false),
            ("^l.mp$", "lamp", true),
            ("^l.mp$", "lamps", false),
            ("^a|b$", "ax", false),
            ("^a|b$", "b", true),
            ("^(?i)desk lamp$", "Desk LAMP", true),
            ("^a$", "a\n", false),
            ("^", "^", true),
        ] {
            assert_eq!(
                TextRule::new(expected).expect("readable").accepts(text),
                accepted,
                "{expected} on {text:?}"
            );
        }
        for broken in ["^($", "^a)|(b$", r"^a\$"] {
            assert!(matches!(TextRule::new(broken), Err(Undecided::Broken(_))), "{broken}");
        }
    }
}
