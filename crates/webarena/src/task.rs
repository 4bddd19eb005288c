//! The WebArena Verified task file: tasks and what is expected of an attempt at them.

use std::collections::HashMap;

use serde::de::{self, Deserialize, Deserializer};
use umpire_model::Digest;

use crate::python::{Dict, Value};
use crate::site::Site;

#[derive(Debug, thiserror::Error)]
pub enum TaskFileError {
    #[error("the task file cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    #[error("task {task_id} occurs twice")]
    DuplicateTask { task_id: i64 },
    #[error("the full task file has {expected} tasks; this one has {found}", expected = Dataset::FULL_SIZE)]
    NotTheFullSet { found: usize },
    #[error("the subset names tasks that do not exist: {task_ids:?}")]
    UnknownTasks { task_ids: Vec<i64> },
}

/// One task. Keys the format does not know are errors, so that a misspelt one is not silently without effect.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub sites: Vec<Site>,
    pub task_id: i64,
    pub intent_template_id: i64,
    #[serde(deserialize_with = "non_empty_texts")]
    pub start_urls: Vec<String>,
    #[serde(deserialize_with = "non_empty_text")]
    pub intent: String,
    #[serde(deserialize_with = "non_empty_text")]
    pub intent_template: String,
    pub instantiation_dict: Dict,
    #[serde(deserialize_with = "evaluators")]
    pub eval: Vec<Evaluator>,
    #[serde(deserialize_with = "positive")]
    pub revision: i64,
}

impl Task {
    /// What the agent is expected to answer. Every task has such an expectation; of several, the first counts.
    pub fn response_evaluator(&self) -> Option<&ResponseEvaluator> {
        self.eval.iter().find_map(|evaluator| match evaluator {
            Evaluator::Response(response) => Some(response.as_ref()),
            Evaluator::Network(_) => None,
        })
    }

    pub fn network_evaluators(&self) -> impl Iterator<Item = &NetworkEvaluator> {
        self.eval.iter().filter_map(|evaluator| match evaluator {
            Evaluator::Network(network) => Some(network.as_ref()),
            Evaluator::Response(_) => None,
        })
    }

    pub fn task_type(&self) -> Option<TaskType> {
        self.response_evaluator().map(|evaluator| evaluator.expected.task_type)
    }
}

#[derive(Debug, Clone, serde::Deserialize)]
#[serde(tag = "evaluator")]
pub enum Evaluator {
    #[serde(rename = "AgentResponseEvaluator")]
    Response(Box<ResponseEvaluator>),
    #[serde(rename = "NetworkEventEvaluator")]
    Network(Box<NetworkEvaluator>),
}

/// What the agent is expected to answer.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseEvaluator {
    pub expected: ExpectedResponse,
    pub results_schema: Dict,
    /// Whether retrieved data must come in the expected order.
    #[serde(default)]
    pub ordered: bool,
}

/// The expected answer. A key that is absent is not the same as one that is null, hence the nested options.
#[derive(Debug, Clone)]
pub struct ExpectedResponse {
    pub task_type: TaskType,
    pub status: Status,
    /// `None` if the key is absent.
    pub retrieved_data: Option<Value>,
    /// `None` if the key is absent.
    pub error_details: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskType {
    Retrieve,
    Mutate,
    Navigate,
}

impl TaskType {
    pub fn name(self) -> &'static str {
        match self {
            Self::Retrieve => "RETRIEVE",
            Self::Mutate => "MUTATE",
            Self::Navigate => "NAVIGATE",
        }
    }

    /// Case does not matter in task files.
    pub fn parse(text: &str) -> Option<Self> {
        let wanted = text.to_uppercase();
        [Self::Retrieve, Self::Mutate, Self::Navigate]
            .into_iter()
            .find(|task_type| task_type.name() == wanted)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Success,
    ActionNotAllowed,
    PermissionDenied,
    NotFound,
    DataValidation,
    Unknown,
}

impl Status {
    pub const ALL: [Self; 6] = [
        Self::Success,
        Self::ActionNotAllowed,
        Self::PermissionDenied,
        Self::NotFound,
        Self::DataValidation,
        Self::Unknown,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "SUCCESS",
            Self::ActionNotAllowed => "ACTION_NOT_ALLOWED_ERROR",
            Self::PermissionDenied => "PERMISSION_DENIED_ERROR",
            Self::NotFound => "NOT_FOUND_ERROR",
            Self::DataValidation => "DATA_VALIDATION_ERROR",
            Self::Unknown => "UNKNOWN_ERROR",
        }
    }

    /// Case does not matter in task files.
    pub fn parse(text: &str) -> Option<Self> {
        let wanted = text.to_uppercase();
        Self::ALL.into_iter().find(|status| status.name() == wanted)
    }
}

