//! What the record of an attempt shows of a person's preferences having been used.

use umpire_model::{Body, EventBody, Exchange, Instance, Outcome, Persona, Trajectory};
use umpire_persona::scoring::{Access, Applied, Attempted, Hit};
use umpire_persona::{Domain, Tables, has_words};

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
    let sent: Vec<Sent> = trajectory
        .exchanges()
        .filter(|(_, exchange)| host_of(&exchange.request.url) == persona.website.host)
        .map(|(_, exchange)| Sent::in_request(exchange))
        .collect();
    let used_website = !sent.is_empty();
    let domain = tables.of_host(&persona.website.host);
    // A wish that was fulfilled was fulfilled with all that it asks for. Otherwise a deal that was made has the value or
    // not, and else what was sent may show it; that it shows none says nothing of an agent that reads lists.
    let used = |key: &str, value: &str| match (success, left.shows(persona, key, value)) {
        (Some(true), _) => Some(true),
        (_, Some(is_used)) => Some(is_used),
        _ if sent.iter().any(|sent| sent.says(domain, key, value)) => Some(true),
        _ => (!used_website).then_some(false),
    };
    Attempted {
        intent: instance.intent.clone(),
        level: instance.level,
        accesses: trajectory.events.iter().filter_map(|event| access(&event.body)).collect(),
        alike: Vec::new(),
        used_website: Some(used_website),
        used_preferences: persona.preferences.iter().map(|one| used(&one.key, &one.value)).collect(),
        used_location: persona.location.as_ref().and_then(|home| used("city", &home.city)),
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
    // What the model made nothing of, the agent was not shown either.
    let answer = access.answer.clone().or_else(|| access.error.is_some().then(String::new));
    Some(Access { step: access.step, query: access.query.clone(), hits, answer })
}

