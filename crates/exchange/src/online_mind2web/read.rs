use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use umpire_model::{Difficulty, End};

use super::{PICTURES, RESULT_FILE, ResultV1, ResultV2, StepV2, VERSION_2, grammar};
use crate::finished::{Act, Ending, Finished, Shot, Step};
use crate::import::Found;
use crate::source::Source;
use crate::{ImportError, Problem};

/// Every folder with a result in it, or the folder itself.
pub(crate) fn find(source: &Source) -> Result<Vec<Found>, ImportError> {
    let mut folders = source.folders(source.given())?;
    folders.push(source.given().to_owned());
    let found = folders.into_iter().filter_map(|folder| {
        let file = folder.join(RESULT_FILE);
        let task = folder.file_name()?.to_string_lossy().into_owned();
        file.symlink_metadata().is_ok().then_some(Found { file, task })
    });
    Ok(found.collect())
}

pub(crate) fn read(source: &Source, found: &Found) -> Result<Finished, Problem> {
    let result: Value = source.json(&found.file)?;
    let malformed = |error: serde_json::Error| {
        Problem::new(&found.file, error.to_string(), "compare it with the benchmark's submission schema")
    };
    match result.get("schema_version").map(|version| version.as_str().unwrap_or_default()) {
        None => version_1(source, found, serde_json::from_value(result).map_err(malformed)?),
        Some(VERSION_2) => version_2(source, found, serde_json::from_value(result).map_err(malformed)?),
        Some(other) => Err(Problem::new(
            &found.file,
            format!("schema version `{}` is not known", other.chars().take(60).collect::<String>()),
            format!("files without a version and `{VERSION_2}` are read"),
        )),
    }
}

fn version_2(source: &Source, found: &Found, result: ResultV2) -> Result<Finished, Problem> {
    let folder = found.file.parent().unwrap_or(Path::new(".")).join(PICTURES);
    let mut finished = Finished {
        intent: Some(result.task),
        difficulty: result.reference_length.map(difficulty),
        reference_length: result.reference_length,
        ..Finished::default()
    };
    if result.task_id != found.task {
        finished.remarks.push(format!("its folder is called `{}`", found.task));
    }
    finished.task = result.task_id;
    let mut completed = None;
    for (index, entry) in result.action_history.iter().enumerate() {
        if entry.step != index as u64 {
            return Err(Problem::new(
                &found.file,
                format!("step {} stands where step {index} should", entry.step),
                "number the steps from 0 without gaps; a step that is lost cannot be made up",
            ));
        }
        let read = grammar::read(&entry.action);
        if let Some(remark) = disagreement(entry, read.status) {
            finished.remarks.push(format!("step {index}: {remark}"));
        }
        if read.completes {
            completed = Some((index, read.answer));
        }
        finished.steps.push(Step {
            url: entry.url.clone(),
            shot: Some(Shot::File(picture(source, found, &folder, &entry.screenshot)?)),
            thoughts: entry.thought.iter().filter(|thought| !thought.is_empty()).cloned().collect(),
            acts: vec![read.act],
            ..Step::default()
        });
    }
    if finished.steps.is_empty() {
        return Err(Problem::new(&found.file, "it has no steps", "an attempt has at least one step"));
    }
    let last = finished.steps.len() - 1;
    match completed {
        Some((at, said)) if at == last => {
            let differs = |told: &String| said.as_ref().is_none_or(|said| !same_words(said, told));
            if result.agent_final_answer.as_ref().is_some_and(differs) {
                finished.remarks.push("the final answer is not what the last action says".to_owned());
            }
            finished.answer = result.agent_final_answer.or(said);
        }
        _ => {
            finished.remarks.push("the last action is not TASK_COMPLETE".to_owned());
            finished.answer = result.agent_final_answer;
        }
    }
    if finished.answer.is_none() && completed_at(&finished, last) {
        finished.ending = Some(Ending {
            end: End::Stopped,
            detail: "the agent declared the task complete and gave no answer".to_owned(),
        });
    }
    Ok(finished)
}

