use serde::Serialize;
use umpire_model::{AttemptId, Outcome, RunId};

/// Everything a run tells the outside. Reporters read these and nothing else.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RunEvent {
    Planned {
        run: RunId,
        attempts: usize,
        already_finished: usize,
        jobs: usize,
    },
    Started {
        attempt: AttemptId,
        r#try: u32,
    },
    /// It cannot begin yet; another process uses its account.
    Waiting {
        attempt: AttemptId,
        reason: String,
    },
    Step {
        attempt: AttemptId,
        step: u32,
        action: String,
    },
    /// A try ended as `infra` and another one follows.
    Retrying {
        attempt: AttemptId,
        r#try: u32,
        reason: String,
    },
    Finished {
        attempt: AttemptId,
        outcome: Outcome,
        reason: String,
        ms: u64,
        steps: u32,
    },
    /// The run was asked to stop; attempts under way are given up and will run again.
    Stopping,
    Done {
        run: RunId,
        tally: Progress,
        ms: u64,
    },
}

/// Attempts by outcome, and those that have none yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    pub pass: usize,
    pub fail: usize,
    pub timeout: usize,
    pub budget: usize,
    pub blocked: usize,
    pub invalid: usize,
    pub infra: usize,
    pub unfinished: usize,
}

impl Progress {
    pub fn add(&mut self, outcome: Outcome) {
        *self.of_mut(outcome) += 1;
    }

    pub fn of(&self, outcome: Outcome) -> usize {
        let mut copy = *self;
        *copy.of_mut(outcome)
    }

    fn of_mut(&mut self, outcome: Outcome) -> &mut usize {
        match outcome {
            Outcome::Pass => &mut self.pass,
            Outcome::Fail => &mut self.fail,
            Outcome::Timeout => &mut self.timeout,
            Outcome::Budget => &mut self.budget,
            Outcome::Blocked => &mut self.blocked,
            Outcome::Invalid => &mut self.invalid,
            Outcome::Infra => &mut self.infra,
        }
    }

    pub fn finished(&self) -> usize {
        Outcome::ALL.iter().map(|outcome| self.of(*outcome)).sum()
    }
}
