use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The words of a text as they are compared: lower-case, without accents, compatible forms made one.
///
/// A word is a run of letters and digits. A point or comma between digits belongs to it (`4.5` is not 4 and 5), an English
/// possessive does not (`user's` is `user`); writing without spaces is taken character by character.
pub(crate) fn words(text: &str) -> Vec<String> {
    let plain: Vec<char> =
        text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
    let mut found = Vec::new();
    let mut word = String::new();
    let mut at = 0;
    while let Some(&c) = plain.get(at) {
        let next_is = |wanted: fn(char) -> bool| plain.get(at + 1).is_some_and(|next| wanted(*next));
        let after_digit = word.ends_with(|last: char| last.is_ascii_digit());
        if is_written_without_spaces(c) {
            found.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            found.push(c.to_string());
        } else if c.is_alphanumeric()
            || (matches!(c, '.' | ',') && after_digit && next_is(|next| next.is_ascii_digit()))
        {
            word.push(c);
        } else {
            let ends = !plain.get(at + 2).is_some_and(|later| later.is_alphanumeric());
            let possessive =
                matches!(c, '\'' | '’') && !word.is_empty() && next_is(|next| next == 's') && ends;
            at += usize::from(possessive);
            found.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        at += 1;
    }
    found.extend((!word.is_empty()).then_some(word));
    found
}

/// Han, kana, and the scripts of South-East Asia that put no space between words.
fn is_written_without_spaces(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
        && c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_one_would_look_for() {
        for (text, wanted) in [
            ("Searched for: Oat-milk (2 l)", &["searched", "for", "oat", "milk", "2", "l"][..]),
            ("4.5 stars, 1,200 reviews.", &["4.5", "stars", "1,200", "reviews"]),
            ("At amazon.com v2.", &["at", "amazon", "com", "v2"]),
            ("the user's and users' O'Hara", &["the", "user", "and", "users", "o", "hara"]),
            ("it’s", &["it"]),
            ("Café CAFE\u{301} ﬁne Straße İ", &["cafe", "cafe", "fine", "straße", "i"]),
            ("東京 to キト", &["東", "京", "to", "キ", "ト"]),
            ("買2個", &["買", "2", "個"]),
            ("  …!? ", &[]),
            ("", &[]),
        ] {
            assert_eq!(words(text), wanted, "{text}");
        }
    }
}