/// A request that is expected to have been made, or not.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkEvaluator {
    pub expected: ExpectedEvent,
    /// Only the last request that fits by method and address counts.
    #[serde(default = "yes")]
    pub last_event_only: bool,
    #[serde(default)]
    pub ignored_query_params: Option<Vec<String>>,
    #[serde(default)]
    pub ignored_query_params_patterns: Option<Vec<String>>,
    #[serde(default)]
    pub ignored_post_data_params_patterns: Option<Vec<String>>,
    #[serde(default)]
    pub decode_base64_query: bool,
    #[serde(default)]
    pub query_params_schema: Option<Dict>,
    #[serde(default)]
    pub post_data_schema: Option<Dict>,
    #[serde(default)]
    pub should_not_exist: bool,
}

/// The expected request. Unknown keys have no effect in the reference, so they have none here.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct ExpectedEvent {
    pub url: UrlTemplates,
    #[serde(default)]
    pub headers: Option<Dict>,
    #[serde(default)]
    pub query_params: Option<Dict>,
    #[serde(default)]
    pub post_data: Option<Dict>,
    #[serde(default)]
    pub response_content: Option<Dict>,
    #[serde(default)]
    pub response_cookies: Option<Dict>,
    #[serde(default = "ok_status")]
    pub response_status: i64,
    #[serde(default = "get_method")]
    pub http_method: String,
}

/// One address, or several of which any will do. None of them is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlTemplates {
    One(String),
    Alternatives(Vec<String>),
}

impl<'de> Deserialize<'de> for UrlTemplates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Raw {
            One(String),
            Several(Vec<String>),
        }
        match Raw::deserialize(deserializer)? {
            Raw::One(url) if !url.is_empty() => Ok(Self::One(url)),
            Raw::Several(urls) if urls.iter().all(|url| !url.is_empty()) => Ok(Self::Alternatives(urls)),
            _ => Err(de::Error::custom("an expected URL is empty")),
        }
    }
}

impl<'de> Deserialize<'de> for ExpectedResponse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        struct Raw {
            task_type: Option<String>,
            performed_operation: Option<String>,
            status: String,
            #[serde(default, deserialize_with = "present")]
            retrieved_data: Option<Value>,
            #[serde(default, deserialize_with = "present")]
            error_details: Option<Value>,
        }
        let raw = Raw::deserialize(deserializer)?;
        let task_type =
            raw.task_type.or(raw.performed_operation).ok_or_else(|| de::Error::missing_field("task_type"))?;
        if let Some(data) = &raw.retrieved_data {
            check_data(data).map_err(de::Error::custom)?;
        }
        if raw.error_details.as_ref().is_some_and(|details| !matches!(details, Value::None | Value::Str(_))) {
            return Err(de::Error::custom("error_details must be text or null"));
        }
        Ok(Self {
            task_type: TaskType::parse(&task_type)
                .ok_or_else(|| de::Error::custom(format!("unknown task type {task_type:?}")))?,
            status: Status::parse(&raw.status)
                .ok_or_else(|| de::Error::custom(format!("unknown status {:?}", raw.status)))?,
            retrieved_data: raw.retrieved_data,
            error_details: raw.error_details,
        })
    }
}

/// Expected data are null or a list, in which a list is a choice of alternatives; these hold no further lists.
fn check_data(data: &Value) -> Result<(), &'static str> {
    let items = match data {
        Value::None => return Ok(()),
        Value::List(items) => items,
        _ => return Err("retrieved_data must be a list or null"),
    };
    let nested =
        |item: &Value| item.as_list().is_some_and(|inner| inner.iter().any(|item| item.as_list().is_some()));
    if items.iter().any(nested) { Err("retrieved_data is nested too deeply") } else { Ok(()) }
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

fn non_empty_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() { Err(de::Error::custom("empty text")) } else { Ok(text) }
}

fn non_empty_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    if texts.iter().any(String::is_empty) { Err(de::Error::custom("empty text")) } else { Ok(texts) }
}

fn positive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let number = i64::deserialize(deserializer)?;
    if number < 1 { Err(de::Error::custom("a revision starts at 1")) } else { Ok(number) }
}

fn evaluators<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Evaluator>, D::Error> {
    let evaluators = Vec::<Evaluator>::deserialize(deserializer)?;
    if evaluators.iter().any(|evaluator| matches!(evaluator, Evaluator::Response(_))) {
        Ok(evaluators)
    } else {
        Err(de::Error::custom("a task needs an AgentResponseEvaluator"))
    }
}

fn yes() -> bool {
    true
}

fn ok_status() -> i64 {
    200
}

fn get_method() -> String {
    "GET".to_owned()
}

/// A task file, read once.
#[derive(Debug, Clone)]
pub struct Dataset {
    tasks: Vec<Task>,
    positions: HashMap<i64, usize>,
    checksum: String,
}

impl Dataset {
    /// How many tasks the released file has.
    pub const FULL_SIZE: usize = 812;

