//! Words compared without regard to case, spelling of compounds and number.

/// A text as a list of its words, in small letters and the singular.
pub struct Words(Vec<String>);

impl Words {
    pub fn of(text: &str) -> Self {
        let plain = text.replace(['’', '\''], "");
        let words = plain.split(|c: char| !(c.is_alphanumeric() || "$%+≥≤".contains(c)));
        Self(words.filter(|word| !word.is_empty()).map(|word| singular(&word.to_lowercase())).collect())
    }

    /// The words of the text that say the same as `other`, if any: whole words only, though a compound may be written
    /// in one or in several (`e-book`, `ebook`).
    pub fn say(&self, other: &Self) -> Option<String> {
        let wanted = other.0.concat();
        if wanted.is_empty() {
            return None;
        }
        (0..self.0.len()).find_map(|from| {
            let mut joined = String::new();
            for (to, word) in self.0.iter().enumerate().skip(from) {
                joined.push_str(word);
                if joined == wanted {
                    return Some(self.0[from..=to].join(" "));
                }
                if joined.len() >= wanted.len() {
                    break;
                }
            }
            None
        })
    }
}

fn singular(word: &str) -> String {
    let is_plain = word.chars().all(char::is_alphabetic) && word.chars().count() > 3;
    match word {
        _ if !is_plain || word.ends_with("ss") || word.ends_with("us") => word.to_owned(),
        _ if word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        _ => word.strip_suffix('s').unwrap_or(word).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_are_the_same_in_any_spelling() {
        for (text, words, is_said) in [
            ("Search KOHL'S for chinos", "kohls", true),
            ("my usual reddit communities", "Reddit community", true),
            ("an ebook please", "E-book", true),
            ("gluten free bread", "Gluten-free", true),
            ("the best buy of the day", "bestbuy", true),
            ("a targeted search", "target", false),
            ("notebooks", "book", false),
            ("price class $$", "$$", true),
            ("price class $$$", "$$", false),
            ("boxes", "Box", false),
            ("", "a", false),
            ("a", "", false),
        ] {
            assert_eq!(Words::of(text).say(&Words::of(words)).is_some(), is_said, "`{words}` in `{text}`");
        }
    }
}
