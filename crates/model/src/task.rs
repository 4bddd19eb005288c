use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Action, BackendCheck, Persona, ReplayedSession, SetupOrder, Validity};

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

impl Difficulty {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
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
    /// The whole wish where it says where to go, for tasks whose two wordings differ throughout; instead of `hint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_with_hint: Option<String>,
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
    /// Name of a session of the suite that sets the task's controls. It makes the twins `on` and `off` where `states` names
    /// none, and can set each state by replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Name of the account the task is done with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// Browsers that log in with the account before the attempt, and stay logged in: for tasks that end such sessions.
    #[serde(default, skip_serializing_if = "is_default")]
    pub extra_sessions: u32,
    /// The same wish with less said: level 1 leaves the website unsaid, level 2 the preferences too. `intent` is
    /// level 0. A task without any has one instance, which says all there is to say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<String>,
    /// Whose wish it is, and what only this person's history tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<Persona>,
    /// When and where the task can be asked at all.
    #[serde(default, skip_serializing_if = "is_default")]
    pub validity: Validity,
    /// The object this task was imported from, as it was, so that it can be exported again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Value>,
}

/// An initial state, and what it changes about the task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitialState {
    /// Merge patch (RFC 7396) on the world's state, keyed by site.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub world: Value,
    /// What the task's own session is replayed for to reach the state, where that is not the state's name: a switch that
    /// says “hide” is off where a setting that says “show” is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed_for: Option<String>,
    /// Sessions done again, in order, to reach the state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replay: Vec<ReplayedSession>,
    /// What the deployment's own backend is told to do first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<SetupOrder>,
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
    Activity(ActivityCheck),
    Reward(RewardCheck),
    Undecidable(UndecidableCheck),
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
///
/// Names in `post` and `response` are plain field names, JSON paths (`$.a[0].b`, `$['x y'][?(@.k == 1)].leaf`) or
/// patterns (`^…$`) on the names of top-level fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "a file format: each is a word an author writes")]
pub struct NetworkCheck {
    /// Accepted URLs; one that starts with `^` and ends with `$` is a pattern on the URL without its query. A query
    /// written into a URL must be there with that URL; `query` replaces it.
    pub url: Vec<String>,
    #[serde(default = "get")]
    pub method: String,
    /// Status of the response; 0 if nothing may have answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Query parameters that must be there with these values, all of them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub query: BTreeMap<String, Vec<String>>,
    /// Schema of the query as an object of lists, for parameters that are more than text.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub query_schema: Value,
    /// Other query parameters must not be there, save empty, ignored and tracking ones.
    #[serde(default, skip_serializing_if = "is_default")]
    pub only_query: bool,
    /// Query parameters that do not count, on either side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_query: Vec<String>,
    /// Patterns found anywhere in the names of query parameters that do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_query_patterns: Vec<String>,
    /// Path segments that hold a query in base64 are read as part of the query.
    #[serde(default, skip_serializing_if = "is_default")]
    pub base64_path: bool,
    /// Fields of a form or JSON body that must be there with these values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub post: BTreeMap<String, Value>,
    /// Schema of `post` as an object, by the names used there.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub post_schema: Value,
    /// Patterns found anywhere in the names of body fields that do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_post_patterns: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Accepted pages the request was made from, written like `url`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub referer: Vec<String>,
    /// Fields of a JSON response that must be there with these values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub response: BTreeMap<String, Value>,
    /// Cookies the response must set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cookies: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub comparison: Comparison,
    #[serde(default, skip_serializing_if = "is_default")]
    pub which: Which,
    /// Only the last main-frame navigation counts: where the agent ended up.
    #[serde(default)]
    pub last: bool,
    /// The request must not have been made.
    #[serde(default)]
    pub absent: bool,
}

impl NetworkCheck {
    /// A request to one of these URLs, and no more conditions.
    pub fn to(url: Vec<String>) -> Self {
        Self {
            url,
            method: get(),
            status: None,
            query: BTreeMap::new(),
            query_schema: Value::Null,
            only_query: false,
            ignored_query: Vec::new(),
            ignored_query_patterns: Vec::new(),
            base64_path: false,
            post: BTreeMap::new(),
            post_schema: Value::Null,
            ignored_post_patterns: Vec::new(),
            headers: BTreeMap::new(),
            referer: Vec::new(),
            response: BTreeMap::new(),
            cookies: BTreeMap::new(),
            comparison: Comparison::Exact,
            which: Which::Any,
            last: false,
            absent: false,
        }
    }
}

/// How the texts of a request are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// Letter by letter; a trailing slash counts, and so does the order of repeated parameters.
    #[default]
    Exact,
    /// By meaning, as results are: case, spacing and the order of repeated parameters do not count, nor do case and
    /// trailing slash of a path. A list in `post` holds alternatives unless the schema says it is a list.
    Meaning,
}

/// Which of the requests with the right method and URL must satisfy the rest of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// Some request.
    #[default]
    Any,
    /// The last one that was answered with the expected status.
    Latest,
    /// Every one that was answered with the expected status, and there is one: what took effect was right each time.
    Every,
}

/// The agent must have used the sites of the task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActivityCheck {
    /// URLs of the sites. A request counts if host, port and the first path segment are those of one of them.
    pub sites: Vec<String>,
    /// Pages whose opening is no activity: the start pages, where being there proves nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<String>,
}

/// The reward that the page itself gave for its episode, without what it takes off for the time used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RewardCheck {
    pub at_least: f64,
}

/// Stands for a condition that no rule can decide: an attempt at such a task is `invalid`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndecidableCheck {
    pub reason: String,
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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
