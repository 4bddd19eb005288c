//! Reading a model's replies. A reply that is not what was asked for is an error that says where, so that it can be asked
//! again with the error; nothing is guessed.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::generate::{EventSeed, PlannedAction};
use crate::history::Entry;
use crate::profile::DomainProfile;
use crate::tables::{Pace, Tables};
use umpire_model::Day;

/// Preferences that a domain needs for two of them to make a wish.
const LEAST_PREFERENCES: usize = 2;
/// Steps of one event.
const MOST_ACTIONS: usize = 8;
const CANCELLED: &str = "(cancelled)";

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadReply {
    #[error("the reply holds no JSON object")]
    NoObject,
    #[error("the reply has no list `{0}`")]
    NoList(&'static str),
    #[error("`{0}` is empty")]
    Empty(&'static str),
    #[error("{list}[{at}]: {problem}")]
    Item { list: &'static str, at: usize, problem: String },
}

/// Tastes, by domain.
pub fn read_tastes(tables: &Tables, reply: &str) -> Result<Vec<DomainProfile>, BadReply> {
    let read: Vec<DomainProfile> = items(reply, "domains")?;
    let mut seen: Vec<&str> = Vec::new();
    for (at, own) in read.iter().enumerate() {
        let wrong = |problem: String| Err(BadReply::Item { list: "domains", at, problem });
        let Some(domain) = tables.domain(&own.domain) else {
            return wrong(format!("there is no domain `{}`", own.domain));
        };
        if seen.contains(&own.domain.as_str()) {
            return wrong(format!("`{}` comes twice", own.domain));
        }
        seen.push(&own.domain);
        if domain.sites.iter().all(|site| site.website.host != own.website.host) {
            return wrong(format!("`{}` is no website of {}", own.website.host, domain.name));
        }
        if own.preferences.len() < LEAST_PREFERENCES {
            return wrong(format!("{} preferences are too few", own.preferences.len()));
        }
        if let Some(blank) =
            own.preferences.iter().find(|one| one.key.trim().is_empty() || one.value.trim().is_empty())
        {
            return wrong(format!("a preference is blank: `{}`: `{}`", blank.key, blank.value));
        }
        if own.frequency == 0 {
            return wrong("it never happens".to_owned());
        }
    }
    Ok(read)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SaidEvent {
    date: Day,
    domain: String,
    description: String,
    #[serde(default)]
    cancelled: bool,
}

/// A month's events. `(cancelled)` behind a description says the same as the field.
pub fn read_events(reply: &str, domains: &[DomainProfile], pace: Pace) -> Result<Vec<EventSeed>, BadReply> {
    let said: Vec<SaidEvent> = items(reply, "events")?;
    let mut events = Vec::new();
    for (at, event) in said.into_iter().enumerate() {
        let wrong = |problem: String| Err(BadReply::Item { list: "events", at, problem });
        if domains.iter().all(|own| own.domain != event.domain) {
            return wrong(format!("`{}` is no domain of this profile", event.domain));
        }
        let text = event.description.trim();
        let bare = text.strip_suffix(CANCELLED).map(str::trim_end);
        if bare.unwrap_or(text).is_empty() {
            return wrong("no description".to_owned());
        }
        events.push(EventSeed {
            date: event.date,
            domain: event.domain,
            pace,
            description: bare.unwrap_or(text).to_owned(),
            cancelled: event.cancelled || bare.is_some(),
        });
    }
    Ok(events)
}

/// The steps of an event, in the order of their times.
pub fn read_actions(reply: &str) -> Result<Vec<PlannedAction>, BadReply> {
    let actions: Vec<PlannedAction> = items(reply, "actions")?;
    for (at, action) in actions.iter().enumerate() {
        let wrong = |problem: String| Err(BadReply::Item { list: "actions", at, problem });
        if at >= MOST_ACTIONS {
            return wrong(format!("an event has {MOST_ACTIONS} steps at most"));
        }
        if action.action.trim().is_empty() {
            return wrong("no action".to_owned());
        }
        if at > 0 && actions[at - 1].timestamp > action.timestamp {
            return wrong(format!("{} is before the step before it", action.timestamp));
        }
    }
    Ok(actions)
}

/// The entries that some steps became: one for each, of the same time and kind.
pub fn read_entries(reply: &str, actions: &[PlannedAction]) -> Result<Vec<Entry>, BadReply> {
    let entries: Vec<Entry> = items(reply, "entries")?;
    for (at, entry) in entries.iter().enumerate() {
        let wrong = |problem: String| Err(BadReply::Item { list: "entries", at, problem });
        let Some(action) = actions.get(at) else {
            return wrong(format!("there were {} steps only", actions.len()));
        };
        if (entry.timestamp, entry.kind) != (action.timestamp, action.kind) {
            return wrong(format!("the step was {} {}", action.timestamp, action.kind.name()));
        }
        if entry.object.trim().is_empty() {
            return wrong("no object".to_owned());
        }
        if entry.website.contains(['/', ' ']) || entry.website.is_empty() {
            return wrong(format!("`{}` is no bare host", entry.website));
        }
    }
    if entries.len() < actions.len() {
        let problem = format!("{} steps, but {} entries", actions.len(), entries.len());
        return Err(BadReply::Item { list: "entries", at: entries.len(), problem });
    }
    Ok(entries)
}

/// The list of this name in the one JSON object of a reply, which may stand in a code fence or between sentences.
fn items<T: DeserializeOwned>(reply: &str, list: &'static str) -> Result<Vec<T>, BadReply> {
    let (from, to) = reply.find('{').zip(reply.rfind('}')).ok_or(BadReply::NoObject)?;
    let text = reply.get(from..=to).ok_or(BadReply::NoObject)?;
    let mut value: Value = serde_json::from_str(text).map_err(|_| BadReply::NoObject)?;
    let Some(Value::Array(all)) = value.get_mut(list).map(Value::take) else {
        return Err(BadReply::NoList(list));
    };
    if all.is_empty() {
        return Err(BadReply::Empty(list));
    }
    let read = |(at, item): (usize, Value)| {
        serde_json::from_value(item).map_err(|error| BadReply::Item { list, at, problem: error.to_string() })
    };
    all.into_iter().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TASTES: &str = r#"{"domains": [{"domain": "Groceries", "rationale": "Cooks.", "frequency": 50,
        "website": {"name": "Basketway", "host": "basketway.localhost"}, "patterns": ["On Saturdays."],
        "preferences": [{"key": "brand", "value": "Old Ferry"}, {"key": "diet", "value": "Organic"}]}]}"#;
    const EVENTS: &str =
        r#"{"events": [{"date": "2026-03-16", "domain": "Groceries", "description": "weekly shop"}]}"#;
    const ACTIONS: &str = r#"{"actions": [
        {"timestamp": "2026-03-16 18:00:00", "type": "web search", "action": "look for tea"},
        {"timestamp": "2026-03-16 18:05:00", "type": "purchase", "action": "order it"}]}"#;
    const ENTRIES: &str = r#"{"entries": [
        {"timestamp": "2026-03-16 18:00:00", "type": "web search", "object": "tea", "website": "basketway.localhost"},
        {"timestamp": "2026-03-16 18:05:00", "type": "purchase", "object": "Tea", "website": "basketway.localhost"}]}"#;

    fn tastes(reply: &str) -> Result<Vec<DomainProfile>, BadReply> {
        read_tastes(Tables::embedded(), reply)
    }

    fn events(reply: &str) -> Result<Vec<EventSeed>, BadReply> {
        read_events(reply, &tastes(TASTES)?, Pace::High)
    }

    fn entries(reply: &str) -> Result<Vec<Entry>, BadReply> {
        read_entries(reply, &read_actions(ACTIONS)?)
    }

    #[test]
    fn what_was_asked_for_is_read_into_the_generators_own_types() {
        assert_eq!(tastes(TASTES).expect("tastes")[0].preferences.len(), 2);
        assert_eq!(tastes(&format!("Here you are:\n```json\n{TASTES}\n```\n")), tastes(TASTES));
        assert!(!events(EVENTS).expect("events")[0].cancelled);
        let off = events(&EVENTS.replace("weekly shop", "weekly shop (cancelled)")).expect("events");
        assert_eq!((off[0].cancelled, off[0].description.as_str()), (true, "weekly shop"));
        assert_eq!(read_actions(ACTIONS).expect("actions").len(), 2);
        assert_eq!(entries(ENTRIES).expect("entries")[1].object, "Tea");
    }

    #[test]
    fn what_was_not_is_told_with_its_place() {
        let told = |result: Result<(), BadReply>| result.expect_err("a bad reply").to_string();
        for (from, to, problem) in [
            (TASTES, "", "the reply holds no JSON object"),
            ("\"domains\"", "\"areas\"", "the reply has no list `domains`"),
            ("\"Groceries\"", "\"Pets\"", "domains[0]: there is no domain `Pets`"),
            ("basketway.localhost", "shop.example", "domains[0]: `shop.example` is no website of Groceries"),
            (", {\"key\": \"diet\", \"value\": \"Organic\"}", "", "domains[0]: 1 preferences are too few"),
            ("\"Old Ferry\"", "\" \"", "domains[0]: a preference is blank"),
            ("50", "0", "domains[0]: it never happens"),
            ("\"frequency\": 50", "\"frequency\": \"often\"", "domains[0]: invalid type: string \"often\""),
            ("\"rationale\"", "\"mood\": 1, \"rationale\"", "domains[0]: unknown field `mood`"),
        ] {
            let told = told(tastes(&TASTES.replace(from, to)).map(|_| ()));
            assert!(told.contains(problem), "{told}");
        }
        for (from, to, problem) in [
            ("[{\"date\"", "[], \"x\": [{\"date\"", "`events` is empty"),
            ("2026-03-16", "2026-03-36", "events[0]: `2026-03-36` is not a day"),
            ("Groceries", "Hotels", "events[0]: `Hotels` is no domain of this profile"),
            ("weekly shop", "(cancelled)", "events[0]: no description"),
        ] {
            let told = told(events(&EVENTS.replace(from, to)).map(|_| ()));
            assert!(told.contains(problem), "{told}");
        }
        for (from, to, problem) in [
            ("purchase", "stroll", "actions[1]: unknown variant `stroll`"),
            ("18:05:00", "17:05:00", "actions[1]: 2026-03-16 17:05:00 is before"),
            ("18:05:00", "18:65:00", "actions[1]: `2026-03-16 18:65:00` is not a time"),
            ("order it", "", "actions[1]: no action"),
        ] {
            let told = told(read_actions(&ACTIONS.replace(from, to)).map(|_| ()));
            assert!(told.contains(problem), "{told}");
        }
        let nine = format!(
            r#"{{"actions": [{}]}}"#,
            [r#"{"timestamp":"2026-03-16 18:00:00","type":"booking","action":"x"}"#; 9].join(",")
        );
        assert_eq!(told(read_actions(&nine).map(|_| ())), "actions[8]: an event has 8 steps at most");
        for (from, to, problem) in [
            ("\"purchase\"", "\"booking\"", "entries[1]: the step was 2026-03-16 18:05:00 purchase"),
            ("\"Tea\"", "\"\"", "entries[1]: no object"),
            (
                "\"Tea\", \"website\": \"basketway.localhost\"",
                "\"Tea\", \"website\": \"http://x/\"",
                "entries[1]: `http://x/` is no bare host",
            ),
        ] {
            let told = told(entries(&ENTRIES.replace(from, to)).map(|_| ()));
            assert!(told.contains(problem), "{told}");
        }
        let one = read_entries(ENTRIES, &read_actions(ACTIONS).expect("actions")[..1]).map(|_| ());
        assert_eq!(told(one), "entries[1]: there were 1 steps only");
    }

    proptest! {
        #[test]
        fn nothing_breaks_the_reading(reply in any::<String>(), inner in "[{}\\[\\]\":a-z0-9, ]{0,60}") {
            for text in [&reply, &format!("{{\"actions\": [{inner}]}}")] {
                let _ = read_actions(text);
                let _ = tastes(text);
            }
        }
    }
}
