//! Patterns no automaton can express, and what one of them may cost.
//!
//! Only look-around, back-references and possessive repetition need this engine. It counts its steps and gives up past
//! a limit, which shrinks as the text grows; then there is no match. Steps are no time, so a verdict does not depend
//! on the machine.

use std::sync::OnceLock;

use crate::linear_pattern::{LARGEST_PROGRAM, PatternFlags};
use crate::pattern_cost::refuse_costly;

/// A step may cost a walk over the text, so steps times length is what has to stay bounded: the longest text in bytes,
/// and the steps allowed on it.
const LENGTH_CLASSES: [(usize, usize); 4] = [(200, 20_000), (2_000, 4_000), (20_000, 200), (100_000, 20)];

/// Looking ahead is a single step even if it goes to the end of the text, and a pattern can look ahead many times: bytes
/// of the pattern times bytes of the text.
const PATTERN_TIMES_TEXT: usize = 1 << 20;

/// The pattern cannot be read, or is too long or too large.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAPattern(String);

/// A pattern that may be tried from many sides, a limited number of times.
#[derive(Debug)]
pub struct BacktrackingPattern {
    source: String,
    flags: PatternFlags,
    /// The engine fixes its limit when it compiles; hence one compilation per class of text length, each made when
    /// first needed.
    by_length: [OnceLock<Option<fancy_regex::Regex>>; LENGTH_CLASSES.len()],
}

impl BacktrackingPattern {
    /// Compiles a pattern in the syntax of the `fancy-regex` crate.
    pub fn compile(source: &str, flags: PatternFlags) -> Result<Self, NotAPattern> {
        refuse_costly(source).map_err(|costly| NotAPattern(costly.to_string()))?;
        let (_, steps_on_short_text) = LENGTH_CLASSES[0];
        let on_short_text =
            compile(source, flags, steps_on_short_text).map_err(|error| NotAPattern(error.to_string()))?;
        let pattern = Self { source: source.to_owned(), flags, by_length: Default::default() };
        drop(pattern.by_length[0].set(Some(on_short_text)));
        Ok(pattern)
    }

    /// Whether the pattern is found anywhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        if self.source.len().saturating_mul(text.len()) > PATTERN_TIMES_TEXT {
            return false;
        }
        let Some(class) = LENGTH_CLASSES.iter().position(|(longest, _)| text.len() <= *longest) else {
            return false;
        };
        let (_, steps) = LENGTH_CLASSES[class];
        let compiled = self.by_length[class].get_or_init(|| compile(&self.source, self.flags, steps).ok());
        compiled.as_ref().is_some_and(|regex| regex.is_match(text).unwrap_or(false))
    }
}

fn compile(
    source: &str,
    flags: PatternFlags,
    steps: usize,
) -> Result<fancy_regex::Regex, fancy_regex::Error> {
    fancy_regex::RegexBuilder::new(source)
        .case_insensitive(flags.ignore_case)
        .dot_matches_new_line(flags.dot_matches_newline)
        .delegate_size_limit(LARGEST_PROGRAM)
        .backtrack_limit(steps)
        .build()
}
