//! A trajectory sorted for showing: steps with what happened during each, and the records beside them.

use std::fmt;

use umpire_model::{
    Action, BackendAnswer, Dialog, EpisodeBegan, EventBody, Exchange, Guarded, HistoryAccess, ModelCall,
    Observed, Rect, Rewarded, Staged, Trajectory, Viewport,
};

/// What was recorded in one try.
#[derive(Default)]
pub struct Recording<'a> {
    pub viewport: Viewport,
    pub browser: &'a str,
    pub started_at: &'a str,
    pub steps: Vec<Step<'a>>,
    pub exchanges: Vec<Request<'a>>,
    pub console: Vec<ConsoleLine<'a>>,
    pub gate: Vec<GateNote<'a>>,
    pub output: Vec<(&'a str, &'a str)>,
    /// Requests the browser reported against those written, if the recorder got to say so.
    pub recorded: Option<(u64, u64)>,
    /// Sequence number of the state after the attempt.
    pub state_after: Option<u64>,
    pub backend: Vec<(u64, &'a BackendAnswer)>,
    /// By step: a call that does not know its own belongs to the one it was made in.
    pub calls: Vec<(u32, &'a ModelCall)>,
    /// What happened before the first step.
    early: Vec<Happening<'a>>,
}

#[derive(Default)]
pub struct Step<'a> {
    pub number: u32,
    pub ms: u64,
    pub observed: Option<&'a Observed>,
    pub thoughts: Vec<&'a str>,
    pub acts: Vec<Act<'a>>,
    pub happenings: Vec<Happening<'a>>,
}

pub struct Act<'a> {
    pub what: What<'a>,
    pub at: Option<Rect>,
    pub error: Option<&'a str>,
}

/// An action, ours or told in a foreign harness's words.
pub enum What<'a> {
    Ours { action: &'a Action, took_ms: u64 },
    Foreign(&'a str),
}

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ours { action, .. } => action.fmt(f),
            Self::Foreign(text) => f.write_str(text),
        }
    }
}

