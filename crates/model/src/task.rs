use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Action, BackendCheck};

/// What kind of work a task asks for; decides which response is right and how naive agents must fare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    Retrieve,
    Navigate,
    Mutate,
}

impl TaskKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retrieve => "retrieve",
            Self::Navigate => "navigate",
            Self::Mutate => "mutate",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    Easy,
    Medium,
    Hard,
}

/// One line of a suite's task file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub id: String,
    /// Tasks made from one sentence pattern share a template; statistics cluster by it.
    pub template: String,
    pub kind: TaskKind,
    pub intent: String,
    /// An extra sentence that says where to go; gives the task a with-navigation twin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    pub sites: Vec<String>,
    pub start_urls: Vec<String>,
    pub category: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ui_elements: Vec<String>,
    pub difficulty: Difficulty,
    /// What the oracle does, in order; the last one is an `answer`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reference: Vec<Action>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// Initial states by name (`on`, `off`, …). A task without any has one instance, in the world's own state.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub states: BTreeMap<String, InitialState>,
}

/// An initial state, and what it changes about the task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitialState {
    /// Merge patch (RFC 7396) on the world's state, keyed by site.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub world: Value,
    /// Replaces the task's reference actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Vec<Action>>,
    /// Replaces the task's checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Vec<Check>>,
}

/// A rule an attempt must satisfy. Rules are data; none of them is a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Check {
    Response(ResponseCheck),
    Network(NetworkCheck),
    State(StateCheck),
    Backend(BackendCheck),
}

/// The agent's structured response. Its `action` must be the task's kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseCheck {
    /// `SUCCESS`, `NOT_FOUND_ERROR`, `PERMISSION_DENIED_ERROR`, `ACTION_NOT_ALLOWED_ERROR`,
    /// `DATA_VALIDATION_ERROR` or `UNKNOWN_ERROR`.
    pub status: String,
    /// Expected results of a retrieval; an inner list holds accepted alternatives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<Value>>,
    /// Schema of one result: `{"type":"number"}`, `{"type":"string","format":"currency"}`, an object of such.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub schema: Value,
    #[serde(default)]
    pub ordered: bool,
}

/// A request the browser must have made, or must not have made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkCheck {
    /// Accepted URLs without their query; one that starts with `^` and ends with `$` is a pattern.
    pub url: Vec<String>,
    #[serde(default = "get")]
    pub method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Query parameters that must be there with these values; others are not looked at.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub query: BTreeMap<String, Vec<String>>,
    /// Fields of a form or JSON body that must be there with these values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub post: BTreeMap<String, Value>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Only the last main-frame navigation counts: where the agent ended up.
    #[serde(default)]
    pub last: bool,
    /// The request must not have been made.
    #[serde(default)]
    pub absent: bool,
}

fn get() -> String {
    "GET".to_owned()
}

/// A condition on the world's state after the attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateCheck {
    pub site: String,
    /// JSON pointer (RFC 6901) into the site's state; empty for all of it.
    #[serde(default)]
    pub path: String,
    pub expect: StateExpectation,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateExpectation {
    Equals(Value),
    /// Some element of the list, or value of the map, has at least these fields.
    Contains(Value),
    /// The list or map has this many entries.
    Count(usize),
    /// There is nothing at the path, or null.
    Absent,
    /// Compared with the start of the attempt, nothing outside these pointers changed.
    UnchangedExcept(Vec<String>),
}
