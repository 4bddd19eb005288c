//! The structured response: one JSON object, as is.
//!
//! Two vocabularies are in use, that of the WebArena Verified paper and that of its released code; both are read and
//! the response is reported in one (see [`vocabulary`]). JSON that has to be dug out of prose or a code fence is a
//! problem of its own kind ([`ResponseProblem::Wrapped`]), so that it can be counted: [`parse_response`] refuses it,
//! [`read_response`] judges an agent by what it said and notes the form. Members beyond the schema are ignored.

mod vocabulary;
mod wrapped;

use std::fmt;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use umpire_model::{ResponseForm, TaskKind};

use crate::strict_json::UniqueKeys;
use crate::words;

/// Far more than any honest answer needs.
pub const MAX_RESPONSE_BYTES: usize = 1024 * 1024;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    pub action: TaskKind,
    pub status: Status,
    #[serde(default)]
    pub results: Option<Vec<Value>>,
    #[serde(default)]
    pub error_details: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Success,
    NotFoundError,
    PermissionDeniedError,
    ActionNotAllowedError,
    DataValidationError,
    UnknownError,
}

impl Status {
    pub const ALL: [Self; 6] = [
        Self::Success,
        Self::NotFoundError,
        Self::PermissionDeniedError,
        Self::ActionNotAllowedError,
        Self::DataValidationError,
        Self::UnknownError,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "SUCCESS",
            Self::NotFoundError => "NOT_FOUND_ERROR",
            Self::PermissionDeniedError => "PERMISSION_DENIED_ERROR",
            Self::ActionNotAllowedError => "ACTION_NOT_ALLOWED_ERROR",
            Self::DataValidationError => "DATA_VALIDATION_ERROR",
            Self::UnknownError => "UNKNOWN_ERROR",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a text is not a structured response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResponseProblem {
    #[error("the response is empty")]
    Empty,
    #[error("the response has {0} bytes, more than the {MAX_RESPONSE_BYTES} allowed")]
    TooLong(usize),
    #[error("the JSON is wrapped in a code fence or prose; the response must be the JSON object alone")]
    Wrapped,
    /// Whichever is right, the agent did not choose.
    #[error("there are {0} different responses in the text")]
    Several(usize),
    #[error("the response is not JSON: {0}")]
    NotJson(String),
    /// Readers disagree on which of the two counts.
    #[error("the response is ambiguous: {0}")]
    RepeatedKey(String),
    #[error("the response does not follow the schema at `{path}`: {problem}")]
    Schema {
        /// JSON pointer into the response; `/` for the response itself.
        path: String,
        problem: String,
    },
}

/// A response with the form it was given in.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadResponse {
    pub response: Response,
    /// `None` if it was the JSON object alone.
    pub form: Option<ResponseForm>,
}

/// Reads a response wherever it stands in the text.
pub fn read_response(text: &str) -> Result<ReadResponse, ResponseProblem> {
    match parse_response(text) {
        Ok(response) => Ok(ReadResponse {
            response,
            form: text.starts_with(BYTE_ORDER_MARK).then_some(ResponseForm::Bom),
        }),
        Err(ResponseProblem::Wrapped) => wrapped::only_response(text),
        Err(problem) => Err(problem),
    }
}

/// Says how a text was encoded and is no part of it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads a response that stands alone.
pub fn parse_response(text: &str) -> Result<Response, ResponseProblem> {
    if text.len() > MAX_RESPONSE_BYTES {
        return Err(ResponseProblem::TooLong(text.len()));
    }
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim();
    if text.is_empty() {
        return Err(ResponseProblem::Empty);
    }
    let UniqueKeys(value) = serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => repeated_key(&error),
        _ if wrapped::has_json(text) => ResponseProblem::Wrapped,
        _ => ResponseProblem::NotJson(words::shorten(&error.to_string())),
    })?;
    of_json(value)
}

fn repeated_key(error: &serde_json::Error) -> ResponseProblem {
    ResponseProblem::RepeatedKey(words::shorten(&error.to_string()))
}

fn of_json(value: Value) -> Result<Response, ResponseProblem> {
    let value = vocabulary::unified(value);
    if let Some(problem) = schema_problem(&value) {
        return Err(problem);
    }
    serde_json::from_value(value).map_err(|error| ResponseProblem::Schema {
        path: "/".to_owned(),
        problem: words::shorten(&error.to_string()),
    })
}

/// The JSON Schema (Draft-07) every structured response must follow.
pub fn response_schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
        serde_json::from_str(include_str!("response_schema.json")).expect("the built-in schema is JSON")
    });
    &SCHEMA
}

