//! Expected network events: those that exclude each other, and those that come by themselves.

use super::report::Category;
use super::verified_task::Found;
use crate::python::{Dict, Value, is_regex_literal, repr_of};
use crate::task::{NetworkEvaluator, Task, TaskType, UrlTemplates};

/// Finds pairs of evaluators that look at the same request and expect different things of it.
pub(super) fn find_contradictions(task: &Task, found: &mut Found) {
    let evaluators: Vec<&NetworkEvaluator> = task.network_evaluators().collect();
    for (index, left) in evaluators.iter().enumerate() {
        for right in &evaluators[index + 1..] {
            let conflict = match (left.should_not_exist, right.should_not_exist) {
                (true, true) => None,
                (false, false) => {
                    share_an_event(task, left, right).then(|| disagreement(left, right)).flatten()
                }
                _ => have_same_target(left, right)
                    .then(|| "the request is both wanted and forbidden".to_owned()),
            };
            if let Some(reason) = conflict {
                let text = urls(&left.expected.url).join(" ");
                found.add(
                    Category::ContradictoryEvents,
                    format!("eval[{}].expected", index + 1),
                    reason,
                    text,
                );
            }
        }
    }
}

/// Whether the evaluator asks for nothing but a visit to where the attempt starts.
pub(super) fn is_met_by_start_page(task: &Task, evaluator: &NetworkEvaluator) -> bool {
    let expected = &evaluator.expected;
    let asks_for_more = [
        &expected.headers,
        &expected.query_params,
        &expected.post_data,
        &expected.response_content,
        &expected.response_cookies,
    ]
    .into_iter()
    .any(|part| part.as_ref().is_some_and(|part| !part.is_empty()));
    let is_start = |url: &str| task.start_urls.iter().any(|start| is_same_page(start, url));
    expected.http_method == "GET"
        && expected.response_status == 200
        && !asks_for_more
        && urls(&expected.url).into_iter().any(is_start)
}

fn urls(templates: &UrlTemplates) -> Vec<&str> {
    match templates {
        UrlTemplates::One(url) => vec![url],
        UrlTemplates::Alternatives(urls) => urls.iter().map(String::as_str).collect(),
    }
}

fn is_same_page(left: &str, right: &str) -> bool {
    let page = |url: &str| url.trim_end_matches('/').to_lowercase();
    page(left) == page(right)
}

/// Whether both evaluators are bound to judge one and the same request of any trace.
fn share_an_event(task: &Task, left: &NetworkEvaluator, right: &NetworkEvaluator) -> bool {
    let is_last_navigation = |evaluator: &NetworkEvaluator| {
        task.task_type() == Some(TaskType::Navigate) && evaluator.expected.http_method == "GET"
    };
    if is_last_navigation(left) && is_last_navigation(right) {
        return true;
    }
    left.last_event_only && right.last_event_only && have_same_target(left, right)
}

fn have_same_target(left: &NetworkEvaluator, right: &NetworkEvaluator) -> bool {
    let referer = |evaluator: &NetworkEvaluator| {
        evaluator.expected.headers.as_ref().and_then(|headers| headers.get("referer").cloned())
    };
    left.expected.http_method.eq_ignore_ascii_case(&right.expected.http_method)
        && left.expected.url == right.expected.url
        && referer(left) == referer(right)
}

/// What two evaluators of one request disagree about; patterns, alternatives and ignored fields are given the benefit
/// of the doubt.
fn disagreement(left: &NetworkEvaluator, right: &NetworkEvaluator) -> Option<String> {
    let (left_event, right_event) = (&left.expected, &right.expected);
    let (left_urls, right_urls) = (urls(&left_event.url), urls(&right_event.url));
    let may_meet = |one: &&str| {
        is_regex_literal(one)
            || right_urls.iter().any(|other| is_regex_literal(other) || is_same_page(one, other))
    };
    if !left_urls.iter().any(may_meet) {
        return Some(format!(
            "the same navigation is to end at {} and at {}",
            left_urls.join(" or "),
            right_urls.join(" or ")
        ));
    }
    if left_event.response_status != right_event.response_status {
        return Some(format!(
            "the same request is to answer {} and {}",
            left_event.response_status, right_event.response_status
        ));
    }
    if left.ignored_post_data_params_patterns.is_some() || right.ignored_post_data_params_patterns.is_some() {
        return None;
    }
    differing_field(left_event.post_data.as_ref()?, right_event.post_data.as_ref()?)
}

fn differing_field(left: &Dict, right: &Dict) -> Option<String> {
    left.iter().find_map(|(name, left_value)| {
        let right_value = right.get(name)?;
        let differ = is_plain(left_value) && is_plain(right_value) && left_value != right_value;
        differ.then(|| {
            format!(
                "the same request is to carry {name} = {} and {}",
                repr_of(left_value),
                repr_of(right_value)
            )
        })
    })
}

/// Whether the value can only equal itself, give or take its spelling.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Str(text) => !is_regex_literal(text),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => true,
        Value::None | Value::List(_) | Value::Tuple(_) | Value::Dict(_) => false,
    }
}
