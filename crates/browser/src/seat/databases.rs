//! Databases (`IndexedDB`) of an origin, in the shape that Playwright's `storageState` gives them.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Defines `readDatabases` and `writeDatabases`.
const SCRIPT: &str = include_str!("databases.js");

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredDatabase {
    pub name: String,
    pub version: u64,
    pub stores: Vec<StoredTable>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// An object store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredTable {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_path_array: Option<Vec<String>>,
    pub auto_increment: bool,
    pub indexes: Vec<StoredIndex>,
    /// `value`, or `valueEncoded` where JSON cannot say it; `key` or `keyEncoded` where the value does not hold the key.
    pub records: Vec<Map<String, Value>>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredIndex {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_path_array: Option<Vec<String>>,
    pub multi_entry: bool,
    pub unique: bool,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What is in it is secret.
impl fmt::Debug for StoredDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "database {} with {} stores", self.name, self.stores.len())
    }
}

impl StoredDatabase {
    /// Every text in its records.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts = Vec::new();
        let records = self.stores.iter().flat_map(|store| &store.records);
        records.flat_map(Map::values).for_each(|value| gather_texts(value, &mut texts));
        texts
    }
}

fn gather_texts<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| gather_texts(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| gather_texts(field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Evaluates to a [`DatabasesRead`].
pub(super) fn reading() -> String {
    format!("(() => {{ {SCRIPT} return readDatabases(); }})()")
}

/// Evaluates to null once all of them are there.
pub(super) fn writing(databases: &[StoredDatabase]) -> String {
    format!("(() => {{ {SCRIPT} return writeDatabases({}); }})()", json!(databases))
}

#[derive(Deserialize)]
pub(super) struct DatabasesRead {
    pub databases: Vec<StoredDatabase>,
    /// Records that the format has no words for.
    pub unkept: Vec<String>,
}
