//! The folding every text goes through before its type reads it.
//!
//! What a person would call the same text becomes the same text: case, accents, typographic marks, invisible
//! characters and white space go away. Patterns are left alone.

use std::sync::LazyLock;

use regex::Regex;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::transliterate::push_ascii;
use super::values::Context;
use crate::config::Strictness;
use crate::python::{is_regex_literal, is_space};

/// The folded text; patterns and the empty text come back as they are.
pub fn fold(text: &str, context: Option<&Context>) -> String {
    if text.is_empty() || is_regex_literal(text) {
        return text.to_owned();
    }
    let derendered = context
        .and_then(|context| context.derender.as_ref())
        .filter(|_| text.contains("http"))
        .and_then(|derender| derender(text, Strictness::Lenient).ok());
    let text = derendered.as_deref().unwrap_or(text);
    let composed = if text.is_ascii() { text.to_owned() } else { compose(text) };
    let parted = part_hyphenated_words(&composed);
    let ascii = if parted.is_ascii() { drop_controls(&parted) } else { transliterate(&parted) };
    collapse_spaces(&ascii).to_lowercase()
}

/// Compatibility composition, without the marks that say who owns a name.
fn compose(text: &str) -> String {
    let unmarked: String =
        text.chars().filter(|c| !matches!(c, '™' | '®' | '℠' | '©') && !is_newer(*c)).collect();
    match is_nfkc_quick(unmarked.chars()) {
        IsNormalized::Yes => unmarked,
        _ => unmarked.nfkc().collect(),
    }
}

/// Characters that came after Unicode 14, which the reference knows, and that would decompose into older ones. To it
/// they are unassigned and vanish; other new characters vanish anyway, for want of a transliteration.
fn is_newer(c: char) -> bool {
    matches!(
        c,
        '\u{558}'
            | '\u{58b}'
            | '\u{58c}'
            | '\u{209d}'..='\u{209f}'
            | '\u{a7f1}'
            | '\u{107bb}'..='\u{107bf}'
            | '\u{1b123}'..='\u{1b126}'
            | '\u{1ccd6}'..='\u{1ccf9}'
            | '\u{1d6a6}'
            | '\u{1df95}'
            | '\u{1dfcd}'..='\u{1dfff}'
            | '\u{1e030}'..='\u{1e06d}'
    )
}

/// A hyphen next to a letter joins words, and becomes a space; between digits it is part of a number.
fn part_hyphenated_words(text: &str) -> String {
    static HYPHENS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("[-\u{2010}-\u{2015}\u{2212}\u{ad}]").expect("a constant pattern"));
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
    let mut parted = String::with_capacity(text.len());
    let mut done = 0;
    for hyphen in HYPHENS.find_iter(text) {
        let before = text[..hyphen.start()].chars().next_back();
        let after = text[hyphen.end()..].chars().next();
        parted.push_str(&text[done..hyphen.start()]);
        parted.push_str(if is_letter(before) || is_letter(after) { " " } else { hyphen.as_str() });
        done = hyphen.end();
    }
    parted.push_str(&text[done..]);
    parted
}

fn drop_controls(ascii: &str) -> String {
    ascii.chars().filter_map(|c| if c.is_ascii_control() { spaced(c) } else { Some(c) }).collect()
}

/// Tabs and line ends are spaces; other characters of category C vanish.
fn spaced(c: char) -> Option<char> {
    matches!(c, '\t' | '\n' | '\r').then_some(' ')
}

fn transliterate(text: &str) -> String {
    use GeneralCategory as Category;
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        match get_general_category(c) {
            Category::Control
            | Category::Format
            | Category::Surrogate
            | Category::PrivateUse
            | Category::Unassigned => {
                ascii.extend(spaced(c));
            }
            _ => push_ascii(c, &mut ascii),
        }
    }
    ascii
}

fn collapse_spaces(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_people_call_the_same_become_the_same() {
        for (text, folded) in [
            ("", ""),
            ("^ A$", "^ A$"),
            ("Quest Lumaflex™ Band", "quest lumaflex band"),
            ("  Café\u{a0}PHÔ ", "cafe pho"),
            ("state-of-the-art", "state of the art"),
            ("123-4567 - a", "123-4567 - a"),
            ("a\tb\u{200b}c\nd", "a bc d"),
            ("“Ｆｕｌｌ”", "\"full\""),
            ("a\u{209e}b", "ab"),
        ] {
            assert_eq!(fold(text, None), folded, "{text:?}");
        }
    }
}
