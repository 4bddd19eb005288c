//! One attempt with a client at the wheel: what it was shown last, and what became of what it asked for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout_at;
use umpire_agents::{Decision, Memory, NoDecision, NoMemory, View, Wheel, look_up};
use umpire_model::{AttemptId, Deadline, Outcome};

use crate::moves::Move;

/// How an attempt ended, as far as its client is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The verdict's; none while nobody has judged.
    pub outcome: Option<Outcome>,
    pub detail: String,
}

impl Ending {
    /// Of an attempt that was judged. The verdict's reason stays behind: it may say what was expected.
    pub fn judged(outcome: Outcome) -> Self {
        let detail = match outcome {
            Outcome::Pass | Outcome::Fail => "",
            Outcome::Timeout => "its time is over",
            Outcome::Budget => "its actions are used up",
            Outcome::Blocked => "the site kept the agent out",
            Outcome::Invalid => "the task could not be asked",
            Outcome::Infra => "the harness failed; it can be begun again",
        };
        Self { outcome: Some(outcome), detail: detail.to_owned() }
    }

    /// Whether the attempt was cut short from outside; else it came to an end of its own.
    pub fn is_truncated(&self) -> bool {
        use Outcome as O;
        matches!(self.outcome, Some(O::Timeout | O::Budget | O::Infra | O::Invalid))
    }

    pub fn reward(&self) -> Option<f64> {
        self.outcome.map(|outcome| if outcome == Outcome::Pass { 1.0 } else { 0.0 })
    }
}

/// The attempt is still busy with what was asked of it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the attempt is still busy; ask again")]
pub struct StillBusy;

/// Why a history says nothing.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NoRecall {
    #[error("there is no history that could be asked in this task")]
    Nobody,
    #[error("the attempt's time is over")]
    TooLate,
    #[error(transparent)]
    Keeper(#[from] NoMemory),
}

/// Entries that are like the query, best first. Asking is written down, whatever comes of it.
pub(crate) async fn recall(
    memory: &dyn Memory,
    step: u32,
    query: &str,
    reason: Option<&str>,
    deadline: Deadline,
) -> Result<Vec<String>, NoRecall> {
    let looking = look_up(memory, step, query, reason);
    let found = timeout_at(deadline.at().into(), looking).await.map_err(|_| NoRecall::TooLate)??;
    Ok(found.texts().map(str::to_owned).collect())
}

/// For the page to be opened, which has limits of its own, and a margin.
const OPENING: Duration = Duration::from_mins(3);
/// For the attempt's last line and its verdict.
const CLOSING: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub struct Session {
    attempt: AttemptId,
    wheel: Wheel,
    ending: oneshot::Receiver<Ending>,
    view: Option<Arc<View>>,
    over: Option<Ending>,
    began: Instant,
    /// A decision is out whose view has not come back.
    waits: bool,
    last_action: String,
    last_error: Option<String>,
}

impl Session {
    /// `ending` is told when the attempt has been written and, where that is somebody's business, judged.
    pub fn new(attempt: AttemptId, wheel: Wheel, ending: oneshot::Receiver<Ending>) -> Self {
        Self {
            attempt,
            wheel,
            ending,
            view: None,
            over: None,
            began: Instant::now(),
            waits: true,
            last_action: String::new(),
            last_error: None,
        }
    }

    pub fn attempt(&self) -> &AttemptId {
        &self.attempt
    }

    /// What was seen last; none if the attempt ended before its page was there.
    pub(crate) fn view(&self) -> Option<&Arc<View>> {
        self.view.as_ref()
    }

    /// How it ended, if it did.
    pub(crate) fn over(&self) -> Option<&Ending> {
        self.over.as_ref()
    }

    /// Whether its time has gone by, even if nobody came to see it end.
    pub(crate) fn is_past(&self) -> bool {
        let is_late = match &self.view {
            Some(view) => view.deadline.passed(),
            None => self.began.elapsed() > OPENING,
        };
        is_late || self.over.is_some()
    }

    pub(crate) fn last_action(&self) -> &str {
        &self.last_action
    }

    /// Why the last thing asked for was not done.
    pub(crate) fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }

    /// Since the page was shown first.
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Waits until the attempt has shown what there is to see now, or is over. The wait ends with the attempt's own time.
    pub(crate) async fn catch_up(&mut self) -> Result<(), StillBusy> {
        if !self.waits || self.over.is_some() {
            return Ok(());
        }
        let limit = match &self.view {
            Some(view) => Deadline::after(view.deadline.left() + CLOSING),
            None => Deadline::after(OPENING),
        };
        let next = timeout_at(limit.at().into(), self.wheel.next_view()).await.map_err(|_| StillBusy)?;
        if let Some(view) = next {
            if self.view.is_none() {
                self.began = Instant::now();
            }
            self.last_error.clone_from(&view.last_error);
            self.view = Some(view);
            self.waits = false;
            return Ok(());
        }
        let closing = Deadline::after(CLOSING);
        let ending = timeout_at(closing.at().into(), &mut self.ending).await.map_err(|_| StillBusy)?;
        // A harness that broke down says nothing any more.
        self.over = Some(ending.unwrap_or_else(|_| Ending::judged(Outcome::Infra)));
        Ok(())
    }

    /// Spends a turn on something that cannot be done, saying why.
    pub(crate) async fn refuse(&mut self, asked: &str, reason: String) -> Result<(), StillBusy> {
        asked.clone_into(&mut self.last_action);
        self.decide(Err(NoDecision::Lost(reason))).await
    }

    /// Makes the moves one after the other, up to the first that fails. Marks are those of the view the client has: they
    /// go on meaning the same elements although each look counts anew.
    pub(crate) async fn play(
        &mut self,
        asked: &str,
        thought: Option<String>,
        moves: &[Move],
    ) -> Result<(), StillBusy> {
        self.catch_up().await?;
        asked.clone_into(&mut self.last_action);
        self.last_error = None;
        let Some(shown) = self.view.clone() else { return Ok(()) };
        let mut thought = thought;
        for one in moves {
            let Some(now) = self.view.clone() else { break };
            let actions = match one.actions(&shown, &now) {
                Ok(actions) => actions,
                Err(reason) => return self.decide(Err(NoDecision::Lost(reason))).await,
            };
            for action in actions {
                self.decide(Ok(Decision { thought: thought.take(), action })).await?;
                if self.over.is_some() || self.last_error.is_some() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    async fn decide(&mut self, decided: Result<Decision, NoDecision>) -> Result<(), StillBusy> {
        self.waits = true;
        // If it is over already, the next look says so.
        let _ = self.wheel.decide(decided).await;
        self.catch_up().await
    }

    /// What the history of the person the task is for says. It spends no turn; how often it may be asked, its keeper
    /// counts.
    pub(crate) async fn recall(&self, query: &str, reason: Option<&str>) -> Result<Vec<String>, NoRecall> {
        let (view, memory) = self
            .view
            .as_ref()
            .and_then(|view| Some((view, view.memory.as_deref()?)))
            .ok_or(NoRecall::Nobody)?;
        recall(memory, view.step, query, reason, view.deadline).await
    }

    /// Gives the attempt up and waits for its end.
    pub(crate) async fn leave(&mut self, reason: &str) -> Result<(), StillBusy> {
        self.catch_up().await?;
        match self.over {
            Some(_) => Ok(()),
            None => self.decide(Err(NoDecision::Stopped(reason.to_owned()))).await,
        }
    }
}
