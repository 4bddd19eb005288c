//! Texts as runs of letters and runs of digits, which is what is left of a name in any spelling.

/// A run of letters or of digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    /// Lower-case.
    pub text: String,
    pub start: usize,
    pub end: usize,
    /// Begins with a capital letter, as names do.
    pub is_capitalised: bool,
    pub is_number: bool,
}

pub(super) fn atoms(text: &str) -> Vec<Atom> {
    let mut found: Vec<Atom> = Vec::new();
    for (start, c) in text.char_indices() {
        if !c.is_alphanumeric() {
            continue;
        }
        let (end, is_number) = (start + c.len_utf8(), c.is_numeric());
        match found.last_mut() {
            Some(last) if last.end == start && last.is_number == is_number => {
                last.text.extend(c.to_lowercase());
                last.end = end;
            }
            _ => found.push(Atom {
                text: c.to_lowercase().collect(),
                start,
                end,
                is_capitalised: c.is_uppercase(),
                is_number,
            }),
        }
    }
    found
}

/// What stands between two atoms of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Joint {
    /// Nothing: `gpt4`.
    Tight,
    /// One of the signs that names are written with: `gpt-4`, `claude_3`, `3.7`, `google/gemini`.
    Sign,
    /// White space, not more than a line's end.
    Space,
    /// Anything else: not one name.
    Apart,
}

pub(super) fn joint(between: &str) -> Joint {
    let mut characters = between.chars();
    match (characters.next(), characters.next()) {
        (None, _) => Joint::Tight,
        (Some('-' | '_' | '.' | '/' | ':' | '\u{2010}' | '\u{2011}' | '\u{2013}'), None) => Joint::Sign,
        (Some(c), None) if c.is_whitespace() => Joint::Space,
        (Some(' '), Some(c)) if between.len() == 2 && c.is_whitespace() => Joint::Space,
        _ => Joint::Apart,
    }
}
