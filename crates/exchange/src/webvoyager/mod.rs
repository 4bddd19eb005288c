//! WebVoyager: a folder per task with the conversation (`interact_messages.json`) and numbered pictures.
//!
//! WebSP-Eval's variant adds `thoughts.json`, which ties thoughts and actions to pictures; without it the n-th reply of
//! the model belongs to the n-th picture, as the released agent counts them.

mod grammar;

use std::path::Path;

use serde::Deserialize;

use crate::finished::{Finished, Shot, Step};
use crate::import::Found;
use crate::source::{LARGEST_JSON, Source};
use crate::{ImportError, Problem};

const MESSAGES: &str = "interact_messages.json";
const THOUGHTS: &str = "thoughts.json";

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Content,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
    Nothing(()),
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
}

impl Content {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Parts(parts) => {
                parts.iter().filter_map(|part| part.text.as_deref()).collect::<Vec<_>>().join("\n")
            }
            Self::Nothing(()) => String::new(),
        }
    }
}

/// One entry of `thoughts.json`. Waiting and scrolling do not count as iterations, so numbers repeat.
#[derive(Deserialize)]
struct Entry {
    iteration: u32,
    #[serde(default)]
    thought: Option<String>,
    #[serde(default)]
    action: Option<String>,
}

/// Folders with a conversation in them: the given one, those in it, and those in a run's folder.
pub(crate) fn find(source: &Source) -> Result<Vec<Found>, ImportError> {
    let mut folders = vec![source.given().to_owned()];
    for folder in source.folders(source.given())? {
        folders.extend(source.folders(&folder)?);
        folders.push(folder);
    }
    folders.sort();
    let found = folders.into_iter().filter_map(|folder| {
        let file = folder.join(MESSAGES);
        let name = folder.file_name()?.to_string_lossy().into_owned();
        let task = name.strip_prefix("task").unwrap_or(&name).to_owned();
        file.symlink_metadata().is_ok().then_some(Found { file, task })
    });
    Ok(found.collect())
}

pub(crate) fn read(source: &Source, found: &Found) -> Result<Finished, Problem> {
    let messages: Vec<Message> = source.json(&found.file)?;
    let folder = found.file.parent().unwrap_or(Path::new("."));
    let asked = messages.iter().filter(|message| message.role == "user").find_map(|message| {
        let text = message.content.text();
        grammar::task(&text)
    });
    let (intent, start_url) = asked.map_or((None, None), |(intent, url)| (Some(intent), url));
    let mut finished = Finished { task: found.task.clone(), intent, start_url, ..Finished::default() };
    let thoughts = folder.join(THOUGHTS);
    let (entries, types_press_enter) = if thoughts.exists() {
        (source.json::<Vec<Entry>>(&thoughts)?, false)
    } else {
        (replies(&messages), true)
    };
    if entries.is_empty() {
        let what = "the model never replied";
        return Err(Problem::new(&found.file, what, "leave it out: nothing happened in it"));
    }
    for (index, entry) in entries.iter().enumerate() {
        // A picture is overwritten while its number repeats, so it shows what the last of these entries saw.
        let is_shown = entries.get(index + 1).is_none_or(|next| next.iteration != entry.iteration);
        let shot = if is_shown { picture(source, folder, entry.iteration) } else { None };
        let outline = if is_shown { outline(source, folder, entry.iteration)? } else { None };
        let action = entry.action.as_deref().map(str::trim).filter(|action| !action.is_empty());
        let read = action.map(|action| grammar::read(action, types_press_enter));
        if let Some(answer) = read.as_ref().and_then(|read| read.answer.clone()) {
            finished.answer = Some(answer);
        }
        finished.steps.push(Step {
            shot: shot.map(Shot::File),
            outline,
            thoughts: entry.thought.iter().filter(|thought| !thought.trim().is_empty()).cloned().collect(),
            acts: read.map(|read| read.act).into_iter().collect(),
            ..Step::default()
        });
    }
    let without = finished.steps.iter().filter(|step| step.shot.is_none()).count();
    if without > 0 {
        finished.remarks.push(format!("{without} of {} steps have no picture", finished.steps.len()));
    }
    Ok(finished)
}

/// The model's replies, counted as the released agent counts its iterations.
fn replies(messages: &[Message]) -> Vec<Entry> {
    let said = messages.iter().filter(|message| message.role == "assistant");
    (1..)
        .zip(said)
        .map(|(iteration, message)| {
            let text = message.content.text();
            let (thought, action) = grammar::split(&text);
            Entry { iteration, thought, action }
        })
        .collect()
}

/// The picture of a failed iteration wins: it was taken later.
fn picture(source: &Source, folder: &Path, iteration: u32) -> Option<std::path::PathBuf> {
    [format!("screenshot_fail{iteration}.png"), format!("screenshot{iteration}.png")]
        .iter()
        .find_map(|name| source.referred(folder, name))
}

fn outline(source: &Source, folder: &Path, iteration: u32) -> Result<Option<String>, Problem> {
    let name = format!("accessibility_tree{iteration}.txt");
    let Some(file) = source.referred(folder, &name) else { return Ok(None) };
    let text = source.read(&file, LARGEST_JSON)?;
    Ok(Some(String::from_utf8_lossy(&text).into_owned()))
}