fn schema_problem(value: &Value) -> Option<ResponseProblem> {
    static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| {
        jsonschema::draft7::new(response_schema()).expect("the built-in schema is a Draft-07 schema")
    });
    // The first by place, so that the verdict does not depend on the order in which a validator works.
    let (path, problem) = VALIDATOR
        .iter_errors(value)
        .map(|error| (error.instance_path().to_string(), error.masked_with("it").to_string()))
        .min()?;
    let path = if path.is_empty() { "/".to_owned() } else { path };
    Some(ResponseProblem::Schema { path, problem: words::shorten(&problem) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn whole_responses() {
        let full = r#" {"action":"retrieve","status":"SUCCESS","results":[19.99],"error_details":null} "#;
        let response = parse_response(full).expect("well-formed");
        assert_eq!((response.action, response.status), (TaskKind::Retrieve, Status::Success));
        assert_eq!(response.results, Some(vec![json!(19.99)]));
        let short = "\u{feff}{\"status\":\"NOT_FOUND_ERROR\",\"action\":\"mutate\",\"thoughts\":\"none\"}\n";
        let response = parse_response(short).expect("well-formed");
        assert_eq!((response.status, response.results), (Status::NotFoundError, None));
    }

    #[test]
    fn every_kind_of_problem() {
        let json = r#"{"action":"retrieve","status":"SUCCESS","results":[1]}"#;
        for (text, start) in [
            (String::new(), "the response is empty"),
            (" \n ".to_owned(), "the response is empty"),
            (format!("```json\n{json}\n```"), "the JSON is wrapped"),
            (format!("Here you are: {json}"), "the JSON is wrapped"),
            (format!("{json} That is all."), "the JSON is wrapped"),
            ("I could not do it.".to_owned(), "the response is not JSON"),
            ("use {} and {x}".to_owned(), "the response is not JSON"),
            (json.replace("[1]", "[NaN]"), "the response is not JSON"),
            (json.replace("[1]", "[1e999]"), "the response is not JSON"),
            (json[..json.len() - 1].to_owned(), "the response is not JSON"),
            (
                json.replace('{', "{\"status\":\"UNKNOWN_ERROR\","),
                "the response is ambiguous: the key `status`",
            ),
            ("[1]".to_owned(), "the response does not follow the schema at `/`"),
            ("\"done\"".to_owned(), "the response does not follow the schema at `/`"),
            (
                r#"{"status":"SUCCESS"}"#.to_owned(),
                "the response does not follow the schema at `/`: \"action\"",
            ),
            (json.replace("SUCCESS", "Fine"), "the response does not follow the schema at `/status`"),
            (json.replace("SUCCESS", "^.*$"), "the response does not follow the schema at `/status`"),
            (json.replace("\"SUCCESS\"", "null"), "the response does not follow the schema at `/status`"),
            (json.replace("retrieve", "^.*$"), "the response does not follow the schema at `/action`"),
        ] {
            let problem = parse_response(&text).expect_err(&text).to_string();
            assert!(problem.starts_with(start), "{text}: {problem}");
        }
    }

    #[test]
    fn hostile_sizes_end_quickly_and_in_few_words() {
        let object = r#"{"action":"retrieve","status":"SUCCESS","results":["#;
        let hostile = [
            "[".repeat(1_000_000),
            "{\"a\":".repeat(200_000),
            format!("{object}{}{}]}}", "[".repeat(400_000), "]".repeat(400_000)),
            "x".repeat(5_000_000),
            format!("\"{}\"", "x".repeat(1_000_000)),
            format!("{object}]{}", "}".repeat(900_000)),
            format!("{{\"{}\":1}}", "k".repeat(1_000_000)),
        ];
        for text in hostile {
            let problem = parse_response(&text).expect_err("not a response").to_string();
            assert!(problem.len() < 1000, "{} bytes of problem", problem.len());
        }
        let many = format!("{object}{}1]}}", "1,".repeat(400_000));
        assert_eq!(
            parse_response(&many).expect("long but well-formed").results.map(|list| list.len()),
            Some(400_001)
        );
    }

    #[test]
    fn the_schema_and_the_types_agree() {
        let kinds = [TaskKind::Retrieve, TaskKind::Navigate, TaskKind::Mutate].map(TaskKind::as_str);
        assert_eq!(response_schema()["properties"]["action"]["enum"], json!(kinds));
        assert_eq!(response_schema()["properties"]["status"]["enum"], json!(Status::ALL.map(Status::as_str)));
        assert!(jsonschema::draft7::meta::is_valid(response_schema()));
        for status in Status::ALL {
            assert_eq!(serde_json::to_value(status).expect("serializes"), json!(status.as_str()));
            assert_eq!(Status::named(status.as_str()), Some(status));
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_parser(text in any::<String>()) {
            let _ = parse_response(&text);
        }

        #[test]
        fn no_broken_json_breaks_the_parser(text in r#"[`{}\[\]",:a-z0-9\\ \n]{0,80}"#) {
            let _ = parse_response(&text);
        }

        #[test]
        fn what_is_printed_is_read_back(
            kind in prop::sample::select(vec![TaskKind::Retrieve, TaskKind::Navigate, TaskKind::Mutate]),
            status in prop::sample::select(Status::ALL.to_vec()),
            results in prop::option::of(prop::collection::vec(any::<String>().prop_map(Value::from), 0..4)),
            error_details in prop::option::of(any::<String>()),
        ) {
            let response = Response { action: kind, status, results, error_details };
            let text = serde_json::to_string(&response).expect("serializes");
            prop_assert_eq!(parse_response(&text), Ok(response));
        }
    }
}