fn completed_at(finished: &Finished, last: usize) -> bool {
    finished.steps.get(last).is_some_and(|step| step.acts.iter().any(|act| !act.is_counted()))
}

fn picture(source: &Source, found: &Found, folder: &Path, name: &str) -> Result<std::path::PathBuf, Problem> {
    let is_name = !name.is_empty() && !name.contains(['/', '\\']) && name != "." && name != "..";
    if !is_name {
        let what = "a screenshot's name must be that of a file in trajectory/";
        return Err(Problem::new(&found.file, what, "name the picture alone"));
    }
    let path = folder.join(name);
    // Never the next one instead: a film that is shifted by one picture is worse than none.
    if source.referred(folder, name).as_ref() == Some(&path) {
        Ok(path)
    } else {
        Err(Problem::new(&path, "there is no such screenshot", "put it there, or leave the attempt out"))
    }
}

fn disagreement(entry: &StepV2, status: Option<&'static str>) -> Option<String> {
    let told = entry.action_status.as_deref();
    (told.is_some() && told != status).then(|| {
        format!(
            "action_status is {}, the action says {}",
            told.unwrap_or("null"),
            status.unwrap_or("nothing")
        )
    })
}

fn same_words(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// The benchmark's own levels: up to 5 steps are easy, up to 10 medium.
fn difficulty(reference_length: u32) -> Difficulty {
    match reference_length {
        ..=5 => Difficulty::Easy,
        6..=10 => Difficulty::Medium,
        _ => Difficulty::Hard,
    }
}

fn version_1(source: &Source, found: &Found, result: ResultV1) -> Result<Finished, Problem> {
    let folder = found.file.parent().unwrap_or(Path::new(".")).join(PICTURES);
    let pictures = numbered_pictures(source, &folder)?;
    let actions = result.action_history.unwrap_or_default();
    let thoughts = result.thoughts.unwrap_or_default();
    let mut finished = Finished {
        task: found.task.clone(),
        intent: Some(result.task),
        answer: result.final_result_response.filter(|answer| !answer.is_empty()),
        ..Finished::default()
    };
    if pictures.is_empty() {
        let what = "trajectory/ has no screenshot";
        return Err(Problem::new(&found.file, what, "put the pictures there, or leave the attempt out"));
    }
    if pictures.len() != actions.len() || (!thoughts.is_empty() && thoughts.len() != actions.len()) {
        finished.remarks.push(format!(
            "{} actions, {} thoughts and {} pictures, paired by their order alone",
            actions.len(),
            thoughts.len(),
            pictures.len()
        ));
    }
    let length = actions.len().max(thoughts.len()).max(pictures.len());
    let (mut pictures, mut actions, mut thoughts) =
        (pictures.into_iter(), actions.into_iter(), thoughts.into_iter());
    for _ in 0..length {
        finished.steps.push(Step {
            shot: pictures.next().map(Shot::File),
            thoughts: thoughts.next().flatten().filter(|thought| !thought.is_empty()).into_iter().collect(),
            acts: actions.next().map(|text| grammar::read(&text).act).into_iter().collect::<Vec<Act>>(),
            ..Step::default()
        });
    }
    Ok(finished)
}

/// The pictures by the first number in their names. What has none is not one of them.
fn numbered_pictures(source: &Source, folder: &Path) -> Result<Vec<std::path::PathBuf>, Problem> {
    let files = source
        .files(folder)
        .map_err(|error| Problem::new(folder, error.to_string(), "put the pictures into trajectory/"))?;
    let mut numbered = BTreeMap::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let digits: String =
            name.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        let is_picture =
            [".png", ".jpg", ".jpeg", ".webp"].iter().any(|end| name.to_lowercase().ends_with(end));
        if let (true, Ok(number)) = (is_picture, digits.parse::<u64>()) {
            numbered.insert((number, name), path);
        }
    }
    Ok(numbered.into_values().collect())
}
