//! Python's regular expressions, bounded in time.
//!
//! Agents may write patterns, so a pattern that explodes must cost as little as one that does not. A pattern runs on
//! automata whenever they can express it, and on the engine that backtracks only if it must.

mod recent;
mod translate;

use std::sync::Arc;

use thiserror::Error;
use umpire_rules::{BacktrackingPattern, LinearPattern, refuse_costly};

pub use umpire_rules::PatternFlags;

use self::recent::{Wanted, recently_compiled};
use self::translate::{EndAnchor, Translation, translate};

/// Which part of the text a pattern has to cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Extent {
    Start,
    Whole,
    Anywhere,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a pattern: {reason}")]
pub struct InvalidPattern {
    reason: String,
}

impl InvalidPattern {
    fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// A compiled pattern together with the way it is applied.
#[derive(Debug)]
pub struct Pattern {
    engine: Arc<Engine>,
}

#[derive(Debug)]
enum Engine {
    Linear(Box<LinearPattern>),
    Backtracking(Box<BacktrackingPattern>),
}

/// The text of `^…$`: the only strings the evaluator takes for patterns.
pub fn is_regex_literal(text: &str) -> bool {
    text.len() >= 2 && text.starts_with('^') && text.ends_with('$')
}

impl Pattern {
    /// `re.match`: from the start, not necessarily to the end.
    pub fn matching_start(pattern: &str, flags: PatternFlags) -> Result<Self, InvalidPattern> {
        Self::compile(pattern, Extent::Start, flags)
    }

    /// `re.fullmatch`.
    pub fn matching_whole(pattern: &str, flags: PatternFlags) -> Result<Self, InvalidPattern> {
        Self::compile(pattern, Extent::Whole, flags)
    }

    /// `re.search`.
    pub fn found_anywhere(pattern: &str, flags: PatternFlags) -> Result<Self, InvalidPattern> {
        Self::compile(pattern, Extent::Anywhere, flags)
    }

    pub fn is_match(&self, text: &str) -> bool {
        match self.engine.as_ref() {
            Engine::Linear(linear) => linear.is_match(text),
            Engine::Backtracking(backtracking) => backtracking.is_match(text),
        }
    }

