//! What came of a replay, step by step.

use std::fmt;

use serde::Serialize;

use crate::identify::{Candidate, Locator};
use crate::session::{ControlState, Frame, Portrait, Session, Step};

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Done,
    /// The control stood as wanted, or the way was open.
    Already,
    Changed,
    /// It was not needed, and why.
    Skipped(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Done => "done",
            Self::Already => "already",
            Self::Changed => "changed",
            Self::Skipped(_) => "skipped",
        })
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepReport {
    /// From 1.
    pub step: usize,
    /// What was to be done: `click button "Save"`.
    pub deed: String,
    pub outcome: Outcome,
    /// How the control stood and stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<ControlState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<ControlState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
}

/// How the element of a step was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    pub by: Option<Locator>,
    pub score: f64,
    /// Better locators that were recorded and lead nowhere now, or elsewhere.
    pub lost: Vec<Locator>,
    /// The element as it is now, for a trace to be rewritten with.
    #[serde(skip)]
    pub portrait: Portrait,
    #[serde(skip)]
    pub frames: Vec<Frame>,
}

/// A control read back after the page was loaded again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verified {
    pub step: usize,
    /// The control's role and name.
    pub control: String,
    pub state: ControlState,
}

/// A replay that reached the wanted state.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Replayed {
    pub steps: Vec<StepReport>,
    /// Every control that was to be set, as it stands after a reload.
    pub verified: Vec<Verified>,
}

impl Replayed {
    /// Steps whose best recorded locator does not lead to their element any more.
    pub fn healed(&self) -> impl Iterator<Item = (&StepReport, &Found)> {
        let found = self.steps.iter().filter_map(|step| Some((step, step.found.as_ref()?)));
        found.filter(|(_, found)| !found.lost.is_empty())
    }

    /// The session with the elements that were found drawn anew. Selectors of another recorder stay: only it could renew
    /// them.
    #[must_use]
    pub fn update(&self, session: &Session) -> Session {
        let mut updated = session.clone();
        for report in &self.steps {
            let step = report.step.checked_sub(1).and_then(|at| updated.steps.get_mut(at));
            let (Some(step), Some(found)) = (step, &report.found) else { continue };
            let Some(element) = &mut step.element else { continue };
            let selectors = std::mem::take(&mut element.locators.selectors);
            let control = element.control;
            *element = found.portrait.clone();
            element.locators.selectors = selectors;
            element.control = control;
            step.frames = found.frames.clone();
        }
        updated
    }
}

/// A replay that did not reach the wanted state: where it stopped, and what was there.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// From 1.
    pub step: usize,
    pub deed: String,
    pub problem: String,
    pub candidates: Vec<Candidate>,
    /// JPEG of the window at that moment.
    #[serde(skip)]
    pub screenshot: Option<Vec<u8>>,
    /// What had been done before.
    pub steps: Vec<StepReport>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}, {}: {}", self.step, self.deed, self.problem)?;
        for (place, candidate) in self.candidates.iter().enumerate() {
            let lead = if place == 0 { "; the nearest are " } else { ", " };
            write!(f, "{lead}{} ({:.2})", candidate.element, candidate.score)?;
        }
        Ok(())
    }
}

/// What a step does, for a person: `click button "Save"`.
pub(super) fn deed_of(step: &Step) -> String {
    match &step.element {
        Some(element) => {
            let kind = if element.role.is_empty() { &element.tag } else { &element.role };
            let said = [Some(&element.name), element.words.text.as_ref(), element.words.label.as_ref()];
            let said = said.into_iter().flatten().find(|said| !said.is_empty());
            match said {
                Some(said) => format!("{} {kind} {said:?}", step.deed.name()),
                None => format!("{} {kind}", step.deed.name()),
            }
        }
        None => step.deed.name().to_owned(),
    }
}
