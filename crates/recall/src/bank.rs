use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use umpire_model::Digest;

/// One thing that somebody did: a line of a history.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    #[serde(default)]
    pub timestamp: String,
    #[serde(rename = "type", alias = "category", default = "unknown")]
    pub kind: String,
    #[serde(alias = "value", alias = "content", alias = "text")]
    pub object: String,
    #[serde(default)]
    pub website: String,
}

fn unknown() -> String {
    "unknown".to_owned()
}

/// As whoever asks is shown it: `[2025-03-04 18:20:11] purchase: Oat milk, fennelrye.localhost`.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { timestamp, kind, object, website } = self;
        write!(f, "[{timestamp}] {kind}: {object}")?;
        if website.is_empty() { Ok(()) } else { write!(f, ", {website}") }
    }
}

/// Entries, known by their place from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bank {
    entries: Vec<Entry>,
}

#[derive(Debug, Error)]
pub enum BankError {
    #[error("{}: {error}", path.display())]
    Unreadable { path: PathBuf, error: std::io::Error },
    #[error("{}: {problem}", path.display())]
    Malformed { path: PathBuf, problem: String },
}

/// A list under one of the names that files of the field give it.
#[derive(Deserialize)]
struct Named {
    #[serde(alias = "entries", alias = "memories", alias = "items")]
    memory_bank: Vec<Entry>,
}

impl Bank {
    pub fn new(entries: Vec<Entry>) -> Self {
        Self { entries }
    }

    /// Texts that are nothing but themselves, to be indexed by [`Keys::Object`](crate::Keys::Object).
    pub fn of_texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        let entry = |text: T| Entry { object: text.into(), ..Entry::default() };
        Self { entries: texts.into_iter().map(entry).collect() }
    }

    pub fn read(path: &Path) -> Result<Self, BankError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| BankError::Unreadable { path: path.to_owned(), error })?;
        Self::parse(&text).map_err(|problem| BankError::Malformed { path: path.to_owned(), problem })
    }

    /// Reads `{"memory_bank": [{"timestamp", "type", "object", "website"}, …]}`, or the list alone.
    pub fn parse(text: &str) -> Result<Self, String> {
        // Which of the forms it is shows in the first character; read as that form, a mistake has a place to be named.
        let entries = if text.trim_start().starts_with('[') {
            serde_json::from_str::<Vec<Entry>>(text)
        } else {
            serde_json::from_str::<Named>(text).map(|named| named.memory_bank)
        };
        entries.map(Self::new).map_err(|error| error.to_string())
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn digest(&self) -> Digest {
        Digest::of_json(&self.entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_come_in_several_forms() {
        let entry = r#"{"timestamp": "2024-08-11 01:28:43", "type": "purchase", "object": "oat milk", "website": "basketway.com"}"#;
        let forms = [
            format!(r#"{{"memory_bank": [{entry}]}}"#),
            format!(" [{entry}]"),
            format!(r#"{{"items": [{}]}}"#, entry.replace("type", "category").replace("object", "text")),
        ];
        for form in forms {
            let bank = Bank::parse(&form).expect(&form);
            let [found] = bank.entries() else { panic!("{form}") };
            assert_eq!((found.kind.as_str(), found.object.as_str()), ("purchase", "oat milk"));
            assert_eq!(found.website, "basketway.com");
        }
        let bare = Bank::parse(r#"[{"object": "oat milk"}]"#).expect("an object is enough");
        assert_eq!((bare.entries()[0].kind.as_str(), bare.entries()[0].website.as_str()), ("unknown", ""));
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        for (text, said) in [
            (r#"[{"type": "purchase"}]"#, "missing field `object` at line 1 column 21"),
            (r#"{"bank": []}"#, "missing field `memory_bank`"),
            ("", "EOF"),
            ("[1]", "line 1 column 2"),
        ] {
            let problem = Bank::parse(text).expect_err(text);
            assert!(problem.contains(said), "{text}: {problem}");
        }
    }

    #[test]
    fn the_digest_changes_with_any_field() {
        let entry =
            Entry { timestamp: "1".into(), kind: "2".into(), object: "3".into(), website: "4".into() };
        let digest = Bank::new(vec![entry.clone()]).digest();
        assert_eq!(Bank::new(vec![entry.clone()]).digest(), digest);
        let change: [fn(&mut Entry); 4] = [
            |entry| entry.timestamp.push('!'),
            |entry| entry.kind.push('!'),
            |entry| entry.object.push('!'),
            |entry| entry.website.push('!'),
        ];
        for change in change {
            let mut other = entry.clone();
            change(&mut other);
            assert_ne!(Bank::new(vec![other]).digest(), digest);
        }
        assert_ne!(Bank::new(vec![entry.clone(), entry]).digest(), digest);
    }
}
