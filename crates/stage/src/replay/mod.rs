//! Replaying a recorded session for a wanted state, by trusted input, and proving that the state was reached.
//!
//! The way there is gone as recorded. Controls are read first and changed only if they stand otherwise; what was changed
//! is read back once the page has settled, and everything is read once more after the page was loaded again. There is no
//! pass without that last reading: a [`Replayed`] means that every control stands as wanted, and anything else is a
//! [`ReplayError`] with the step, what was there instead and a picture of it.

mod deeds;
mod find;
mod report;
mod secrets;
mod set;
mod tabs;
mod verify;
mod wanted;

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use umpire_browser::observe::inventory::Inventory;
use umpire_browser::{Seat, SeatError};
use umpire_model::Deadline;

use self::report::deed_of;
use self::tabs::{InFront, OpenTabs};
use crate::identify::{Candidate, words_of};
use crate::session::{Deed, Purpose, Session, Step};

pub use self::report::{Failure, Found, Outcome, Replayed, StepReport, Verified};
pub use self::secrets::{NoSecrets, Secrets, fill};
pub use self::set::describe as describe_state;
pub use self::wanted::Wanted;

/// How a session is to be replayed.
#[derive(Clone)]
pub struct ReplayOptions<'a> {
    pub wanted: Wanted,
    /// Only read the states; nothing is changed, and no way is gone that could change something.
    pub verify_only: bool,
    pub secrets: &'a dyn Secrets,
    /// Folder of the files that the session uploads.
    pub uploads: &'a Path,
    /// Longest an element, a window or a state is waited for.
    pub patience: Duration,
    /// Is told what happens, as it happens.
    pub watcher: &'a (dyn Fn(ReplayEvent<'_>) + Send + Sync),
}

/// What happens in a replay.
pub enum ReplayEvent<'e> {
    /// The element of a step, counted from 1, was found on this page.
    Found {
        step: usize,
        page: &'e Inventory,
        at: usize,
    },
    Ended(&'e StepReport),
    Verified(&'e Verified),
}

impl ReplayOptions<'_> {
    pub fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            verify_only: false,
            secrets: &NoSecrets,
            uploads: Path::new("."),
            patience: Duration::from_secs(8),
            watcher: &|_| {},
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Browser(#[from] SeatError),
    #[error("{0}")]
    Failed(Box<Failure>),
}

/// Replays sessions in a seat that the harness drives.
pub struct Replayer<'a> {
    seat: &'a Seat,
    options: ReplayOptions<'a>,
}

impl<'a> Replayer<'a> {
    pub fn new(seat: &'a Seat, options: ReplayOptions<'a>) -> Self {
        Self { seat, options }
    }

    /// Goes to the session's start, does its steps, and reads every control back after a reload.
    pub async fn replay(&self, session: &Session, deadline: Deadline) -> Result<Replayed, ReplayError> {
        let mut run = Run {
            seat: self.seat,
            options: &self.options,
            session,
            tabs: OpenTabs::begin(self.seat, deadline).await?,
            reports: Vec::new(),
            dialogs: VecDeque::new(),
            arrived: Mutex::new(None),
            spoken: session
                .steps
                .iter()
                .filter_map(|step| step.element.as_ref())
                .flat_map(words_of)
                .collect(),
            deadline,
        };
        let (step, trouble) = match run.whole().await {
            Ok(verified) => return Ok(Replayed { steps: run.reports, verified }),
            Err((_, Trouble::Browser(error))) if error.is_infra() => return Err(error.into()),
            Err(failed) => failed,
        };
        let (problem, candidates) = match trouble {
            Trouble::Browser(error) => (error.to_string(), Vec::new()),
            Trouble::Step { problem, candidates } => (problem, candidates),
        };
        let seen = self.seat.observe(deadline.within(LAST_LOOK)).await.ok();
        Err(ReplayError::Failed(Box::new(Failure {
            step: step + 1,
            deed: session.steps.get(step).map(deed_of).unwrap_or_default(),
            problem,
            candidates,
            screenshot: seen.map(|seen| seen.screenshot),
            steps: run.reports,
        })))
    }
}

/// Longest the picture of a failure may take.
const LAST_LOOK: Duration = Duration::from_secs(5);

/// Why a step could not be done.
enum Trouble {
    Browser(SeatError),
    Step { problem: String, candidates: Vec<Candidate> },
}

impl Trouble {
    fn because(problem: impl Into<String>) -> Self {
        Self::Step { problem: problem.into(), candidates: Vec::new() }
    }
}

impl From<SeatError> for Trouble {
    fn from(error: SeatError) -> Self {
        Self::Browser(error)
    }
}

