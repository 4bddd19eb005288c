//! Strings: equal if a reader would call them the same words. Encoding, case, spacing, quotes around the whole and
//! punctuation at its end do not count; everything inside does.
//!
//! A JSON number is read as the text it is written as (`42` is `"42"`), since page text does not say which of the two
//! it is. Other JSON types are not strings.

use serde_json::Value;

use super::folding::{caseless, plain};

/// In bytes. Longer texts are pages, not answers; nobody should have to wait for their comparison.
const LONGEST: usize = 16 * 1024;

pub(super) fn read(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.len() <= LONGEST => Some(fold(text)),
        Value::Number(number) => Some(fold(&number.to_string())),
        _ => None,
    }
}

fn fold(text: &str) -> String {
    caseless(bare(&plain(text)))
}

/// Takes off outer quotes and final punctuation, in whatever order they are nested. A text made of nothing else stays
/// as it is: `!!!` is not `???`, and neither is the empty text.
pub(super) fn bare(text: &str) -> &str {
    let mut bare = text;
    loop {
        let unpunctuated = bare.trim_end_matches(['.', ',', ';', ':', '!', '?', ' ']);
        let unquoted = ['"', '\'', '`']
            .into_iter()
            .find_map(|quote| unpunctuated.strip_prefix(quote)?.strip_suffix(quote))
            .map_or(unpunctuated, str::trim);
        if unquoted.is_empty() || unquoted.len() == bare.len() {
            return bare;
        }
        bare = unquoted;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn strings_that_are_the_same() {
        for (a, b) in [
            (json!("Desk Lamp"), json!(" desk  lamp ")),
            (json!("Desk Lamp"), json!("“Desk Lamp.”")),
            (json!("Desk Lamp"), json!("'Desk Lamp'.")),
            (json!("Is it new?"), json!("is it new")),
            (json!("Ann's"), json!("ANN’S")),
            (json!("e-mail"), json!("E‑mail")),
            (json!("42"), json!(42)),
            (json!("Größe"), json!("GRÖSSE")),
            (json!("Yes"), json!("yes!")),
            (json!("Quest Lumaflex™ Band"), json!("Quest Lumaflex Band")),
            (json!("ﬁle ２"), json!("file 2")),
        ] {
            assert_eq!(read(&a), read(&b), "{a} and {b}");
        }
    }

    #[test]
    fn strings_that_differ() {
        for (a, b) in [
            (json!("desk lamp"), json!("desklamp")),
            (json!("desk lamp"), json!("desk lamp, black")),
            (json!("e-mail"), json!("e mail")),
            (json!("!!!"), json!("???")),
            (json!(""), json!("...")),
            (json!(""), json!("\"\"")),
            (json!("C"), json!("C++")),
            (json!("cafe"), json!("café")),
            (json!("O'Neil"), json!("ONeil")),
            (json!("-5"), json!("5")),
            (json!("true"), json!(true)),
            (json!(""), json!(null)),
            (json!("0"), json!(false)),
        ] {
            assert_ne!(read(&a), read(&b), "{a} and {b}");
        }
    }

    proptest! {
        #[test]
        fn reading_twice_changes_nothing(text in any::<String>()) {
            let once = read(&json!(text)).expect("text is a string");
            prop_assert_eq!(read(&json!(once)), Some(once));
        }
    }

    #[test]
    fn hostile_texts_are_read_in_no_time() {
        let nested = "\"'".repeat(4000) + "x" + &"'\"".repeat(4000);
        assert_eq!(read(&json!(nested)), Some("x".to_owned()));
        assert_eq!(read(&json!("x".repeat(LONGEST + 1))), None);
    }
}
