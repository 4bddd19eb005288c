//! One vocabulary for responses. The paper says `action`, `results` and knows eight statuses; the released code says
//! `task_type` (once `performed_operation`), `retrieved_data` and knows six. Case, spaces, quotes and a full stop around
//! a word from a fixed list change nothing about which word it is.

use serde_json::{Map, Value};

/// Our names, each with the others in use. The first one present counts.
const MEMBERS: [(&str, &[&str]); 2] =
    [("action", &["task_type", "performed_operation"]), ("results", &["retrieved_data"])];

/// Statuses of the paper that the released code folds into others.
const STATUSES: [(&str, &str); 3] = [
    ("SEARCH_CRITERIA_NO_MATCH_ERROR", "NOT_FOUND_ERROR"),
    ("RESOURCE_NOT_FOUND_ERROR", "NOT_FOUND_ERROR"),
    ("NOT_SUPPORTED_BY_PLATFORM_ERROR", "ACTION_NOT_ALLOWED_ERROR"),
];

/// The response in our own words. What is not understood stays as it is, for the schema to refuse.
pub(super) fn unified(value: Value) -> Value {
    let Value::Object(mut members) = value else { return value };
    for (ours, others) in MEMBERS {
        if !members.contains_key(ours)
            && let Some(value) = others.iter().find_map(|other| members.remove(*other))
        {
            members.insert(ours.to_owned(), value);
        }
    }
    translate(&mut members, "action", str::to_lowercase);
    translate(&mut members, "status", |status| {
        let status = status.to_uppercase();
        let known = STATUSES.iter().find(|(paper, _)| *paper == status);
        known.map_or(status, |(_, ours)| (*ours).to_owned())
    });
    if let Some(results) = members.get_mut("results") {
        *results = as_list(results.take());
    }
    // Never judged, so no form of it is wrong.
    if let Some(details) = members.get_mut("error_details")
        && !details.is_null()
        && !details.is_string()
    {
        *details = Value::String(details.to_string());
    }
    Value::Object(members)
}

/// True if an object means to be a response.
pub(super) fn speaks_it(members: &Map<String, Value>) -> bool {
    let [(action, other_names), _] = MEMBERS;
    let has_action =
        members.contains_key(action) || other_names.iter().any(|name| members.contains_key(*name));
    has_action && members.contains_key("status")
}

fn translate(members: &mut Map<String, Value>, member: &str, word: impl Fn(&str) -> String) {
    if let Some(Value::String(text)) = members.get_mut(member) {
        *text = word(text.trim_matches(|c: char| c.is_whitespace() || "'\"`.,;:!?".contains(c)));
    }
}

/// One result may come without a list around it; no result has several spellings.
fn as_list(results: Value) -> Value {
    match results {
        Value::Null | Value::Array(_) => results,
        Value::String(text) if text.is_empty() => Value::Null,
        Value::Object(members) if members.is_empty() => Value::Null,
        one => Value::Array(vec![one]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_vocabulary_says_the_same() {
        let ours = json!({"action": "retrieve", "status": "NOT_FOUND_ERROR", "results": [1]});
        for (other, what) in [
            (
                json!({"task_type": "RETRIEVE", "status": "not_found_error", "retrieved_data": [1]}),
                "released code",
            ),
            (
                json!({"performed_operation": " Retrieve ", "status": "NOT_FOUND_ERROR", "retrieved_data": 1}),
                "older",
            ),
            (json!({"action": "'retrieve'.", "status": "RESOURCE_NOT_FOUND_ERROR", "results": [1]}), "paper"),
            (
                json!({"action": "retrieve", "status": "SEARCH_CRITERIA_NO_MATCH_ERROR", "results": [1]}),
                "paper",
            ),
        ] {
            assert_eq!(unified(other), ours, "{what}");
        }
        let platform = json!({"action": "mutate", "status": "NOT_SUPPORTED_BY_PLATFORM_ERROR"});
        assert_eq!(unified(platform)["status"], "ACTION_NOT_ALLOWED_ERROR");
    }

    #[test]
    fn the_first_name_present_counts_and_nothing_is_guessed() {
        let both =
            json!({"task_type": "mutate", "performed_operation": "bogus", "results": 0, "retrieved_data": 5});
        let both = unified(both);
        assert_eq!((&both["action"], &both["results"]), (&json!("mutate"), &json!([0])));
        for (results, list) in [
            (json!(""), json!(null)),
            (json!({}), json!(null)),
            (json!(false), json!([false])),
            (json!([]), json!([])),
        ] {
            assert_eq!(unified(json!({"results": results}))["results"], list);
        }
        assert_eq!(unified(json!({"status": "^.*$"}))["status"], "^.*$");
        assert_eq!(unified(json!({"status": null}))["status"], json!(null));
        assert_eq!(unified(json!([1])), json!([1]));
    }
}
