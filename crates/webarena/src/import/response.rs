//! The expected answer of a WebArena Verified task as a check of ours.

use regex::escape;
use serde_json::{Value, json};
use umpire_model::ResponseCheck;

use super::addresses::Addresses;
use super::defects::as_json;
use super::network::resolved;
use crate::task::ResponseEvaluator;

/// Stands for the host that serves Git over SSH; no configuration names it.
const SSH_HOST: &str = "__SSH_HOST__";

pub(super) fn check(evaluator: &ResponseEvaluator, addresses: &Addresses<'_>) -> ResponseCheck {
    let expected = &evaluator.expected;
    let mut schema = as_json(&evaluator.results_schema);
    let mut item = schema.get_mut("items").map(Value::take).unwrap_or_default();
    let mut results = match expected.retrieved_data.as_ref().map(as_json) {
        Some(Value::Array(results)) if !results.is_empty() => Some(results),
        _ => None,
    };
    for result in results.iter_mut().flatten() {
        if let Some(pattern) = result.as_str().and_then(any_ssh_host) {
            *result = Value::from(pattern);
            item = json!({"type": "string"});
        } else {
            *result = resolved(result, &item, addresses);
        }
    }
    ResponseCheck {
        status: expected.status.name().to_owned(),
        results,
        schema: item,
        ordered: evaluator.ordered,
    }
}

/// A clone address is right whatever host and port the deployment has.
fn any_ssh_host(text: &str) -> Option<String> {
    let (user, path) = text.split_once(SSH_HOST)?;
    let path = path.trim_start_matches([':', '/']);
    Some(format!(
        r"^(?:ssh://)?{}[^/:\s]+(?::\d+/|[:/])/?{}$",
        escape(user.trim_start_matches("ssh://")),
        escape(path)
    ))
}
