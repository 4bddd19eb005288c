//! The account as the seed makes it: its history, and the state every attempt starts from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime};
use umpire_model::{Digest, Random};

use super::settings::{CHANNELS, LOCKED_CELL, MAIL_TOPICS, PERMISSIONS, PRIVACY, PURPOSES, SCOPES};
use super::state::{
    Ads, App, Appearance, Consent, Export, ExportStatus, LogEntry, Passkey, Personalisation, Profile,
    Recovery, RecoveryKind, Security, SensitiveAds, Session, State, Theme, Token, TwoFactor,
};
use crate::kit::by_seed::BySeed;

pub(super) const EMAIL: &str = "maren.oyelaran@orrery.example";
pub(super) const HANDLE: &str = "maren.oyelaran";
/// What the owner of the account would know by heart; a task that needs it says it.
const PASSWORD: &str = "Tidal-Meadow-58";

/// One seed's account. Shared by all worlds of that seed and never changed.
pub(super) struct Account {
    seed: u64,
    /// The code the owner's authenticator shows while the clock stands still.
    pub app_code: String,
    /// The code that would arrive as a text message.
    pub text_code: String,
    /// Newest first.
    pub log: Vec<LogEntry>,
    pub initial: State,
}

static ACCOUNTS: BySeed<Account> = BySeed::new();

impl Account {
    pub fn of_seed(seed: u64) -> Arc<Self> {
        ACCOUNTS.get(seed, Self::generate)
    }

    /// A generator for values that are shown once and must not repeat, such as token secrets.
    pub fn random(&self, purpose: &str) -> Random {
        Random::stream(self.seed, &format!("hub.{purpose}"))
    }

    fn generate(seed: u64) -> Self {
        let mut random = Random::stream(seed, "hub.account");
        let password_changed = days_ago(random.between(130, 320));
        let sessions = sessions(&mut Random::stream(seed, "hub.sessions"));
        let initial = State {
            signed_in: true,
            signs_in_by_cookie: false,
            profile: Profile {
                display_name: "Maren Oyelaran".to_owned(),
                pronouns: "she".to_owned(),
                birthday: "1988-07-21".to_owned(),
                city: "Utrecht".to_owned(),
                language: "en".to_owned(),
                bio: "Landscape architect. Canals, allotments, long train rides.".to_owned(),
            },
            security: security(&mut random, password_changed),
            privacy: PRIVACY.iter().map(|setting| (setting.id.to_owned(), random.chance(60))).collect(),
            ads: ads(&mut Random::stream(seed, "hub.ads")),
            communication: communication(&mut random),
            exports: past_exports(&mut random),
            tokens: tokens(&mut Random::stream(seed, "hub.tokens")),
            apps: apps(&mut Random::stream(seed, "hub.apps")),
            appearance: Appearance {
                theme: Theme::Light,
                text_size: 100,
                reduce_motion: false,
                underline_links: true,
                compact_lists: false,
                autoplay_previews: true,
            },
            consent: Consent {
                answered: true,
                purposes: PURPOSES
                    .iter()
                    .map(|(id, _, _)| ((*id).to_owned(), *id == "preferences"))
                    .collect(),
                receipt: Some(receipt(&mut random)),
            },
            deletion: None,
            activity: BTreeMap::new(),
            sequence: 100,
            sessions,
        };
        let log = log(&mut Random::stream(seed, "hub.log"), password_changed);
        Self { seed, app_code: six_digits(&mut random), text_code: six_digits(&mut random), log, initial }
    }
}

pub(super) fn fingerprint(password: &str) -> String {
    Digest::of(format!("orrery {password}").as_bytes()).as_str()[..24].to_owned()
}

pub(super) fn receipt(random: &mut Random) -> String {
    format!("CR-{:04}-{:04}", random.between(1000, 9999), random.between(1000, 9999))
}

pub(super) fn today() -> Date {
    jiff::civil::date(2026, 3, 16)
}

pub(super) fn days_ago(days: i64) -> Date {
    today().saturating_sub(days.days())
}

