//! Wishes for people whose tastes were drawn.

use umpire_model::{Persona, Random};

use super::masks::{BadWish, home_clause, website_clause};
use super::{Masks, QuerySet};
use crate::profile::{DomainProfile, Profile};
use crate::tables::{Domain, Tables};

/// Preferences that one wish rests on.
const PREFERENCES: usize = 2;

/// A wish at all levels for every domain in which the person has tastes, or why it cannot be said at all of them.
pub fn write_queries(
    tables: &Tables,
    masks: &Masks,
    seed: u64,
    profile: &Profile,
) -> Vec<Result<QuerySet, BadWish>> {
    let mut random = Random::stream(seed, &format!("persona/{}/wishes", profile.person.id));
    let domains = profile.domains.iter().filter(|own| !own.preferences.is_empty());
    domains
        .filter_map(|own| tables.domain(&own.domain).map(|domain| (domain, own)))
        .map(|(domain, own)| {
            let persona = persona(&mut random, masks, domain, own, profile);
            let wish = clear_wish(&mut random, domain, &persona);
            let id = format!("{}-{}", domain.name.to_lowercase().replace(' ', "-"), profile.person.id);
            masks.mask(&id, &domain.name, &wish, &persona)
        })
        .collect()
}

fn persona(
    random: &mut Random,
    masks: &Masks,
    domain: &Domain,
    own: &DomainProfile,
    profile: &Profile,
) -> Persona {
    let mut preferences = own.preferences.clone();
    random.shuffle(&mut preferences);
    preferences.truncate(PREFERENCES);
    for preference in &mut preferences {
        preference.text = Some(masks.said(&domain.name, preference));
    }
    Persona {
        id: profile.person.id.clone(),
        website: own.website.clone(),
        preferences,
        location: domain.located.then(|| profile.person.home.clone()),
    }
}

fn clear_wish(random: &mut Random, domain: &Domain, persona: &Persona) -> String {
    let tasted = domain
        .things
        .iter()
        .filter(|thing| persona.preferences.iter().all(|taste| domain.has_taste(thing, taste)));
    let tasted: Vec<_> = tasted.collect();
    let shelf = random.pick(&tasted).map_or_else(|| domain.name.clone(), |thing| thing.shelf.clone());
    let said: Vec<&str> = persona.preferences.iter().map(umpire_model::Preference::words).collect();
    let home = persona.location.as_ref().map(home_clause).unwrap_or_default();
    let start = website_clause(persona);
    format!("{start}find me something under {shelf} {}.{home}", said.join(" and "))
}
