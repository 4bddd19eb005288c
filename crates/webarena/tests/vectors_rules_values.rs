//! The typed values, the normaliser and the comparator against answers the released evaluator gave.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::{Date, date};
use proptest::prelude::*;
use umpire_webarena::config::{Config, SiteUrls, Strictness};
use umpire_webarena::python::{Value, parse_json, repr_of};
use umpire_webarena::reference::response::{AgentResponse, ResponseCheck};
use umpire_webarena::reference::text::fold;
use umpire_webarena::reference::values::{
    Context, DecimalSeparator, Rewrite, Unreadable, construct, constructor, parse_date, price_amount,
    seconds_of, token_sort_ratio, word_number,
};
use umpire_webarena::reference::{EvaluatorError, Schema};
use umpire_webarena::site::Site;

use crate::support::{conclude, shared_folder};

/// The day the answers were recorded.
const TODAY: Date = date(2026, 11, 15);

fn context(derender: Option<Rewrite>) -> Context {
    Context { strictness: Strictness::Strict, today: TODAY, derender, render: None }
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case.as_dict().and_then(|case| case.get(key)).and_then(Value::as_str).unwrap_or_default()
}

fn field(case: &Value, key: &str) -> Value {
    case.as_dict().and_then(|case| case.get(key)).cloned().unwrap_or(Value::None)
}

/// Every case of a file, read as Python reads it: some hold numbers JSON does not have.
fn cases(folder: &std::path::Path, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(file)).expect(file);
    text.lines().map(|line| parse_json(line).expect("a case is a line of JSON")).collect()
}

/// The addresses the answers were recorded with.
fn default_config(folder: &std::path::Path) -> Config {
    let configs = std::fs::read_to_string(folder.join("configs.json")).expect("configs.json");
    let mut configs: BTreeMap<String, Config> = serde_json::from_str(&configs).expect("configurations");
    configs.remove("default").expect("a default configuration")
}

fn derender_for(config: &Config, case: &Value) -> Rewrite {
    let environments = config.environments.clone();
    let sites: Vec<Site> = match field(case, "sites") {
        Value::List(names) => names.iter().filter_map(|name| Site::parse(name.as_str()?)).collect(),
        _ => Vec::new(),
    };
    Arc::new(move |text, strictness| {
        SiteUrls::new(environments.as_ref(), &sites)
            .and_then(|urls| urls.derender(text, strictness))
            .map_err(|_| Unreadable("at none of the sites"))
    })
}

/// Status, assertion names and both normalised sides.
type Verdict = (String, Vec<String>, Value, Value);

fn verdict(case: &Value, config: &Config) -> Verdict {
    let check = ResponseCheck {
        task_type: "RETRIEVE".to_owned(),
        status: "SUCCESS".to_owned(),
        retrieved_data: Some(field(case, "expected")),
        schema: Schema::from_value(&field(case, "schema")),
        ordered: field(case, "ordered").truthy(),
    };
    let response = [
        ("task_type", "RETRIEVE".into()),
        ("status", "SUCCESS".into()),
        ("retrieved_data", field(case, "actual")),
    ];
    let response = AgentResponse::Value(Value::Dict(
        response.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
    ));
    match check.evaluate(&response, &context(Some(derender_for(config, case)))) {
        Ok(finding) => {
            let status = if finding.assertions.is_empty() { "success" } else { "failure" };
            let mut names: Vec<String> =
                finding.assertions.into_iter().map(|assertion| assertion.name).collect();
            names.sort();
            (
                status.to_owned(),
                names,
                field(&finding.expected, "retrieved_data"),
                field(&finding.actual, "retrieved_data"),
            )
        }
        Err(EvaluatorError::ExpectedData) => ("load_error".to_owned(), Vec::new(), Value::None, Value::None),
        Err(_) => ("error".to_owned(), Vec::new(), Value::None, Value::None),
    }
}

fn recorded_verdict(case: &Value) -> Verdict {
    let mut names: Vec<String> = match field(case, "assertions") {
        Value::List(assertions) => {
            assertions.iter().map(|assertion| text(assertion, "name").to_owned()).collect()
        }
        _ => Vec::new(),
    };
    names.sort();
    (
        text(case, "status").to_owned(),
        names,
        field(case, "normalized_expected"),
        field(case, "normalized_actual"),
    )
}

#[test]
fn vectors_rules_values() {
    let Some(folder) = shared_folder("vectors") else { return };
    let config = default_config(&folder);
    let (mut compared, mut mismatches) = (0, Vec::new());
    for case in cases(&folder, "values.jsonl") {
        if text(&case, "tag") == "table:full_address" {
            continue;
        }
        let expected = recorded_verdict(&case);
        let actual = verdict(&case, &config);
        compared += 1;
        // An error leaves no values to report. The rest is compared as text, because NaN equals nothing.
        let same = match (expected.0.as_str(), actual.0.as_str()) {
            ("error", "error") | ("load_error", "load_error") => true,
            _ => format!("{expected:?}") == format!("{actual:?}"),
        };
        if !same {
            mismatches.push(format!("{}\n  expected {expected:?}\n  got      {actual:?}", repr_of(&case)));
        }
    }
    conclude("values.jsonl", compared, &mismatches);
}