/// Something worth a line beside the step it happened in.
pub enum Happening<'a> {
    Navigated { url: &'a str, same_document: bool },
    TabOpened { url: &'a str },
    TabClosed,
    TabCrashed,
    Dialog(&'a Dialog),
    Download { name: &'a str, bytes: u64, state: &'a str },
    Gate { decision: &'a str, request: &'a str },
    EpisodeBegan(&'a EpisodeBegan),
    Rewarded(&'a Rewarded),
    TurnLost { reason: &'a str },
    HistoryAccessed(&'a HistoryAccess),
    Guarded(&'a Guarded),
    Staged(&'a Staged),
}

pub struct Request<'a> {
    pub seq: u64,
    pub step: u32,
    pub exchange: &'a Exchange,
}

pub struct ConsoleLine<'a> {
    pub step: u32,
    pub level: &'a str,
    pub text: &'a str,
}

pub struct GateNote<'a> {
    pub seq: u64,
    pub request: &'a str,
    pub decision: &'a str,
    pub reason: &'a str,
    pub suspicious: bool,
}

/// What the gate flagged as nothing an honest agent would ask for.
pub fn suspicious(trajectory: &Trajectory) -> impl Iterator<Item = GateNote<'_>> {
    trajectory.events.iter().filter_map(|event| match &event.body {
        EventBody::Gate { request, decision, reason, suspicious: true } => {
            Some(GateNote { seq: event.seq, request, decision, reason, suspicious: true })
        }
        _ => None,
    })
}

impl<'a> Recording<'a> {
    pub fn of(trajectory: &'a Trajectory) -> Self {
        let mut recording = Self::default();
        for event in &trajectory.events {
            recording.add(event.seq, event.ms, &event.body);
        }
        if !recording.early.is_empty() {
            // A client that never asked us for a step: what happened to it forms one.
            recording.step(0, 0);
        }
        recording
    }

    fn add(&mut self, seq: u64, ms: u64, body: &'a EventBody) {
        match body {
            EventBody::Started { at, browser, viewport, .. } => {
                self.viewport = *viewport;
                self.browser = browser;
                self.started_at = at;
            }
            EventBody::Observed(observed) => self.step(observed.step, ms).observed = Some(observed),
            EventBody::Thought { step, text } => self.step(*step, ms).thoughts.push(text),
            EventBody::Acted { step, action, at, error, took_ms } => {
                let what = What::Ours { action, took_ms: *took_ms };
                self.step(*step, ms).acts.push(Act { what, at: *at, error: error.as_deref() });
            }
            EventBody::ForeignAction { step, text, at, error } => {
                let what = What::Foreign(text);
                self.step(*step, ms).acts.push(Act { what, at: *at, error: error.as_deref() });
            }
            EventBody::TurnLost { reason, .. } => self.happened(Happening::TurnLost { reason }),
            EventBody::HistoryAccessed(access) => self.happened(Happening::HistoryAccessed(access)),
            EventBody::ModelCalled(call) => {
                self.calls.push((call.step.unwrap_or_else(|| self.current_step()), call));
            }
            EventBody::Exchange(exchange) => {
                self.exchanges.push(Request { seq, step: self.current_step(), exchange });
            }
            EventBody::Navigated { url, same_document, .. } => {
                self.happened(Happening::Navigated { url, same_document: *same_document });
            }
            EventBody::TabOpened { url, .. } => self.happened(Happening::TabOpened { url }),
            EventBody::TabClosed { .. } => self.happened(Happening::TabClosed),
            EventBody::TabCrashed { .. } => self.happened(Happening::TabCrashed),
            EventBody::Console { level, text, .. } => {
                self.console.push(ConsoleLine { step: self.current_step(), level, text });
            }
            EventBody::Dialog(dialog) => self.happened(Happening::Dialog(dialog)),
            EventBody::Download { name, bytes, state, .. } => {
                self.happened(Happening::Download { name, bytes: *bytes, state });
            }
            EventBody::Gate { request, decision, reason, suspicious } => {
                self.gate.push(GateNote { seq, request, decision, reason, suspicious: *suspicious });
                if decision == "refused" {
                    self.happened(Happening::Gate { decision, request });
                }
            }
            EventBody::Guarded(guarded) => self.happened(Happening::Guarded(guarded)),
            EventBody::Staged(staged) => self.happened(Happening::Staged(staged)),
            EventBody::EpisodeBegan(began) => self.happened(Happening::EpisodeBegan(began)),
            EventBody::Rewarded(rewarded) => self.happened(Happening::Rewarded(rewarded)),
            EventBody::AgentOutput { stream, text } => self.output.push((stream, text)),
            EventBody::Recorded { requests_seen, requests_written } => {
                self.recorded = Some((*requests_seen, *requests_written));
            }
            EventBody::BackendAnswer(answer) => self.backend.push((seq, answer)),
            EventBody::StateAfter { .. } => self.state_after = Some(seq),
            // Shown at the head of the page.
            EventBody::StateBefore { .. }
            | EventBody::Perturbed(_)
            | EventBody::Answered { .. }
            | EventBody::Ended { .. } => {}
        }
    }

    fn current_step(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.number)
    }

    fn step(&mut self, number: u32, ms: u64) -> &mut Step<'a> {
        // Events come in order, so a step that is looked for again is one of the last few.
        let index = self.steps.iter().rposition(|step| step.number == number).unwrap_or_else(|| {
            let happenings = std::mem::take(&mut self.early);
            self.steps.push(Step { number, ms, happenings, ..Step::default() });
            self.steps.len() - 1
        });
        &mut self.steps[index]
    }

    /// What happens before the first step belongs to it: the start page loads then.
    fn happened(&mut self, happening: Happening<'a>) {
        match self.steps.last_mut() {
            Some(step) => step.happenings.push(happening),
            None => self.early.push(happening),
        }
    }
}
