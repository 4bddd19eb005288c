//! Words of the intent, weighed, and how well a text on the page covers them.

use std::collections::HashSet;

const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "by", "can", "could",
    "did", "do", "does", "find", "for", "from", "get", "give", "had", "has", "have", "how", "i", "if", "in",
    "is", "it", "its", "list", "long", "many", "me", "much", "my", "of", "on", "one", "or", "our", "page",
    "please", "show", "so", "tell", "than", "that", "the", "their", "them", "then", "there", "this", "to",
    "up", "was", "were", "what", "when", "where", "which", "who", "whose", "will", "with", "would", "you",
    "your", "off",
];

/// A term a user put in quotes names something on the page; a number or a name in capitals nearly does.
const QUOTED: f64 = 3.0;
const NUMBER: f64 = 2.0;
const CAPITAL: f64 = 1.5;

#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub word: String,
    stem: String,
    weight: f64,
}

/// What to look for, in the order of the intent, without repetitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms(pub Vec<Term>);

impl Terms {
    pub fn of(text: &str) -> Self {
        let quoted: HashSet<String> = quoted_phrases(text).iter().flat_map(|phrase| stems(phrase)).collect();
        let mut seen = HashSet::new();
        let terms = words(text).enumerate().filter_map(|(index, word)| {
            let stem = stem(word);
            if STOP_WORDS.contains(&word.to_lowercase().as_str()) || !seen.insert(stem.clone()) {
                return None;
            }
            let weight = if quoted.contains(&stem) {
                QUOTED
            } else if word.starts_with(|c: char| c.is_ascii_digit()) {
                NUMBER
            } else if index > 0 && word.starts_with(char::is_uppercase) {
                CAPITAL
            } else {
                1.0
            };
            Some(Term { word: word.to_owned(), stem, weight })
        });
        Self(terms.collect())
    }

    /// Share of the terms' weight that the text contains, from 0 to 1.
    pub fn coverage(&self, text: &str) -> f64 {
        let total: f64 = self.0.iter().map(|term| term.weight).sum();
        if total > 0.0 { self.matched(&stems(text).collect()) / total } else { 0.0 }
    }

    /// Weight of what matches, less for a text that mostly speaks of something else.
    pub fn relevance(&self, text: &str) -> f64 {
        let in_text: HashSet<String> = words(text)
            .filter(|word| !STOP_WORDS.contains(&word.to_lowercase().as_str()))
            .map(stem)
            .collect();
        let hits = self.0.iter().filter(|term| in_text.contains(&term.stem)).count();
        let precision = hits as f64 / in_text.len().max(1) as f64;
        self.matched(&in_text) * (0.4 + 0.6 * precision)
    }

    fn matched(&self, in_text: &HashSet<String>) -> f64 {
        self.0.iter().filter(|term| in_text.contains(&term.stem)).map(|term| term.weight).sum()
    }
}

/// Letters and digits, with the marks that hold a number or a name together: `19.99`, `o'clock`, `SKU-1`.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || "'’.-".contains(c)))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

fn stems(text: &str) -> impl Iterator<Item = String> {
    words(text).map(stem)
}

/// Cuts the endings that most often separate an intent's word from a label's: `Lamps`, `notified`, `sorting`.
pub fn stem(word: &str) -> String {
    let lower = word.to_lowercase().replace('’', "'");
    let word = lower.strip_suffix("'s").unwrap_or(&lower);
    for (ending, replacement) in [
        ("ies", "y"),
        ("ied", "y"),
        ("sses", "ss"),
        ("ing", ""),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
        ("e", ""),
    ] {
        if let Some(root) =
            word.strip_suffix(ending).filter(|root| root.chars().count() >= 3 && !root.ends_with('s'))
        {
            return format!("{root}{replacement}");
        }
    }
    word.to_owned()
}

/// Texts in double or single quotes, straight or curly. A single quote inside a word is an apostrophe.
pub fn quoted_phrases(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut phrases = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let close = match chars[at] {
            '"' => '"',
            '“' => '”',
            '‘' => '’',
            '\'' => '\'',
            _ => {
                at += 1;
                continue;
            }
        };
        let opens_word = at == 0 || !chars[at - 1].is_alphanumeric();
        let ends = |end: &usize| {
            chars[*end] == close
                && !chars.get(end + 1).is_some_and(|after| close != '"' && after.is_alphanumeric())
        };
        match (at + 1..chars.len()).find(ends).filter(|_| opens_word) {
            Some(end) => {
                phrases.push(chars[at + 1..end].iter().collect::<String>().trim().to_owned());
                at = end + 1;
            }
            None => at += 1,
        }
    }
    phrases.retain(|phrase| !phrase.is_empty());
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_told_from_apostrophes() {
        for (text, expected) in [
            ("open \"Desk Lamp\" now", vec!["Desk Lamp"]),
            ("rename 'Old list' to 'New list'", vec!["Old list", "New list"]),
            ("show Anna's orders and Ben's too", vec![]),
            ("the “Limit ads” switch", vec!["Limit ads"]),
            ("open 'Anna's list'", vec!["Anna's list"]),
            ("an open \" quote", vec![]),
        ] {
            assert_eq!(quoted_phrases(text), expected, "{text}");
        }
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for (one, other) in
            [("lamps", "Lamp"), ("categories", "category"), ("sorted", "sorting"), ("Anna’s", "anna")]
        {
            assert_eq!(stem(one), stem(other));
        }
        for (one, other) in [("address", "add"), ("brass", "bra"), ("price", "prince")] {
            assert_ne!(stem(one), stem(other));
        }
    }

    #[test]
    fn coverage_counts_quoted_words_most() {
        let terms = Terms::of("Find the price of the \"Brass Lamp\"");
        assert!(terms.coverage("Brass Lamp") > 0.8);
        assert!(terms.coverage("Price list") < 0.3);
        assert!(terms.coverage("nothing of it") < f64::EPSILON);
        assert!(terms.relevance("Brass Lamp") > terms.relevance("Brass Lamp with a shade of green glass"));
    }
}