pub(super) fn days_ahead(days: i32) -> Date {
    today().saturating_add(days.days())
}

fn six_digits(random: &mut Random) -> String {
    format!("{:06}", random.between(100_000, 999_999))
}

fn stamp(moment: DateTime) -> String {
    moment.strftime("%Y-%m-%d %H:%M").to_string()
}

fn minutes_before_now(minutes: i64) -> DateTime {
    today().at(9, 30, 0, 0).saturating_sub(minutes.minutes())
}

fn security(random: &mut Random, password_changed: Date) -> Security {
    let phone = format!("+31 6 {:04} {:04}", random.between(1000, 9999), random.between(1000, 9999));
    let recovery = [
        ("email-1", RecoveryKind::Email, "oyelaran.maren@brightpost.example".to_owned(), 1400),
        ("phone-1", RecoveryKind::Phone, phone, 900),
    ];
    let passkeys =
        [("passkey-1", "Pixel 9 fingerprint", 210, 1), ("passkey-2", "Blue security key", 560, 44)];
    Security {
        password: fingerprint(PASSWORD),
        password_changed: password_changed.to_string(),
        two_factor: TwoFactor::Off,
        recovery: recovery
            .into_iter()
            .map(|(id, kind, address, age)| {
                let added = days_ago(age + random.between(0, 60)).to_string();
                (id.to_owned(), Recovery { kind, address, added })
            })
            .collect(),
        passkeys: passkeys
            .into_iter()
            .map(|(id, name, created, used)| {
                let passkey = Passkey {
                    name: name.to_owned(),
                    created: days_ago(created + random.between(0, 30)).to_string(),
                    last_used: days_ago(used).to_string(),
                };
                (id.to_owned(), passkey)
            })
            .collect(),
    }
}

const DEVICES: [(&str, &str); 11] = [
    ("Pixel 9", "Orrery Mail app"),
    ("iPad Air", "Orrery Photos app"),
    ("ThinkPad X1", "Firefox 136"),
    ("MacBook Pro", "Safari 18"),
    ("Windows desktop", "Edge 134"),
    ("Galaxy S23", "Orrery Drive app"),
    ("Chromebook Spin", "Chrome 134"),
    ("iPhone 14", "Orrery Calendar app"),
    ("Living room TV", "Orrery Photos app"),
    ("Surface Go", "Firefox 135"),
    ("Fairphone 5", "Orrery Maps app"),
];

/// No city twice, so that a city names one session.
const CITIES: [(&str, &str); 12] = [
    ("Lisbon", "Portugal"),
    ("Antwerp", "Belgium"),
    ("Gdansk", "Poland"),
    ("Leeds", "United Kingdom"),
    ("Bologna", "Italy"),
    ("Aarhus", "Denmark"),
    ("Nantes", "France"),
    ("Leipzig", "Germany"),
    ("Valencia", "Spain"),
    ("Tampere", "Finland"),
    ("Graz", "Austria"),
    ("Cork", "Ireland"),
];

fn sessions(random: &mut Random) -> BTreeMap<String, Session> {
    let mut devices = DEVICES;
    let mut cities = CITIES;
    random.shuffle(&mut devices);
    random.shuffle(&mut cities);
    let here = Session {
        device: "Linux desktop".to_owned(),
        client: "Chromium".to_owned(),
        city: "Utrecht".to_owned(),
        country: "Netherlands".to_owned(),
        address: "192.0.2.14".to_owned(),
        first_seen: days_ago(random.between(20, 60)).to_string(),
        last_active: stamp(minutes_before_now(0)),
        current: true,
        cookie: None,
    };
    let others =
        devices.iter().zip(&cities).zip(2_i64..10).map(|(((device, client), (city, country)), number)| {
            let minutes = random.between(40, 2_000) * (number - 1);
            let session = Session {
                device: (*device).to_owned(),
                client: (*client).to_owned(),
                city: (*city).to_owned(),
                country: (*country).to_owned(),
                address: format!("198.51.100.{}", random.between(2, 250)),
                first_seen: days_ago(minutes / 1_440 + random.between(5, 400)).to_string(),
                last_active: stamp(minutes_before_now(minutes)),
                current: false,
                cookie: None,
            };
            (format!("session-{number}"), session)
        });
    std::iter::once(("session-1".to_owned(), here)).chain(others).collect()
}

