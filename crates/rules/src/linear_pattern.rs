//! Patterns on automata, and what one of them may cost.
//!
//! Tasks write patterns and agents write the texts they meet, so neither may make a match slow. A short text is walked
//! with every pair of state and position visited at most once. A longer one runs through an automaton that is built on
//! the way, in a fixed piece of memory. Where a limit is passed, nothing matches. Limits count bytes and states, never
//! time, so a verdict does not depend on the machine.

use std::sync::OnceLock;

use regex_automata::Input;
use regex_automata::hybrid::dfa::DFA;
use regex_automata::nfa::thompson::backtrack::BoundedBacktracker;
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::syntax;

use crate::pattern_cost::refuse_costly;

/// Bytes of the compiled pattern, which what it costs to compile follows. Every pattern of the released task files fits.
pub(crate) const LARGEST_PROGRAM: usize = 1 << 18;

/// Pairs of state and position a match may visit on a short text, in bytes of eight pairs.
const VISITED_PAIRS: usize = 1 << 14;

/// Memory for the states of the automaton. An automaton that needs more has no match.
const AUTOMATON_SIZE: usize = 1 << 19;

/// A form field or an answer is shorter, and so are all but downloads.
const LONGEST_TEXT: usize = 2 << 20;

thread_local! {
    /// Kept, because making one costs several times what compiling a pattern with it does.
    static COMPILER: thompson::Compiler = {
        let limits = NFA::config().nfa_size_limit(Some(LARGEST_PROGRAM)).which_captures(WhichCaptures::None);
        let mut compiler = NFA::compiler();
        compiler.configure(limits);
        compiler
    };
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PatternFlags {
    pub ignore_case: bool,
    pub dot_matches_newline: bool,
}

/// The engine cannot express the pattern, or it is too long or too large.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotLinear(String);

/// A pattern that is found in a text in time proportional to the text.
#[derive(Debug)]
pub struct LinearPattern {
    on_short_text: BoundedBacktracker,
    /// Built when first needed; `None` if the automaton cannot express the pattern.
    on_long_text: OnceLock<Option<DFA>>,
}

impl LinearPattern {
    /// Compiles a pattern in the syntax of the `regex` crate.
    pub fn compile(pattern: &str, flags: PatternFlags) -> Result<Self, NotLinear> {
        refuse_costly(pattern).map_err(|costly| NotLinear(costly.to_string()))?;
        let parsed =
            syntax::parse_with(pattern, &syntax_of(flags)).map_err(|error| NotLinear(error.to_string()))?;
        let states = COMPILER.with(|compiler| {
            compiler.build_from_hir(&parsed).map_err(|error| NotLinear(error.to_string()))
        })?;
        let on_short_text = BoundedBacktracker::builder()
            .configure(BoundedBacktracker::config().visited_capacity(VISITED_PAIRS))
            .build_from_nfa(states)
            .map_err(|error| NotLinear(error.to_string()))?;
        Ok(Self { on_short_text, on_long_text: OnceLock::new() })
    }

    /// Whether a pattern can be read, without compiling it.
    pub fn check_syntax(pattern: &str, flags: PatternFlags) -> Result<(), NotLinear> {
        refuse_costly(pattern).map_err(|costly| NotLinear(costly.to_string()))?;
        syntax::parse_with(pattern, &syntax_of(flags)).map_err(|error| NotLinear(error.to_string()))?;
        Ok(())
    }

    /// Whether the pattern is found anywhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        let input = Input::new(text).earliest(true);
        if text.len() <= self.on_short_text.max_haystack_len() {
            let mut visited = self.on_short_text.create_cache();
            return self.on_short_text.try_is_match(&mut visited, input).unwrap_or(false);
        }
        if text.len() > LONGEST_TEXT {
            return false;
        }
        let automaton = self.on_long_text.get_or_init(|| automaton(self.on_short_text.get_nfa()));
        automaton.as_ref().is_some_and(|automaton| {
            // A new one each time: what earlier texts left behind must not decide whether this one fits.
            let mut states = automaton.create_cache();
            automaton.try_search_fwd(&mut states, &input).is_ok_and(|found| found.is_some())
        })
    }

    /// Bytes this takes.
    pub fn memory_usage(&self) -> usize {
        self.on_short_text.get_nfa().memory_usage()
    }
}

fn syntax_of(flags: PatternFlags) -> syntax::Config {
    syntax::Config::new().case_insensitive(flags.ignore_case).dot_matches_new_line(flags.dot_matches_newline)
}

fn automaton(states: &NFA) -> Option<DFA> {
    let config = DFA::config()
        .unicode_word_boundary(true)
        .cache_capacity(AUTOMATON_SIZE)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(0));
    DFA::builder().configure(config).build_from_nfa(states.clone()).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn compiled(pattern: &str) -> LinearPattern {
        LinearPattern::compile(pattern, PatternFlags::default()).expect(pattern)
    }

    #[test]
    fn long_texts_are_judged_like_short_ones() {
        for (pattern, end, found) in [
            (r"\Aa+b\z", "b", true),
            (r"\Aa+b\z", "c", false),
            (r"a{3}b", "b", true),
            (r"(?i)A\z", "", true),
            (r"\bb", " b", true),
            (r"\d", "٣", true),
        ] {
            let pattern = compiled(pattern);
            for length in [3, 300_000] {
                let text = "a".repeat(length) + end;
                assert_eq!(pattern.is_match(&text), found, "{pattern:?} on {length} letters and {end:?}");
            }
        }
    }

    #[test]
    fn what_is_too_large_is_refused_or_not_found() {
        for pattern in ["a".repeat(3_000), r"\w{500}".to_owned(), "(a{99}){99}".to_owned()] {
            assert!(LinearPattern::compile(&pattern, PatternFlags::default()).is_err(), "{pattern}");
        }
        let anything = compiled(r"(?s)\A.*\z");
        assert!(anything.is_match(&"a".repeat(LONGEST_TEXT)));
        assert!(!anything.is_match(&"a".repeat(LONGEST_TEXT + 1)));
        // Which of the last letters were `a` makes more states than there is room for.
        let many_states = compiled(r"a[ab]{200}c");
        let letters: String =
            (0..200_000_u32).map(|at| if at.count_ones() % 2 == 0 { 'a' } else { 'b' }).collect();
        assert!(!many_states.is_match(&letters));
    }

    proptest! {
        #[test]
        fn both_engines_find_the_same(pattern in r"[a-c.*+?()|\[\]]{0,12}", text in "[a-d]{0,24}") {
            let Ok(pattern) = LinearPattern::compile(&pattern, PatternFlags::default()) else { return Ok(()) };
            let automaton = automaton(pattern.on_short_text.get_nfa()).expect("an automaton");
            let found = automaton.try_search_fwd(&mut automaton.create_cache(), &Input::new(&text));
            prop_assert_eq!(found.expect("room").is_some(), pattern.is_match(&text));
        }
    }
}
