//! What makes an evaluator give up: the task's result is then `error`, neither success nor failure.

use thiserror::Error;

use super::body::BodyError;
use super::json_path::ExtractError;
use super::values::Unreadable;
use crate::python::{InvalidPattern, JsonError};
use crate::trace::Defect;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EvaluatorError {
    #[error("cannot read {value} as {type_name}: {reason}")]
    Unreadable { value: String, type_name: String, reason: Unreadable },
    #[error("unknown type name {0:?}")]
    UnknownType(String),
    #[error("the schema of retrieved data has to be an array, not {0:?}")]
    SchemaNotArray(String),
    #[error("{path}: {expected} expected, got {value}")]
    WrongShape { path: String, expected: &'static str, value: String },
    #[error("{0}: an expected object without keys cannot be compared")]
    NothingExpected(String),
    #[error("{0}: the same empty array met twice")]
    MetTwice(String),
    #[error("the expected data is not an array of values, or nests alternatives")]
    ExpectedData,
    #[error("the agent's {key} is not text")]
    FieldNotText { key: String },
    #[error("the agent's response cannot be read: {0}")]
    Response(#[from] JsonError),
    #[error("an address or query parameter is an invalid pattern: {0}")]
    Pattern(InvalidPattern),
    #[error("a recorded request is broken: {0}")]
    Recording(#[from] Defect),
    #[error("a recorded request has an empty URL")]
    EmptyUrl,
    #[error("a recorded status is not a whole number")]
    StatusNotWhole,
    #[error(transparent)]
    Body(#[from] BodyError),
    #[error(transparent)]
    Extract(#[from] ExtractError),
    #[error("an expected body is no object")]
    BodyWithoutKeys,
    #[error("a query parameter is a single typed value instead of a list")]
    ParameterNotAList,
}
