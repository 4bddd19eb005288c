use std::collections::HashMap;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use umpire_model::Digest;

use super::word_pieces::{cleaned, words};

/// Tokens with a meaning of their own. Written out in a text they mean the same.
const SPECIAL: [&str; 5] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
/// Longer words are unknown as a whole.
const LONGEST_WORD: usize = 100;
/// Marks a piece that goes on with a word.
const WITHIN: &str = "##";

/// The word pieces of a BERT that knows no capitals.
pub(super) struct Vocabulary {
    ids: FxHashMap<String, u32>,
    special: [u32; SPECIAL.len()],
}

#[derive(Deserialize)]
struct TokenizerFile {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    #[serde(rename = "type")]
    kind: Option<String>,
    vocab: HashMap<String, u32>,
}

impl Vocabulary {
    /// Reads a `tokenizer.json`.
    pub(super) fn of_json(content: &[u8]) -> Result<Self, String> {
        let file: TokenizerFile = serde_json::from_slice(content).map_err(|error| error.to_string())?;
        match file.model.kind.as_deref() {
            None | Some("WordPiece") => Self::of(file.model.vocab.into_iter().collect()),
            Some(other) => Err(format!("its model is {other}, not WordPiece")),
        }
    }

    /// Reads a `vocab.txt`: a token a line, in the order of their ids.
    pub(super) fn of_lines(content: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(content).map_err(|error| error.to_string())?;
        Self::of(text.lines().map(str::to_owned).zip(0..).collect())
    }

    fn of(ids: FxHashMap<String, u32>) -> Result<Self, String> {
        let mut special = [0; SPECIAL.len()];
        for (id, token) in special.iter_mut().zip(SPECIAL) {
            *id = *ids.get(token).ok_or_else(|| format!("it has no token {token}"))?;
        }
        Ok(Self { ids, special })
    }

    /// Itself, if its tokens are the rows of a table of `size`.
    pub(super) fn fitting(self, size: usize) -> Result<Self, String> {
        let highest = self.ids.values().copied().max().unwrap_or(0) as usize;
        if self.ids.len() == size && highest + 1 == size {
            return Ok(self);
        }
        Err(format!("it has {} tokens up to {highest}; the weights have {size}", self.ids.len()))
    }

    pub(super) fn digest(&self) -> Digest {
        let mut tokens: Vec<(&String, &u32)> = self.ids.iter().collect();
        tokens.sort_by_key(|(_, id)| **id);
        Digest::of_json(&tokens)
    }

    /// At most `most` tokens, the opening and the closing one included.
    pub(super) fn tokens(&self, text: &str, most: usize) -> Vec<u32> {
        let [_, unknown, opening, closing, _] = self.special;
        let mut tokens = vec![opening];
        let mut rest = text;
        while !rest.is_empty() && tokens.len() < most {
            let next = SPECIAL
                .iter()
                .zip(self.special)
                .filter_map(|(token, id)| Some((rest.find(token)?, token, id)));
            let next = next.min_by_key(|(at, ..)| *at);
            let plain = next.map_or(rest, |(at, ..)| &rest[..at]);
            for word in words(&cleaned(plain)) {
                self.add_pieces(word, unknown, &mut tokens);
            }
            rest = match next {
                Some((at, token, id)) => {
                    tokens.push(id);
                    &rest[at + token.len()..]
                }
                None => "",
            };
        }
        tokens.truncate(most.saturating_sub(1));
        tokens.push(closing);
        tokens
    }

    /// The longest piece that the word begins with, and so on; unknown if that does not come to its end.
    fn add_pieces(&self, word: &str, unknown: u32, tokens: &mut Vec<u32>) {
        let before = tokens.len();
        let mut rest = word;
        let mut piece = String::new();
        while !rest.is_empty() {
            let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
            let found = ends.into_iter().find_map(|end| {
                piece.clear();
                piece.push_str(if rest.len() < word.len() { WITHIN } else { "" });
                piece.push_str(&rest[..end]);
                Some((end, *self.ids.get(&piece)?))
            });
            match found {
                Some((end, id)) if word.chars().nth(LONGEST_WORD).is_none() => {
                    tokens.push(id);
                    rest = &rest[end..];
                }
                _ => {
                    tokens.truncate(before);
                    tokens.push(unknown);
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let tokens = "[PAD] [UNK] [CLS] [SEP] [MASK] un ##aff ##able ##a aff , ! milk ##milk 東 cafe";
        Vocabulary::of_lines(tokens.replace(' ', "\n").as_bytes()).expect("a vocabulary")
    }

    #[test]
    fn words_become_the_longest_pieces() {
        for (text, wanted) in [
            ("unaffable", &[5, 6, 7][..]),
            ("UNAFFABLE, milk!", &[5, 6, 7, 10, 12, 11]),
            ("unmilk milkmilk", &[5, 13, 12, 13]),
            ("affx", &[1]),
            ("able", &[1]),
            ("東milk京", &[14, 12, 1]),
            ("Café\u{0} cafe\u{301}", &[15, 15]),
            ("milk [SEP]milk[MASK] [sep]", &[12, 3, 12, 4, 1, 1, 1]),
            ("", &[]),
            (" \t\n", &[]),
        ] {
            let tokens = vocabulary().tokens(text, 99);
            assert_eq!(tokens[1..tokens.len() - 1], *wanted, "{text}");
            assert_eq!((tokens[0], tokens[tokens.len() - 1]), (2, 3));
        }
    }

    #[test]
    fn words_of_more_than_a_hundred_characters_are_unknown() {
        let (word, longer) = (format!("un{}", "a".repeat(98)), format!("un{}", "a".repeat(99)));
        assert_eq!(vocabulary().tokens(&word, 256).len(), 101);
        assert_eq!(vocabulary().tokens(&longer, 256), [2, 1, 3]);
    }

    #[test]
    fn long_texts_are_cut_and_closed() {
        let text = "milk ".repeat(10) + "[MASK]";
        assert_eq!(vocabulary().tokens(&text, 5), [2, 12, 12, 12, 3]);
        assert_eq!(vocabulary().tokens(&text, 13).len(), 13);
        assert_eq!(vocabulary().tokens(&text, 13)[10..], [12, 4, 3]);
    }

    #[test]
    fn both_files_give_the_same() {
        let json = br###"{"model": {"type": "WordPiece", "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "##a": 5}}}"###;
        let lines = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n##a\n";
        let (json, lines) = (Vocabulary::of_json(json), Vocabulary::of_lines(lines));
        let (json, lines) = (json.expect("a vocabulary"), lines.expect("a vocabulary"));
        assert_eq!(json.digest(), lines.digest());
        assert_ne!(json.digest(), vocabulary().digest());
        assert!(json.fitting(6).is_ok());
        let problem = lines.fitting(7).map(|_| ()).expect_err("too small");
        assert_eq!(problem, "it has 6 tokens up to 5; the weights have 7");
    }

    #[test]
    fn what_is_no_vocabulary_is_said_to_be_none() {
        for (content, said) in [
            (&br#"{"model": {"type": "BPE", "vocab": {}}}"#[..], "its model is BPE, not WordPiece"),
            (br#"{"model": {"vocab": {"[PAD]": 0}}}"#, "it has no token [UNK]"),
            (br#"{"model": {}}"#, "missing field `vocab`"),
        ] {
            let problem = Vocabulary::of_json(content).map(|_| ()).expect_err(said);
            assert!(problem.contains(said), "{problem}");
        }
        assert!(Vocabulary::of_lines(b"\xff").is_err());
    }
}
