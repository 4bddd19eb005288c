//! The reference's URL, query, body and `JSONPath` functions, one by one, against the answers it gave.

use serde_json::{Value, json};
use umpire_webarena::config::{Config, SiteUrls, Strictness};
use umpire_webarena::python::{self, Dict};
use umpire_webarena::reference::json_path::{Extraction, Key};
use umpire_webarena::reference::url::{QueryOptions, UrlValue};
use umpire_webarena::reference::values::Context;
use umpire_webarena::reference::{body, query, url_normalise};
use umpire_webarena::site::Site;
use umpire_webarena::trace::{Retention, Trace, is_evaluation_url};

use crate::support;

/// Runs one function over all its cases. `None` from `compute` stands for an exception in the reference.
fn compare(function: &str, compute: impl Fn(&Value) -> Option<Value>) {
    let Some(cases) = support::vector_cases("units.jsonl") else { return };
    let mut mismatches = Vec::new();
    let mut compared = 0;
    for case in cases.iter().filter(|case| case["fn"] == function) {
        compared += 1;
        let expected = (case["ok"] == true).then(|| case["output"].clone());
        let actual = compute(&case["input"]);
        if actual != expected {
            mismatches.push(format!("{}: {} gives {actual:?}, not {expected:?}", case["id"], case["input"]));
        }
    }
    support::conclude(function, compared, &mismatches);
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn config(id: &str) -> Config {
    let folder = support::shared_folder("vectors").expect("checked by the caller");
    let configs = std::fs::read_to_string(folder.join("network_configs.json")).expect("configs");
    let mut configs: Value = serde_json::from_str(&configs).expect("configs");
    serde_json::from_value(configs[id].take()).expect("a configuration")
}

fn with_sites(
    input: &Value,
    convert: impl Fn(&SiteUrls, &str, Strictness) -> Option<String>,
) -> Option<Value> {
    let config = config(text(&input["config"]));
    let sites: Vec<Site> = input["sites"]
        .as_array()
        .expect("sites")
        .iter()
        .map(|site| Site::parse(text(site)).expect("a site"))
        .collect();
    let strictness = if input["strict"] == true { Strictness::Strict } else { Strictness::Lenient };
    let sites = SiteUrls::new(config.environments.as_ref(), &sites).ok()?;
    convert(&sites, text(&input["url"]), strictness).map(Value::from)
}

#[test]
fn vectors_rules_unit_url_normalize() {
    compare("url_normalize", |input| url_normalise::normalise(text(input)).ok().map(Value::from));
}

#[test]
fn vectors_rules_unit_render_url() {
    compare("render_url", |input| {
        with_sites(input, |sites, url, strictness| sites.render(url, strictness).ok())
    });
}

#[test]
fn vectors_rules_unit_derender_url() {
    compare("derender_url", |input| {
        with_sites(input, |sites, url, strictness| sites.derender(url, strictness).ok())
    });
}

#[test]
fn vectors_rules_unit_normalize_query() {
    compare("normalize_query", |input| {
        let parameters = query::parse(text(input));
        Some(parameters.into_iter().map(|(name, values)| (name, Value::from(values))).collect())
    });
}

#[test]
fn vectors_rules_unit_extract_base64_query() {
    compare("extract_base64_query", |input| {
        let (path, queries) = query::take_base64_segments(text(input));
        Some(json!([path, queries]))
    });
}

#[test]
fn vectors_rules_unit_is_evaluation_event() {
    compare("is_evaluation_event", |input| is_evaluation_url(text(input)).ok().map(Value::from));
}

#[test]
fn vectors_rules_unit_is_navigation_event() {
    compare("is_navigation_event", |input| {
        let mut request = input.clone();
        request["url"] = "http://localhost/".into();
        let entries = json!([{"request": request, "response": {}}]).to_string();
        let trace = Trace::from_list(entries.as_bytes(), &Retention::outline()).expect("a trace");
        trace.events[0].is_navigation_event().ok().map(Value::from)
    });
}

fn python_value(json: &Value) -> python::Value {
    python::parse_json(&json.to_string()).expect("JSON")
}

/// Python's tuples are arrays in the vectors.
fn json_value(value: &python::Value) -> Value {
    match value {
        python::Value::Str(text) => Value::from(text.as_str()),
        python::Value::List(items) | python::Value::Tuple(items) => items.iter().map(json_value).collect(),
        python::Value::Dict(entries) => {
            entries.iter().map(|(key, value)| (key.clone(), json_value(value))).collect()
        }
        python::Value::None => Value::Null,
        scalar => {
            serde_json::from_str(&python::repr_of(scalar).to_lowercase()).expect("a number or truth value")
        }
    }
}

#[test]
fn vectors_rules_unit_parse_har_content() {
    compare("parse_har_content", |input| {
        let entries =
            json!([{"request": {"url": "http://h/", "postData": input}, "response": {}}]).to_string();
        let trace = Trace::from_list(entries.as_bytes(), &Retention::everything()).expect("a trace");
        let Some(recorded) = trace.events[0].post_data.as_ref().expect("a body") else {
            return Some(Value::Null);
        };
        let fields = body::fields(recorded).ok()?;
        Some(fields.map_or(Value::Null, |fields| json_value(&python::Value::Dict(fields))))
    });
}

#[test]
fn vectors_rules_unit_normalize_url() {
    let context = Context {
        strictness: Strictness::Strict,
        today: jiff::civil::date(2026, 11, 15),
        derender: None,
        render: None,
    };
    compare("normalize:url", |input| {
        let url = UrlValue::read(&python_value(input), QueryOptions::default(), &context).ok()?;
        Some(url.report_all().map(|report| json_value(&report)).collect())
    });
}

#[test]
fn vectors_rules_unit_extract_jsonpath_value() {
    compare("extract_jsonpath_value", |input| {
        let path = text(&input["path"]);
        let key = Key::parse(path);
        let body = python_value(&input["data"]).as_dict().cloned().unwrap_or_else(Dict::new);
        let extraction = key.extract(&body).ok()?;
        // Asked strictly, the reference wants something, and of a name pattern exactly one thing.
        let refused = match extraction {
            Extraction::Nothing => true,
            Extraction::One(_) => false,
            Extraction::Several(_) => matches!(key, Key::NamePattern(_)),
        };
        (input["strict"] != true || !refused).then(|| json_value(&extraction.into_value()))
    });
}
