use rustc_hash::FxHashMap;

use crate::words::words;

/// The two settings of BM25.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25 {
    /// How soon more of the same word stops counting.
    pub k1: f32,
    /// How far long texts are held to their length, from 0 to 1.
    pub b: f32,
}

impl Default for Bm25 {
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

/// Finds texts by the words they share with a query.
#[derive(Clone, Debug)]
pub struct Lexical {
    settings: Bm25,
    /// How often each word occurs in which texts.
    occurrences: FxHashMap<String, Vec<(usize, f32)>>,
    /// What the length of a text does to it: `k1 (1 - b + b · length / mean)`.
    damping: Vec<f32>,
}

impl Lexical {
    pub fn of<T: AsRef<str>>(texts: &[T], settings: Bm25) -> Self {
        let mut occurrences: FxHashMap<String, Vec<(usize, f32)>> = FxHashMap::default();
        let mut lengths = Vec::with_capacity(texts.len());
        for (id, text) in texts.iter().enumerate() {
            let words = words(text.as_ref());
            lengths.push(words.len() as f32);
            for word in words {
                let places = occurrences.entry(word).or_default();
                match places.last_mut() {
                    Some((last, count)) if *last == id => *count += 1.0,
                    _ => places.push((id, 1.0)),
                }
            }
        }
        let mean = (lengths.iter().sum::<f32>() / lengths.len() as f32).max(1.0);
        let Bm25 { k1, b } = settings;
        let damping = lengths.into_iter().map(|length| k1 * (1.0 - b + b * length / mean)).collect();
        Self { settings, occurrences, damping }
    }

    /// The BM25 score of every text.
    pub fn scores(&self, query: &str) -> Vec<f32> {
        self.weigh(query).0
    }

    /// The scores as a share of what the query could score at most: near 1 for a text that says all its words over and
    /// over, 0 for one that says none of them. Words that no text has count as missed. Unlike the bare scores, shares of
    /// different queries and banks can be held against one threshold.
    pub fn shares(&self, query: &str) -> Vec<f32> {
        let (mut scores, most) = self.weigh(query);
        for score in &mut scores {
            *score /= most.max(f32::MIN_POSITIVE);
        }
        scores
    }

    fn weigh(&self, query: &str) -> (Vec<f32>, f32) {
        let mut scores = vec![0.0; self.damping.len()];
        let mut most = 0.0;
        let mut asked = words(query);
        asked.sort_unstable();
        asked.dedup();
        for word in asked {
            let places = self.occurrences.get(&word).map_or(&[][..], Vec::as_slice);
            let weight = self.rarity(places.len()) * (self.settings.k1 + 1.0);
            most += weight;
            for (id, count) in places {
                scores[*id] += weight * count / (count + self.damping[*id]);
            }
        }
        (scores, most)
    }

    /// `ln(1 + (n - m + ½) / (m + ½))` for a word of `m` texts among `n`, which is above 0 also for words of most texts.
    fn rarity(&self, texts: usize) -> f32 {
        let (all, having) = (self.damping.len() as f32, texts as f32);
        ((all - having + 0.5) / (having + 0.5)).ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 3] = ["red apple red", "green apple", "blue sky over the sea"];

    /// By hand: 3 texts of 3, 2 and 5 words, mean 10/3. `red` is in one text: ln(1 + 2.5/1.5) = 0.980829. `apple` in two:
    /// ln(1 + 1.5/2.5) = 0.470004. Damping of the first text 1.2 (0.25 + 0.75 · 0.9) = 1.11, of the second
    /// 1.2 (0.25 + 0.75 · 0.6) = 0.84.
    #[test]
    fn scores_are_those_of_the_formula() {
        let lexical = Lexical::of(&TEXTS, Bm25::default());
        let first = 0.980_829 * 2.2 * 2.0 / 3.11 + 0.470_004 * 2.2 / 2.11;
        let second = 0.470_004 * 2.2 / 1.84;
        let found = lexical.scores("Apple, red apple!");
        for (found, wanted) in found.iter().zip([first, second, 0.0]) {
            assert!((found - wanted).abs() < 1e-5, "{found} for {wanted}");
        }
        let most = (0.980_829 + 0.470_004) * 2.2;
        assert!((lexical.shares("red apple")[0] - first / most).abs() < 1e-5);
    }

    #[test]
    fn settings_do_what_they_say() {
        let flat = Lexical::of(&TEXTS, Bm25 { k1: 0.0, b: 0.0 }).scores("red apple");
        // Without k1 a word counts once, and length does not matter.
        assert!((flat[0] - 1.450_833).abs() < 1e-5 && (flat[1] - 0.470_004).abs() < 1e-5, "{flat:?}");
        let long = Lexical::of(&TEXTS, Bm25 { k1: 1.2, b: 0.0 }).scores("apple");
        assert!((long[0] - long[1]).abs() < 1e-6, "length does not matter: {long:?}");
    }

    #[test]
    fn shares_stay_between_nothing_and_all() {
        let lexical = Lexical::of(&TEXTS, Bm25::default());
        let whole = lexical.shares("red");
        assert!(whole[0] > 0.5 && whole[0] < 1.0, "{whole:?}");
        // Words that nobody says make a match a smaller part of what was asked.
        assert!(lexical.shares("red submarine")[0] < 0.5);
        assert_eq!(lexical.shares("submarine"), [0.0; 3]);
        assert_eq!(lexical.shares(""), [0.0; 3]);
        assert_eq!(Lexical::of(&[""; 0], Bm25::default()).shares("red"), [0.0; 0]);
    }
}
