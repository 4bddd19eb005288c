//! The history file of browser-use (`save_history`): one JSON document per attempt, pictures inside or beside it.
//!
//! An action is an object with one member, its name. Those that say exactly what one of ours says are read as such;
//! all others stay the objects they are.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value};
use umpire_model::{Action, End, Tab, Target};

use crate::finished::{Act, Ending, Finished, Shot, Step};
use crate::import::Found;
use crate::source::Source;
use crate::{ImportError, Problem};

#[derive(Deserialize)]
struct History {
    history: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    model_output: Option<ModelOutput>,
    #[serde(default)]
    result: Vec<ActionResult>,
    #[serde(default)]
    state: State,
    #[serde(default)]
    metadata: Option<Metadata>,
    #[serde(default)]
    state_message: Option<String>,
}

#[derive(Deserialize)]
struct ModelOutput {
    /// Older releases keep the agent's words in here.
    #[serde(default)]
    current_state: Option<Words>,
    #[serde(flatten)]
    words: Words,
    #[serde(default)]
    action: Vec<Map<String, Value>>,
}

#[derive(Deserialize, Default)]
struct Words {
    #[serde(default)]
    thinking: Option<String>,
    #[serde(default)]
    evaluation_previous_goal: Option<String>,
    #[serde(default)]
    memory: Option<String>,
    #[serde(default)]
    next_goal: Option<String>,
}

#[derive(Deserialize)]
struct ActionResult {
    #[serde(default)]
    is_done: Option<bool>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    extracted_content: Option<String>,
}

#[derive(Deserialize, Default)]
struct State {
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    tabs: Vec<OpenTab>,
    /// Base64, in older releases.
    #[serde(default)]
    screenshot: Option<String>,
    #[serde(default)]
    screenshot_path: Option<String>,
}

#[derive(Deserialize)]
struct OpenTab {
    #[serde(default)]
    url: String,
    #[serde(default)]
    title: String,
    #[serde(default, alias = "page_id", alias = "tab_id")]
    target_id: Value,
}

/// Seconds since the Unix epoch.
#[derive(Deserialize)]
struct Metadata {
    step_start_time: f64,
    step_end_time: f64,
}

pub(crate) fn find(source: &Source) -> Result<Vec<Found>, ImportError> {
    let files = source.files_ending("json")?;
    Ok(files.into_iter().map(|file| Found { task: task_name(&file), file }).collect())
}

/// The file's name, or its folder's where every attempt has a folder and the files are all called alike.
fn task_name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_usual = stem.to_lowercase().contains("history");
    match file.parent().and_then(Path::file_name) {
        Some(folder) if is_usual => folder.to_string_lossy().into_owned(),
        _ => stem,
    }
}

pub(crate) fn read(source: &Source, found: &Found) -> Result<Finished, Problem> {
    let History { history } = source.json(&found.file)?;
    if history.is_empty() {
        return Err(Problem::new(
            &found.file,
            "the history is empty",
            "leave it out: nothing happened in it",
        ));
    }
    let began = history.iter().find_map(|item| item.metadata.as_ref()).map(|m| m.step_start_time * 1000.0);
    let mut finished = Finished {
        task: found.task.clone(),
        intent: history.iter().find_map(|item| requested(item.state_message.as_deref()?)),
        started: began,
        ..Finished::default()
    };
    let beside = found.file.parent().unwrap_or(Path::new("."));
    for (number, item) in (1..).zip(&history) {
        let (shot, remark) = picture(source, beside, &item.state);
        finished.remarks.extend(remark.map(|remark| format!("step {number}: {remark}")));
        finished.steps.push(step(item, shot, began));
        if let Some(done) = item.result.iter().find(|result| result.is_done == Some(true)) {
            finished.answer = Some(done.extracted_content.clone().unwrap_or_default());
        }
    }
    if finished.answer.is_none() {
        let last_error =
            history.iter().rev().flat_map(|item| &item.result).find_map(|result| result.error.clone());
        let why = last_error.map_or_else(String::new, |error| format!("; the last error: {error}"));
        let detail = format!("the history ends before the agent was done{why}");
        finished.ending = Some(Ending { end: End::Stopped, detail });
    }
    Ok(finished)
}

fn step(item: &Item, shot: Option<Shot>, began: Option<f64>) -> Step {
    let ms = |seconds: f64| began.map(|began| (seconds * 1000.0 - began).max(0.0) as u64);
    let tab = |(place, tab): (usize, &OpenTab)| Tab {
        id: match &tab.target_id {
            Value::String(id) => id.clone(),
            Value::Null => (place + 1).to_string(),
            other => other.to_string(),
        },
        url: tab.url.clone(),
        title: tab.title.clone(),
        active: item.state.url.as_ref() == Some(&tab.url),
    };
    let mut acts: Vec<Act> = Vec::new();
    let mut thoughts = Vec::new();
    if let Some(output) = &item.model_output {
        let words = output.current_state.as_ref().unwrap_or(&output.words);
        thoughts = [
            ("", &words.thinking),
            ("evaluation: ", &words.evaluation_previous_goal),
            ("memory: ", &words.memory),
            ("next goal: ", &words.next_goal),
        ]
        .into_iter()
        .filter_map(|(label, text)| {
            text.as_ref().filter(|text| !text.is_empty()).map(|t| format!("{label}{t}"))
        })
        .collect();
        acts = output.action.iter().filter_map(act).collect();
    }
    // Results come in the order of the actions; the first error ends the step.
    for (act, result) in acts.iter_mut().zip(&item.result) {
        act.error.clone_from(&result.error);
    }
    let took = item.metadata.as_ref().map_or(0.0, |m| (m.step_end_time - m.step_start_time) * 1000.0);
    if let [only] = acts.as_mut_slice() {
        only.took_ms = took.max(0.0) as u64;
    }
    let told = item.result.iter().filter(|result| result.is_done != Some(true));
    Step {
        ms: item.metadata.as_ref().and_then(|m| ms(m.step_start_time)),
        url: item.state.url.clone(),
        title: item.state.title.clone(),
        tabs: item.state.tabs.iter().enumerate().map(tab).collect(),
        shot,
        outline: None,
        thoughts,
        acts,
        outputs: told.filter_map(|result| result.extracted_content.clone()).collect(),
    }
}

