//! Text as a reader sees it: the same letters however they were encoded.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Compatibility forms unified, invisible characters and trade marks dropped, typographic dashes and quotes made plain,
/// digits of other scripts made ASCII, runs of white space made one space, ends trimmed. Case is kept.
pub(super) fn plain(text: &str) -> String {
    // Nearly all text is ASCII, where there is nothing to unify.
    if text.is_ascii() {
        return collapsed(text.chars(), text.len());
    }
    let letters = text.chars().filter(|c| !is_trade_mark(*c)).flat_map(apart_from_its_number);
    collapsed(letters.nfkc().map(unadorned), text.len())
}

fn collapsed(chars: impl Iterator<Item = char>, capacity: usize) -> String {
    let mut plain = String::with_capacity(capacity);
    for c in chars.filter(|c| !is_invisible(*c)) {
        if !c.is_whitespace() {
            plain.push(c);
        } else if !plain.is_empty() && !plain.ends_with(' ') {
            plain.push(' ');
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// Upper and lower case made one. Going down, up and down again also unites `ß` and `ẞ` with `ss`, and the two forms of
/// sigma.
pub(super) fn caseless(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let lower = text.chars().flat_map(char::to_lowercase);
    lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

/// Latin letters without their accents, so that `Zürich` and `Zurich` are one name. Other scripts stay as they are.
pub(super) fn unaccented(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ø' => bare.push('o'),
            'Ø' => bare.push('O'),
            'ł' => bare.push('l'),
            'Ł' => bare.push('L'),
            'đ' | 'ð' => bare.push('d'),
            'Đ' | 'Ð' => bare.push('D'),
            'æ' => bare.push_str("ae"),
            'Æ' => bare.push_str("AE"),
            'œ' => bare.push_str("oe"),
            'Œ' => bare.push_str("OE"),
            'ı' => bare.push('i'),
            other => bare.push(other),
        }
    }
    bare
}

/// Signs that a shop puts behind a name and nobody says.
fn is_trade_mark(c: char) -> bool {
    matches!(c, '™' | '®' | '℠' | '©')
}

/// `1½` would otherwise become `11/2`.
fn apart_from_its_number(c: char) -> impl Iterator<Item = char> {
    let is_fraction = matches!(c, '\u{bc}'..='\u{be}' | '\u{2150}'..='\u{215e}');
    is_fraction.then_some(' ').into_iter().chain(std::iter::once(c))
}

fn is_invisible(c: char) -> bool {
    let zero_width = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    zero_width || (c.is_control() && !c.is_whitespace())
}

fn unadorned(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2bc}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2044}' => '/',
        '\u{66b}' => '.',
        '\u{66c}' => ',',
        '\u{660}'..='\u{669}' => digit(c, '\u{660}'),
        '\u{6f0}'..='\u{6f9}' => digit(c, '\u{6f0}'),
        '\u{966}'..='\u{96f}' => digit(c, '\u{966}'),
        other => other,
    }
}

/// The ASCII digit for one of a script whose zero is `zero`.
fn digit(c: char, zero: char) -> char {
    char::from_digit(u32::from(c) - u32::from(zero), 10).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_text() {
        for (text, expected) in [
            ("  a \t\n b\u{a0}\u{2009}c ", "a b c"),
            ("zero\u{200b}width\u{feff} soft\u{ad}hyphen", "zerowidth softhyphen"),
            ("２０ ﬁles", "20 files"),
            ("Ann’s “lamp” – new", "Ann's \"lamp\" - new"),
            ("Cafe\u{301}", "Café"),
            ("Quest Lumaflex™ Band®", "Quest Lumaflex Band"),
            ("1½ h, ½ h", "1 1/2 h, 1/2 h"),
            ("١٬٢٣٤٫٥ ۵ ९", "1,234.5 5 9"),
            ("", ""),
        ] {
            assert_eq!(plain(text), expected);
        }
    }

    #[test]
    fn case_is_folded_beyond_ascii() {
        for (a, b) in [("STRASSE", "straße"), ("GROẞ", "groß"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ÉCOLE", "école")]
        {
            assert_eq!(caseless(a), caseless(b));
        }
    }

    #[test]
    fn accents_are_taken_off_latin_letters() {
        for (text, expected) in
            [("Zürich", "Zurich"), ("Kraków Główny", "Krakow Glowny"), ("Ærø", "AEro"), ("東京", "東京")]
        {
            assert_eq!(unaccented(text), expected);
        }
    }

    proptest! {
        #[test]
        fn plain_text_has_no_double_or_outer_space(text in any::<String>()) {
            let plain = plain(&text);
            prop_assert!(!plain.contains("  ") && plain.trim() == plain);
        }
    }
}
