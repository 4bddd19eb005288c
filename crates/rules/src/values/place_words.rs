//! The words of addresses and of names of places, with accents, case, punctuation and usual abbreviations made one:
//! `5000 Forbes Ave.` and `5000 Forbes Avenue`, `St. Mary's` and `Saint Marys`.
//!
//! Words are compared whole. Similar letters are not enough: Harvard is not Howard, and East is not West.

use super::folding::{caseless, plain, unaccented};

/// Longer texts are pages, not places.
const LONGEST: usize = 1000;

/// None if there is no word in it.
pub(super) fn read(text: &str) -> Option<Vec<String>> {
    if text.len() > LONGEST {
        return None;
    }
    let text = unaccented(&caseless(&plain(text)));
    // Apostrophes and the points of `U.S.` and `Ph.D.` hold a word together; everything else between words parts them.
    let words: Vec<String> = text
        .replace('&', " and ")
        .replace(['\'', '`', '.'], "")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| shortest(word).to_owned())
        .collect();
    (!words.is_empty()).then_some(words)
}

fn shortest(word: &str) -> &str {
    ABBREVIATIONS.iter().find(|(_, long)| long.contains(&word)).map_or(word, |(short, _)| short)
}

/// A short form with the forms it stands for. `st` is street and saint, `dr` drive and doctor: where a word stands tells
/// a reader which, and no two places differ in that alone.
const ABBREVIATIONS: &[(&str, &[&str])] = &[
    ("apt", &["apartment"]),
    ("ave", &["avenue", "av"]),
    ("bldg", &["building"]),
    ("blvd", &["boulevard", "blv"]),
    ("cir", &["circle"]),
    ("ctr", &["center", "centre", "cntr"]),
    ("ct", &["court"]),
    ("dept", &["department"]),
    ("dr", &["drive", "doctor"]),
    ("e", &["east"]),
    ("expy", &["expressway", "expwy"]),
    ("fl", &["floor"]),
    ("ft", &["fort"]),
    ("hts", &["heights"]),
    ("hwy", &["highway"]),
    ("intl", &["international"]),
    ("ln", &["lane"]),
    ("mt", &["mount", "mountain", "mtn"]),
    ("n", &["north"]),
    ("ne", &["northeast"]),
    ("nw", &["northwest"]),
    ("pkwy", &["parkway", "pky"]),
    ("pl", &["place"]),
    ("plz", &["plaza"]),
    ("rd", &["road"]),
    ("rte", &["route"]),
    ("s", &["south"]),
    ("se", &["southeast"]),
    ("sq", &["square"]),
    ("st", &["street", "saint", "str"]),
    ("ste", &["suite"]),
    ("sw", &["southwest"]),
    ("ter", &["terrace"]),
    ("tpke", &["turnpike"]),
    ("univ", &["university"]),
    ("w", &["west"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (text, expected) in [
            ("5000 Forbes Ave.", "5000 forbes ave"),
            ("5000 forbes AVENUE,", "5000 forbes ave"),
            ("St. Mary’s Univ.", "st marys univ"),
            ("Saint Mary's University", "st marys univ"),
            ("De Fer Coffee & Tea", "de fer coffee and tea"),
            ("Zürich – Flughafen", "zurich flughafen"),
            ("U.S. Route 30", "us rte 30"),
            ("東京タワー", "東京タワー"),
        ] {
            assert_eq!(read(text).map(|words| words.join(" ")).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(read("!!!"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn every_long_form_has_one_short_form() {
        let all: Vec<&str> = ABBREVIATIONS
            .iter()
            .flat_map(|(short, long)| std::iter::once(*short).chain(long.iter().copied()))
            .collect();
        let mut unique = all.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(all.len(), unique.len());
    }
}
