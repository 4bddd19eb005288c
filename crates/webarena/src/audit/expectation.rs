//! Expectations that nothing can meet.

use serde_json::Value as Json;

use super::report::Category;
use super::schema::{is_list, items, property};
use super::verified_task::Found;
use crate::python::{Dict, Value, repr_of};
use crate::task::{Evaluator, Task};

/// Finds template variables (`{{forum_id}}`) left in keys and texts.
pub(super) fn find_placeholders(value: &Json, place: &str, found: &mut Found) {
    let mut look_at = |text: &str, place: &str| {
        if let Some((_, after)) = text.split_once("{{")
            && after.contains("}}")
        {
            let reason =
                "the variable was never filled in, and only a request that contains it literally matches";
            found.add(Category::UnsubstitutedPlaceholder, place, reason, text);
        }
    };
    match value {
        Json::String(text) => look_at(text, place),
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                find_placeholders(item, &format!("{place}[{index}]"), found);
            }
        }
        Json::Object(entries) => {
            for key in entries.keys() {
                look_at(key, place);
            }
            for (key, entry) in entries {
                find_placeholders(entry, &format!("{place}.{key}"), found);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// An expected answer must say what data it expects, even if none: answers always have the key.
pub(super) fn find_omitted_data(task: &Task, found: &mut Found) {
    if let Some(response) = task.response_evaluator()
        && response.expected.retrieved_data.is_none()
    {
        let reason = "the key is absent, so no answer has the expected keys";
        found.add(Category::OmittedRetrievedData, "eval[0].expected", reason, "retrieved_data");
    }
}

/// A list where the schema has a single value means alternatives; fewer than two are an error on every run.
pub(super) fn find_one_element_alternatives(task: &Task, found: &mut Found) {
    for (index, evaluator) in task.eval.iter().enumerate() {
        let mut lone = Vec::new();
        match evaluator {
            Evaluator::Response(response) => {
                let data =
                    response.expected.retrieved_data.as_ref().and_then(Value::as_list).unwrap_or_default();
                let item_schema = items(&response.results_schema);
                for (item_index, item) in data.iter().enumerate() {
                    collect_lone(item, item_schema, &format!("retrieved_data[{item_index}]"), &mut lone);
                }
            }
            Evaluator::Network(network) => {
                let expected = &network.expected;
                let post_schema = network.post_data_schema.as_ref();
                collect_lone_fields(expected.post_data.as_ref(), post_schema, "post_data", &mut lone);
                collect_lone_fields(expected.headers.as_ref(), None, "headers", &mut lone);
                if let Some(query_schema) = &network.query_params_schema {
                    collect_lone_fields(
                        expected.query_params.as_ref(),
                        Some(query_schema),
                        "query_params",
                        &mut lone,
                    );
                }
            }
        }
        for (place, value) in lone {
            let reason = "a list of fewer than two stands where the schema has a single value, and stops the evaluator";
            found.add(
                Category::OneElementAlternatives,
                format!("eval[{index}].expected.{place}"),
                reason,
                repr_of(value),
            );
        }
    }
}

fn collect_lone_fields<'a>(
    fields: Option<&'a Dict>,
    schema: Option<&Dict>,
    place: &str,
    lone: &mut Vec<(String, &'a Value)>,
) {
    for (name, value) in fields.into_iter().flatten() {
        collect_lone(
            value,
            schema.and_then(|schema| property(schema, name)),
            &format!("{place}.{name}"),
            lone,
        );
    }
}

fn collect_lone<'a>(
    value: &'a Value,
    schema: Option<&Dict>,
    place: &str,
    lone: &mut Vec<(String, &'a Value)>,
) {
    match value {
        Value::List(members) if schema.is_some_and(is_list) => {
            let member_schema = schema.and_then(items);
            for (index, member) in members.iter().enumerate() {
                collect_lone(member, member_schema, &format!("{place}[{index}]"), lone);
            }
        }
        Value::List(members)
            if members.len() < 2 && members.iter().all(|member| member.as_dict().is_none()) =>
        {
            lone.push((place.to_owned(), value));
        }
        Value::Dict(fields) => collect_lone_fields(Some(fields), schema, place, lone),
        _ => {}
    }
}
