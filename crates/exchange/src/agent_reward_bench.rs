//! AgentRewardBench: `trajectories/cleaned/<benchmark>/<agent>/<experiment>/<task>.json`, pictures beside or above.
//!
//! Actions are calls in BrowserGym's language. Calls with one text that say what one of ours says are read as such.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use umpire_model::{Action, End, Tab};

use crate::finished::{Act, Ending, Finished, Shot, Step};
use crate::import::Found;
use crate::source::Source;
use crate::{ImportError, Problem};

/// Benchmark, agent, experiment, and one more for whoever sorted further.
const DEEPEST: usize = 5;

#[derive(Deserialize)]
struct Trajectory {
    goal: String,
    agent: String,
    #[serde(default)]
    benchmark: Option<String>,
    #[serde(default)]
    valid: Option<bool>,
    #[serde(default)]
    summary_info: Value,
    steps: Vec<Seen>,
}

#[derive(Deserialize)]
struct Seen {
    #[serde(default)]
    reasoning: Option<String>,
    #[serde(default)]
    action: Option<String>,
    #[serde(default)]
    screenshot_path: Option<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    open_pages_urls: Option<Vec<String>>,
    #[serde(default)]
    open_pages_titles: Option<Vec<String>>,
    /// What became of the action before.
    #[serde(default)]
    last_action_error: Option<String>,
    #[serde(default)]
    axtree: Option<String>,
}

pub(crate) fn find(source: &Source) -> Result<Vec<Found>, ImportError> {
    let given = source.given();
    let mut files = Vec::new();
    if given.is_file() {
        files.push(given.to_owned());
    } else {
        let cleaned = ["trajectories/cleaned", "cleaned"]
            .iter()
            .map(|name| given.join(name))
            .find(|path| path.is_dir());
        collect(source, cleaned.as_deref().unwrap_or(given), DEEPEST, &mut files)?;
    }
    let named =
        files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    Ok(named
        .map(|file| Found { task: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), file })
        .collect())
}

fn collect(source: &Source, folder: &Path, depth: usize, into: &mut Vec<PathBuf>) -> Result<(), ImportError> {
    into.extend(source.files(folder)?);
    if depth > 0 {
        for below in source.folders(folder)? {
            collect(source, &below, depth - 1, into)?;
        }
    }
    Ok(())
}

pub(crate) fn read(source: &Source, found: &Found) -> Result<Finished, Problem> {
    let told: Trajectory = source.json(&found.file)?;
    let beside = found.file.parent().unwrap_or(Path::new("."));
    let mut finished = Finished {
        task: found.task.clone(),
        intent: Some(told.goal),
        start_url: told.steps.first().and_then(|step| step.url.clone()),
        agent: Some(told.agent),
        ..Finished::default()
    };
    if told.valid == Some(false) {
        finished.remarks.push("marked as not valid by its authors".to_owned());
    }
    if let Some(reward) = told.summary_info.get("cum_reward").and_then(Value::as_f64) {
        let by = told.benchmark.as_deref().unwrap_or("its environment");
        finished.remarks.push(format!("{by} gave a reward of {reward}"));
    }
    for (index, seen) in told.steps.iter().enumerate() {
        let shot = seen.screenshot_path.as_deref().and_then(|path| source.referred(beside, path));
        if let (None, Some(path)) = (&shot, &seen.screenshot_path) {
            finished.remarks.push(format!("step {}: the screenshot {path} is not there", index + 1));
        }
        let error = told.steps.get(index + 1).and_then(|next| next.last_action_error.clone());
        let act = seen.action.as_deref().map(str::trim).filter(|action| !action.is_empty()).map(|action| {
            if let Some(answer) = answer(action) {
                finished.answer = Some(answer);
            }
            Act { error: error.filter(|error| !error.is_empty()), ..act(action) }
        });
        finished.steps.push(Step {
            url: seen.url.clone(),
            tabs: tabs(seen),
            shot: shot.map(Shot::File),
            outline: seen.axtree.clone(),
            thoughts: seen.reasoning.iter().filter(|text| !text.trim().is_empty()).cloned().collect(),
            acts: act.into_iter().collect(),
            ..Step::default()
        });
    }
    if finished.steps.is_empty() {
        return Err(Problem::new(&found.file, "it has no steps", "leave it out: nothing happened in it"));
    }
    if finished.answer.is_none() {
        let summary = |key: &str| told.summary_info.get(key);
        let error = summary("err_msg").and_then(Value::as_str);
        let is_cut = summary("truncated").and_then(Value::as_bool) == Some(true);
        let detail =
            error.map(str::to_owned).or_else(|| is_cut.then(|| "cut off by its environment".to_owned()));
        finished.ending = detail.map(|detail| Ending { end: End::Stopped, detail });
    }
    Ok(finished)
}

