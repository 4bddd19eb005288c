//! The schemas of expected values: what they accept, and how loosely.

use std::collections::BTreeSet;

use super::report::Category;
use super::verified_task::Found;
use crate::python::{Dict, Value};
use crate::task::{Evaluator, Task};

/// The schema of a list's members.
pub(super) fn items(schema: &Dict) -> Option<&Dict> {
    schema.get("items").and_then(Value::as_dict)
}

/// The schema of an object's field.
pub(super) fn property<'a>(schema: &'a Dict, name: &str) -> Option<&'a Dict> {
    schema.get("properties").and_then(Value::as_dict)?.get(name).and_then(Value::as_dict)
}

pub(super) fn is_list(schema: &Dict) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("array")
}

/// Formats whose values count as equal well beyond their spelling, with what that lets through.
const WIDE: [(&str, &str); 4] = [
    ("currency", "amounts within 0.10 are equal: 0.05 and 0.15"),
    ("duration", "durations within 3 minutes or a tenth are equal: 1 min and 3 min"),
    ("distance", "distances within 10 m or a fiftieth are equal: 1 m and 11 m"),
    ("location-name", "names alike to four fifths are equal: Harvard University and Howard University"),
];

/// Finds value formats compared with a tolerance that covers wrong answers.
pub(super) fn find_wide_tolerances(task: &Task, found: &mut Found) {
    for (index, evaluator) in task.eval.iter().enumerate() {
        let schemas = match evaluator {
            Evaluator::Response(response) => vec![("results_schema", &response.results_schema)],
            Evaluator::Network(network) => {
                let optional = [
                    ("post_data_schema", &network.post_data_schema),
                    ("query_params_schema", &network.query_params_schema),
                ];
                optional.into_iter().filter_map(|(name, schema)| Some((name, schema.as_ref()?))).collect()
            }
        };
        for (name, schema) in schemas {
            let mut formats = BTreeSet::new();
            collect_formats(schema, &mut formats);
            for (format, tolerance) in WIDE.into_iter().filter(|(format, _)| formats.contains(format)) {
                found.add(Category::WideTolerance, format!("eval[{index}].{name}"), tolerance, format);
            }
        }
    }
}

fn collect_formats<'a>(schema: &'a Dict, formats: &mut BTreeSet<&'a str>) {
    formats.extend(schema.get("format").and_then(Value::as_str));
    if let Some(items) = items(schema) {
        collect_formats(items, formats);
    }
    for property in schema
        .get("properties")
        .and_then(Value::as_dict)
        .into_iter()
        .flat_map(Dict::values)
        .filter_map(Value::as_dict)
    {
        collect_formats(property, formats);
    }
}
