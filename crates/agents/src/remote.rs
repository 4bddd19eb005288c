//! An agent that sits elsewhere. What it is to decide from goes out through one channel, what it decided comes back
//! through another, so the ordinary loop, with its limits and its journal, serves every way in.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use tokio::sync::mpsc;
use umpire_browser::Observation;
use umpire_model::{Deadline, TaskBrief, UsdMicros};

use crate::Memory;
use crate::agent::{Agent, Deciding, Decision, NoDecision, Turn};
use crate::command::Interface;

const GONE: &str = "the client went away";

/// Whoever comes to `umpire steps` or `umpire mcp`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteSpec {
    pub interface: Interface,
    /// What it may ask through the gateway.
    pub models: Vec<String>,
    /// What an attempt may spend on them.
    pub budget: Option<UsdMicros>,
}

/// Where the models of an attempt are asked, and with which key: by the names of the variables that clients read.
pub type ModelAddresses = BTreeMap<&'static str, String>;

/// A turn, for somebody who decides outside of the loop.
#[derive(Clone, Debug)]
pub struct View {
    pub task: TaskBrief,
    pub seen: Observation,
    /// From 1.
    pub step: u32,
    /// Why the last action had no effect, if it had none.
    pub last_error: Option<String>,
    /// The history of the person the task is for, where it may be asked.
    pub memory: Option<Arc<dyn Memory>>,
    /// End of the attempt's time.
    pub deadline: Deadline,
    /// Empty if it may ask none.
    pub models: Arc<ModelAddresses>,
}

/// A remote agent's place in the loop.
pub struct Remote {
    memory: Option<Arc<dyn Memory>>,
    views: mpsc::Sender<Arc<View>>,
    decisions: mpsc::Receiver<Result<Decision, NoDecision>>,
    models: Arc<ModelAddresses>,
}

/// The other end: whoever holds it decides. The attempt ends as stopped when it is dropped.
pub struct Wheel {
    views: mpsc::Receiver<Arc<View>>,
    decisions: mpsc::Sender<Result<Decision, NoDecision>>,
}

/// The attempt is over, so nothing can be decided any more.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the attempt is over")]
pub struct AttemptOver;

pub fn remote() -> (Remote, Wheel) {
    let (views, views_out) = mpsc::channel(1);
    let (decisions_in, decisions) = mpsc::channel(1);
    let remote = Remote { memory: None, models: Arc::default(), views, decisions };
    (remote, Wheel { views: views_out, decisions: decisions_in })
}

impl Remote {
    /// The same, told where its models are.
    #[must_use]
    pub fn with_models(self, models: ModelAddresses) -> Self {
        Self { models: Arc::new(models), ..self }
    }

    /// The same, with the history of the person its task is for to ask.
    #[must_use]
    pub fn with_memory(self, memory: Option<Arc<dyn Memory>>) -> Self {
        Self { memory, ..self }
    }
}

impl Agent for Remote {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        Box::pin(async move {
            let view = View {
                task: turn.task.clone(),
                seen: turn.seen.clone(),
                step: turn.step,
                last_error: turn.last_error.map(str::to_owned),
                memory: self.memory.clone(),
                deadline: turn.deadline,
                models: Arc::clone(&self.models),
            };
            let gone = || NoDecision::Stopped(GONE.to_owned());
            self.views.send(Arc::new(view)).await.map_err(|_| gone())?;
            self.decisions.recv().await.unwrap_or_else(|| Err(gone()))
        })
    }
}

impl Wheel {
    /// The next view; none once the attempt is over. Ends with the attempt, which has a deadline.
    pub async fn next_view(&mut self) -> Option<Arc<View>> {
        self.views.recv().await
    }

    /// Answers the last view. One answer for each view: another would wait for the next.
    pub async fn decide(&self, decided: Result<Decision, NoDecision>) -> Result<(), AttemptOver> {
        self.decisions.send(decided).await.map_err(|_| AttemptOver)
    }
}

impl fmt::Debug for Wheel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wheel")
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remote")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use umpire_model::{Action, TaskKind};

    use super::*;
    use crate::sample::{Page, task};

    /// One turn of a remote agent, with somebody at the wheel.
    fn turn(at_the_wheel: impl AsyncFnOnce(Wheel)) -> Result<Decision, NoDecision> {
        let (mut agent, wheel) = remote();
        let (task, seen) = (task(TaskKind::Retrieve, "Find it"), Page::at("http://shop.localhost/").seen());
        let deadline = Deadline::after(Duration::from_secs(5));
        let turn =
            Turn { task: &task, seen: &seen, step: 3, last_error: Some("covered"), learned: None, deadline };
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("runtime");
        runtime.block_on(async {
            let (decided, ()) = tokio::join!(agent.decide(turn), at_the_wheel(wheel));
            decided
        })
    }

    #[test]
    fn what_is_seen_goes_out_and_what_is_decided_comes_back() {
        let decided = turn(async |mut wheel: Wheel| {
            let view = wheel.next_view().await.expect("a view");
            assert_eq!((view.step, view.last_error.as_deref()), (3, Some("covered")));
            assert_eq!(view.seen.url, "http://shop.localhost/");
            wheel.decide(Ok(Action::Back.into())).await.expect("taken");
        });
        assert_eq!(decided, Ok(Action::Back.into()));
    }

    #[test]
    fn a_client_that_goes_away_or_gives_up_is_the_agents_own_end() {
        assert_eq!(turn(async |wheel| drop(wheel)), Err(NoDecision::Stopped(GONE.to_owned())));
        let tired = NoDecision::Stopped("tired".to_owned());
        let left = turn(async |wheel: Wheel| wheel.decide(Err(tired.clone())).await.expect("taken"));
        assert_eq!(left, Err(tired));
    }

    #[test]
    fn an_attempt_that_is_over_has_no_more_views() {
        let (agent, mut wheel) = remote();
        drop(agent);
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("runtime");
        runtime.block_on(async {
            assert!(wheel.next_view().await.is_none());
            assert_eq!(wheel.decide(Ok(Action::Back.into())).await, Err(AttemptOver));
        });
    }
}
