//! Patterns that a check expects: texts that start with `^` and end with `$`.
//!
//! They come from the task alone; what an agent wrote is never compiled. Nearly all run on automata; look-around and back
//! references need the engine that backtracks, with its limits: a text that would need more simply does not fit.

use std::sync::Arc;

use crate::backtracking_pattern::BacktrackingPattern;
use crate::linear_pattern::{LinearPattern, PatternFlags};
use crate::ruling::Undecided;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Exact,
    Ignored,
}

impl Case {
    fn flags(self) -> PatternFlags {
        PatternFlags { ignore_case: self == Self::Ignored, dot_matches_newline: false }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    written: String,
    engine: Engine,
}

#[derive(Clone, Debug)]
enum Engine {
    Linear(Arc<LinearPattern>),
    Backtracking(Arc<BacktrackingPattern>),
}

impl Pattern {
    /// The pattern that `expected` is, if it is one. It must cover the whole text, alternations included: `^a|b$`
    /// accepts `a` and `b` and nothing longer.
    pub(crate) fn of(expected: &str, case: Case) -> Result<Option<Self>, Undecided> {
        let Some(inside) = expected.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) else {
            return Ok(None);
        };
        // Alone first: `a)|(b` would only make sense between the brackets it is about to get.
        let whole = format!(r"\A(?:{inside})\z");
        let engine = match LinearPattern::check_syntax(inside, case.flags())
            .ok()
            .and_then(|()| linear(&whole, case))
        {
            Some(engine) => Some(engine),
            None => backtracking(inside, case).and_then(|_| backtracking(&whole, case)),
        };
        let engine = engine
            .ok_or_else(|| Undecided::Broken(format!("`{expected}` is not a pattern that can be read")))?;
        Ok(Some(Self { written: expected.to_owned(), engine }))
    }

    /// A pattern that may match anywhere in a text, as in a list of names to ignore.
    pub(crate) fn anywhere(written: &str, case: Case) -> Result<Self, Undecided> {
        let engine = linear(written, case)
            .or_else(|| backtracking(written, case))
            .ok_or_else(|| Undecided::Broken(format!("`{written}` is not a pattern that can be read")))?;
        Ok(Self { written: written.to_owned(), engine })
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        match &self.engine {
            Engine::Linear(engine) => engine.is_match(text),
            Engine::Backtracking(engine) => engine.is_match(text),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.written
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

fn linear(pattern: &str, case: Case) -> Option<Engine> {
    LinearPattern::compile(pattern, case.flags()).ok().map(|engine| Engine::Linear(Arc::new(engine)))
}

fn backtracking(pattern: &str, case: Case) -> Option<Engine> {
    BacktrackingPattern::compile(pattern, case.flags())
        .ok()
        .map(|engine| Engine::Backtracking(Arc::new(engine)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pattern(text: &str, case: Case) -> Pattern {
        Pattern::of(text, case).expect("readable").expect("a pattern")
    }

    #[test]
    fn patterns_cover_the_whole_text() {
        for (expected, text, accepted) in [
            ("^l.mp$", "lamp", true),
            ("^l.mp$", "lamps", false),
            ("^l.mp$", "a lamp", false),
            ("^a|b$", "ax", false),
            ("^a|b$", "b", true),
            ("^(?i)desk lamp$", "Desk LAMP", true),
            ("^desk$", "Desk", false),
            ("^a$", "a\n", false),
            (r"^(?=.*\d)\w+$", "abc1", true),
            (r"^(?=.*\d)\w+$", "abc", false),
            (r"^(?!admin)\w+$", "admin2", false),
            (r"^(?<=x)a|b$", "xb", false),
            (r"^(\w)\1$", "aa", true),
            (r"^(\w)\1$", "ab", false),
            ("^$", "", true),
        ] {
            assert_eq!(pattern(expected, Case::Exact).is_match(text), accepted, "{expected} on {text:?}");
        }
        assert!(pattern("^desk$", Case::Ignored).is_match("Desk"));
        assert!(pattern("^(?=d)desk$", Case::Ignored).is_match("Desk"));
    }

    #[test]
    fn what_is_no_pattern_and_what_is_a_broken_one() {
        for literal in ["lamp", "^", "^lamp", "lamp$", "", " ^a$"] {
            assert_eq!(Pattern::of(literal, Case::Exact), Ok(None), "{literal}");
        }
        for broken in ["^($", "^a)|(b$", r"^a\$", "^(?=a$", "^*$", r"^\1$"] {
            let read = Pattern::of(broken, Case::Exact);
            assert!(matches!(read, Err(Undecided::Broken(_))), "{broken}: {read:?}");
        }
    }

    /// On an engine without limits each of these takes longer than the age of the universe.
    #[test]
    fn d9_no_text_makes_a_pattern_slow() {
        let long = "a".repeat(1_000_000);
        let short = "a".repeat(4096);
        for text in ["^(.+)+@$", "^(a+)+b$", "^(a|aa)+b$", r"^(a+)+\1b$", r"^(?=(a+)+b)a+$", r"^(a*)*\1b$"] {
            let pattern = pattern(text, Case::Ignored);
            assert!(!pattern.is_match(&long) && !pattern.is_match(&short), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_pattern_and_no_text_breaks_it(inside in r"[a-c.*+?()|\[\]{}\\1=!<:0-9-]{0,16}", text in "[a-c1]{0,30}") {
            if let Ok(Some(pattern)) = Pattern::of(&format!("^{inside}$"), Case::Ignored) {
                pattern.is_match(&text);
            }
        }
    }
}
