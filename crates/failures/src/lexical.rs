//! Words of reasons, and vectors made of them where no embedding model is there.

use std::collections::{BTreeMap, BTreeSet};

/// Words that say nothing about what went wrong.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "again", "agent", "all", "also", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "but", "by", "can", "could", "did", "do", "does", "doing", "done",
    "down", "for", "from", "get", "got", "had", "has", "have", "he", "her", "here", "his", "how", "i", "if",
    "in", "instead", "into", "is", "it", "its", "just", "me", "more", "most", "my", "no", "not", "now", "of",
    "on", "once", "only", "or", "other", "our", "out", "over", "own", "same", "she", "should", "so", "some",
    "such", "task", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "too", "up", "very", "was", "we", "were", "what", "when", "where", "which", "while",
    "who", "why", "will", "with", "would", "you", "your", "never", "step",
];

/// Words in the form in which they are compared: lower-case, with the commonest English endings taken off, so that
/// `clicked` and `clicks` are one.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 1 && !STOP_WORDS.contains(&word.as_str()))
        .filter(|word| word.chars().any(char::is_alphabetic))
        .map(|word| stem(&word))
        .collect()
}

fn stem(word: &str) -> String {
    let keep = |rest: &str| rest.chars().count() >= 4;
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.chars().count() >= 2) {
        return format!("{rest}y");
    }
    for ending in ["ing", "ed", "es", "s"] {
        if let Some(rest) = word.strip_suffix(ending)
            && keep(rest)
            && !(ending == "s" && rest.ends_with('s'))
        {
            // `clos-ed` and `clos-es` meet `close` below.
            return rest.strip_suffix('e').filter(|short| keep(short)).unwrap_or(rest).to_owned();
        }
    }
    word.strip_suffix('e').filter(|rest| keep(rest)).map_or(word.to_owned(), str::to_owned)
}

/// One vector a text, by words and pairs of words: how often, times `ln((1 + n) / (1 + texts with it)) + 1`, at unit
/// length. A text without a word that another text has too has no direction: `None`.
pub fn lexical_vectors<T: AsRef<str>>(texts: &[T]) -> Vec<Option<Vec<f32>>> {
    let terms: Vec<BTreeMap<String, f32>> = texts.iter().map(|text| terms_of(text.as_ref())).collect();
    let mut having: BTreeMap<&str, usize> = BTreeMap::new();
    for term in terms.iter().flat_map(BTreeMap::keys) {
        *having.entry(term).or_default() += 1;
    }
    let shared: BTreeSet<&str> =
        having.iter().filter(|(_, count)| **count > 1).map(|(term, _)| *term).collect();
    let place: BTreeMap<&str, usize> = shared.iter().enumerate().map(|(at, term)| (*term, at)).collect();
    let vector = |terms: &BTreeMap<String, f32>| {
        let mut vector = vec![0.0_f32; place.len()];
        for (term, count) in terms {
            if let Some(at) = place.get(term.as_str()) {
                let rarity = ((1.0 + texts.len() as f32) / (1.0 + having[term.as_str()] as f32)).ln() + 1.0;
                vector[*at] = count.sqrt() * rarity;
            }
        }
        to_unit(vector)
    };
    terms.iter().map(vector).collect()
}

fn terms_of(text: &str) -> BTreeMap<String, f32> {
    let words = words(text);
    let mut terms: BTreeMap<String, f32> = BTreeMap::new();
    for word in &words {
        *terms.entry(word.clone()).or_default() += 1.0;
    }
    for two in words.windows(2) {
        *terms.entry(format!("{} {}", two[0], two[1])).or_default() += 0.5;
    }
    terms
}

pub(crate) fn to_unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if !length.is_finite() || length <= 0.0 {
        return None;
    }
    for value in &mut vector {
        *value /= length;
    }
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one() {
        for (text, wanted) in [
            ("Clicked, clicks and clicking", &["click", "click", "click"][..]),
            ("closed the banners; closes a banner", &["clos", "banner", "clos", "banner"]),
            ("It was stuck on the captcha.", &["stuck", "captcha"]),
            ("process 42 tries", &["process", "try"]),
        ] {
            assert_eq!(words(text), wanted, "{text}");
        }
    }

    #[test]
    fn texts_that_share_words_point_the_same_way() {
        let texts = [
            "the cookie banner stayed open",
            "never closed the cookie banner",
            "typed a wrong address",
            "xyzzy",
        ];
        let vectors = lexical_vectors(&texts);
        let cosine = |one: usize, other: usize| -> f32 {
            let (one, other) =
                (vectors[one].as_ref().expect("words"), vectors[other].as_ref().expect("words"));
            one.iter().zip(other).map(|(x, y)| x * y).sum()
        };
        assert!(cosine(0, 1) > 0.9, "all that others have too is shared");
        assert_eq!((vectors[2].is_none(), vectors[3].is_none()), (true, true), "nobody else speaks of it");
    }
}
