//! The account as the seed makes it: the state every attempt starts from.

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime};
use serde_json::Value;
use umpire_model::Random;

use super::Brand;
use super::description::{Description, Kind, Named};
use super::state::{App, Export, ExportStatus, Session, State, Token};

/// How many settings in a hundred the owner has changed from what new accounts start with.
const CHANGED_PERCENT: u32 = 25;

pub(crate) fn initial_state(brand: &dyn Brand, seed: u64) -> State {
    let description = brand.description();
    let stream = |purpose: &str| Random::stream(seed, &format!("{}.{purpose}", description.site));
    State {
        settings: settings(description, &mut stream("settings")),
        mail: mail(description, &mut stream("mail")),
        cookies_answered: true,
        sessions: sessions(description, &mut stream("sessions")),
        tokens: tokens(description, &mut stream("tokens")),
        apps: apps(description, &mut stream("apps")),
        lists: description
            .lists
            .iter()
            .map(|list| (list.id.to_owned(), brand.first_entries(seed, list.id)))
            .collect(),
        exports: past_exports(description, &mut stream("exports")),
        deletion: None,
        sequence: 100,
    }
}

fn today() -> Date {
    jiff::civil::date(2026, 3, 16)
}

pub(crate) fn days_ago(days: i64) -> Date {
    today().saturating_sub(days.days())
}

pub(crate) fn days_ahead(days: i32) -> Date {
    today().saturating_add(days.days())
}

fn minutes_ago(minutes: i64) -> DateTime {
    today().at(9, 30, 0, 0).saturating_sub(minutes.minutes())
}

/// `2026-03-05` as `5 Mar 2026`; anything else as it is.
pub(crate) fn nice_date(text: &str) -> String {
    text.get(..10)
        .and_then(|day| day.parse::<Date>().ok())
        .map_or_else(|| text.to_owned(), |day| day.strftime("%-d %b %Y").to_string())
}

fn settings(description: &Description, random: &mut Random) -> BTreeMap<String, Value> {
    let mut settings = BTreeMap::new();
    for (_, _, _, control) in description.controls() {
        let changed = random.chance(CHANGED_PERCENT) && !control.locked;
        let value = match control.kind {
            Kind::Toggle { usual, .. } => Value::Bool(usual != changed),
            Kind::Choice { options, usual, .. } => {
                let other = random.pick(options).map_or(usual, |(id, _)| id);
                Value::from(if changed { other } else { usual })
            }
            Kind::Text { usual, .. } => Value::from(usual),
        };
        settings.insert(control.id.to_owned(), value);
    }
    settings
}

fn mail(description: &Description, random: &mut Random) -> BTreeMap<String, BTreeMap<String, bool>> {
    let matrix = &description.mail;
    let mut mail = BTreeMap::new();
    for (topic, _) in matrix.topics() {
        let mut row = BTreeMap::new();
        for (channel, _) in matrix.channels {
            row.insert((*channel).to_owned(), random.chance(55) || (topic, *channel) == matrix.locked);
        }
        mail.insert(topic.to_owned(), row);
    }
    mail
}

/// No city twice, so that a city names one session.
const CITIES: [&str; 16] = [
    "Bergen, Norway",
    "Porto, Portugal",
    "Ghent, Belgium",
    "Krakow, Poland",
    "Cardiff, United Kingdom",
    "Turin, Italy",
    "Odense, Denmark",
    "Rennes, France",
    "Bremen, Germany",
    "Malaga, Spain",
    "Turku, Finland",
    "Linz, Austria",
    "Galway, Ireland",
    "Brno, Czechia",
    "Uppsala, Sweden",
    "Basel, Switzerland",
];

fn sessions(description: &Description, random: &mut Random) -> BTreeMap<String, Session> {
    let mut devices = description.sessions.devices.to_vec();
    let mut cities = CITIES;
    random.shuffle(&mut devices);
    random.shuffle(&mut cities);
    let here = Session {
        device: "Linux desktop".to_owned(),
        client: "Chromium".to_owned(),
        city: description.owner.city.to_owned(),
        last_active: minutes_ago(0).strftime("%Y-%m-%d %H:%M").to_string(),
        current: true,
    };
    let mut sessions = BTreeMap::from([("session-1".to_owned(), here)]);
    for ((number, (device, client)), city) in (2_i64..8).zip(devices).zip(cities) {
        let minutes = random.between(40, 2_400) * (number - 1);
        let session = Session {
            device: device.to_owned(),
            client: client.to_owned(),
            city: city.to_owned(),
            last_active: minutes_ago(minutes).strftime("%Y-%m-%d %H:%M").to_string(),
            current: false,
        };
        sessions.insert(format!("session-{number}"), session);
    }
    sessions
}

fn tokens(description: &Description, random: &mut Random) -> BTreeMap<String, Token> {
    let rules = &description.tokens;
    let mut names = rules.names.to_vec();
    random.shuffle(&mut names);
    let mut tokens = BTreeMap::new();
    for (index, name) in names.iter().take(6).enumerate() {
        let age = random.between(40, 600);
        let scopes = some_of(random, rules.scopes, 1, 4);
        let must_end = scopes.iter().any(|scope| rules.need_expiry.contains(&scope.as_str()));
        let token = Token {
            name: (*name).to_owned(),
            scopes,
            created: days_ago(age).to_string(),
            expires: (must_end || random.chance(50))
                .then(|| days_ahead(random.between(10, 300) as i32).to_string()),
            last_used: random.chance(75).then(|| days_ago(random.between(0, age)).to_string()),
        };
        tokens.insert(format!("token-{}", index + 1), token);
    }
    tokens
}

fn apps(description: &Description, random: &mut Random) -> BTreeMap<String, App> {
    let mut known = description.apps.to_vec();
    random.shuffle(&mut known);
    let mut apps = BTreeMap::new();
    for (index, name) in known.iter().take(7).enumerate() {
        let age = random.between(30, 1_100);
        let app = App {
            name: (*name).to_owned(),
            permissions: some_of(random, description.permissions, 1, 3),
            connected: days_ago(age).to_string(),
            last_used: days_ago(random.between(0, age)).to_string(),
        };
        apps.insert(format!("app-{}", index + 1), app);
    }
    apps
}

fn past_exports(description: &Description, random: &mut Random) -> BTreeMap<String, Export> {
    if description.export_parts.is_empty() {
        return BTreeMap::new();
    }
    let export = Export {
        parts: some_of(random, description.export_parts, 1, 3),
        format: "html".to_owned(),
        status: ExportStatus::Expired,
        requested: days_ago(random.between(200, 400)).to_string(),
    };
    BTreeMap::from([("export-1".to_owned(), export)])
}

fn some_of(random: &mut Random, table: &[Named], least: i64, most: i64) -> BTreeSet<String> {
    let mut ids: Vec<&str> = table.iter().map(|(id, _)| *id).collect();
    random.shuffle(&mut ids);
    let count = random.between(least, most) as usize;
    ids.into_iter().take(count).map(str::to_owned).collect()
}
