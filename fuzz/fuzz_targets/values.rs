//! A value of every type, compared with another, strictly and as the reference does.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use umpire_rules::{try_value, value_types};
use umpire_webarena::config::Strictness;
use umpire_webarena::python;
use umpire_webarena::reference::values::{Context, construct};

const REFERENCE_TYPES: [&str; 17] = [
    "currency",
    "date",
    "duration",
    "distance",
    "coordinates",
    "full_address",
    "url",
    "boolean",
    "string",
    "string_list",
    "number",
    "month",
    "null",
    "json",
    "markdown",
    "base64",
    "location-name",
];

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (expected, actual) = text.split_once('\n').unwrap_or((&text, &text));
    let strict = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    for (name, _) in value_types() {
        let _ = try_value(name, &strict(expected), &strict(actual));
    }
    let reference = python::parse_json(&text).unwrap_or_else(|_| python::Value::from(&*text));
    let context = Context {
        strictness: Strictness::Lenient,
        today: jiff::civil::date(2026, 11, 15),
        derender: None,
        render: None,
    };
    for name in REFERENCE_TYPES {
        let _ = construct(name, &reference, &context);
    }
});
