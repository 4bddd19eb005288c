//! Labelling: queues of attempts, each given to as many people as agreed, each blind to what others say until they
//! have said it themselves.
//!
//! A label goes to the run's own `labels.jsonl`, which `umpire agree` reads; what is here is who was given what.

mod adjudication;
mod form;
mod item;
mod queues;

use std::collections::HashMap;

use umpire_model::{ADJUDICATOR, AttemptId, HumanLabel, Success, standing_labels};
use umpire_stats::agreement::{Ceiling, human_ceiling};

pub(crate) use self::adjudication::{adjudicate, export, settle};
pub(crate) use self::item::{item, next, save};
pub(crate) use self::queues::{add_queue, queue, queues};
use crate::database::Queue;
use crate::error::PageError;
use crate::state::App;

async fn find_queue(app: &App, id: &str) -> Result<Queue, PageError> {
    app.database.queue(id).await?.ok_or(PageError::NotFound)
}

async fn attempt_at(app: &App, queue: &Queue, place: i64) -> Result<AttemptId, PageError> {
    let attempt = app.database.item(&queue.id, place).await?.ok_or(PageError::NotFound)?;
    attempt.parse().map_err(|_| PageError::NotFound)
}

/// What people said of the attempts of a queue, adjudicators apart.
struct Said {
    by_attempt: HashMap<AttemptId, Vec<HumanLabel>>,
    settled: HashMap<AttemptId, HumanLabel>,
}

impl Said {
    fn of(labels: &[HumanLabel]) -> Self {
        let (mut by_attempt, mut settled) = (HashMap::<_, Vec<HumanLabel>>::new(), HashMap::new());
        for label in standing_labels(labels) {
            if label.annotator.starts_with(ADJUDICATOR) {
                settled.insert(label.attempt.clone(), label.clone());
            } else {
                by_attempt.entry(label.attempt.clone()).or_default().push(label.clone());
            }
        }
        Self { by_attempt, settled }
    }

    fn on(&self, attempt: &AttemptId) -> &[HumanLabel] {
        self.by_attempt.get(attempt).map_or(&[], Vec::as_slice)
    }

    fn is_disputed(&self, attempt: &AttemptId) -> bool {
        let mut opinions = self.on(attempt).iter().map(|label| label.success);
        let first = opinions.next();
        opinions.any(|other| Some(other) != first)
    }

    /// How far people agree with each other on these attempts.
    fn ceiling(&self, attempts: &[AttemptId]) -> Ceiling {
        let given: Vec<Vec<Option<bool>>> =
            attempts.iter().map(|attempt| self.on(attempt).iter().map(decided).collect()).collect();
        human_ceiling(&given)
    }
}

/// What cannot be done was not done.
fn decided(label: &HumanLabel) -> Option<bool> {
    match label.success? {
        Success::Success => Some(true),
        Success::Failure | Success::Unexecutable => Some(false),
        Success::Unsure => None,
    }
}

/// The choices with their words and keys.
const CHOICES: [(Success, &str, &str, &str); 4] = [
    (Success::Success, "success", "1", "Success: everything that was asked for was done"),
    (Success::Failure, "failure", "2", "Failure: something was left out or done wrong"),
    (Success::Unexecutable, "unexecutable", "3", "Not executable: nobody could have done it"),
    (Success::Unsure, "unsure", "0", "Unsure: looked at, and not decided"),
];

fn word(success: Option<Success>) -> &'static str {
    CHOICES.iter().find(|(choice, ..)| Some(*choice) == success).map_or("nothing", |(_, word, ..)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(annotator: &str, success: Success) -> HumanLabel {
        HumanLabel {
            success: Some(success),
            annotator: annotator.to_owned(),
            ..HumanLabel::empty("a/t/1".parse().expect("an attempt"), 1, "")
        }
    }

    #[test]
    fn a_dispute_is_between_annotators_and_settled_beside_them() {
        let attempt: AttemptId = "a/t/1".parse().expect("an attempt");
        let mut labels = vec![label("ann", Success::Success)];
        assert!(!Said::of(&labels).is_disputed(&attempt));
        labels.push(label("ben", Success::Failure));
        labels.push(label("adjudicator:op", Success::Failure));
        let said = Said::of(&labels);
        assert!(said.is_disputed(&attempt));
        assert_eq!(said.on(&attempt).len(), 2, "the adjudicator is no annotator");
        assert!(said.settled.contains_key(&attempt));
        assert_eq!(said.ceiling(&[attempt]).agreement.count, 0);
    }
}