fn tabs(seen: &Seen) -> Vec<Tab> {
    let titles = seen.open_pages_titles.as_deref().unwrap_or_default();
    let urls = seen.open_pages_urls.as_deref().unwrap_or_default();
    urls.iter()
        .enumerate()
        .map(|(place, url)| Tab {
            id: (place + 1).to_string(),
            url: url.clone(),
            title: titles.get(place).cloned().unwrap_or_default(),
            active: seen.url.as_ref() == Some(url),
        })
        .collect()
}

fn act(text: &str) -> Act {
    let ours = match call(text) {
        Some(("goto", Some(url))) => Some(Action::GoTo(url)),
        Some(("go_back", None)) => Some(Action::Back),
        Some(("go_forward", None)) => Some(Action::Forward),
        Some(("keyboard_press", Some(keys))) => Some(Action::Press(keys)),
        Some(("send_msg_to_user", Some(message))) => Some(Action::Answer(message)),
        _ => None,
    };
    let is_free = ["scroll(", "noop(", "report_infeasible("].iter().any(|free| text.starts_with(free));
    ours.map_or_else(|| Act::foreign(text, !is_free), Act::ours)
}

/// What the agent told its user, which is its answer, also when that is that it cannot be done.
fn answer(text: &str) -> Option<String> {
    match call(text)? {
        ("send_msg_to_user" | "report_infeasible", message) => message,
        _ => None,
    }
}

/// A call with no argument, or with one text as Python writes it. Anything else is none.
fn call(text: &str) -> Option<(&str, Option<String>)> {
    let (name, rest) = text.split_once('(')?;
    let inside = rest.strip_suffix(')')?.trim();
    if inside.is_empty() {
        return Some((name, None));
    }
    let quote = inside.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let mut message = String::new();
    let mut characters = inside.chars().skip(1);
    loop {
        match characters.next()? {
            c if c == quote => break,
            '\\' => match characters.next()? {
                'n' => message.push('\n'),
                't' => message.push('\t'),
                same @ ('\\' | '\'' | '"') => message.push(same),
                other => message.extend(['\\', other]),
            },
            c => message.push(c),
        }
    }
    characters.next().is_none().then_some((name, Some(message)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finished::What;

    #[test]
    fn calls_with_one_text_are_read_and_others_kept() {
        for (text, ours) in [
            ("goto('http://a/?q=\\'x\\'')", Some("goto \"http://a/?q='x'\"")),
            ("go_back()", Some("back")),
            ("send_msg_to_user(\"It's 5.\")", Some("answer \"It's 5.\"")),
            ("keyboard_press('Enter')", Some("press \"Enter\"")),
            ("click('a12')", None),
            ("fill('a12', 'x')", None),
            ("goto('a', 'b')", None),
            ("goto('a", None),
            ("noop()", None),
            ("", None),
        ] {
            match ours {
                Some(ours) => assert_eq!(act(text).what, What::Ours(ours.parse().expect(ours)), "{text}"),
                None => assert!(
                    matches!(&act(text).what, What::Foreign { text: kept, .. } if kept == text),
                    "{text}"
                ),
            }
        }
        assert_eq!(answer("report_infeasible('no such page')").as_deref(), Some("no such page"));
        assert_eq!(answer("goto('x')"), None);
        assert!(!act("scroll(0, 200)").is_counted() && act("click('1')").is_counted());
    }
}
