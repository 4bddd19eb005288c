//! A text a check expects: literal, or a pattern.

use crate::pattern::{Case, Pattern};
use crate::ruling::Undecided;

#[derive(Debug)]
pub(crate) enum TextRule {
    Literal(String),
    Pattern(Pattern),
}

impl TextRule {
    pub(crate) fn new(expected: &str) -> Result<Self, Undecided> {
        let pattern = Pattern::of(expected, Case::Exact)?;
        Ok(pattern.map_or_else(|| Self::Literal(expected.to_owned()), Self::Pattern))
    }

    pub(crate) fn accepts(&self, text: &str) -> bool {
        match self {
            Self::Literal(expected) => expected == text,
            Self::Pattern(pattern) => pattern.is_match(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_or_pattern() {
        for (expected, text, accepted) in [
            ("lamp", "lamp", true),
            ("lamp", "Lamp", false),
            ("l.mp", "lamp", false),
            ("^l.mp$", "lamp", true),
            ("^", "^", true),
        ] {
            let rule = TextRule::new(expected).expect("readable");
            assert_eq!(rule.accepts(text), accepted, "{expected} on {text:?}");
        }
        assert!(matches!(TextRule::new("^($"), Err(Undecided::Broken(_))));
    }
}
