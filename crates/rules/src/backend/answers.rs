//! The answers an attempt recorded, each read when a check wants it.

use serde_json::Value;
use umpire_model::{BackendAnswer, BackendCheck, BlobSource, Body, Moment, Said, Trajectory};

use crate::ruling::Undecided;
use crate::words;

pub(crate) struct RecordedAnswers<'a> {
    answers: Vec<(u64, &'a BackendAnswer)>,
    blobs: Option<&'a dyn BlobSource>,
}

impl<'a> RecordedAnswers<'a> {
    pub(crate) fn of(trajectory: &'a Trajectory, blobs: &'a dyn BlobSource) -> Self {
        Self { answers: trajectory.backend_answers().collect(), blobs: Some(blobs) }
    }

    /// Answers that were just given and hold their whole text.
    pub(crate) fn in_hand(answers: &'a [BackendAnswer]) -> Self {
        Self { answers: (0..).zip(answers).collect(), blobs: None }
    }

    /// What was said to a check's question, and where that stands; `None` if the backend has nothing there.
    pub(super) fn find(&self, check: &BackendCheck, when: Moment) -> Result<(u64, Option<Value>), Undecided> {
        let question = check.question();
        let recorded =
            self.answers.iter().rfind(|(_, answer)| answer.question == question && answer.when == when);
        let Some((seq, answer)) = recorded else {
            let moment = match when {
                Moment::Before => "before the attempt",
                Moment::After => "after the attempt",
            };
            return Err(Undecided::NoEvidence(format!("{} was not asked {moment}", check.backend)));
        };
        match &answer.said {
            Said::Json(body) => self.read(body).map(|value| (*seq, Some(value))).map_err(|problem| {
                Undecided::NoEvidence(format!("the answer of {} cannot be read: {problem}", check.backend))
            }),
            Said::Nothing => Ok((*seq, None)),
            Said::Refused(reason) => {
                Err(Undecided::Broken(format!("{}: {}", check.backend, words::shorten(reason))))
            }
            Said::Unreachable(reason) => {
                Err(Undecided::NoEvidence(format!("{}: {}", check.backend, words::shorten(reason))))
            }
        }
    }

    fn read(&self, body: &Body) -> Result<Value, String> {
        let parsed = match (body, self.blobs) {
            (Body::Text(text), _) => serde_json::from_str(text),
            (Body::Blob(blob), Some(blobs)) => {
                serde_json::from_slice(&blobs.read(blob).map_err(|error| error.to_string())?)
            }
            (Body::Blob(_), None) => return Err("its content is stored elsewhere".to_owned()),
            (Body::Omitted(reason), _) => return Err(reason.clone()),
        };
        parsed.map_err(|error| error.to_string())
    }
}
