//! The index: which pages say which words, and how well a page answers a question (BM25).

use std::collections::HashMap;

use super::question::{Question, words_of};
use super::spelling;
use crate::documents::Document;

/// A word of the title counts as often as this many of the text.
const TITLE_WEIGHT: u32 = 4;
/// How soon repeating a word stops helping, and how much long pages are held back.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;
/// What a page is worth more if the question is its very name; no other score comes near.
const NAMED: f64 = 100.0;
const MOST_SUGGESTIONS: usize = 8;

/// A title without the name of its site.
fn name_of(document: &Document) -> &str {
    [" · ", " | ", " — "]
        .iter()
        .fold(document.title.as_str(), |title, mark| title.split(mark).next().unwrap_or(title))
}

pub struct Index {
    documents: Vec<Document>,
    lengths: Vec<u32>,
    mean_length: f64,
    /// Positions of documents, with how often each says the word.
    postings: HashMap<String, Vec<(u32, u32)>>,
}

impl Index {
    pub fn of(documents: Vec<Document>) -> Self {
        let mut postings: HashMap<String, Vec<(u32, u32)>> = HashMap::new();
        let mut lengths = Vec::with_capacity(documents.len());
        let mut add = |word: String, at: u32, weight: u32| {
            let pages = postings.entry(word).or_default();
            match pages.last_mut() {
                Some((last, count)) if *last == at => *count += weight,
                _ => pages.push((at, weight)),
            }
        };
        for (at, document) in documents.iter().enumerate() {
            let at = at as u32;
            let mut length = 0;
            for word in words_of(&document.title) {
                add(word, at, TITLE_WEIGHT);
                length += 1;
            }
            for word in words_of(&document.text) {
                add(word, at, 1);
                length += 1;
            }
            lengths.push(length);
        }
        let total: u64 = lengths.iter().map(|length| u64::from(*length)).sum();
        let mean_length = total as f64 / documents.len().max(1) as f64;
        Self { documents, lengths, mean_length, postings }
    }

    /// The best first. Pages with all words come before pages with some; the latter only if there are none of the
    /// former.
    pub fn find(&self, question: &Question) -> Vec<&Document> {
        let mut scores: HashMap<u32, (usize, f64)> = HashMap::new();
        for word in &question.words {
            let pages = self.postings.get(word).map(Vec::as_slice).unwrap_or_default();
            let rarity = self.rarity(pages.len());
            for (at, count) in pages {
                let score = scores.entry(*at).or_default();
                score.0 += 1;
                score.1 += rarity * self.frequency(*at, *count);
            }
        }
        let mut found: Vec<(usize, f64, u32)> = scores
            .into_iter()
            .filter(|(at, _)| question.admits(&self.documents[*at as usize]))
            .map(|(at, (words, score))| {
                let is_named =
                    words_of(name_of(&self.documents[at as usize])).eq(question.words.iter().cloned());
                (words, if is_named { score + NAMED } else { score }, at)
            })
            .collect();
        let most = found.iter().map(|(words, ..)| *words).max().unwrap_or(0);
        found.retain(|(words, ..)| *words == most);
        found.sort_by(|(_, a, first), (_, b, second)| b.total_cmp(a).then(first.cmp(second)));
        found.into_iter().map(|(.., at)| &self.documents[at as usize]).collect()
    }

    fn rarity(&self, pages: usize) -> f64 {
        let (all, pages) = (self.documents.len() as f64, pages as f64);
        (1.0 + (all - pages + 0.5) / (pages + 0.5)).ln()
    }

    fn frequency(&self, at: u32, count: u32) -> f64 {
        let count = f64::from(count);
        let length = f64::from(self.lengths[at as usize]) / self.mean_length.max(1.0);
        count * (SATURATION + 1.0) / (count + SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length))
    }

    /// The question with unknown words put right, if any is unknown and all can be.
    pub fn corrected(&self, question: &Question) -> Option<String> {
        let unknown = |word: &String| !self.postings.contains_key(word);
        if !question.words.iter().any(unknown) {
            return None;
        }
        let known = |word: &String| {
            if !unknown(word) {
                return Some(word.clone());
            }
            let candidates = self.postings.iter().map(|(known, pages)| (known.as_str(), pages.len()));
            spelling::nearest(word, candidates).map(str::to_owned)
        };
        let words: Option<Vec<String>> = question.words.iter().map(known).collect();
        words.map(|words| words.join(" "))
    }

    /// Titles that begin like what was typed.
    pub fn suggestions(&self, typed: &str) -> Vec<String> {
        let typed = typed.trim().to_lowercase();
        if typed.len() < 2 {
            return Vec::new();
        }
        let names = self.documents.iter().map(|document| name_of(document).to_lowercase());
        let mut titles: Vec<String> = names.filter(|title| title.starts_with(&typed)).take(200).collect();
        titles.sort_by_key(|title| (title.len(), title.clone()));
        titles.dedup();
        titles.truncate(MOST_SUGGESTIONS);
        titles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::Kind;
    use crate::kit::visitor::request;

    fn index() -> Index {
        let page = |path: &str, title: &str, text: &str, kind| {
            Document::new("shop.localhost", path.to_owned(), title.to_owned(), text.to_owned(), kind)
        };
        Index::of(vec![
            page("/1", "Brass lamp", "A lamp of brass.", Kind::Product),
            page("/2", "Lamp oil", "Oil for any lamp, in a tin with a lid and a label.", Kind::Product),
            page("/3", "A history of brass", "Brass is an alloy.", Kind::Article),
            page("/4", "Chair", "For sitting.", Kind::Product),
        ])
    }

    fn ask(target: &str) -> Vec<String> {
        let question = Question::of(&request("GET", "search.localhost", target, "", ""));
        index().find(&question).iter().map(|document| document.path.clone()).collect()
    }

    #[test]
    fn the_best_answer_comes_first() {
        for (target, paths) in [
            ("/?q=brass+lamp", vec!["/1"]),
            ("/?q=lamps", vec!["/1", "/2"]),
            ("/?q=a+history+of+brass", vec!["/3"]),
            ("/?q=brass&tab=articles", vec!["/3"]),
            ("/?q=brass+zebra", vec!["/1", "/3"]),
            ("/?q=lamp+site:forum", vec![]),
            ("/?q=chair+site:shop.localhost", vec!["/4"]),
            ("/?q=", vec![]),
        ] {
            assert_eq!(ask(target), paths, "{target}");
        }
    }

    #[test]
    fn misspelled_words_are_put_right() {
        let corrected = |target: &str| index().corrected(&Question::of(&request("GET", "s", target, "", "")));
        assert_eq!(corrected("/?q=bross+lmap").as_deref(), Some("brass lamp"));
        assert_eq!(corrected("/?q=brass+lamp"), None);
        assert_eq!(corrected("/?q=xylophone"), None);
    }

    #[test]
    fn suggestions_begin_like_what_was_typed() {
        assert_eq!(index().suggestions("la"), ["lamp oil"]);
        assert!(index().suggestions("l").is_empty());
    }
}
