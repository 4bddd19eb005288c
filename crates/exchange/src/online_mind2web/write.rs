use std::path::Path;

use umpire_model::{Action, BlobRef, BlobSource as _, Media};

use super::{PICTURES, RESULT_FILE, ResultV2, StepV2, VERSION_2, grammar};
use crate::export::{Did, Outgoing, Refusal, Story, StoryAct, write_file};

/// Writes version 2: every action is a step, with the picture the agent saw when it decided on it.
pub(crate) fn write(outgoing: &Outgoing<'_>, folder: &Path) -> Result<(), Refusal> {
    let story = Story::of(outgoing.trajectory);
    let mut history: Vec<StepV2> = Vec::new();
    let mut pictures: Vec<BlobRef> = Vec::new();
    let mut shown: Option<&BlobRef> = None;
    let mut add = |shot: Option<&BlobRef>, step: StepV2| match shot {
        Some(shot) => {
            let extension = if shot.media == Media::Png { "png" } else { "jpg" };
            let screenshot = format!("{:04}.{extension}", pictures.len());
            history.push(StepV2 { step: pictures.len() as u64, screenshot, ..step });
            pictures.push(shot.clone());
            Ok(())
        }
        None => Err(Refusal::Unfit(
            "the format wants a picture for every step, and the first has none".to_owned(),
        )),
    };
    let mut is_complete = false;
    for step in &story.steps {
        let observed = step.observed;
        shown = observed.and_then(|observed| observed.screenshot.as_ref()).or(shown);
        let url = observed.map(|observed| observed.url.clone()).filter(|url| !url.is_empty());
        let mut thought = (!step.thoughts.is_empty()).then(|| step.thoughts.join("\n"));
        for act in &step.acts {
            let (action, action_status) = written(act);
            is_complete = action.starts_with("TASK_COMPLETE");
            let url = match act.did {
                Did::Ours(Action::GoTo(to)) => Some(to.clone()),
                _ => url.clone(),
            };
            add(shown, StepV2 { action, action_status, url, thought: thought.take(), ..empty() })?;
        }
    }
    if !is_complete {
        let action = match story.answer {
            Some(answer) => grammar::written(&Action::Answer(answer.to_owned())),
            None => grammar::completed_without_answer(&story.why_no_answer()),
        };
        add(shown, StepV2 { action, ..empty() })?;
    }
    let instance = outgoing.instance;
    let counted = instance.reference.iter().filter(|action| action.is_counted()).count() as u32;
    let result = ResultV2 {
        schema_version: VERSION_2.to_owned(),
        task: instance.intent.clone(),
        task_id: instance.task.clone(),
        agent_final_answer: story.answer.map(|answer| answer.trim().to_owned()),
        reference_length: instance.reference_length.or((counted > 0).then_some(counted)),
        action_history: history,
    };
    let blobs = outgoing.run.blobs();
    for (step, blob) in result.action_history.iter().zip(&pictures) {
        let content = blobs.read(blob).map_err(|error| Refusal::Unfit(error.to_string()))?;
        write_file(&folder.join(PICTURES).join(&step.screenshot), &content)?;
    }
    let text = serde_json::to_vec_pretty(&result).unwrap_or_default();
    Ok(write_file(&folder.join(RESULT_FILE), &text)?)
}

fn empty() -> StepV2 {
    StepV2 {
        step: 0,
        screenshot: String::new(),
        url: None,
        action: String::new(),
        action_status: None,
        thought: None,
    }
}

/// The action with its status. The benchmark asks for one on everything but the last step; what an agent's own harness
/// wrote is left as it was.
fn written(act: &StoryAct<'_>) -> (String, Option<String>) {
    match act.did {
        Did::Foreign(text) => (text.to_owned(), grammar::without_status(text).1.map(str::to_owned)),
        Did::Ours(answer @ Action::Answer(_)) => (grammar::written(answer), None),
        Did::Ours(action) => {
            let failed = act.error.is_some();
            let status = if failed { "FAILED" } else { "SUCCESS" };
            (grammar::with_status(&grammar::written(action), failed), Some(status.to_owned()))
        }
    }
}
