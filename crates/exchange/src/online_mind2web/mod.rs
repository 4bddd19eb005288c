//! Online-Mind2Web: a folder per task with `result.json` and the pictures in `trajectory/`.
//!
//! Version 1 has three lists side by side (actions, thoughts, pictures) that nothing ties together. Version 2 has one
//! list of steps, each with its picture. Version 1 is read; version 2 is read and written.

mod grammar;
mod read;
mod write;

use serde::{Deserialize, Serialize};

pub(crate) use self::read::{find, read};
pub(crate) use self::write::write;

const RESULT_FILE: &str = "result.json";
const PICTURES: &str = "trajectory";
const VERSION_2: &str = "online-mind2web-v2";

/// `result.json` of version 2. The released schema allows no other keys and asks for a reference length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ResultV2 {
    schema_version: String,
    task: String,
    task_id: String,
    #[serde(default)]
    agent_final_answer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference_length: Option<u32>,
    action_history: Vec<StepV2>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StepV2 {
    /// From 0, without gaps.
    step: u64,
    screenshot: String,
    #[serde(default)]
    url: Option<String>,
    action: String,
    #[serde(default)]
    action_status: Option<String>,
    thought: Option<String>,
}

/// `result.json` of version 1. Other keys are allowed and mean nothing.
#[derive(Clone, Debug, Deserialize)]
struct ResultV1 {
    task: String,
    #[serde(default)]
    action_history: Option<Vec<String>>,
    #[serde(default)]
    thoughts: Option<Vec<Option<String>>>,
    #[serde(default)]
    final_result_response: Option<String>,
}
