//! The loop of an agent that decides step by step: observe, decide, act, settle.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::Instrument as _;
use umpire_agents::{Agent, Decision, NoDecision, Turn, unseen};
use umpire_browser::{Observation, SeatError, act};
use umpire_model::{Action, Deadline, End, EventBody, Evidence as _, Media, Rect, TaskBrief};
use umpire_store::JournalWriter;

use crate::attempt::{Closing, Setting, is_staged, write_before};
use crate::entrance::Entrance;
use crate::ground::Ground;
use crate::scene::{Rested, SEAT_LIMIT, Scene};
use crate::{RunEvent, Unit};

const ACT_LIMIT: Duration = Duration::from_secs(15);

/// How long an action may take: one that waits is given its wait on top.
fn patience(action: &Action) -> Duration {
    let wait = match action {
        Action::Wait { millis } | Action::WaitFor { millis, .. } => Duration::from_millis(*millis),
        _ => Duration::ZERO,
    };
    ACT_LIMIT + wait
}

pub(crate) async fn run(
    setting: &Setting,
    unit: &Unit,
    ground: &Ground,
    journal: &Arc<JournalWriter>,
    create: impl Fn(&TaskBrief) -> Box<dyn Agent>,
) -> Closing {
    let task = unit.instance.brief(&setting.limits);
    let mut agent = create(&task);
    if !agent.needs_page() {
        if is_staged(unit)
            && let Err(closing) = write_before(setting, unit, ground, journal).await
        {
            return closing;
        }
        return answer_blind(agent.as_mut(), &task, journal).await;
    }
    // Created again there: what is to be done in an episode is known only when its page is open.
    in_scene(setting, unit, ground, journal, create).await
}

/// Opens the start pages and lets the agent that `create` makes for the task play in front of them.
pub(crate) async fn in_scene(
    setting: &Setting,
    unit: &Unit,
    ground: &Ground,
    journal: &Arc<JournalWriter>,
    create: impl FnOnce(&TaskBrief) -> Box<dyn Agent>,
) -> Closing {
    let episode = match setting.episode_of(unit) {
        Ok(episode) => episode,
        Err(closing) => return closing,
    };
    let entrance = Entrance::new(setting, unit, ground, journal);
    let seat = match setting.stage.pool.seat(entrance.seat_options(), Deadline::after(SEAT_LIMIT)).await {
        Ok(seat) => seat,
        Err(error) => return error.into(),
    };
    let entered = entrance.enter(&seat).await;
    let task = unit.instance.brief(&setting.limits);
    let mut scene = Scene { seat, task, journal: Arc::clone(journal), episode: None };
    let opened = match entered {
        Ok(()) => scene.open(unit.instance.validity.canary.as_ref(), episode.as_ref()).await,
        Err(closing) => Err(closing),
    };
    let closing = match opened {
        Ok(rested) => {
            let mut agent = create(&scene.task);
            let mut stepwise = Stepwise::new(setting, unit, &scene);
            let closing = stepwise.play(agent.as_mut(), rested, scene.clock()).await;
            stepwise.with_counts(closing)
        }
        Err(closing) => closing,
    };
    scene.close().await;
    closing
}

/// An agent that never looks gets no page.
async fn answer_blind(agent: &mut dyn Agent, task: &TaskBrief, journal: &JournalWriter) -> Closing {
    let seen = unseen();
    let deadline = Deadline::after(Duration::from_secs(task.limits.seconds));
    let turn = Turn { task, seen: &seen, step: 1, last_error: None, learned: None, deadline };
    match agent.decide(turn).await {
        Ok(Decision { action: Action::Answer(response), .. }) => {
            journal.event(EventBody::Answered { response });
            Closing::new(End::Answered, "")
        }
        Ok(Decision { action, .. }) => Closing::new(End::Stopped, format!("it has no page for `{action}`")),
        Err(none) => closing_for(none),
    }
}

fn closing_for(none: NoDecision) -> Closing {
    match none {
        NoDecision::Lost(reason) | NoDecision::Stopped(reason) => Closing::new(End::Stopped, reason),
        NoDecision::Infra(reason) => Closing::infra(reason),
        NoDecision::Money(reason) => Closing::new(End::Money, reason),
    }
}

