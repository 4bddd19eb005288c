//! What happens to a text before its words are looked up, as in the BERT that knows no capitals.

use unicode_general_category::{GeneralCategory as Category, get_general_category};
use unicode_normalization::UnicodeNormalization as _;

/// Without control characters and accents, in lower case, with every Chinese character standing alone.
pub(super) fn cleaned(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    for c in text.chars() {
        if is_chinese(c) {
            spaced.extend([' ', c, ' ']);
        } else if !is_control(c) {
            spaced.push(c);
        }
    }
    let bare = spaced.nfd().filter(|c| get_general_category(*c) != Category::NonspacingMark);
    bare.flat_map(char::to_lowercase).collect()
}

/// The words of a cleaned text; every punctuation mark is one of its own.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(char::is_whitespace).flat_map(|word| word.split_inclusive(is_punctuation)).flat_map(|part| {
        let mark = part.chars().next_back().filter(|c| is_punctuation(*c)).map_or(0, char::len_utf8);
        let (word, mark) = part.split_at(part.len() - mark);
        [word, mark].into_iter().filter(|part| !part.is_empty())
    })
}

/// Of the control characters that part words in other programs, only three do so here.
fn is_control(c: char) -> bool {
    let dropped =
        matches!(get_general_category(c), Category::Control | Category::Format | Category::PrivateUse);
    c == '\u{fffd}' || (dropped && !matches!(c, '\t' | '\n' | '\r'))
}

/// The gap after U+2B81F is the reference's.
fn is_chinese(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}' | '\u{2f800}'..='\u{2fa1f}')
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(
            get_general_category(c),
            Category::ConnectorPunctuation
                | Category::DashPunctuation
                | Category::OpenPunctuation
                | Category::ClosePunctuation
                | Category::InitialPunctuation
                | Category::FinalPunctuation
                | Category::OtherPunctuation
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cleaned_and_split() {
        for (text, wanted) in [
            ("Don't stop—go!", &["don", "'", "t", "stop", "—", "go", "!"][..]),
            ("a\u{0}b\u{fffd}c\u{200b}d", &["abcd"]),
            ("tab\tnew\nline\u{a0}wide\u{b}on", &["tab", "new", "line", "wideon"]),
            ("Ångström ÉÉ", &["angstrom", "ee"]),
            ("x東京y", &["x", "東", "京", "y"]),
            ("$4.50 ~10%", &["$", "4", ".", "50", "~", "10", "%"]),
            ("...", &[".", ".", "."]),
            ("", &[]),
        ] {
            assert_eq!(words(&cleaned(text)).collect::<Vec<_>>(), wanted, "{text}");
        }
    }
}
