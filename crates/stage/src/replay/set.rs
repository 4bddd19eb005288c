//! Setting a control: read, changed only if it stands otherwise, read back.

use std::time::Duration;

use umpire_browser::NodeRef;
use umpire_browser::observe::inventory::Inventory;
use umpire_model::Deadline;

use super::deeds::is_open;
use super::find::{Sighting, Wish};
use super::report::{Outcome, StepReport, deed_of};
use super::wanted::{Goal, goal_of};
use super::{Run, Trouble};
use crate::identify::Identified;
use crate::session::{ControlKind, ControlState, Deed, Purpose, Step};
use crate::states::{self, side_of};

const RETRY: Duration = Duration::from_millis(100);
/// A state must be the same in two looks this far apart.
const STABLE: Duration = Duration::from_millis(150);
/// How often a control that did not react at all is tried: once more, after it was read and found as it was.
const TRIES: u32 = 2;

/// How a control was seen to stand after it was set.
enum ReadBack {
    Reached(ControlState),
    /// It went away with the change, as an option does with its list; the reading after the reload decides.
    Gone,
    /// It stands like this instead.
    Not(Option<ControlState>),
}

impl Run<'_> {
    pub(super) async fn set(&mut self, at: usize, step: &Step) -> Result<StepReport, Trouble> {
        let goal = goal_of(step, at + 1, &self.options.wanted).map_err(Trouble::because)?;
        let Some(wish) = Wish::of(step) else { return Err(Trouble::because("it has no element")) };
        let mut sighting = self.find(wish, self.limit()).await?;
        self.tell_found(at, &sighting);
        let before = state_of(&sighting.page, sighting.at, step);
        let mut report = StepReport {
            step: at + 1,
            deed: deed_of(step),
            outcome: Outcome::Already,
            before: before.clone(),
            after: before.clone(),
            found: Some(sighting.found()),
        };
        if sighting.item().state.password {
            // What it holds is nobody's business; whether it was right shows in what follows.
            self.change(&goal, step, wish, sighting).await?;
            return Ok(StepReport { outcome: Outcome::Done, ..report });
        }
        match self.holds(&goal, &sighting.page, sighting.at, step)? {
            Some(true) => {
                self.close_list(at, &sighting).await?;
                return Ok(report);
            }
            Some(false) => {}
            None => return Err(Trouble::because("how it stands cannot be read")),
        }
        report.outcome = Outcome::Changed;
        for attempt in 1..=TRIES {
            self.change(&goal, step, wish, sighting).await?;
            let stands = match self.read_back(&goal, step, wish).await? {
                ReadBack::Reached(state) => return Ok(StepReport { after: Some(state), ..report }),
                ReadBack::Gone => return Ok(StepReport { after: None, ..report }),
                ReadBack::Not(stands) => stands,
            };
            if stands != before || attempt == TRIES {
                let stands = stands.as_ref().map_or("unknown".to_owned(), describe);
                return Err(Trouble::because(format!("it was to be {goal} and is {stands}")));
            }
            sighting = self.find(wish, self.limit()).await?;
        }
        Err(Trouble::because("it did not react"))
    }

    /// Brings the control to its goal, by the input a person would use.
    async fn change(
        &self,
        goal: &Goal,
        step: &Step,
        wish: Wish<'_>,
        sighting: Sighting,
    ) -> Result<(), Trouble> {
        let click = Deed::Click { double: false };
        match goal {
            Goal::On | Goal::Off | Goal::ChooseIt | Goal::Marked(_) => {
                self.act_on(&click, wish, sighting).await
            }
            Goal::Hold(entry) => self.act_on(&Deed::Type { text: entry.clone() }, wish, sighting).await,
            Goal::Choose(labels)
                if sighting.item().tag == "select" || matches!(step.deed, Deed::Select { .. }) =>
            {
                self.act_on(&Deed::Select { options: labels.clone() }, wish, sighting).await
            }
            Goal::Choose(labels) => {
                let wanted = |at: &usize| labels.contains(&sighting.page.items[*at].name);
                let group = states::choices(&sighting.page, sighting.at);
                let Some(other) = group.iter().copied().find(wanted) else {
                    let names: Vec<&str> =
                        group.iter().map(|&one| sighting.page.items[one].name.as_str()).collect();
                    let (wanted, there) = (labels.join(", "), names.join(", "));
                    return Err(Trouble::because(format!(
                        "there is no option {wanted:?}; there are {there}"
                    )));
                };
                let other = Sighting { at: other, ..sighting };
                // Not looked for again if it went away: the portrait is another option's.
                self.try_on(&click, &other).await?.map_err(|error| Trouble::because(error.to_string()))
            }
        }
    }

    /// Reads until the control stands as wanted in two looks, or the patience is over.
    async fn read_back(&self, goal: &Goal, step: &Step, wish: Wish<'_>) -> Result<ReadBack, Trouble> {
        self.settle().await?;
        let limit = self.limit();
        let mut reached: Option<NodeRef> = None;
        loop {
            let (page, identified) = match self.look(wish).await {
                Ok(looked) => looked,
                Err(error) if limit.passed() => return Err(error.into()),
                Err(_) => {
                    self.pause(RETRY, limit).await;
                    continue;
                }
            };
            let stands = match &identified {
                Identified::Found(candidate) => Some(candidate.at),
                Identified::Hidden(_) | Identified::Ambiguous(_) | Identified::NotFound(_) => None,
            };
            if let Some(at) = stands {
                let holds = self.holds(goal, &page, at, step)?;
                let node = page.items[at].node.clone();
                let state = state_of(&page, at, step);
                match (holds, state) {
                    (Some(true), Some(state)) if reached.as_ref() == Some(&node) => {
                        return Ok(ReadBack::Reached(state));
                    }
                    (Some(true), Some(_)) => {
                        reached = Some(node);
                        self.pause(STABLE, self.deadline).await;
                        continue;
                    }
                    (_, state) if limit.passed() => return Ok(ReadBack::Not(state)),
                    _ => reached = None,
                }
            } else if limit.passed() {
                return Ok(ReadBack::Gone);
            } else if is_transient(step) {
                // A list closes once chosen from; it is not waited for.
                return Ok(ReadBack::Gone);
            }
            self.pause(RETRY, limit).await;
        }
    }

    async fn pause(&self, span: Duration, limit: Deadline) {
        tokio::time::sleep(limit.within(span).left().max(Duration::from_millis(1))).await;
    }

    /// Whether the control stands as wanted; `None` if that cannot be told.
    pub(super) fn holds(
        &self,
        goal: &Goal,
        page: &Inventory,
        at: usize,
        step: &Step,
    ) -> Result<Option<bool>, Trouble> {
        let state = state_of(page, at, step);
        let item = &page.items[at];
        Ok(match (goal, state) {
            (Goal::On, Some(ControlState::On)) | (Goal::Off, Some(ControlState::Off)) => Some(true),
            (Goal::On | Goal::Off, Some(ControlState::On | ControlState::Off | ControlState::Mixed)) => {
                Some(false)
            }
            (Goal::ChooseIt, _) if states::is_choice(item) => Some(states::is_chosen(item).unwrap_or(false)),
            (Goal::Choose(labels), Some(ControlState::Chosen(chosen))) => Some(*labels == chosen),
            (Goal::Hold(entry), Some(ControlState::Text(text))) => Some(self.entry(entry)? == text),
            (Goal::Marked(side), Some(ControlState::Marks(now))) => match (&step.before, &step.after) {
                (Some(ControlState::Marks(before)), Some(ControlState::Marks(after))) => {
                    side_of(&now, before, after).map(|is| is == *side)
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// An option that was chosen already leaves its list open; what opened the list closes it.
    async fn close_list(&self, at: usize, sighting: &Sighting) -> Result<(), Trouble> {
        if !is_transient(self.step_at(at)) || !states::is_choice(sighting.item()) {
            return Ok(());
        }
        let opener = at.checked_sub(1).map(|before| self.step_at(before));
        let opener =
            opener.filter(|step| step.purpose == Purpose::Way && matches!(step.deed, Deed::Click { .. }));
        let Some(wish) = opener.and_then(Wish::of) else { return Ok(()) };
        if let (page, Identified::Found(candidate)) = self.look(wish).await?
            && is_open(&page.items[candidate.at])
        {
            let sighting = Sighting { at: candidate.at, page, candidate };
            return self.act_on(&Deed::Click { double: false }, wish, sighting).await;
        }
        Ok(())
    }
}

/// An option stands on the page only while its list is open.
fn is_transient(step: &Step) -> bool {
    let element = step.element.as_ref();
    element.is_some_and(|element| {
        matches!(element.role.as_str(), "option" | "menuitemradio" | "menuitemcheckbox")
    })
}

pub(super) fn state_of(page: &Inventory, at: usize, step: &Step) -> Option<ControlState> {
    let recorded: Option<ControlKind> = step.element.as_ref().and_then(|element| element.control);
    states::read(page, at, recorded)
}

/// A state for a person to read.
pub fn describe(state: &ControlState) -> String {
    match state {
        ControlState::On => "on".to_owned(),
        ControlState::Off => "off".to_owned(),
        ControlState::Mixed => "partly on".to_owned(),
        ControlState::Chosen(labels) if labels.is_empty() => "without a choice".to_owned(),
        ControlState::Chosen(labels) => labels.join(", "),
        ControlState::Text(text) => format!("{text:?}"),
        ControlState::Marks(_) => "in a state that the recording does not know".to_owned(),
    }
}