/// What follows a step.
enum Next {
    Over(Closing),
    /// With what the agent is told of its last action, and how the page came to rest.
    Turn(Option<String>, Rested),
}

/// An attempt under way, step by step.
pub(crate) struct Stepwise<'a> {
    setting: &'a Setting,
    unit: &'a Unit,
    scene: &'a Scene,
    steps: u32,
    counted: u32,
}

impl<'a> Stepwise<'a> {
    pub fn new(setting: &'a Setting, unit: &'a Unit, scene: &'a Scene) -> Self {
        Self { setting, unit, scene, steps: 0, counted: 0 }
    }

    /// Lets the agent play until the attempt is over.
    pub async fn play(&mut self, agent: &mut dyn Agent, rested: Rested, clock: Deadline) -> Closing {
        let (Ok(closing) | Err(closing)) = self.turns(agent, rested, clock).await;
        closing
    }

    /// The closing, with the steps so far.
    pub fn with_counts(&self, closing: Closing) -> Closing {
        closing.after(self.steps, self.counted)
    }

    /// `Err` is an end that the harness brought about.
    async fn turns(
        &mut self,
        agent: &mut dyn Agent,
        mut rested: Rested,
        clock: Deadline,
    ) -> Result<Closing, Closing> {
        let mut last_error: Option<String> = None;
        loop {
            if let Some(closing) = self.scene.ended_by_page() {
                return Ok(closing);
            }
            if clock.passed() {
                return Ok(self.scene.time_is_over());
            }
            self.steps += 1;
            let span = tracing::info_span!("step", step = self.steps, action = tracing::field::Empty);
            let turn = self.turn(agent, last_error.as_deref(), rested, clock).instrument(span);
            match turn.await? {
                Next::Over(closing) => return Ok(closing),
                Next::Turn(error, at_rest) => (last_error, rested) = (error, at_rest),
            }
        }
    }

    /// One step: look, decide, act, settle.
    async fn turn(
        &mut self,
        agent: &mut dyn Agent,
        last_error: Option<&str>,
        rested: Rested,
        clock: Deadline,
    ) -> Result<Next, Closing> {
        let scene = self.scene;
        let looking = scene.seat.stepping();
        let seen = match scene.look(self.steps, rested, clock).await {
            Ok(seen) => seen,
            // A look that was cut short by the attempt's own clock says nothing about the harness.
            Err(_) if clock.passed() && !scene.seat.is_gone() => return Ok(Next::Over(scene.time_is_over())),
            Err(closing) => return Err(closing),
        };
        drop(looking);
        let (task, step) = (&scene.task, self.steps);
        let turn = Turn { task, seen: &seen, step, last_error, learned: None, deadline: clock };
        let decision = match tokio::time::timeout_at(clock.at().into(), agent.decide(turn)).await {
            Ok(Ok(decision)) => decision,
            Ok(Err(NoDecision::Lost(reason))) => {
                scene.journal.event(EventBody::TurnLost { step, reason: reason.clone() });
                if !self.count() {
                    return Ok(Next::Over(scene.actions_are_used_up()));
                }
                return Ok(Next::Turn(Some(reason), scene.settle(clock).await?));
            }
            // A call that the attempt's own clock cut short says nothing about the model.
            Ok(Err(_)) if clock.passed() => return Ok(Next::Over(scene.time_is_over())),
            Ok(Err(none)) => return Ok(Next::Over(closing_for(none))),
            Err(_) => return Ok(Next::Over(scene.time_is_over())),
        };
        if let Some(text) = decision.thought {
            scene.journal.event(EventBody::Thought { step, text });
        }
        let action = decision.action;
        let shown = action.to_string();
        // What is typed, chosen or answered is evidence; whoever watches learns the kind.
        tracing::Span::current().record("action", shown.split(' ').next());
        let attempt = self.unit.id.clone();
        let _ = self.setting.events.send(RunEvent::Step { attempt, step, action: shown });
        if let Some(closing) = scene.ended_by_page() {
            return Ok(Next::Over(closing));
        }
        if let Action::Answer(response) = action {
            scene.journal.event(EventBody::Answered { response });
            return Ok(Next::Over(Closing::new(End::Answered, "")));
        }
        if action.is_counted() && !self.count() {
            return Ok(Next::Over(scene.actions_are_used_up()));
        }
        let (error, rested) = self.act(action, &seen, clock).await?;
        Ok(Next::Turn(error, rested))
    }