/// One replay under way.
struct Run<'a> {
    seat: &'a Seat,
    options: &'a ReplayOptions<'a>,
    session: &'a Session,
    tabs: OpenTabs,
    reports: Vec<StepReport>,
    /// What dialogs said and no step has asked about yet.
    dialogs: VecDeque<String>,
    /// The visit to the page in front, by tab and count of navigations, and when it was first looked at.
    arrived: Mutex<Option<((String, u64), Instant)>>,
    /// Every word of the recording.
    spoken: HashSet<String>,
    deadline: Deadline,
}

impl Run<'_> {
    /// Everything; an error comes with the place of its step.
    async fn whole(&mut self) -> Result<Vec<Verified>, (usize, Trouble)> {
        if !self.options.verify_only {
            let start = self.seat.goto(&self.session.start_url, self.deadline).await;
            start.map_err(|error| (0, error.into()))?;
            for at in 0..self.session.steps.len() {
                let report = self.step(at).await.map_err(|trouble| (at, trouble))?;
                (self.options.watcher)(ReplayEvent::Ended(&report));
                self.reports.push(report);
            }
        }
        self.verify().await
    }

    async fn step(&mut self, at: usize) -> Result<StepReport, Trouble> {
        let session = self.session;
        let step = &session.steps[at];
        let report = |outcome| StepReport {
            step: at + 1,
            deed: deed_of(step),
            outcome,
            before: None,
            after: None,
            found: None,
        };
        match &step.deed {
            Deed::OpenTab { url } => {
                self.seat.open_tab(url, self.deadline).await?;
                self.tabs.call_front(step.tab, self.seat, self.deadline).await?;
                return Ok(report(Outcome::Done));
            }
            Deed::TabOpened { .. } if self.was_just_skipped() => {
                self.tabs.leave_out(step.tab);
                let why = "what opened it was not needed this time".to_owned();
                return Ok(report(Outcome::Skipped(why)));
            }
            Deed::TabOpened { .. } => {
                let limit = self.limit();
                if self.tabs.follow(step.tab, self.seat, limit, self.deadline).await? {
                    return Ok(report(Outcome::Done));
                }
                return Err(Trouble::because("no window opened"));
            }
            Deed::Dialog(dialogue) => return Ok(report(self.recall_dialog(&dialogue.kind))),
            _ => {}
        }
        let limit = self.limit();
        match self.tabs.bring(step.tab, self.seat, limit, self.deadline).await? {
            InFront::Yes => {}
            InFront::Closed if step.deed == Deed::CloseTab || step.purpose == Purpose::Way => {
                return Ok(report(Outcome::Skipped("its window closed by itself".to_owned())));
            }
            InFront::Unneeded if step.purpose == Purpose::Way => {
                return Ok(report(Outcome::Skipped("its window was not needed this time".to_owned())));
            }
            InFront::Unneeded => return Err(Trouble::because("its window did not open this time")),
            InFront::Closed => return Err(Trouble::because("its window closed by itself")),
            InFront::Never => return Err(Trouble::because(format!("tab {} never opened", step.tab))),
        }
        self.foresee(at)?;
        let done = match step.purpose {
            Purpose::State if step.element.is_some() => self.set(at, step).await?,
            _ => self.go(at, step, report(Outcome::Done)).await?,
        };
        self.settle().await?;
        self.dialogs.extend(self.seat.take_dialogs());
        Ok(done)
    }

    /// Dialogs are answered the moment they open, so the answers to those that follow a step are given before it.
    fn foresee(&self, at: usize) -> Result<(), Trouble> {
        let following = self.session.steps[at + 1..].iter().map_while(|step| match &step.deed {
            Deed::Dialog(dialogue) => Some(dialogue),
            _ => None,
        });
        let mut answers = Vec::new();
        for dialogue in following {
            let text = dialogue.text.as_ref().map(|entry| self.entry(entry)).transpose()?;
            answers.push(umpire_browser::DialogAnswer {
                kind: dialogue.kind.clone(),
                accept: dialogue.accepted,
                text,
            });
        }
        self.seat.foresee_dialogs(answers);
        Ok(())
    }

    fn was_just_skipped(&self) -> bool {
        self.reports.last().is_some_and(|report| matches!(report.outcome, Outcome::Skipped(_)))
    }

    fn recall_dialog(&mut self, kind: &str) -> Outcome {
        let shown = self.dialogs.iter().position(|text| text.starts_with(&format!("{kind} (")));
        match shown {
            Some(place) => {
                self.dialogs.drain(..=place);
                Outcome::Done
            }
            None => Outcome::Skipped("no such dialog was shown this time".to_owned()),
        }
    }

    fn limit(&self) -> Deadline {
        self.deadline.within(self.options.patience)
    }

    /// Lets the page in front come to rest.
    async fn settle(&self) -> Result<(), Trouble> {
        const LONGEST: Duration = Duration::from_secs(5);
        let tab = self.seat.active_tab(self.deadline).await?;
        umpire_browser::settle::settle(&tab, self.deadline.within(LONGEST)).await;
        Ok(())
    }

    fn step_at(&self, at: usize) -> &Step {
        &self.session.steps[at]
    }
}
