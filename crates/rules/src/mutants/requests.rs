//! Requests that are almost right: not made, made elsewhere, made with another value, or made although they must not be.

use std::collections::BTreeSet;

use serde_json::Value;
use umpire_model::{
    BlobSource, Body, Event, EventBody, Exchange, ExchangeRequest, ExchangeResponse, JOURNAL_VERSION,
    NetworkCheck, Trajectory,
};
use url::{Url, form_urlencoded};

use super::leaves::{change_where, other_value};
use super::{Change, Mutant, MutantKind};
use crate::network::{self, Fields};
use crate::pattern::{Case, Pattern};
use crate::values::near_misses_of_json;
use crate::words;

/// A change to the requests that satisfy a check.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RequestChange {
    /// `None` for all requests.
    check: Option<NetworkCheck>,
    edit: Edit,
}

#[derive(Clone, Debug, PartialEq)]
enum Edit {
    NotMade,
    OtherMethod,
    OtherPath,
    OtherStatus,
    OtherParameter(String),
    WithoutParameter(String),
    OtherField(String),
    WithoutField(String),
    /// The request that must not be made.
    Made,
    /// The agent went on to another page.
    LeftAgain,
}

pub(super) fn no_activity() -> Mutant {
    let change = RequestChange { check: None, edit: Edit::NotMade };
    Mutant {
        kind: MutantKind::Request,
        what: "no request at all".to_owned(),
        change: Change::Request(Box::new(change)),
    }
}

pub(super) fn mutants(check: &NetworkCheck) -> Vec<Mutant> {
    if check.absent {
        // A pattern says which requests are meant, not how one of them is written.
        let literal = check.url.first().is_some_and(|url| !url.starts_with('^'));
        return if literal {
            vec![mutant(check, "a request that must not be", Edit::Made)]
        } else {
            Vec::new()
        };
    }
    let mut mutants =
        vec![mutant(check, "not made", Edit::NotMade), mutant(check, "another path", Edit::OtherPath)];
    if check.last {
        mutants.push(mutant(check, "left for another page", Edit::LeftAgain));
    } else {
        mutants.push(mutant(check, "another method", Edit::OtherMethod));
    }
    if check.status.is_some_and(|status| status != 0) {
        mutants.push(mutant(check, "another status", Edit::OtherStatus));
    }
    for (name, values) in parameters(check) {
        if values.iter().any(|value| !accepts_anything(value)) {
            mutants.push(mutant(check, &format!("another {name}"), Edit::OtherParameter(name.clone())));
        }
        mutants.push(mutant(check, &format!("no {name}"), Edit::WithoutParameter(name)));
    }
    for (name, value) in &check.post {
        if value.is_null() || ignores(&check.ignored_post_patterns, name, Case::Exact) {
            continue;
        }
        if !value.as_str().is_some_and(accepts_anything) {
            mutants.push(mutant(check, &format!("another {name}"), Edit::OtherField(name.clone())));
        }
        if !is_path(name) {
            mutants.push(mutant(check, &format!("no {name}"), Edit::WithoutField(name.clone())));
        }
    }
    mutants
}

fn mutant(check: &NetworkCheck, what: &str, edit: Edit) -> Mutant {
    let urls = words::joined(check.url.iter().cloned(), " or ");
    let change = RequestChange { check: Some(check.clone()), edit };
    Mutant {
        kind: MutantKind::Request,
        what: format!("{} to {urls}: {what}", words::shorten(&check.method)),
        change: Change::Request(Box::new(change)),
    }
}

/// Query parameters that must be there, with the values they must have, all URLs together.
fn parameters(check: &NetworkCheck) -> Vec<(String, Vec<String>)> {
    let of_query = check.query.iter().map(|(name, values)| (name.clone(), values.clone()));
    let in_urls: BTreeSet<(String, Vec<String>)> = check
        .url
        .iter()
        .filter_map(|url| Url::parse(url).ok())
        .flat_map(|url| {
            url.query_pairs().map(|(n, v)| (n.into_owned(), vec![v.into_owned()])).collect::<Vec<_>>()
        })
        .collect();
    // A query of its own replaces the one in the URL, and alternatives may each have another.
    let written = if check.query.is_empty() && check.url.len() == 1 { in_urls } else { BTreeSet::new() };
    of_query
        .chain(written)
        .filter(|(name, values)| {
            values.iter().any(|value| !value.is_empty())
                && !check.ignored_query.contains(name)
                && !ignores(&check.ignored_query_patterns, name, Case::Ignored)
        })
        .collect()
}