fn act(object: &Map<String, Value>) -> Option<Act> {
    let (name, parameters) = object.iter().find(|(_, parameters)| !parameters.is_null())?;
    if let Some(action) = ours(name, parameters) {
        return Some(Act::ours(action));
    }
    let is_free =
        ["scroll", "wait", "done", "extract", "find_text", "search_page", "read_", "write_", "replace_"]
            .iter()
            .any(|free| name.starts_with(free));
    let mut told = Map::new();
    told.insert(name.clone(), parameters.clone());
    Some(Act::foreign(Value::Object(told).to_string(), !is_free))
}

/// Only what is said in full by an action of ours: an option more, and it stays as it is.
fn ours(name: &str, parameters: &Value) -> Option<Action> {
    let parameters = parameters.as_object()?;
    let keys: Vec<&str> = parameters.keys().map(String::as_str).collect();
    let text = |key: &str| parameters.get(key)?.as_str().map(str::to_owned);
    let index = || parameters.get("index")?.as_u64()?.try_into().ok().map(Target::Mark);
    let is = |key: &str, value: bool| parameters.get(key).is_none_or(|found| *found == value);
    match (name, keys.as_slice()) {
        ("click" | "click_element" | "click_element_by_index", ["index"]) => Some(Action::Click(index()?)),
        ("input" | "input_text", ["index", "text"] | ["index", "text", "clear"]) if is("clear", true) => {
            Some(Action::Type(index()?, text("text")?))
        }
        ("navigate" | "go_to_url", ["url"] | ["url", "new_tab"]) if is("new_tab", false) => {
            Some(Action::GoTo(text("url")?))
        }
        ("navigate" | "go_to_url", ["url", "new_tab"]) => Some(Action::OpenTab(text("url")?)),
        ("go_back", []) => Some(Action::Back),
        ("wait", ["seconds"]) => {
            let millis = parameters.get("seconds")?.as_u64()?.checked_mul(1000)?;
            Some(Action::Wait { millis })
        }
        ("select_dropdown" | "select_dropdown_option", ["index", "text"]) => {
            Some(Action::Select(index()?, text("text")?))
        }
        _ => None,
    }
}

/// The step's picture, or what to say about its absence: the files are in a temporary folder by default.
fn picture(source: &Source, beside: &Path, state: &State) -> (Option<Shot>, Option<String>) {
    if let Some(encoded) = state.screenshot.as_deref().filter(|text| !text.is_empty()) {
        let encoded = encoded.split_once("base64,").map_or(encoded, |(_, rest)| rest);
        return match STANDARD.decode(encoded.trim()) {
            Ok(bytes) => (Some(Shot::Inline(bytes)), None),
            Err(error) => (None, Some(format!("the screenshot is not base64: {error}"))),
        };
    }
    match state.screenshot_path.as_deref() {
        None => (None, None),
        Some(path) => match source.referred(beside, path) {
            Some(file) => (Some(Shot::File(file)), None),
            None => (None, Some(format!("the screenshot {path} is not there"))),
        },
    }
}

/// The task, where the history keeps what the model was told.
fn requested(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("<user_request>")?;
    let (request, _) = rest.split_once("</user_request>")?;
    Some(request.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::finished::What;

    #[test]
    fn only_what_says_the_same_becomes_an_action_of_ours() {
        for (object, expected) in [
            (json!({"click": {"index": 5}}), Some("click [5]")),
            (json!({"click_element_by_index": {"index": 5, "xpath": "/a"}}), None),
            (json!({"input": {"index": 3, "text": "lamp"}}), Some("type [3] \"lamp\"")),
            (json!({"input": {"index": 3, "text": "lamp", "clear": false}}), None),
            (json!({"navigate": {"url": "http://a/", "new_tab": false}}), Some("goto \"http://a/\"")),
            (json!({"navigate": {"url": "http://a/", "new_tab": true}}), Some("newtab \"http://a/\"")),
            (json!({"go_back": {}}), Some("back")),
            (json!({"wait": {"seconds": 3}}), Some("wait 3000ms")),
            (json!({"scroll": {"down": true, "pages": 1.0}}), None),
            (json!({"done": {"text": "x", "success": true}}), None),
            (json!({"click": {"index": -1}}), None),
        ] {
            let whole = object.to_string();
            let read = act(object.as_object().expect("an object")).expect("an action");
            match expected {
                Some(text) => assert_eq!(read.what, What::Ours(text.parse().expect(text)), "{object}"),
                None => assert!(
                    matches!(&read.what, What::Foreign { text, .. } if *text == whole),
                    "{object}: {:?}",
                    read.what
                ),
            }
        }
        assert_eq!(act(json!({"click": null}).as_object().expect("an object")), None);
    }

    #[test]
    fn attempts_are_named_by_the_file_or_its_folder() {
        for (file, name) in [
            ("runs/shop-1.json", "shop-1"),
            ("runs/shop-1/AgentHistoryList.json", "shop-1"),
            ("runs/shop-1/agent_history.json", "shop-1"),
        ] {
            assert_eq!(task_name(Path::new(file)), name);
        }
    }
}
