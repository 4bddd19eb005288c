//! What a visitor of the hub can change. Nothing here changes on a GET.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::settings;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub signed_in: bool,
    /// Every browser signs in for itself and gets a session with a cookie; `signed_in` then says nothing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub signs_in_by_cookie: bool,
    pub profile: Profile,
    pub security: Security,
    pub sessions: BTreeMap<String, Session>,
    /// By setting id; true always means that data flows, also where the page words it the other way round.
    pub privacy: BTreeMap<String, bool>,
    pub ads: Ads,
    /// Topic id, then channel id.
    pub communication: BTreeMap<String, BTreeMap<String, bool>>,
    pub exports: BTreeMap<String, Export>,
    pub tokens: BTreeMap<String, Token>,
    pub apps: BTreeMap<String, App>,
    pub appearance: Appearance,
    pub consent: Consent,
    pub deletion: Option<Deletion>,
    /// What happened since the world was created, oldest first; the log shows it above the seeded history.
    pub activity: BTreeMap<String, LogEntry>,
    /// Counts records made so far, so that ids are never given twice.
    pub sequence: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Profile {
    pub display_name: String,
    pub pronouns: String,
    pub birthday: String,
    pub city: String,
    pub language: String,
    pub bio: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Security {
    /// Fingerprint of the password; the password itself is nowhere in the world.
    pub password: String,
    pub password_changed: String,
    pub two_factor: TwoFactor,
    pub recovery: BTreeMap<String, Recovery>,
    pub passkeys: BTreeMap<String, Passkey>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TwoFactor {
    Off,
    App,
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RecoveryKind {
    Email,
    Phone,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recovery {
    pub kind: RecoveryKind,
    pub address: String,
    pub added: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Passkey {
    pub name: String,
    pub created: String,
    pub last_used: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Session {
    pub device: String,
    pub client: String,
    pub city: String,
    pub country: String,
    pub address: String,
    pub first_seen: String,
    /// `2026-03-14 18:20`
    pub last_active: String,
    pub current: bool,
    /// Fingerprint of the cookie of a browser that signed in by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cookie: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ads {
    pub personalisation: Personalisation,
    pub sensitive: SensitiveAds,
    pub partner_data: bool,
    pub purchase_measurement: bool,
    /// Topic, and why it is there.
    pub topics: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Personalisation {
    Activity,
    Page,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SensitiveAds {
    Allow,
    Fewer,
    Block,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Export {
    pub parts: BTreeSet<String>,
    pub format: String,
    pub delivery: String,
    pub status: ExportStatus,
    pub requested: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ExportStatus {
    Pending,
    Cancelled,
    Expired,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Token {
    pub name: String,
    pub scopes: BTreeSet<String>,
    pub created: String,
    /// Never, if absent.
    pub expires: Option<String>,
    /// Not yet, if absent.
    pub last_used: Option<String>,
    /// The last four characters, all the hub remembers of the secret.
    pub ending: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct App {
    pub name: String,
    pub publisher: String,
    pub permissions: BTreeSet<String>,
    pub connected: String,
    pub last_used: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a toggle of its own on the page")]
pub(super) struct Appearance {
    pub theme: Theme,
    /// Percent of the browser's size.
    pub text_size: u32,
    pub reduce_motion: bool,
    pub underline_links: bool,
    pub compact_lists: bool,
    pub autoplay_previews: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Theme {
    System,
    Light,
    Dark,
    Sepia,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Consent {
    pub answered: bool,
    pub purposes: BTreeMap<String, bool>,
    pub receipt: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Deletion {
    pub reason: String,
    pub scheduled_for: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LogEntry {
    /// `2026-03-14 18:20`
    pub at: String,
    /// Id of a [`settings::LOG_KINDS`] entry.
    pub kind: String,
    pub detail: String,
    pub place: String,
}

impl State {
    /// Ids that serde cannot check, because they are keys of maps or members of sets.
    pub fn check(&self) -> Result<(), String> {
        let known: BTreeSet<&str> = settings::PRIVACY.iter().map(|setting| setting.id).collect();
        same_keys("privacy", &known, self.privacy.keys())?;
        let known: BTreeSet<&str> = settings::PURPOSES.iter().map(|(id, _, _)| *id).collect();
        same_keys("consent.purposes", &known, self.consent.purposes.keys())?;
        let known: BTreeSet<&str> = settings::MAIL_TOPICS.iter().map(|(id, _)| *id).collect();
        same_keys("communication", &known, self.communication.keys())?;
        let known: BTreeSet<&str> = settings::CHANNELS.iter().map(|(id, _)| *id).collect();
        for (topic, channels) in &self.communication {
            same_keys(&format!("communication.{topic}"), &known, channels.keys())?;
        }
        Ok(())
    }

    /// A fresh id such as `token-12`.
    pub fn next_id(&mut self, noun: &str) -> String {
        self.sequence = self.sequence.saturating_add(1);
        format!("{noun}-{}", self.sequence)
    }

    pub fn has_pending_export(&self) -> bool {
        self.exports.values().any(|export| export.status == ExportStatus::Pending)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape serde wants")]
fn is_false(value: &bool) -> bool {
    !value
}

fn same_keys<'a>(
    field: &str,
    known: &BTreeSet<&str>,
    found: impl Iterator<Item = &'a String>,
) -> Result<(), String> {
    let found: BTreeSet<&str> = found.map(String::as_str).collect();
    if let Some(stranger) = found.difference(known).next() {
        return Err(format!("`{field}` has no entry `{stranger}`"));
    }
    match known.difference(&found).next() {
        Some(missing) => Err(format!("`{field}` lacks `{missing}`")),
        None => Ok(()),
    }
}