const AD_TOPICS: [&str; 20] = [
    "Allotments",
    "Board games",
    "Camping",
    "City breaks",
    "Coffee",
    "Cycling",
    "Dating",
    "Fast food",
    "Gambling",
    "Gardening tools",
    "Home insurance",
    "Interior design",
    "Kitchenware",
    "Online degrees",
    "Parenting",
    "Rail travel",
    "Running shoes",
    "Streaming series",
    "Weight loss",
    "Wine",
];

const TOPIC_REASONS: [&str; 4] = [
    "You searched for something like it",
    "You opened an ad about it",
    "People in your age group like it",
    "Added by a partner company",
];

fn ads(random: &mut Random) -> Ads {
    let mut topics = AD_TOPICS;
    random.shuffle(&mut topics);
    Ads {
        personalisation: Personalisation::Activity,
        sensitive: SensitiveAds::Allow,
        partner_data: true,
        purchase_measurement: true,
        topics: topics
            .iter()
            .take(14)
            .map(|topic| {
                let reason = random.pick(&TOPIC_REASONS).copied().unwrap_or_default();
                ((*topic).to_owned(), reason.to_owned())
            })
            .collect(),
    }
}

fn communication(random: &mut Random) -> BTreeMap<String, BTreeMap<String, bool>> {
    let channels = |topic: &str, random: &mut Random| {
        CHANNELS
            .iter()
            .map(|(channel, _)| {
                let on = random.chance(if *channel == "post" { 20 } else { 55 });
                ((*channel).to_owned(), on || (topic, *channel) == LOCKED_CELL)
            })
            .collect()
    };
    MAIL_TOPICS.iter().map(|(topic, _)| ((*topic).to_owned(), channels(topic, random))).collect()
}

fn past_exports(random: &mut Random) -> BTreeMap<String, Export> {
    let export = Export {
        parts: ["mail", "contacts"].map(str::to_owned).into(),
        format: "html".to_owned(),
        delivery: "link".to_owned(),
        status: ExportStatus::Expired,
        requested: days_ago(random.between(200, 400)).to_string(),
    };
    BTreeMap::from([("export-1".to_owned(), export)])
}

const TOKEN_NAMES: [&str; 10] = [
    "backup-script",
    "invoice-sync",
    "home-dashboard",
    "mail-archiver",
    "calendar-widget",
    "photo-frame",
    "thesis-notebook",
    "ci-runner",
    "garden-sensors",
    "old-laptop-sync",
];

fn tokens(random: &mut Random) -> BTreeMap<String, Token> {
    let mut names = TOKEN_NAMES;
    random.shuffle(&mut names);
    let mut tokens = BTreeMap::new();
    for (index, name) in names.iter().take(7).enumerate() {
        let age = random.between(40, 600);
        let token = Token {
            name: (*name).to_owned(),
            scopes: some_of(random, &SCOPES, 1, 4),
            created: days_ago(age).to_string(),
            expires: random.chance(60).then(|| days_ahead(random.between(10, 300) as i32).to_string()),
            last_used: random.chance(85).then(|| days_ago(random.between(0, age)).to_string()),
            ending: secret_characters(random, 4),
        };
        tokens.insert(format!("token-{}", index + 1), token);
    }
    tokens
}

pub(super) fn secret_characters(random: &mut Random, count: usize) -> String {
    const ALPHABET: &[u8] = b"abcdefghijkmnpqrstuvwxyz23456789";
    (0..count).filter_map(|_| random.pick(ALPHABET)).map(|byte| char::from(*byte)).collect()
}