fn ignores(patterns: &[String], name: &str, case: Case) -> bool {
    patterns
        .iter()
        .any(|pattern| Pattern::anywhere(pattern, case).is_ok_and(|pattern| pattern.is_match(name)))
}

/// An author who writes `^.*$` leaves the value to the agent, so another value is not wrong.
fn accepts_anything(expected: &str) -> bool {
    let pattern = Pattern::of(expected, Case::Ignored);
    matches!(pattern, Ok(Some(pattern)) if pattern.is_match("some words that no task would ask for"))
}

/// JSON paths and patterns name places in a body rather than fields.
fn is_path(name: &str) -> bool {
    name.starts_with('$') || (name.starts_with('^') && name.ends_with('$'))
}

impl RequestChange {
    /// Changes the requests of an attempt; `None` if there are none to change.
    pub(super) fn make(&self, trajectory: &mut Trajectory, blobs: &dyn BlobSource) -> Option<()> {
        let Some(check) = &self.check else {
            let before = trajectory.events.len();
            trajectory.events.retain(|event| !matches!(event.body, EventBody::Exchange(_)));
            return (trajectory.events.len() < before).then_some(());
        };
        let concerned = network::satisfying(check, trajectory, blobs);
        match &self.edit {
            Edit::Made => return append(trajectory, forbidden(check, latest_start(trajectory))?),
            Edit::LeftAgain => {
                let last = exchange_at(trajectory, *concerned.last()?)?;
                let mut next = Exchange { started: latest_start(trajectory) + 1000.0, ..last.clone() };
                next.request.url = with_other_path(&next.request.url)?;
                return append(trajectory, next);
            }
            Edit::NotMade => {
                trajectory.events.retain(|event| !concerned.contains(&event.seq));
                return (!concerned.is_empty()).then_some(());
            }
            _ => {}
        }
        let mut changed = None;
        for event in &mut trajectory.events {
            if let EventBody::Exchange(exchange) = &mut event.body
                && concerned.contains(&event.seq)
            {
                self.edit.make(check, exchange, blobs)?;
                changed = Some(());
            }
        }
        changed
    }
}

impl Edit {
    fn make(&self, check: &NetworkCheck, exchange: &mut Exchange, blobs: &dyn BlobSource) -> Option<()> {
        match self {
            Self::OtherMethod => {
                let method = &mut exchange.request.method;
                let other = if method.eq_ignore_ascii_case("DELETE") { "PUT" } else { "DELETE" };
                other.clone_into(method);
            }
            Self::OtherPath => exchange.request.url = with_other_path(&exchange.request.url)?,
            Self::OtherStatus => {
                let response = exchange.response.as_mut()?;
                response.status = if response.status == 500 { 200 } else { 500 };
            }
            Self::OtherParameter(name) => change_query(&mut exchange.request.url, name, true)?,
            Self::WithoutParameter(name) => change_query(&mut exchange.request.url, name, false)?,
            Self::OtherField(name) => {
                let mut fields = Fields::sent(&exchange.request, blobs).ok()?;
                let expected = check.post.get(name)?;
                if is_path(name) {
                    change_values(&mut fields, expected)?;
                } else {
                    change_field(&mut fields, name)?;
                }
                send(&mut exchange.request, &fields);
            }
            Self::WithoutField(name) => {
                let mut fields = Fields::sent(&exchange.request, blobs).ok()?;
                match &mut fields {
                    Fields::Form(pairs) => pairs.retain(|(key, _)| key != name),
                    Fields::Json(json) => drop(json.as_object_mut()?.shift_remove(name)?),
                    Fields::None => return None,
                }
                send(&mut exchange.request, &fields);
            }
            Self::NotMade | Self::Made | Self::LeftAgain => return None,
        }
        Some(())
    }
}

fn with_other_path(url: &str) -> Option<String> {
    let mut url = Url::parse(url).ok()?;
    url.path_segments_mut().ok()?.pop_if_empty().push("other");
    Some(url.into())
}

/// Gives a parameter another value, or takes it away.
fn change_query(url: &mut String, name: &str, keep: bool) -> Option<()> {
    let mut parsed = Url::parse(url).ok()?;
    let pairs: Vec<(String, String)> = parsed.query_pairs().into_owned().collect();
    pairs.iter().find(|(key, _)| key == name)?;
    let changed = pairs.into_iter().filter_map(|(key, value)| match (key == name, keep) {
        (false, _) => Some((key, value)),
        (true, true) => Some((key, other_text(&value))),
        (true, false) => None,
    });
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(changed).finish();
    parsed.set_query(Some(&query).filter(|query| !query.is_empty()).map(String::as_str));
    *url = parsed.into();
    Some(())
}

