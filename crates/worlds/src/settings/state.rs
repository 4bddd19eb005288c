//! What a visitor of a settings-heavy site can change. Nothing here changes on a GET.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::description::{Control, DELETION_REASONS, Description, EXPORT_FORMATS, Kind, Named};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    /// By control id: a boolean, or the id of the chosen option, or text. A boolean means what the id says, also where
    /// the page words it the other way round.
    pub settings: BTreeMap<String, Value>,
    /// Topic id, then channel id.
    pub mail: BTreeMap<String, BTreeMap<String, bool>>,
    /// Whether the cookie banner has been dealt with.
    pub cookies_answered: bool,
    pub sessions: BTreeMap<String, Session>,
    pub tokens: BTreeMap<String, Token>,
    pub apps: BTreeMap<String, App>,
    /// List id, then entry id, then the entry's name.
    pub lists: BTreeMap<String, BTreeMap<String, String>>,
    pub exports: BTreeMap<String, Export>,
    pub deletion: Option<Deletion>,
    /// Counts records made so far, so that ids are never given twice.
    pub sequence: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    pub device: String,
    pub client: String,
    pub city: String,
    /// `2026-03-14 18:20`
    pub last_active: String,
    pub current: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Token {
    pub name: String,
    pub scopes: BTreeSet<String>,
    pub created: String,
    /// Never, if absent.
    pub expires: Option<String>,
    /// Not yet, if absent.
    pub last_used: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct App {
    pub name: String,
    pub permissions: BTreeSet<String>,
    pub connected: String,
    pub last_used: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Export {
    pub parts: BTreeSet<String>,
    pub format: String,
    pub status: ExportStatus,
    pub requested: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ExportStatus {
    Pending,
    Cancelled,
    Expired,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deletion {
    pub reason: String,
    pub scheduled_for: String,
}

impl State {
    /// What serde cannot check: keys of maps, and values that the description restricts.
    pub fn check(&self, description: &Description) -> Result<(), String> {
        let controls: Vec<&Control> = description.controls().map(|(_, _, _, control)| control).collect();
        same_keys("settings", controls.iter().map(|control| control.id), self.settings.keys())?;
        for control in controls {
            if !self.settings.get(control.id).is_some_and(|value| fits(control, value)) {
                return Err(format!("`settings.{}` has a value it cannot have", control.id));
            }
        }
        same_keys("mail", description.mail.topics().map(|(id, _)| id), self.mail.keys())?;
        for (topic, channels) in &self.mail {
            let known = description.mail.channels.iter().map(|(id, _)| *id);
            same_keys(&format!("mail.{topic}"), known, channels.keys())?;
        }
        same_keys("lists", description.lists.iter().map(|list| list.id), self.lists.keys())?;
        for (id, token) in &self.tokens {
            known_members(&format!("tokens.{id}.scopes"), description.tokens.scopes, &token.scopes)?;
        }
        for (id, app) in &self.apps {
            known_members(&format!("apps.{id}.permissions"), description.permissions, &app.permissions)?;
        }
        for (id, export) in &self.exports {
            known_members(&format!("exports.{id}.parts"), description.export_parts, &export.parts)?;
            if !has_id(&EXPORT_FORMATS, &export.format) {
                return Err(format!("`exports.{id}.format` cannot be `{}`", export.format));
            }
        }
        match &self.deletion {
            Some(deletion) if deletion.reason.is_empty() || !has_id(&DELETION_REASONS, &deletion.reason) => {
                Err(format!("`deletion.reason` cannot be `{}`", deletion.reason))
            }
            _ => Ok(()),
        }
    }

    /// A fresh id such as `token-12`.
    pub fn next_id(&mut self, noun: &str) -> String {
        self.sequence = self.sequence.saturating_add(1);
        format!("{noun}-{}", self.sequence)
    }

    pub fn is_on(&self, control: &str) -> bool {
        self.settings.get(control).and_then(Value::as_bool).unwrap_or(false)
    }

    pub fn text(&self, control: &str) -> &str {
        self.settings.get(control).and_then(Value::as_str).unwrap_or_default()
    }

    pub fn list_has(&self, list: &str, entry: &str) -> bool {
        self.lists.get(list).is_some_and(|entries| entries.contains_key(entry))
    }

    pub fn gets_mail(&self, topic: &str, channel: &str) -> bool {
        self.mail.get(topic).and_then(|row| row.get(channel)).copied().unwrap_or(false)
    }

    pub fn has_pending_export(&self) -> bool {
        self.exports.values().any(|export| export.status == ExportStatus::Pending)
    }
}

/// Whether the control can have this value.
pub(super) fn fits(control: &Control, value: &Value) -> bool {
    match control.kind {
        Kind::Toggle { .. } => value.is_boolean(),
        Kind::Choice { options, .. } => value.as_str().is_some_and(|id| has_id(options, id)),
        Kind::Text { longest, .. } => value.as_str().is_some_and(|text| text.chars().count() <= longest),
    }
}

pub(super) fn has_id(table: &[Named], id: &str) -> bool {
    table.iter().any(|(known, _)| *known == id)
}

/// The wording that goes with `id`; the id itself if it has none.
pub(crate) fn label_of<'a>(table: &[(&'a str, &'a str)], id: &'a str) -> &'a str {
    table.iter().find(|(known, _)| *known == id).map_or(id, |(_, label)| label)
}

fn known_members(field: &str, table: &[Named], found: &BTreeSet<String>) -> Result<(), String> {
    match found.iter().find(|id| !has_id(table, id)) {
        Some(stranger) => Err(format!("`{field}` cannot hold `{stranger}`")),
        None => Ok(()),
    }
}

fn same_keys<'a>(
    field: &str,
    known: impl Iterator<Item = &'static str>,
    found: impl Iterator<Item = &'a String>,
) -> Result<(), String> {
    let known: BTreeSet<&str> = known.collect();
    let found: BTreeSet<&str> = found.map(String::as_str).collect();
    if let Some(stranger) = found.difference(&known).next() {
        return Err(format!("`{field}` has no entry `{stranger}`"));
    }
    match known.difference(&found).next() {
        Some(missing) => Err(format!("`{field}` lacks `{missing}`")),
        None => Ok(()),
    }
}
