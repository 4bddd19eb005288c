//! The text comparisons behind answers and page contents.

use super::score::{Finding, Undecided};
use super::whole_word::{Standing, standing};
use crate::python::strip;

/// An answer as the original compares it: trimmed, freed of one pair of quotes, lower-cased.
pub(super) fn cleaned(answer: &str) -> String {
    let trimmed = strip(answer);
    let unquoted = ['\'', '"'].into_iter().find_map(|quote| {
        // A lone quote both opens and closes, and leaves nothing.
        let rest = trimmed.strip_prefix(quote).filter(|_| trimmed.ends_with(quote))?;
        Some(rest.strip_suffix(quote).unwrap_or_default())
    });
    unquoted.unwrap_or(trimmed).to_lowercase()
}

pub(super) fn equals(reference: &str, seen: &str) -> bool {
    cleaned(seen) == cleaned(reference)
}

/// The substring test; context and word boundaries play no part.
pub(super) fn includes(reference: &str, seen: &str) -> bool {
    cleaned(seen).contains(&cleaned(reference))
}

/// The test for an answer's only reference: a single character must be a word of its own there, lest "0" be found in "10".
pub(super) fn includes_only_reference(reference: &str, seen: &str) -> Finding {
    let cleaned_reference = cleaned(reference);
    let mut characters = cleaned_reference.chars();
    let (Some(character), None) = (characters.next(), characters.next()) else {
        return Finding::of(includes(reference, seen));
    };
    match standing(character, &cleaned(seen)) {
        Standing::Alone => Finding::Met,
        Standing::NotAlone => Finding::Missed,
        Standing::AtPossibleSentenceEnd => Finding::Undecided(Undecided::SentenceEnd(cleaned_reference)),
        Standing::NotModelled => Finding::Undecided(Undecided::PunctuationReference(cleaned_reference)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_trimmed_unquoted_once_and_lower_cased() {
        for (answer, expected) in [
            ("  Yes\n", "yes"),
            ("'Yes'", "yes"),
            ("\"Yes\"", "yes"),
            ("\"'Yes'\"", "'yes'"),
            ("'Yes\"", "'yes\""),
            ("' Yes '", " yes "),
            ("'", ""),
            ("''", ""),
            ("\u{1f}x\u{a0}", "x"),
            ("", ""),
        ] {
            assert_eq!(cleaned(answer), expected, "{answer:?}");
        }
    }

    #[test]
    fn inclusion_is_a_substring_test() {
        for (reference, seen, included) in [
            ("2", "2 000", true),
            ("Yes", "yes, the final answer is no", true),
            ("0", "10", true),
            ("\"Rock\"", "bedrock", true),
            ("", "", true),
            ("a  b", "a b", false),
        ] {
            assert_eq!(includes(reference, seen), included, "{reference:?} in {seen:?}");
        }
    }

    #[test]
    fn only_a_single_character_is_held_to_word_boundaries() {
        for (reference, seen, finding) in [
            ("0", "10", Finding::Missed),
            ("0", "There are 0 of them", Finding::Met),
            ("'0'", "0", Finding::Met),
            ("10", "2100", Finding::Met),
            ("2", "2 000", Finding::Met),
        ] {
            assert_eq!(includes_only_reference(reference, seen), finding, "{reference:?} in {seen:?}");
        }
    }
}
