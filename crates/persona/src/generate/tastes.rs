//! What people like: drawn by seed, or given as the ground truth of tasks.

use umpire_model::{Location, Persona, Preference, Random};

use super::chance;
use super::people::{one, unknown_person};
use crate::profile::{DomainProfile, Person, Profile};
use crate::sessions::Session;
use crate::tables::{Domain, Tables, Thing};

/// The share of domains in which somebody has tastes, in percent.
const TASTES: u32 = 75;
/// Deals that a year must hold for a taste to show.
const DEALS: u32 = 12;

/// One thing that is true of a person: what a task of this category rests on.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'a> {
    pub category: &'a str,
    pub persona: &'a Persona,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadTruth {
    #[error("`{user}`: there is no domain for tasks of the category `{category}`")]
    Category { user: String, category: String },
    #[error("`{user}`: {domain} has no website `{host}`; there are {known}")]
    Website { user: String, domain: String, host: String, known: String },
    #[error("`{user}`: {domain} knows no `{key}` that can be `{value}`")]
    Preference { user: String, domain: String, key: String, value: String },
    #[error("`{user}` has two truths about {domain}")]
    Twice { user: String, domain: String },
    #[error("`{user}` lives at two addresses: {first} and {second}")]
    Homes { user: String, first: String, second: String },
}

/// Tastes drawn for a person.
pub fn free_profile(tables: &Tables, seed: u64, person: Person) -> Profile {
    let mut random = chance(seed, &person, "tastes");
    let domains = tables.domains.iter().filter_map(|domain| tastes(&mut random, domain)).collect();
    Profile { person, domains }
}

/// A profile in which every truth about this user holds. What no truth is about is drawn.
pub fn given_profile(
    tables: &Tables,
    seed: u64,
    user: &str,
    truths: &[Truth<'_>],
) -> Result<Profile, BadTruth> {
    let home = the_home(user, truths)?;
    let mut random = Random::stream(seed, &format!("persona/{user}/person"));
    let mut profile = free_profile(tables, seed, unknown_person(tables, &mut random, user, home));
    let mut told: Vec<&str> = Vec::new();
    for truth in truths {
        let category = truth.category.to_owned();
        let domain = tables
            .of_category(truth.category)
            .ok_or_else(|| BadTruth::Category { user: user.to_owned(), category })?;
        if told.contains(&domain.name.as_str()) {
            return Err(BadTruth::Twice { user: user.to_owned(), domain: domain.name.clone() });
        }
        told.push(&domain.name);
        let given = given_tastes(user, domain, truth.persona)?;
        profile.domains.retain(|drawn| drawn.domain != domain.name);
        profile.domains.push(given);
    }
    profile.domains.sort_by_key(|own| tables.domains.iter().position(|domain| domain.name == own.domain));
    Ok(profile)
}

fn the_home(user: &str, truths: &[Truth<'_>]) -> Result<Option<Location>, BadTruth> {
    let mut home: Option<&Location> = None;
    for location in truths.iter().filter_map(|truth| truth.persona.location.as_ref()) {
        if let Some(first) = home.filter(|first| *first != location) {
            let told = |at: &Location| format!("{}, {}", at.address, at.city);
            return Err(BadTruth::Homes {
                user: user.to_owned(),
                first: told(first),
                second: told(location),
            });
        }
        home = Some(location);
    }
    Ok(home.cloned())
}

fn given_tastes(user: &str, domain: &Domain, persona: &Persona) -> Result<DomainProfile, BadTruth> {
    let website = &persona.website;
    if domain.sites.iter().all(|site| site.website.host != website.host) {
        let known: Vec<&str> = domain.sites.iter().map(|site| site.website.host.as_str()).collect();
        return Err(BadTruth::Website {
            user: user.to_owned(),
            domain: domain.name.clone(),
            host: website.host.clone(),
            known: known.join(", "),
        });
    }
    for Preference { key, value, .. } in &persona.preferences {
        if domain.families(key, value).next().is_none() {
            return Err(BadTruth::Preference {
                user: user.to_owned(),
                domain: domain.name.clone(),
                key: key.clone(),
                value: value.clone(),
            });
        }
    }
    let preferences = persona.preferences.clone();
    let frequency = often_enough(domain, domain.events);
    Ok(DomainProfile {
        domain: domain.name.clone(),
        rationale: "Given with the tasks of this person.".to_owned(),
        patterns: patterns(domain, &website.name, frequency),
        website: website.clone(),
        frequency,
        preferences,
    })
}

fn tastes(random: &mut Random, domain: &Domain) -> Option<DomainProfile> {
    let has_taste = random.chance(TASTES);
    let share = random.between(60, 140) as u32;
    let website = random.pick(&domain.sites)?.website.clone();
    let preferences = some_preferences(random, domain);
    let usual = domain.events * share / 100;
    let (frequency, preferences) = match (domain.facets.is_empty(), has_taste) {
        (true, _) => (usual, Vec::new()),
        (false, true) => (often_enough(domain, usual), preferences),
        (false, false) => return None,
    };
    let rationale = domain.occasions.first().map(|occasion| format!("Now and then: {occasion}."));
    Some(DomainProfile {
        domain: domain.name.clone(),
        rationale: rationale.unwrap_or_default(),
        patterns: patterns(domain, &website.name, frequency),
        frequency,
        website,
        preferences,
    })
}

/// Two or three tastes, each in another attribute, which some kind of things has all of.
fn some_preferences(random: &mut Random, domain: &Domain) -> Vec<Preference> {
    let mut facets: Vec<_> = domain.facets.iter().collect();
    random.shuffle(&mut facets);
    let count = 2 + random.below(2);
    let mut preferences: Vec<Preference> = Vec::new();
    for facet in facets {
        if preferences.len() == count || preferences.iter().any(|known| known.key == facet.key) {
            continue;
        }
        let goes_with = |thing: &Thing| {
            let has_all = preferences.iter().all(|known| domain.has_taste(thing, known));
            has_all && domain.facets_of(&thing.shelf).any(|own| std::ptr::eq(own, facet))
        };
        if !domain.things.iter().any(goes_with) {
            continue;
        }
        let values: Vec<String> = facet.all_values().map(str::to_owned).collect();
        preferences.push(Preference { key: facet.key.clone(), value: one(random, &values), text: None });
    }
    preferences.sort_by(|a, b| a.key.cmp(&b.key));
    preferences
}

/// At least as many events as make [`DEALS`].
fn often_enough(domain: &Domain, usual: u32) -> u32 {
    let total: u32 = domain.sessions.values().sum();
    let ends = |session: &Session| domain.deal.is_some_and(|deal| session.ends_in(deal));
    let deals: u32 =
        domain.sessions.iter().filter(|(session, _)| ends(session)).map(|(_, weight)| weight).sum();
    if deals == 0 { usual } else { usual.max((DEALS * total).div_ceil(deals)) }
}

fn patterns(domain: &Domain, site: &str, frequency: u32) -> Vec<String> {
    let how_often = match frequency {
        ..16 => "about once a month".to_owned(),
        16..40 => "two or three times a month".to_owned(),
        40..100 => "about every week".to_owned(),
        _ => "several times a week".to_owned(),
    };
    let when = if domain.weekend > 2 { "more often at weekends" } else { "mostly on weekdays" };
    vec![format!("Turns to {site} {how_often}."), format!("Does so {when}.")]
}