    fn compile(pattern: &str, extent: Extent, flags: PatternFlags) -> Result<Self, InvalidPattern> {
        let wanted = Wanted { pattern, extent, flags };
        Ok(Self { engine: recently_compiled(wanted, || Engine::compile(wanted))? })
    }
}

impl Engine {
    fn compile(wanted: Wanted<'_>) -> Result<Self, InvalidPattern> {
        let Wanted { pattern, extent, flags } = wanted;
        refuse_costly(pattern).map_err(|costly| InvalidPattern::because(costly.to_string()))?;
        let end_anchor = if extent == Extent::Whole { EndAnchor::EndOnly } else { EndAnchor::OrFinalNewline };
        match translate(pattern, end_anchor)? {
            Translation::Linear(source) => LinearPattern::compile(&extent.frame(&source), flags)
                .map(|compiled| Self::Linear(Box::new(compiled)))
                .map_err(|error| InvalidPattern::because(error.to_string())),
            Translation::Backtracking(source) => BacktrackingPattern::compile(&extent.frame(&source), flags)
                .map(|compiled| Self::Backtracking(Box::new(compiled)))
                .map_err(|error| InvalidPattern::because(error.to_string())),
        }
    }
}

impl Extent {
    fn frame(self, source: &str) -> String {
        match self {
            Self::Start => format!(r"\A(?:{source})"),
            Self::Whole => format!(r"\A(?:{source})\z"),
            Self::Anywhere => source.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

    fn matches_start(pattern: &str, text: &str) -> bool {
        Pattern::matching_start(pattern, PatternFlags::default()).expect(pattern).is_match(text)
    }

    fn matches_whole(pattern: &str, text: &str) -> bool {
        Pattern::matching_whole(pattern, PatternFlags::default()).expect(pattern).is_match(text)
    }

    #[test]
    fn the_dollar_sign_looks_past_a_final_newline_unless_the_whole_text_counts() {
        assert!(matches_start("^a$", "a\n"));
        assert!(!matches_start("^a$", "a\n\n"));
        assert!(!matches_start("^a$", "ab"));
        assert!(!matches_whole("^a$", "a\n"));
        assert!(matches_start("^(?!b$).*$", "a\n"));
        assert!(!matches_start("^(?!a$).*$", "a\n"));
        assert!(matches_start("a$\n", "a\n"));
        assert!(matches_whole("a$\n", "a\n"));
    }

    #[test]
    fn classes_are_unicode_aware_the_python_way() {
        for (pattern, text, expected) in [
            (r"^\d$", "٣", true),
            (r"^\w$", "½", true),
            (r"^\w$", "é", true),
            (r"^\w$", "\u{301}", false),
            (r"^\s$", "\u{1c}", true),
            (r"^[\w]$", "½", true),
            (r"^[^\W]$", "½", true),
            (r"^[\S]$", "\u{1c}", false),
            (r"^(?a:\d)$", "٣", false),
        ] {
            assert_eq!(matches_whole(pattern, text), expected, "{pattern} on {text:?}");
        }
    }

    #[test]
    fn braces_and_brackets_are_literal_where_python_says_so() {
        for (pattern, text) in [
            ("^{{post_id}}$", "{{post_id}}"),
            ("^a{,2}$", "aa"),
            ("^a{2$", "a{2"),
            ("^a{}$", "a{}"),
            ("^[]]$", "]"),
            ("^[^]]$", "a"),
            ("^[a[]$", "["),
            ("^[a&&b]$", "&"),
            ("^[a-]$", "-"),
            ("^[+--]$", ","),
            ("^x{1,2}?$", "xx"),
            (r"^<\!doctype$", "<!doctype"),
            (r"^\x41\u00e9\101\0$", "AéA\0"),
            (r"^[\b]$", "\u{8}"),
            (r"^a\Z$", "a"),
            ("^(?#note)a$", "a"),
            ("^(?x: a b # c\n)$", "ab"),
        ] {
            assert!(matches_whole(pattern, text), "{pattern} on {text:?}");
        }
    }

    #[test]
    fn groups_and_look_around() {
        for (pattern, text, expected) in [
            (r"^(a|b)\1$", "aa", true),
            (r"^(a|b)\1$", "ab", false),
            (r"^(?P<letter>a|b)(?P=letter)$", "bb", true),
            (r"^(?=.*x)(?=.*y).*$", "..y.x", true),
            (r"^(?=.*x)(?=.*y).*$", "..y..", false),
            (r"^(?<=a)b$", "b", false),
            (r"^(?i:A)b$", "ab", true),
            (r"^(?i:A)b$", "aB", false),
            (r"^a++a$", "aaa", false),
        ] {
            assert_eq!(matches_whole(pattern, text), expected, "{pattern} on {text:?}");
        }
        let found = |pattern, text| {
            Pattern::found_anywhere(pattern, PatternFlags { ignore_case: true, ..Default::default() })
                .expect("valid")
                .is_match(text)
        };
        assert!(found("utm_", "x-UTM_source"));
        assert!(!found("^utm_", "x-UTM_source"));
        assert!(found("(?s)(?i)A.b", "xa\nB"));
    }

    #[test]
    fn what_python_refuses_is_refused() {
        for pattern in [
            "^(bad$",
            "^a)$",
            "^a**$",
            "^a{1}{2}$",
            "^*a$",
            "^(?i)a$",
            "^[a$",
            "^[z-a]$",
            r"^[\d-z]$",
            r"^\q$",
            r"^\1$",
            "^a{3,2}$",
            "^(?P<n>a)(?P<n>b)$",
            "^(?<n>a)$",
            "^(?P=x)$",
            "^(?z:a)$",
            r"^\z$",
            "^(?",
            "^|*$",
            r"^\xg1$",
            r"^(a\1)$",
        ] {
            assert!(Pattern::matching_whole(pattern, PatternFlags::default()).is_err(), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_explode_elsewhere_cost_nothing_here() {
        let long = "a".repeat(30_000);
        for (pattern, text) in [
            ("^(.+)+@$", "sales@example.com is not the end of this one"),
            ("^(.+)+@$", "aaaaaaaaaaaaaaaaaaaaaaaa"),
            ("^(a+)+$", &format!("{long}!")),
            (r"^(?!x)(.+)+@$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            (r"^(.*)*\1@$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            (r"^(a|a)*(?=b)$", &long),
            (r"^(?=(.*)*x)(?=.*(.*)*y)z$", &long[..2_000]),
        ] {
            let compiled = Pattern::matching_whole(pattern, PatternFlags::default()).expect(pattern);
            compiled.is_match("warm up");
            compiled.is_match(&text[..1]);
            let started = Instant::now();
            let matched = compiled.is_match(text);
            // The bound is ten milliseconds in an optimized build on an idle machine; this one is neither.
            assert!(started.elapsed() < Duration::from_millis(500), "{pattern} took {:?}", started.elapsed());
            assert!(!matched, "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn no_pattern_panics(pattern in r"[\^$.*+?(){}\[\]|\\,:=!<>#&~\-a-f0-9PdwsbZ é\n]{0,24}", text in "[a-f0-9 \n]{0,12}") {
            if let Ok(pattern) = Pattern::found_anywhere(&pattern, PatternFlags::default()) {
                pattern.is_match(&text);
            }
        }

        #[test]
        fn an_escaped_text_matches_itself_only(text in "[ -~é]{1,12}", other in "[ -~é]{1,12}") {
            let escaped: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("\\{c}") }).collect();
            let pattern = Pattern::matching_whole(&escaped, PatternFlags::default()).expect("valid");
            prop_assert!(pattern.is_match(&text));
            prop_assert_eq!(pattern.is_match(&other), text == other);
        }
    }
}