/// Values of the attributes that the person has preferences in, as far as they were sent.
fn applied(tables: &Tables, persona: &Persona, sent: &[Sent]) -> Vec<Applied> {
    let Some(domain) = tables.of_host(&persona.website.host) else { return Vec::new() };
    let mut found = Vec::new();
    for preference in &persona.preferences {
        for facet in domain.families(&preference.key, &preference.value) {
            let is_sent =
                |value: &&str| sent.iter().any(|sent| sent.says(Some(domain), &preference.key, value));
            for value in facet.all_values().filter(is_sent) {
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
struct Sent {
    fields: Vec<(String, String)>,
    text: String,
}

impl Sent {
    fn in_request(exchange: &Exchange) -> Self {
        let body = match &exchange.request.body {
            Some(Body::Text(text)) => text.as_str(),
            _ => "",
        };
        let query = exchange.request.url.split_once('?').map_or("", |(_, query)| query);
        let fields: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes())
            .chain(url::form_urlencoded::parse(body.as_bytes()))
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        let lines: Vec<String> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        Self { text: lines.join("\n") + "\n" + body, fields }
    }

    /// Whether it has this value of an attribute. A size or a number may stand for anything, so it has to be in the
    /// attribute's own field: `size`, `chosen_size`.
    fn says(&self, domain: Option<&Domain>, key: &str, value: &str) -> bool {
        if value.chars().filter(|c| c.is_alphabetic()).count() > 2 {
            return has_words(&self.text, value);
        }
        let is_own = |name: &str| {
            name.strip_suffix(key).is_some_and(|before| before.is_empty() || before.ends_with('_'))
        };
        let limit = domain.and_then(|domain| domain.limit(key, value));
        let is_it = |sent: &str| {
            sent.eq_ignore_ascii_case(value) || limit.is_some_and(|limit| sent.parse() == Ok(limit))
        };
        self.fields.iter().any(|(name, sent)| is_own(name) && is_it(sent.trim()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use umpire_model::{Preference, Website};
    use umpire_runner::load_suite;

    use super::*;

    /// An attempt that failed and sent this to the person's website.
    fn attempt_at(host: &str, key: &str, value: &str, sent: &str) -> Attempted {
        let persona = Persona {
            id: "noor".to_owned(),
            website: Website { name: "There".to_owned(), host: host.to_owned() },
            preferences: vec![Preference { key: key.to_owned(), value: value.to_owned(), text: None }],
            location: None,
        };
        let request = json!({
            "method": "GET", "url": format!("http://{host}:8080/find?{sent}"), "http_version": "HTTP/1.1", "headers": [],
        });
        let exchange = json!({
            "v": 1, "seq": 0, "ms": 0, "type": "exchange", "target": "t", "frame": null, "main_frame": true,
            "resource": "Document", "started": 0.0, "took_ms": 1.0, "request": request,
        });
        let event = serde_json::from_value(exchange).expect("an exchange");
        let trajectory = Trajectory { events: vec![event], ..Trajectory::default() };
        let instances = load_suite("persona").expect("built in").instances();
        let (tables, left) = (Tables::embedded(), Left::default());
        attempted(tables, &instances[0], &persona, &trajectory, &left, Some(Outcome::Fail))
    }

    #[test]
    fn short_values_count_in_their_own_fields_and_words_anywhere() {
        let (inn, diner, shop) = ("nightjar.localhost", "tablegather.localhost", "threadtarn.localhost");
        for (host, key, value, sent, is_used) in [
            (inn, "distance", "3", "guests=3&nights=3", false),
            (inn, "distance", "3", "distance=3&guests=2", true),
            (inn, "distance", "3", "distance=30&guests=2", true),
            (inn, "distance", "3", "distance=50&guests=30", false),
            (inn, "room", "Queen room", "q=a+queen+room+by+the+sea", true),
            (diner, "distance", "2", "people=2&q=table+for+2", false),
            (diner, "tier", "$$", "q=$$+place", false),
            (diner, "tier", "$$", "tier=$$", true),
            (shop, "size", "S", "q=women's+dresses", false),
            (shop, "size", "S", "size=S&size=M", true),
            (shop, "size", "S", "chosen_size=s", true),
            (shop, "size", "S", "oversize=S", false),
            (shop, "fit", "Loose", "q=loose+shirts", true),
        ] {
            let attempted = attempt_at(host, key, value, sent);
            assert_eq!(attempted.used_preferences, [is_used.then_some(true)], "{value} in {sent}");
            let is_applied = attempted.applied.iter().any(|one| one.key == key && one.value == value);
            assert_eq!(is_applied, is_used, "{value} in {sent}: {:?}", attempted.applied);
        }
        let other = attempt_at(shop, "size", "S", "size=M&q=l'amour");
        let applied = [Applied { key: "size".to_owned(), value: "M".to_owned() }];
        assert_eq!(other.applied, applied, "what was chosen instead");
    }

    #[test]
    fn an_access_tells_what_the_agent_was_shown() {
        let hit = json!({"id": 3, "score": 0.9, "text": "purchase: Oat milk"});
        let whole = json!({"step": 1, "scheme": "on-demand", "query": "milk", "method": "lexical", "hits": [hit],
            "took_ms": 1});
        for (change, hits, answer) in [
            (json!({}), 1, None),
            (json!({"answer": "Oat milk."}), 1, Some("Oat milk.")),
            (json!({"error": "the model made no answer of it"}), 1, Some("")),
        ] {
            let mut said = whole.clone();
            said.as_object_mut().expect("fields").extend(change.as_object().expect("fields").clone());
            let body = EventBody::HistoryAccessed(serde_json::from_value(said).expect("an access"));
            let told = access(&body).expect("it told something");
            assert_eq!((told.hits.len(), told.answer.as_deref()), (hits, answer), "{change}");
        }
        let refused = json!({"step": 1, "scheme": "on-demand", "query": "milk", "method": "", "hits": [],
            "error": "spent", "took_ms": 1});
        let body = EventBody::HistoryAccessed(serde_json::from_value(refused).expect("an access"));
        assert_eq!(access(&body), None);
    }

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