fn other_text(text: &str) -> String {
    let miss = near_misses_of_json(&Value::from(text)).into_iter().find_map(|miss| match miss.value {
        Value::String(text) if !text.is_empty() => Some(text),
        _ => None,
    });
    miss.unwrap_or_else(|| format!("{text}x"))
}

fn change_field(fields: &mut Fields, name: &str) -> Option<()> {
    match fields {
        Fields::Form(pairs) => {
            let (_, value) = pairs.iter_mut().find(|(key, _)| key == name)?;
            *value = other_text(value);
        }
        Fields::Json(json) => {
            let value = json.get_mut(name)?;
            *value = other_value(value);
        }
        Fields::None => return None,
    }
    Some(())
}

/// Changes all values that are what a path was expected to lead to, wherever they stand.
fn change_values(fields: &mut Fields, expected: &Value) -> Option<()> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let expected = text(expected)?;
    match fields {
        Fields::Form(pairs) => {
            let mut changed = None;
            for (_, value) in pairs.iter_mut().filter(|(_, value)| *value == expected) {
                *value = other_text(value);
                changed = Some(());
            }
            changed
        }
        Fields::Json(json) => change_where(json, &|value| text(value).as_ref() == Some(&expected)),
        Fields::None => None,
    }
}

/// Writes a body; multipart forms become plain ones, which say the same.
fn send(request: &mut ExchangeRequest, fields: &Fields) {
    let (content_type, body) = match fields {
        Fields::Form(pairs) => {
            let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
            ("application/x-www-form-urlencoded", body)
        }
        Fields::Json(json) => ("application/json", json.to_string()),
        Fields::None => return,
    };
    request.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
    request.headers.push(("Content-Type".to_owned(), content_type.to_owned()));
    request.body = Some(Body::Text(body));
}

fn exchange_at(trajectory: &Trajectory, seq: u64) -> Option<&Exchange> {
    trajectory.exchanges().find(|(at, _)| *at == seq).map(|(_, exchange)| exchange)
}

fn latest_start(trajectory: &Trajectory) -> f64 {
    trajectory.exchanges().map(|(_, exchange)| exchange.started).fold(0.0, f64::max)
}

/// Puts an exchange at the end of the journal; positions matter to nobody but evidence.
fn append(trajectory: &mut Trajectory, exchange: Exchange) -> Option<()> {
    let last = trajectory.events.last()?;
    let (seq, ms) = (last.seq + 1, last.ms);
    let body = EventBody::Exchange(Box::new(exchange));
    trajectory.events.push(Event { v: JOURNAL_VERSION, seq, ms, body });
    Some(())
}

/// A request as a check forbids it.
fn forbidden(check: &NetworkCheck, latest_start: f64) -> Option<Exchange> {
    let mut url = Url::parse(check.url.first()?).ok()?;
    for (name, values) in &check.query {
        for value in values {
            url.query_pairs_mut().append_pair(name, value);
        }
    }
    let written = |text: &str| !text.starts_with('^');
    let mut headers: Vec<(String, String)> = check.headers.clone().into_iter().collect();
    headers.extend(check.referer.first().map(|page| ("Referer".to_owned(), page.clone())));
    let all_literal = headers.iter().all(|(_, value)| written(value))
        && check.query.values().flatten().all(|value| written(value))
        && check.post.iter().all(|(name, value)| !is_path(name) && value.as_str().is_none_or(written));
    // What a response must have said cannot be made up here.
    if !all_literal || !check.response.is_empty() || !check.cookies.is_empty() {
        return None;
    }
    let mut request = ExchangeRequest {
        method: check.method.clone(),
        url: url.into(),
        http_version: "HTTP/1.1".to_owned(),
        headers,
        body: None,
    };
    if !check.post.is_empty() {
        let fields = check.post.iter().filter(|(_, value)| !value.is_null());
        send(
            &mut request,
            &Fields::Json(fields.map(|(name, value)| (name.clone(), value.clone())).collect()),
        );
    }
    Some(Exchange {
        target: "mutant".to_owned(),
        frame: None,
        main_frame: true,
        resource: "Document".to_owned(),
        started: latest_start + 1000.0,
        took_ms: 1.0,
        request,
        response: Some(ExchangeResponse {
            status: check.status.unwrap_or(200),
            status_text: String::new(),
            http_version: "HTTP/1.1".to_owned(),
            headers: Vec::new(),
            mime: "text/html".to_owned(),
            encoded_bytes: 0,
            from_cache: false,
            remote: None,
            body: None,
        }),
        error: None,
    })
}
