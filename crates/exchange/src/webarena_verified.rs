//! Output of WebArena Verified: a folder per task, named by its number, with the agent's response and the network.

use std::path::Path;

use serde_json::{Map, Value};
use umpire_model::TaskKind;
use umpire_webarena::attempts;
use umpire_webarena::config::Config;

use crate::export::{Outgoing, Refusal, write_file};
use crate::finished::{Finished, Network};
use crate::import::Found;
use crate::source::Source;
use crate::{ImportError, Problem};

const LARGEST_RESPONSE: u64 = 64 << 20;
/// Where the network may be, in the order of preference: HAR, or a Playwright trace, packed or not.
const TRACES: [&str; 5] = ["network.har", "trace.zip", "network.zip", "trace.network", "trace"];

pub(crate) fn find(source: &Source) -> Result<Vec<Found>, ImportError> {
    let folders = attempts::find(source.given())
        .map_err(|error| ImportError::Unreadable { path: source.given().to_owned(), source: error })?;
    let config = Config::default();
    Ok(folders
        .into_iter()
        .map(|folder| Found { file: folder.response_path(&config), task: folder.task_id.to_string() })
        .collect())
}

pub(crate) fn read(source: &Source, found: &Found) -> Result<Finished, Problem> {
    if found.file.symlink_metadata().is_err() {
        let what = "there is no response";
        return Err(Problem::new(
            &found.file,
            what,
            "where the agent gave none, write the word null into it",
        ));
    }
    let response = source.read(&found.file, LARGEST_RESPONSE)?;
    let response = String::from_utf8(response).map_err(|error| {
        Problem::new(&found.file, error.to_string(), "the response has to be text in UTF-8")
    })?;
    let folder = found.file.parent().unwrap_or(Path::new("."));
    let trace = TRACES.iter().map(|name| folder.join(name)).find(|path| path.exists()).ok_or_else(|| {
        // Without it a check of the network would find nothing and call that a failure.
        Problem::new(
            folder,
            "there is no network.har",
            "put the recorded network there, or a Playwright trace",
        )
    })?;
    let trace = if trace.is_dir() { trace.join("trace.network") } else { trace };
    let gave_none = matches!(response.trim(), "" | "null");
    Ok(Finished {
        task: found.task.clone(),
        kind: kind(&response),
        answer: (!gave_none).then_some(response),
        network: Some(Network { trace, member: None, monotonic_start: None }),
        ..Finished::default()
    })
}

/// What the agent says it did, which is all this format tells about the kind of the task.
fn kind(response: &str) -> Option<TaskKind> {
    let response: Value = serde_json::from_str(response).ok()?;
    let told =
        ["task_type", "performed_operation", "action"].iter().find_map(|key| response.get(key)?.as_str())?;
    match told.to_lowercase().as_str() {
        "retrieve" => Some(TaskKind::Retrieve),
        "navigate" => Some(TaskKind::Navigate),
        "mutate" => Some(TaskKind::Mutate),
        _ => None,
    }
}

pub(crate) fn write(outgoing: &Outgoing<'_>, folder: &Path) -> Result<(), Refusal> {
    let number = &outgoing.id.instance;
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Refusal::Unfit(
            "this format names tasks by number, as suites imported from its task files do".to_owned(),
        ));
    }
    if outgoing.trajectory.exchanges().next().is_none() {
        return Err(Refusal::Unfit(
            "no request was recorded, and evaluators refuse an empty network log".to_owned(),
        ));
    }
    let response =
        outgoing.trajectory.response().map_or_else(|| "null".to_owned(), |(_, text)| in_their_words(text));
    let mut har = umpire_report::har(outgoing.trajectory, &outgoing.run.blobs());
    mark_unanswered(&mut har);
    let config = Config::default();
    write_file(&folder.join(&config.agent_response_file_name), response.as_bytes())?;
    Ok(write_file(&folder.join(&config.trace_file_name), har.to_string().as_bytes())?)
}

/// A request without an answer has the status -1 in this benchmark's recordings, and its tasks look for that.
fn mark_unanswered(har: &mut Value) {
    for entry in har.pointer_mut("/log/entries").and_then(Value::as_array_mut).into_iter().flatten() {
        if entry["response"]["status"] == 0 {
            entry["response"]["status"] = Value::from(-1);
        }
    }
}

/// Our words for the members of a response have the same meanings. Whatever is not such an object stays as it is.
fn in_their_words(response: &str) -> String {
    let Ok(Value::Object(ours)) = serde_json::from_str::<Value>(response) else { return response.to_owned() };
    let mut theirs = Map::new();
    for (key, value) in &ours {
        let key = match key.as_str() {
            "action" if !ours.contains_key("task_type") => "task_type",
            "results" if !ours.contains_key("retrieved_data") => "retrieved_data",
            other => other,
        };
        theirs.insert(key.to_owned(), value.clone());
    }
    if theirs.iter().eq(ours.iter()) { response.to_owned() } else { Value::Object(theirs).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_put_into_the_benchmarks_words() {
        for (ours, theirs) in [
            (
                r#"{"action": "retrieve", "status": "SUCCESS", "results": ["1"]}"#,
                r#"{"task_type":"retrieve","status":"SUCCESS","retrieved_data":["1"]}"#,
            ),
            (r#"{"task_type": "mutate",  "status": "X"}"#, r#"{"task_type": "mutate",  "status": "X"}"#),
            ("no JSON at all", "no JSON at all"),
            ("[1]", "[1]"),
        ] {
            assert_eq!(in_their_words(ours), theirs);
        }
    }

    #[test]
    fn the_kind_is_what_the_response_says() {
        for (response, expected) in [
            (r#"{"task_type": "RETRIEVE"}"#, Some(TaskKind::Retrieve)),
            (r#"{"performed_operation": "mutate"}"#, Some(TaskKind::Mutate)),
            (r#"{"task_type": 5}"#, None),
            ("null", None),
            ("{", None),
        ] {
            assert_eq!(kind(response), expected, "{response}");
        }
    }
}
