//! What a person did on the web in a year, one line a deed: the file that agents may look things up in.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, DateTime};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use umpire_model::Digest;

const FORMAT: &str = "%Y-%m-%d %H:%M:%S";

/// A history. The number of an entry is its place in the list, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct History {
    #[serde(rename = "memory_bank")]
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub timestamp: Timestamp,
    #[serde(rename = "type")]
    pub kind: EntryKind,
    /// What was searched, seen, bought, booked or said.
    pub object: String,
    /// A bare host; empty where it is not known.
    #[serde(default)]
    pub website: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EntryKind {
    #[serde(rename = "web search")]
    Search,
    #[serde(rename = "web visit")]
    Visit,
    #[serde(rename = "purchase")]
    Purchase,
    #[serde(rename = "booking")]
    Booking,
    #[serde(rename = "review & rating")]
    Review,
}

impl EntryKind {
    pub const ALL: [Self; 5] = [Self::Search, Self::Visit, Self::Purchase, Self::Booking, Self::Review];

    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "web search",
            Self::Visit => "web visit",
            Self::Purchase => "purchase",
            Self::Booking => "booking",
            Self::Review => "review & rating",
        }
    }

    /// Whether such an entry shows a decision, and not only a look around.
    pub fn is_choice(self) -> bool {
        matches!(self, Self::Purchase | Self::Booking | Self::Review)
    }
}

/// A second of local time, written `2026-03-16 18:04:59`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(DateTime);

impl Timestamp {
    pub fn new(at: DateTime) -> Self {
        Self(at)
    }

    pub fn date(self) -> Date {
        self.0.date()
    }

    pub fn hour(self) -> i8 {
        self.0.hour()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.0;
        write!(f, "{} {:02}:{:02}:{:02}", at.date(), at.hour(), at.minute(), at.second())
    }
}

impl FromStr for Timestamp {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        DateTime::strptime(FORMAT, text.trim())
            .map(Self)
            .map_err(|_| format!("`{text}` is not a time such as 2026-03-16 18:04:59"))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BadHistory {
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("neither a list of entries nor an object with `memory_bank`, `entries`, `memories` or `items`")]
    NoEntries,
    #[error("entry {at}: {problem}")]
    Entry { at: usize, problem: String },
}

impl History {
    /// Reads a history as the released runners write it: a list, or an object that holds one under any of their names.
    pub fn parse(text: &str) -> Result<Self, BadHistory> {
        let value: Value = serde_json::from_str(text)?;
        let lists = ["memory_bank", "entries", "memories", "items"].map(|name| &value[name]);
        let list = std::iter::once(&value).chain(lists).find_map(Value::as_array);
        let entries = list.ok_or(BadHistory::NoEntries)?.iter().enumerate();
        let read = |(at, value): (usize, &Value)| {
            read_entry(value).map_err(|problem| BadHistory::Entry { at, problem })
        };
        Ok(Self { entries: entries.map(read).collect::<Result<_, _>>()? })
    }

    /// The file: one entry a line, so that two of them can be compared by line.
    pub fn to_json(&self) -> String {
        let lines: Vec<String> =
            self.entries.iter().map(|entry| serde_json::to_string(entry).unwrap_or_default()).collect();
        format!("{{\"memory_bank\":[\n{}\n]}}\n", lines.join(",\n"))
    }

    pub fn digest(&self) -> Digest {
        Digest::of(self.to_json().as_bytes())
    }
}

fn read_entry(value: &Value) -> Result<Entry, String> {
    let text = |names: &[&str]| names.iter().find_map(|name| value[*name].as_str());
    let kind = text(&["type", "category"]).ok_or("no `type`")?;
    let object = text(&["object", "value", "content", "text"]).ok_or("no `object`")?;
    let known = || EntryKind::ALL.map(EntryKind::name).join(", ");
    Ok(Entry {
        timestamp: text(&["timestamp"]).ok_or("no `timestamp`")?.parse()?,
        kind: EntryKind::ALL
            .into_iter()
            .find(|known| known.name() == kind)
            .ok_or_else(|| format!("`{kind}` is no type of entry; there are {}", known()))?,
        object: object.to_owned(),
        website: text(&["website"]).unwrap_or_default().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str =
        r#"{"timestamp":"2026-01-02 08:00:01","type":"web visit","object":"Oat drink","website":"a.b"}"#;

    #[test]
    fn every_released_shape_is_read() {
        for text in [
            format!("[{ENTRY}]"),
            format!(r#"{{"memory_bank":[{ENTRY}]}}"#),
            format!(r#"{{"items":[{ENTRY}]}}"#),
            format!("[{}]", ENTRY.replace("\"type\"", "\"category\"").replace("\"object\"", "\"content\"")),
        ] {
            let history = History::parse(&text).expect(&text);
            assert_eq!(history.entries.len(), 1, "{text}");
            assert_eq!(serde_json::to_string(&history.entries[0]).expect("json"), ENTRY);
            assert_eq!(History::parse(&history.to_json()).expect("its own file"), history);
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_place() {
        for (text, problem) in [
            ("{".to_owned(), "not JSON"),
            ("{}".to_owned(), "neither a list"),
            (format!("[{ENTRY},{{}}]"), "entry 1: no `type`"),
            (
                format!("[{}]", ENTRY.replace("visit", "stroll")),
                "`web stroll` is no type of entry; there are web search",
            ),
            (
                format!("[{}]", ENTRY.replace("08:00", "25:00")),
                "entry 0: `2026-01-02 25:00:01` is not a time",
            ),
        ] {
            let error = History::parse(&text).expect_err(&text).to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}
