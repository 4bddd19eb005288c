//! The expected requests of a WebArena Verified task as checks of ours.
//!
//! Where the reference looks at the last of several alike, we look at those that took effect: reading the last is
//! right for what only reads (`latest`), while everything that was sent to change something must have been right
//! (`every`). A page to end up on is the last one loaded into a tab.

use std::collections::BTreeMap;

use serde_json::Value;
use umpire_model::{Comparison, NetworkCheck, Which};

use super::addresses::Addresses;
use super::defects::{as_json, urls};
use crate::python::Dict;
use crate::task::{NetworkEvaluator, TaskType};

pub(super) fn check(
    evaluator: &NetworkEvaluator,
    task_type: Option<TaskType>,
    addresses: &Addresses<'_>,
) -> NetworkCheck {
    let expected = &evaluator.expected;
    let mut check = NetworkCheck::to(pages(&urls(&expected.url), addresses));
    check.method.clone_from(&expected.http_method);
    check.comparison = Comparison::Meaning;
    check.base64_path = evaluator.decode_base64_query;
    let (referers, headers) = headers(expected.headers.as_ref());
    check.referer = pages(&referers.iter().map(String::as_str).collect::<Vec<_>>(), addresses);
    if evaluator.should_not_exist {
        check.absent = true;
        return check;
    }
    check.headers =
        headers.into_iter().map(|(name, value)| (name, one_spelling(&value, addresses))).collect();
    // Released data says -1 for a request that nothing answered.
    check.status = Some(u16::try_from(expected.response_status).unwrap_or(0));
    check.query = parameters(expected.query_params.as_ref());
    check.query_schema = evaluator.query_params_schema.as_ref().map(as_json).unwrap_or_default();
    check.only_query = true;
    check.ignored_query = evaluator.ignored_query_params.clone().unwrap_or_default();
    check.ignored_query_patterns = evaluator.ignored_query_params_patterns.clone().unwrap_or_default();
    check.post_schema = evaluator.post_data_schema.as_ref().map(as_json).unwrap_or_default();
    check.post = fields(expected.post_data.as_ref(), &check.post_schema, addresses);
    check.ignored_post_patterns = evaluator.ignored_post_data_params_patterns.clone().unwrap_or_default();
    check.response = fields(expected.response_content.as_ref(), &Value::Null, addresses);
    check.cookies = texts(expected.response_cookies.as_ref())
        .map(|(name, value)| (name, one_spelling(&value, addresses)))
        .collect();
    check.last = task_type == Some(TaskType::Navigate) && expected.http_method == "GET";
    // A switch that is told by what comes back may be pressed twice; what was written cannot be unwritten.
    let writes = task_type == Some(TaskType::Mutate)
        && !expected.http_method.eq_ignore_ascii_case("GET")
        && check.post.values().any(|value| !value.is_null());
    check.which = match evaluator.last_event_only {
        _ if check.last => Which::Any,
        false => Which::Any,
        true if writes => Which::Every,
        true => Which::Latest,
    };
    check
}

/// Accepted URLs with the addresses of the deployment.
fn pages(templates: &[&str], addresses: &Addresses<'_>) -> Vec<String> {
    let accepted = templates.iter().flat_map(|template| {
        if is_pattern(template) {
            vec![addresses.in_pattern(template)]
        } else {
            addresses.spellings(template)
        }
    });
    accepted.collect()
}

fn is_pattern(text: &str) -> bool {
    text.len() > 1 && text.starts_with('^') && text.ends_with('$')
}

/// The pages a request may come from, and the other headers.
fn headers(headers: Option<&Dict>) -> (Vec<String>, BTreeMap<String, String>) {
    let mut referers = Vec::new();
    let mut others = BTreeMap::new();
    for (name, value) in headers.into_iter().flatten() {
        let values: Vec<String> = match as_json(value) {
            Value::String(text) => vec![text],
            Value::Array(texts) => texts.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => continue,
        };
        if name.eq_ignore_ascii_case("referer") {
            referers = values;
        } else if let Some(value) = one_of(values) {
            others.insert(name.clone(), value);
        }
    }
    (referers, others)
}

/// Several accepted texts as one pattern.
fn one_of(mut texts: Vec<String>) -> Option<String> {
    if texts.len() < 2 {
        return texts.pop();
    }
    let inside = |text: &String| match text.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) {
        Some(inside) => format!("(?:{inside})"),
        None => regex::escape(text),
    };
    Some(format!("^{}$", texts.iter().map(inside).collect::<Vec<_>>().join("|")))
}

fn one_spelling(text: &str, addresses: &Addresses<'_>) -> String {
    if is_pattern(text) {
        return addresses.in_pattern(text);
    }
    one_of(addresses.spellings(text)).unwrap_or_default()
}

fn parameters(query: Option<&Dict>) -> BTreeMap<String, Vec<String>> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let values = |value: Value| match value {
        Value::Array(values) => values.iter().map(text).collect(),
        one => vec![text(&one)],
    };
    query.into_iter().flatten().map(|(name, value)| (name.clone(), values(as_json(value)))).collect()
}

fn texts(dict: Option<&Dict>) -> impl Iterator<Item = (String, String)> + '_ {
    dict.into_iter().flatten().filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
}

fn fields(dict: Option<&Dict>, schema: &Value, addresses: &Addresses<'_>) -> BTreeMap<String, Value> {
    let field = |(name, value): (&String, _)| {
        (name.clone(), resolved(&as_json(value), &schema["properties"][name], addresses))
    };
    dict.into_iter().flatten().map(field).collect()
}

/// A value with addresses filled in. Where a text has several spellings they become alternatives.
pub(super) fn resolved(value: &Value, schema: &Value, addresses: &Addresses<'_>) -> Value {
    match value {
        Value::String(text) if is_pattern(text) => Value::from(addresses.in_pattern(text)),
        Value::String(text) => {
            let mut spellings = addresses.spellings(text);
            if spellings.len() == 1 { Value::from(spellings.remove(0)) } else { Value::from(spellings) }
        }
        Value::Array(items) if schema["type"] == "array" => {
            items.iter().map(|item| resolved(item, &schema["items"], addresses)).collect()
        }
        // Alternatives of alternatives are alternatives.
        Value::Array(alternatives) => {
            let flattened = alternatives.iter().flat_map(|one| match resolved(one, schema, addresses) {
                Value::Array(several) if one.is_string() => several,
                one => vec![one],
            });
            flattened.collect()
        }
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, value)| (name.clone(), resolved(value, &schema["properties"][name], addresses)))
                .collect(),
        ),
        other => other.clone(),
    }
}
