//! What the deployment's own backend says before and after an attempt, as evidence.

use std::time::Duration;

use umpire_backend::ask;
use umpire_model::{
    BackendCheck, Body, Check, Deadline, EventBody, Evidence as _, Instance, Media, Moment, Said,
};
use umpire_store::JournalWriter;

use crate::attempt::{Closing, Setting};

/// For all questions of an attempt together; each has its own limit besides.
const ASK_LIMIT: Duration = Duration::from_mins(1);
/// Longer answers are kept beside the journal.
const LONGEST_INLINE: usize = 4096;

/// Asks what the agent must not change. A backend that is down already cannot judge anybody, so nobody runs.
pub(crate) async fn ask_before(
    setting: &Setting,
    instance: &Instance,
    journal: &JournalWriter,
) -> Result<(), Closing> {
    match ask_and_record(setting, instance, Moment::Before, journal).await {
        Some(problem) => Err(Closing::infra(problem)),
        None => Ok(()),
    }
}

pub(crate) async fn ask_after(setting: &Setting, instance: &Instance, journal: &JournalWriter) {
    // What could not be asked stands in the journal; the rules make `infra` of it.
    ask_and_record(setting, instance, Moment::After, journal).await;
}

/// Returns why a backend could not be asked, if one could not.
async fn ask_and_record(
    setting: &Setting,
    instance: &Instance,
    when: Moment,
    journal: &JournalWriter,
) -> Option<String> {
    let checks: Vec<BackendCheck> = backend_checks(instance).cloned().collect();
    let connections = &setting.stage.options.backends;
    let mut problem = None;
    for mut answer in ask(&checks, connections, when, Deadline::after(ASK_LIMIT)).await {
        match &mut answer.said {
            Said::Json(body) => {
                if let Body::Text(text) = body
                    && text.len() > LONGEST_INLINE
                {
                    *body = Body::Blob(journal.blob(text.as_bytes(), Media::Json));
                }
            }
            Said::Unreachable(reason) => problem = Some(format!("{}: {reason}", answer.backend)),
            Said::Nothing | Said::Refused(_) => {}
        }
        journal.event(EventBody::BackendAnswer(Box::new(answer)));
    }
    problem
}

pub(crate) fn backend_checks(instance: &Instance) -> impl Iterator<Item = &BackendCheck> {
    instance.checks.iter().filter_map(|check| match check {
        Check::Backend(check) => Some(check),
        _ => None,
    })
}
