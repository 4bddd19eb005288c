//! What the record of an attempt shows of a person's preferences having been used.

use umpire_model::{Body, EventBody, Exchange, Instance, Outcome, Persona, Preference, Trajectory};
use umpire_persona::scoring::{Access, Applied, Attempted, Hit};
use umpire_persona::{Tables, has_words};

use super::left::Left;

pub fn attempted(
    tables: &Tables,
    instance: &Instance,
    persona: &Persona,
    trajectory: &Trajectory,
    left: &Left,
    outcome: Option<Outcome>,
) -> Attempted {
    let success = outcome.map(|outcome| outcome == Outcome::Pass);
    let sent: Vec<String> = trajectory
        .exchanges()
        .filter(|(_, exchange)| host_of(&exchange.request.url) == persona.website.host)
        .map(|(_, exchange)| said(exchange))
        .collect();
    let used_website = !sent.is_empty();
    // A wish that was fulfilled was fulfilled with all that it asks for. Otherwise a deal that was made has the value or
    // not, and else what was sent may show it; that it shows none says nothing of an agent that reads lists.
    let used = |in_deals: Option<bool>, words: &str| match (success, in_deals) {
        (Some(true), _) => Some(true),
        (_, Some(is_used)) => Some(is_used),
        _ if sent.iter().any(|text| has_words(text, words)) => Some(true),
        _ => (!used_website).then_some(false),
    };
    let preferred = |one: &Preference| used(left.shows(persona, &one.key, &one.value), &one.value);
    Attempted {
        intent: instance.intent.clone(),
        level: instance.level,
        accesses: trajectory.events.iter().filter_map(|event| access(&event.body)).collect(),
        alike: Vec::new(),
        used_website: Some(used_website),
        used_preferences: persona.preferences.iter().map(preferred).collect(),
        used_location: (persona.location.as_ref())
            .and_then(|home| used(left.shows(persona, "city", &home.city), &home.city)),
        applied: applied(tables, persona, &sent),
        success,
        blocked_by: (outcome == Some(Outcome::Blocked)).then(|| "the site kept the agent out".to_owned()),
    }
}

fn access(body: &EventBody) -> Option<Access> {
    let EventBody::HistoryAccessed(access) = body else { return None };
    // What was refused, or broke, told nothing.
    if access.error.is_some() && access.hits.is_empty() {
        return None;
    }
    let hits = access.kept().map(|hit| Hit { entry: hit.id, score: hit.score }).collect();
    Some(Access { step: access.step, query: access.query.clone(), hits, answer: access.answer.clone() })
}

/// Values of the attributes that the person has preferences in, as far as they were sent.
fn applied(tables: &Tables, persona: &Persona, sent: &[String]) -> Vec<Applied> {
    let Some(domain) = tables.of_host(&persona.website.host) else { return Vec::new() };
    let mut found = Vec::new();
    for preference in &persona.preferences {
        for facet in domain.families(&preference.key, &preference.value) {
            for value in facet.all_values().filter(|value| sent.iter().any(|text| has_words(text, value))) {
                let one = Applied { key: preference.key.clone(), value: value.to_owned() };
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
    }
    found
}

fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.split(':').next().unwrap_or_default()
}

/// Address and body of a request, as a person would read them.
fn said(exchange: &Exchange) -> String {
    let body = match &exchange.request.body {
        Some(Body::Text(text)) => text.as_str(),
        _ => "",
    };
    let query = exchange.request.url.split_once('?').map_or("", |(_, query)| query);
    let pairs = url::form_urlencoded::parse(query.as_bytes())
        .chain(url::form_urlencoded::parse(body.as_bytes()))
        .map(|(name, value)| format!("{name}: {value}"));
    pairs.collect::<Vec<_>>().join("\n") + "\n" + body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_off_addresses() {
        for (url, host) in [
            ("http://fennelrye.localhost:8080/a?b=c", "fennelrye.localhost"),
            ("https://fennelrye.localhost", "fennelrye.localhost"),
            ("about:blank", "about"),
            ("", ""),
        ] {
            assert_eq!(host_of(url), host, "{url}");
        }
    }
}