const APPS: [(&str, &str); 16] = [
    ("Pagewright", "Kestrel Software"),
    ("Inboxhare", "Hare & Co"),
    ("Meetly Notes", "Meetly GmbH"),
    ("Postbox Zero", "Zero Labs"),
    ("Trailmapper", "Fernweh Apps"),
    ("Ledgerline", "Ledgerline BV"),
    ("Snapfold", "Fold Studio"),
    ("Quillmate", "Quillmate Oy"),
    ("Rosterly", "Rosterly Ltd"),
    ("Parcelwatch", "Tidewater Digital"),
    ("Fiddlehead Tasks", "Fiddlehead"),
    ("Nightjar Backup", "Nightjar Systems"),
    ("Birdsong Diary", "Meadow Apps"),
    ("Stationclock", "Rail Tools"),
    ("Contactmerge", "Simple Address Co"),
    ("Tallysheet", "Tally Works"),
];

fn apps(random: &mut Random) -> BTreeMap<String, App> {
    let mut known = APPS;
    random.shuffle(&mut known);
    let mut apps = BTreeMap::new();
    for (index, (name, publisher)) in known.iter().take(13).enumerate() {
        let age = random.between(30, 1_200);
        let app = App {
            name: (*name).to_owned(),
            publisher: (*publisher).to_owned(),
            permissions: some_of(random, &PERMISSIONS, 1, 4),
            connected: days_ago(age).to_string(),
            last_used: days_ago(random.between(0, age)).to_string(),
        };
        apps.insert(format!("app-{}", index + 1), app);
    }
    apps
}

fn some_of(random: &mut Random, table: &[(&str, &str)], least: i64, most: i64) -> BTreeSet<String> {
    let mut ids: Vec<&str> = table.iter().map(|(id, _)| *id).collect();
    random.shuffle(&mut ids);
    let count = random.between(least, most) as usize;
    ids.into_iter().take(count).map(str::to_owned).collect()
}

const LOG_LENGTH: usize = 148;

fn log(random: &mut Random, password_changed: Date) -> Vec<LogEntry> {
    let mut minutes = 20;
    let mut entries: Vec<LogEntry> = (0..LOG_LENGTH)
        .map(|_| {
            minutes += random.between(90, 2_600);
            let (kind, detail) = event(random);
            let (city, country) = if random.chance(55) {
                ("Utrecht", "Netherlands")
            } else {
                random.pick(&CITIES).copied().unwrap_or(("Utrecht", "Netherlands"))
            };
            LogEntry {
                at: stamp(minutes_before_now(minutes)),
                kind: kind.to_owned(),
                detail,
                place: format!("{city}, {country}"),
            }
        })
        .collect();
    let changed = LogEntry {
        at: stamp(password_changed.at(19, 42, 0, 0)),
        kind: "password".to_owned(),
        detail: "Password changed".to_owned(),
        place: "Utrecht, Netherlands".to_owned(),
    };
    entries.push(changed);
    entries.sort_by(|a, b| b.at.cmp(&a.at));
    entries
}

/// Elsewhere on the web: the log must not contradict when an app or token of the account was last used.
const PARTNER_SITES: [&str; 5] =
    ["Veldkamp Bikes", "Noordkust Ferries", "Papier & Inkt", "Groenmarkt", "Openbare Bibliotheek"];

fn event(random: &mut Random) -> (&'static str, String) {
    let mut one_of = |items: &[&str]| random.pick(items).map_or_else(String::new, |item| (*item).to_owned());
    let device = one_of(&DEVICES.map(|(device, _)| device));
    let site = one_of(&PARTNER_SITES);
    match random.below(100) {
        0..48 => ("sign-in", format!("Signed in on {device}")),
        48..60 => ("failed-sign-in", format!("Wrong password on {device}")),
        60..66 => ("recovery", "Recovery address confirmed".to_owned()),
        66..84 => ("apps", format!("Used your account to sign in at {site}")),
        84..92 => ("privacy", "Privacy settings viewed from a new device".to_owned()),
        _ => ("devices", format!("{device} was signed out")),
    }
}
