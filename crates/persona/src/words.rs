//! Words in a text: found without regard to case, and never within another word.

/// Whether the text has the words.
pub fn has_words(text: &str, words: &str) -> bool {
    !places(&text.to_lowercase(), &words.to_lowercase()).is_empty()
}

/// Where the words stand in the text, in the same letters: byte ranges that do not overlap.
pub fn places(text: &str, words: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = (!words.is_empty()).then(|| text[from..].find(words)).flatten() {
        let range = from + at..from + at + words.len();
        let before = text[..range.start].chars().next_back();
        let after = text[range.end..].chars().next();
        let (first, last) = (words.chars().next(), words.chars().next_back());
        if !continues(before, first) && !continues(last, after) {
            found.push(range.clone());
        }
        from = range.start + first.map_or(1, char::len_utf8);
    }
    found
}

/// Whether two neighbouring characters are of one word, amount or sign: `shop|s`, `$|5`, `$|$`, `4|.5` is not.
fn continues(left: Option<char>, right: Option<char>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return false };
    let is_word = |c: char| c.is_alphanumeric();
    (is_word(left) && is_word(right))
        || left == right && !left.is_whitespace()
        || (left == '$' && right.is_ascii_digit())
}

/// The text with others in place of these words, where they are written like this.
pub fn replace_words(text: &str, words: &str, by: &str) -> String {
    let mut replaced = text.to_owned();
    for place in places(text, words).into_iter().rev() {
        replaced.replace_range(place, by);
    }
    replaced
}

/// The text with a capital at its beginning.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        for (text, words, is_found) in [
            ("in size S, cotton", "size S", true),
            ("in size SX", "size s", false),
            ("Selkie Wrap", "selkie", true),
            ("Selkies", "selkie", false),
            ("$$ place", "$$", true),
            ("$$$ place", "$$", false),
            ("$$ place", "$", false),
            ("for $25", "$", false),
            ("(USB-C)", "usb-c", true),
            ("an e-book", "book", true),
            ("notebook, book", "book", true),
            ("", "x", false),
            ("x", "", false),
        ] {
            assert_eq!(has_words(text, words), is_found, "{words} in {text}");
        }
        assert_eq!(places("a b a", "a"), [0..1, 4..5]);
        assert_eq!(replace_words("S, SX and S", "S", "⟦size⟧"), "⟦size⟧, SX and ⟦size⟧");
    }
}
