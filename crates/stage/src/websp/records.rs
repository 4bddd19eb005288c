use serde::Deserialize;
use serde_json::Value;

use super::DatasetError;

/// One line of a task file.
#[derive(Deserialize)]
pub(super) struct Record {
    pub id: String,
    pub web: String,
    pub web_name: String,
    pub ques: String,
    #[serde(default)]
    pub login: bool,
    pub login_click_file: Option<String>,
    pub state_reset_ops: Option<Resets>,
    pub task_type: Option<String>,
    pub captcha_setup: Option<bool>,
    /// The line as it was.
    #[serde(skip)]
    pub source: Value,
}

#[derive(Deserialize)]
pub(super) struct Resets {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub function_calls: Vec<Call>,
}

#[derive(Deserialize)]
pub(super) struct Call {
    pub function: String,
    #[serde(default)]
    pub kwargs: Arguments,
}

#[derive(Default, Deserialize)]
pub(super) struct Arguments {
    pub replay_click_file: Option<String>,
    pub set_checked_state: Option<bool>,
    pub repo_name: Option<String>,
    pub repo_type: Option<String>,
    pub dataset_name: Option<String>,
}

pub(super) fn read(file: &'static str, text: &str) -> Result<Vec<Record>, DatasetError> {
    let mut records = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |problem: String| DatasetError { file, line: Some(index + 1), problem };
        let source: Value = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let mut record = Record::deserialize(&source).map_err(|error| wrong(error.to_string()))?;
        record.source = source;
        records.push(record);
    }
    Ok(records)
}
