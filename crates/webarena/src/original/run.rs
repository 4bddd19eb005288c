//! Recorded attempts in the layout of WebArena Verified, judged as the original evaluator would have judged them.
//!
//! What the original saw in a live browser is in `recording.json` beside the response, if somebody recorded it; else the
//! answer is drawn from the response and the last page from the trace, and what needs more is undecided.

use std::num::NonZeroUsize;

use serde::Serialize;

use super::{OriginalTask, Page, Recording, Score, evaluate};
use crate::attempts::{AttemptFolder, in_parallel};
use crate::config::Config;
use crate::trace::Retention;

/// What one attempt shows the original evaluator.
const RECORDING_FILE: &str = "recording.json";

#[derive(Debug, Clone, Serialize)]
pub struct JudgedAttempt {
    pub task_id: i64,
    #[serde(flatten)]
    pub score: Option<Score>,
    /// Why there is no score at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Judges these attempts, several at a time.
pub fn evaluate_attempts(
    folders: &[AttemptFolder],
    tasks: &[OriginalTask],
    config: &Config,
    threads: NonZeroUsize,
) -> Vec<JudgedAttempt> {
    in_parallel(folders, threads, |folder| {
        let judged = tasks
            .iter()
            .find(|task| task.task_id == folder.task_id)
            .ok_or_else(|| "the suite has no such task".to_owned())
            .and_then(|task| Ok(evaluate(task, &recording(folder, config)?, None)));
        let (score, problem) = match judged {
            Ok(score) => (Some(score), None),
            Err(problem) => (None, Some(problem)),
        };
        JudgedAttempt { task_id: folder.task_id, score, problem }
    })
}

fn recording(folder: &AttemptFolder, config: &Config) -> Result<Recording, String> {
    let path = folder.path.join(RECORDING_FILE);
    match std::fs::read(&path) {
        Ok(bytes) => {
            return serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", path.display()));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(format!("{}: {error}", path.display())),
    }
    let response = folder
        .read_response(config)
        .map_err(|error| format!("{}: {error}", folder.response_path(config).display()))?;
    let trace = folder
        .read_trace(config, &Retention::outline())
        .map_err(|error| format!("{}: {error}", folder.trace_path(config).display()))?;
    let is_page = |event: &&crate::trace::Event| event.is_navigation_event().unwrap_or_default();
    let last_page = trace.events.iter().rfind(is_page).and_then(|event| event.url().ok());
    Ok(Recording { last_page: last_page.map(Page::at), ..Recording::answering(answer_in(&response)) })
}

/// The answer in words, as an agent of the original benchmark would have given it: its items, or "N/A" where a
/// structured response says that the task cannot be done. What is no such response is the answer itself.
fn answer_in(response: &str) -> String {
    let Ok(read) = umpire_rules::read_response(response) else { return response.trim().to_owned() };
    let results = read.response.results.unwrap_or_default();
    if results.is_empty() && read.response.status != umpire_rules::Status::Success {
        return "N/A".to_owned();
    }
    let in_words = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    results.iter().map(in_words).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_put_in_words() {
        for (response, answer) in [
            (r#"{"task_type":"RETRIEVE","status":"SUCCESS","retrieved_data":["Sprite", 3]}"#, "Sprite, 3"),
            (r#"{"action":"retrieve","status":"NOT_FOUND_ERROR","results":null}"#, "N/A"),
            (r#"{"task_type":"NAVIGATE","status":"SUCCESS","retrieved_data":null}"#, ""),
            (" it costs $5 \n", "it costs $5"),
        ] {
            assert_eq!(answer_in(response), answer, "{response}");
        }
    }
}