    /// Reads a task file of any size.
    pub fn from_json(json: &[u8]) -> Result<Self, TaskFileError> {
        let tasks: Vec<Task> = serde_json::from_slice(json)?;
        let mut positions = HashMap::with_capacity(tasks.len());
        for (position, task) in tasks.iter().enumerate() {
            if positions.insert(task.task_id, position).is_some() {
                return Err(TaskFileError::DuplicateTask { task_id: task.task_id });
            }
        }
        Ok(Self { tasks, positions, checksum: Digest::of(json).to_string() })
    }

    /// The file itself if it is the full set; the reference reads no other without a subset.
    pub fn complete(self) -> Result<Self, TaskFileError> {
        if self.tasks.len() == Self::FULL_SIZE {
            Ok(self)
        } else {
            Err(TaskFileError::NotTheFullSet { found: self.tasks.len() })
        }
    }

    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    pub fn task(&self, task_id: i64) -> Option<&Task> {
        self.positions.get(&task_id).map(|&position| &self.tasks[position])
    }

    /// The SHA-256 of the file, in hexadecimal.
    pub fn checksum(&self) -> &str {
        &self.checksum
    }

    /// The tasks of a subset, in its order.
    pub fn select(&self, task_ids: &[i64]) -> Result<Vec<&Task>, TaskFileError> {
        let missing: Vec<i64> = task_ids.iter().copied().filter(|&id| self.task(id).is_none()).collect();
        if missing.is_empty() {
            Ok(task_ids.iter().filter_map(|&id| self.task(id)).collect())
        } else {
            Err(TaskFileError::UnknownTasks { task_ids: missing })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn task(changes: &serde_json::Value) -> serde_json::Value {
        let mut task = json!({
            "sites": ["shopping"], "task_id": 7, "intent_template_id": 1, "start_urls": ["__SHOPPING__"],
            "intent": "Buy it", "intent_template": "Buy {{what}}", "instantiation_dict": {"what": "it"}, "revision": 1,
            "eval": [
                {"evaluator": "AgentResponseEvaluator", "results_schema": {"type": "null"},
                 "expected": {"performed_operation": "mutate", "status": "success", "note": "ignored"}},
                {"evaluator": "NetworkEventEvaluator", "expected": {"url": "__SHOPPING__/cart", "event_type": "x"}},
            ],
        });
        for (pointer, value) in changes.as_object().expect("changes") {
            let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
            task.pointer_mut(parent).expect("a place")[key] = value.clone();
        }
        task
    }

    fn read(changes: &serde_json::Value) -> Result<Dataset, TaskFileError> {
        Dataset::from_json(json!([task(changes)]).to_string().as_bytes())
    }

    #[test]
    fn defaults_and_aliases_are_those_of_the_format() {
        let dataset = read(&json!({})).expect("a task");
        let task = dataset.task(7).expect("the task");
        assert_eq!(task.task_type(), Some(TaskType::Mutate));
        let response = task.response_evaluator().expect("an expectation");
        assert_eq!(response.expected.status, Status::Success);
        assert!(response.expected.retrieved_data.is_none() && !response.ordered);
        let network = task.network_evaluators().next().expect("an expectation");
        assert!(network.last_event_only && !network.should_not_exist);
        assert_eq!((network.expected.response_status, network.expected.http_method.as_str()), (200, "GET"));
    }

    #[test]
    fn null_is_not_absent() {
        let dataset = read(&json!({"/eval/0/expected/retrieved_data": null})).expect("a task");
        let response = dataset.tasks()[0].response_evaluator().expect("an expectation");
        assert_eq!(response.expected.retrieved_data, Some(Value::None));
    }

    #[test]
    fn what_the_format_does_not_know_is_refused() {
        for changes in [
            json!({"/extra": 1}),
            json!({"/eval/0/extra": 1}),
            json!({"/eval/1/extra": 1}),
            json!({"/eval/1/evaluator": "Other"}),
            json!({"/eval/0/evaluator": "NetworkEventEvaluator"}),
            json!({"/eval/0/expected/status": "FINE"}),
            json!({"/eval/0/expected/retrieved_data": [[["too deep"]]]}),
            json!({"/eval/1/expected/url": ""}),
            json!({"/sites": ["Gitlab"]}),
            json!({"/intent": ""}),
            json!({"/revision": 0}),
            json!({"/task_id": null}),
        ] {
            assert!(read(&changes).is_err(), "{changes}");
        }
        let twice = json!([task(&json!({})), task(&json!({}))]).to_string();
        assert!(matches!(
            Dataset::from_json(twice.as_bytes()),
            Err(TaskFileError::DuplicateTask { task_id: 7 })
        ));
    }

    #[test]
    fn a_selection_needs_all_its_tasks() {
        let dataset = read(&json!({})).expect("a task");
        assert_eq!(dataset.select(&[7]).expect("there").len(), 1);
        assert!(
            matches!(dataset.select(&[7, 8]), Err(TaskFileError::UnknownTasks { task_ids }) if task_ids == [8])
        );
        assert!(matches!(dataset.complete(), Err(TaskFileError::NotTheFullSet { found: 1 })));
    }
}