    /// Uses up one of the counted actions; false if there is none left.
    fn count(&mut self) -> bool {
        let left = self.counted < self.scene.task.limits.actions;
        self.counted += u32::from(left);
        left
    }

    /// Carries an action out and lets the page come to rest. An action without effect is news for the agent, not an
    /// end; only a broken harness is.
    async fn act(
        &self,
        action: Action,
        seen: &Observation,
        clock: Deadline,
    ) -> Result<(Option<String>, Rested), Closing> {
        let started = Instant::now();
        let _acting = self.scene.seat.stepping();
        let (at, error) = match self.perform(&action, seen, clock.within(patience(&action))).await {
            Ok(at) => (at, None),
            Err(Obstacle::Infra(detail)) => return Err(Closing::infra(detail)),
            Err(Obstacle::Ineffective(reason)) => (None, Some(reason)),
        };
        let rested = self.scene.settle(clock).await?;
        let took_ms = started.elapsed().as_millis() as u64;
        self.scene.journal.event(EventBody::Acted {
            step: self.steps,
            action,
            at,
            error: error.clone(),
            took_ms,
        });
        Ok((error, rested))
    }

    async fn perform(
        &self,
        action: &Action,
        seen: &Observation,
        deadline: Deadline,
    ) -> Result<Option<Rect>, Obstacle> {
        let seat = &self.scene.seat;
        match action {
            Action::SwitchTab(number) => seat.switch_tab(*number, deadline).await?,
            Action::OpenTab(url) => seat.open_tab(url, deadline).await?,
            Action::CloseTab => seat.close_tab(deadline).await?,
            Action::GoTo(url) => seat.goto(url, deadline).await?,
            Action::Back => seat.back(deadline).await?,
            Action::Forward => seat.forward(deadline).await?,
            Action::Save(format) => {
                let content = seat.save(*format, deadline).await?;
                let name = format!("page-{}.{}", self.steps, format.extension());
                let blob = self.scene.journal.blob(&content, Media::Bytes);
                let state = format!("saved as {}", blob.digest);
                let (url, bytes) = (seen.url.clone(), content.len() as u64);
                self.scene.journal.event(EventBody::Download { url, name, bytes, state });
            }
            Action::Wait { millis } => {
                let until = deadline.within(Duration::from_millis(*millis));
                tokio::time::sleep_until(until.at().into()).await;
            }
            _ => {
                let tab = seat.active_tab(deadline).await?;
                let uploads = &self.setting.stage.options.uploads;
                return match act::perform(&tab, action, seen, uploads, deadline).await {
                    Ok(performed) => Ok(place_in_picture(action, seen, performed.at)),
                    Err(error) if seat.is_gone() => Err(Obstacle::Infra(error.to_string())),
                    Err(error) => Err(Obstacle::Ineffective(error.to_string())),
                };
            }
        }
        Ok(None)
    }
}

/// Where the element stands in the picture the agent decided from; one that had to be scrolled to is not in it.
fn place_in_picture(action: &Action, seen: &Observation, landed: Option<Rect>) -> Option<Rect> {
    match action.target().map(|target| act::resolve(target, seen)) {
        Some(Ok(act::Aim::Element(element))) => element.visible.then_some(element.rect),
        _ => landed,
    }
}

/// Why an action came to nothing.
enum Obstacle {
    Infra(String),
    Ineffective(String),
}

impl From<SeatError> for Obstacle {
    fn from(error: SeatError) -> Self {
        if error.is_infra() { Self::Infra(error.to_string()) } else { Self::Ineffective(error.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use umpire_model::Target;

    use super::*;

    #[test]
    fn a_wait_is_not_cut_short() {
        let millis = 60_000;
        for (action, wait) in [
            (Action::Wait { millis }, millis),
            (Action::WaitFor { target: Target::Css("#late".to_owned()), millis }, millis),
            (Action::Back, 0),
        ] {
            assert_eq!(patience(&action), ACT_LIMIT + Duration::from_millis(wait), "{action}");
        }
    }
}