/// The outcome of one function of the reference on one input: its result as text, or an error.
fn unit(function: &str, input: &Value) -> Option<Result<Value, String>> {
    let refused = || "refused".to_owned();
    Some(match function {
        "normalize_string" => Ok(Value::from(fold(input.as_str()?, None))),
        "price_parser" => {
            let separator = if text(input, "decimal_separator") == "." {
                DecimalSeparator::Point
            } else {
                DecimalSeparator::Comma
            };
            Ok(price_amount(text(input, "text"), separator).map_or(Value::None, Value::from))
        }
        "token_sort_ratio" => match input {
            Value::List(pair) => {
                Ok(Value::from(i64::from(token_sort_ratio(pair[0].as_str()?, pair[1].as_str()?))))
            }
            _ => return None,
        },
        "dateutil_parse_default_2003_09_25" => parse_date(input.as_str()?, date(2003, 9, 25), TODAY.year())
            .map(|moment| {
                let format = if moment.subsec_nanosecond() == 0 {
                    "%Y-%m-%d %H:%M:%S"
                } else {
                    "%Y-%m-%d %H:%M:%S%.6f"
                };
                Value::from(moment.strftime(format).to_string())
            })
            .ok_or_else(refused),
        "pytimeparse2" => Ok(seconds_of(input.as_str()?).map_or(Value::None, Value::from)),
        "word_to_num" => word_number(input.as_str()?).map(Value::from).ok_or_else(refused),
        "normalize:full_address" => return None,
        _ => {
            let type_name = function.strip_prefix("normalize:")?;
            constructor(type_name)?;
            construct(type_name, input, &context(None)).map(|typed| typed.report()).map_err(|_| refused())
        }
    })
}

fn recorded_unit(case: &Value) -> Result<Value, String> {
    if !field(case, "ok").truthy() {
        return Err("refused".to_owned());
    }
    let output = field(case, "output");
    // Of a typed value all alternatives are recorded; reports show the first.
    match output {
        Value::List(alternatives) if text(case, "fn").starts_with("normalize:") => {
            Ok(alternatives.into_iter().next().unwrap_or(Value::None))
        }
        output => Ok(output),
    }
}

/// Durations were recorded in seconds; reports are in ISO 8601.
fn duration_seconds(case: &Value) -> Result<Value, String> {
    use umpire_webarena::reference::values::{DurationValue, OneOf};
    let read = OneOf::<DurationValue>::read(&field(case, "input"), &context(None));
    read.map(|read| Value::from(read.alternatives()[0].seconds())).map_err(|_| "refused".to_owned())
}

#[test]
fn vectors_rules_units_values() {
    let Some(folder) = shared_folder("vectors") else { return };
    let (mut compared, mut mismatches) = (0, Vec::new());
    for case in cases(&folder, "units.jsonl") {
        let function = text(&case, "fn");
        let outcome = match function {
            "normalize:url" => None,
            "normalize:duration" => Some(duration_seconds(&case)),
            function => unit(function, &field(&case, "input")),
        };
        let Some(outcome) = outcome else { continue };
        let recorded = recorded_unit(&case);
        let same = match (&recorded, &outcome) {
            // Numbers JSON cannot hold were recorded as text.
            (Ok(Value::Str(recorded)), Ok(Value::None)) => {
                matches!(recorded.as_str(), "[inf]" | "[-inf]" | "[nan]")
            }
            // Words are read into a float, which is all the evaluator makes of them.
            (Ok(Value::Int(recorded)), Ok(Value::Float(outcome))) => recorded.to_f64() == Some(*outcome),
            (Ok(recorded), Ok(outcome)) => recorded == outcome,
            (Err(_), Err(_)) => true,
            _ => false,
        };
        compared += 1;
        if !same {
            mismatches.push(format!("{}\n  expected {recorded:?}\n  got      {outcome:?}", repr_of(&case)));
        }
    }
    conclude("units.jsonl", compared, &mismatches);
}

#[test]
fn vectors_rules_length_units() {
    let Some(folder) = shared_folder("vectors") else { return };
    let table =
        std::fs::read_to_string(folder.join("pint_length_units.json")).expect("pint_length_units.json");
    let table: BTreeMap<String, f64> = serde_json::from_str(&table).expect("a table");
    let ascii = table.iter().filter(|(name, _)| name.is_ascii());
    let mut compared = 0;
    for (name, metres) in ascii {
        let read =
            construct("distance", &Value::from(format!("1.0 {name}")), &context(None)).expect(name).report();
        let read: f64 = read.as_str().expect("a decimal").parse().expect("a number");
        assert!((read - metres).abs() <= 1e-12 * metres, "{name}: {read} instead of {metres}");
        compared += 1;
    }
    assert!(compared > 9_000, "only {compared} units");
    println!("compared {compared} units of length");
}

const TYPES: [&str; 17] = [
    "string",
    "number",
    "integer",
    "boolean",
    "currency",
    "date",
    "month",
    "duration",
    "distance",
    "coordinates",
    "location-name",
    "string_list",
    "null",
    "json",
    "markdown",
    "base64",
    "full_address",
];

proptest! {
    #[test]
    fn no_type_panics_on_any_text(text in any::<String>()) {
        for name in TYPES {
            let _ = construct(name, &Value::from(text.as_str()), &context(None));
        }
    }

    /// The same with the characters types look for.
    #[test]
    fn no_type_panics_on_near_misses(text in r#"[0-9 .,:;/'"()\-+*^%$€hmskdpatz{}\[\]a-fTZ]{0,24}"#) {
        for name in TYPES {
            let value = Value::from(text.as_str());
            if let Ok(typed) = construct(name, &value, &context(None)) {
                typed.report();
            }
            if let Ok(parsed) = parse_json(&text) {
                let _ = construct(name, &parsed, &context(None));
            }
        }
    }
}
