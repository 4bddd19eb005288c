//! Expectations that no attempt can meet. They are found by what is wrong with them, never by a task's number.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::task::{NetworkEvaluator, Task, TaskType, UrlTemplates};

/// Why a task cannot be passed by doing what it asks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    #[error("the expected answer does not say what data to expect, not even that there are none")]
    NoExpectedData,
    #[error("`{0}` was never filled in")]
    NotFilledIn(String),
    #[error(
        "the choice of alternatives for `{0}` has fewer than two; a list was meant, but the schema does not say so"
    )]
    NoChoice(String),
    #[error("two different pages are both expected to be the last one: {0} and {1}")]
    TwoLastPages(String, String),
    #[error("the last request to {url} is expected to have two different values of `{field}`")]
    TwoBodies { url: String, field: String },
}

pub fn defects(task: &Task) -> Vec<Defect> {
    let mut found = Vec::new();
    let answer = task.response_evaluator().map(|evaluator| &evaluator.expected);
    match answer.map(|answer| &answer.retrieved_data) {
        Some(None) => found.push(Defect::NoExpectedData),
        Some(Some(data)) => {
            let data = as_json(data);
            found.extend(not_filled_in(&data));
            let lists = data.as_array().into_iter().flatten().filter_map(Value::as_array);
            found.extend(
                lists.filter(|list| list.len() < 2).map(|_| Defect::NoChoice("retrieved_data".to_owned())),
            );
        }
        None => {}
    }
    let requests: Vec<&NetworkEvaluator> = task.network_evaluators().collect();
    for request in &requests {
        found.extend(defects_in(request));
    }
    let demanded: Vec<&NetworkEvaluator> =
        requests.into_iter().filter(|request| !request.should_not_exist).collect();
    for (at, one) in demanded.iter().enumerate() {
        for other in &demanded[at + 1..] {
            found.extend(contradiction(task, one, other));
        }
    }
    found.dedup();
    found
}

fn defects_in(request: &NetworkEvaluator) -> Vec<Defect> {
    let expected = &request.expected;
    let mut texts: Vec<Value> = urls(&expected.url).into_iter().map(Value::from).collect();
    let parts = [
        &expected.headers,
        &expected.query_params,
        &expected.post_data,
        &expected.response_content,
        &expected.response_cookies,
    ];
    texts.extend(parts.into_iter().flatten().map(as_json));
    let mut found: Vec<Defect> = texts.iter().filter_map(not_filled_in).collect();
    let schema = request.post_data_schema.as_ref().map(as_json).unwrap_or_default();
    for (name, value) in expected.post_data.iter().flatten() {
        let is_list = schema["properties"][name]["type"] == "array";
        if !is_list && value.as_list().is_some_and(|list| list.len() < 2) {
            found.push(Defect::NoChoice(name.clone()));
        }
    }
    found
}

/// The first template variable that was left in a value.
fn not_filled_in(value: &Value) -> Option<Defect> {
    static VARIABLE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{\{[^{}]*\}\}").expect("a constant pattern"));
    let left = VARIABLE.find(&value.to_string())?.as_str().to_owned();
    Some(Defect::NotFilledIn(left))
}

/// What two requests demand of the same last one and cannot both have.
fn contradiction(task: &Task, one: &NetworkEvaluator, other: &NetworkEvaluator) -> Option<Defect> {
    let (left, right) = (&one.expected, &other.expected);
    if !left.http_method.eq_ignore_ascii_case(&right.http_method) {
        return None;
    }
    let last_page = task.task_type() == Some(TaskType::Navigate) && left.http_method == "GET";
    if last_page {
        let (left, right) = (urls(&left.url), urls(&right.url));
        let apart = !left.iter().any(|url| right.contains(url));
        return apart.then(|| Defect::TwoLastPages(left.join(" or "), right.join(" or ")));
    }
    let same_request = one.last_event_only
        && other.last_event_only
        && left.url == right.url
        && left.headers.as_ref().map(as_json) == right.headers.as_ref().map(as_json);
    if !same_request {
        return None;
    }
    let (left_body, right_body) = (left.post_data.as_ref()?, right.post_data.as_ref()?);
    let field =
        left_body.iter().find(|(name, value)| right_body.get(*name).is_some_and(|other| other != *value));
    field.map(|(name, _)| Defect::TwoBodies { url: urls(&left.url).join(" or "), field: name.clone() })
}

pub(super) fn urls(templates: &UrlTemplates) -> Vec<&str> {
    match templates {
        UrlTemplates::One(url) => vec![url],
        UrlTemplates::Alternatives(urls) => urls.iter().map(String::as_str).collect(),
    }
}

pub(super) fn as_json<T: serde::Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
