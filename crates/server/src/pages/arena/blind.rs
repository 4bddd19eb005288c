//! What a voter may see of two attempts: steps, pictures and answers, without the names of who did it.
//!
//! Nothing is shown that is not listed here. What a model was sent, what the harness noted and what the agent printed
//! speak of their author too often, and do not come through at all.

use umpire_arena::{Battle, Contestant, Scrubber, Side};
use umpire_model::{AttemptId, Digest, Rect, RunId, Trajectory, Viewport};
use umpire_report::html::{Act, Recording, Step, What};
use umpire_store::Runs;

use crate::error::PageError;
use crate::pages::compare::align::{Like, align};
use crate::pages::compare::attempts::like;

/// Both sides of a battle, and which steps of the one go with which of the other.
pub(crate) struct Blind {
    pub left: BlindSide,
    pub right: BlindSide,
    pub rows: Vec<(Option<usize>, Option<usize>)>,
    /// Names that had to be hidden.
    pub hidden: usize,
}

pub(crate) struct BlindSide {
    pub run: RunId,
    pub viewport: Viewport,
    pub steps: Vec<BlindStep>,
    pub answer: Option<String>,
    pub has_ended: bool,
    likes: Vec<Like>,
}

pub(crate) struct BlindStep {
    pub number: u32,
    pub ms: u64,
    pub title: String,
    pub url: String,
    pub picture: Option<Digest>,
    pub thoughts: Vec<String>,
    deeds: Vec<Deed>,
}

struct Deed {
    text: String,
    at: Option<Rect>,
    error: Option<String>,
}

impl Deed {
    fn act(&self) -> Act<'_> {
        Act { what: What::Foreign(&self.text), at: self.at, error: self.error.as_deref() }
    }
}

impl BlindStep {
    pub(crate) fn acts(&self) -> Vec<Act<'_>> {
        self.deeds.iter().map(Deed::act).collect()
    }
}

impl Blind {
    pub(crate) fn side(&self, side: Side) -> &BlindSide {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    pub(crate) fn are_alike(&self, row: (Option<usize>, Option<usize>)) -> bool {
        matches!(row, (Some(left), Some(right)) if self.left.likes[left] == self.right.likes[right])
    }

    /// Reads both attempts. Takes as long as their journals are.
    pub(crate) async fn load(runs: &Runs, battle: &Battle) -> Result<Self, PageError> {
        let ((left_run, left), (right_run, right)) = (recorded(&battle.left)?, recorded(&battle.right)?);
        let runs = runs.clone();
        tokio::task::spawn_blocking(move || {
            let find = |run| runs.find(run)?.ok_or(PageError::NotFound);
            let (left_of, right_of) = (find(&left_run)?, find(&right_run)?);
            let trajectories = [left_of.attempt(&left).read()?, right_of.attempt(&right).read()?];
            let [left, right] = trajectories;
            let manifests = [left_of.manifest(), right_of.manifest()];
            let mut hiding =
                Hiding { scrubber: Scrubber::for_attempts(&manifests, &[&left, &right]), hidden: 0 };
            let left = hiding.side(left_run, &left);
            let right = hiding.side(right_run, &right);
            let rows = align(&left.likes, &right.likes);
            Ok(Self { left, right, rows, hidden: hiding.hidden })
        })
        .await?
    }
}

fn recorded(contestant: &Contestant) -> Result<(RunId, AttemptId), PageError> {
    contestant.run.clone().zip(contestant.attempt.clone()).ok_or(PageError::NotFound)
}

struct Hiding {
    scrubber: Scrubber,
    hidden: usize,
}

impl Hiding {
    fn text(&mut self, text: &str) -> String {
        let scrubbed = self.scrubber.scrub(text);
        self.hidden += scrubbed.hidden_in_all();
        scrubbed.text
    }

    fn side(&mut self, run: RunId, trajectory: &Trajectory) -> BlindSide {
        let recording = Recording::of(trajectory);
        BlindSide {
            run,
            viewport: recording.viewport,
            steps: recording.steps.iter().map(|step| self.step(step)).collect(),
            answer: trajectory.response().map(|(_, response)| self.text(response)),
            has_ended: trajectory.end().is_some(),
            likes: recording.steps.iter().map(like).collect(),
        }
    }

    fn step(&mut self, step: &Step<'_>) -> BlindStep {
        let shot = step.observed.and_then(|seen| seen.screenshot.as_ref());
        BlindStep {
            number: step.number,
            ms: step.ms,
            title: step.observed.map(|seen| self.text(&seen.title)).unwrap_or_default(),
            url: step.observed.map(|seen| self.text(&seen.url)).unwrap_or_default(),
            // A digest from a journal is outside data until it has proved to be one.
            picture: shot.and_then(|blob| Digest::parse(blob.digest.as_str())),
            thoughts: step.thoughts.iter().map(|thought| self.text(thought)).collect(),
            deeds: step
                .acts
                .iter()
                .map(|act| Deed {
                    text: self.text(&act.what.to_string()),
                    at: act.at,
                    error: act.error.map(|error| self.text(error)),
                })
                .collect(),
        }
    }
}
