//! The corrected evaluation: a WebArena Verified task judged by our own rules, on the evidence the reference reads.
//!
//! ```text
//! let task = StrictTask::new(&dataset.tasks()[0], &environments)?;      // once per task
//! let trace = Trace::open(path, &retention(task)).unwrap_or_default();  // what the reference keeps is enough
//! let verdict = task.evaluate("agent", Some(response), &trace)?;        // once per attempt
//! ```
//!
//! A trace that cannot be read shows no activity: judge the attempt by an empty one.
//!
//! It departs from the reference where that is demonstrably wrong, and nowhere else (docs/decisions.md lists where). A
//! task that nobody can pass is `invalid`, with the reason; a bad response or a damaged trace is a failure or is passed
//! over, never an error.

pub mod run;

use umpire_model::{
    AttemptId, BadName, BlobRef, BlobSource, End, Event, EventBody, Instance, JOURNAL_VERSION, Task,
    Trajectory, Verdict,
};

use crate::config::Environments;
use crate::import::{ImportError, prepared};
use crate::task;
use crate::trace::{self, Trace};

/// A task, ready to judge attempts at it.
#[derive(Debug, Clone)]
pub struct StrictTask {
    instance: Instance,
}

impl StrictTask {
    /// Fails if a site of the task has no address.
    pub fn new(task: &task::Task, sites: &Environments) -> Result<Self, ImportError> {
        Ok(Self::of(&prepared(task, sites)?))
    }

    /// From a task of an imported suite.
    pub fn of(task: &Task) -> Self {
        let mut instances = Instance::of(task);
        Self { instance: instances.remove(0) }
    }

    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// What the rules say about an attempt: the agent's response, if there is one, and the recorded requests.
    pub fn evaluate(
        &self,
        agent: &str,
        response: Option<&str>,
        trace: &Trace,
    ) -> Result<StrictVerdict, BadName> {
        let attempt = AttemptId::new(agent, &self.instance.id, 1)?;
        let (trajectory, skipped_entries) = trajectory(response, trace);
        let verdict = umpire_rules::evaluate(&attempt, &self.instance, &trajectory, &NoBlobs);
        Ok(StrictVerdict { verdict, skipped_entries })
    }
}

/// A verdict, and what of the trace it could not rest on.
#[derive(Debug, Clone, PartialEq)]
pub struct StrictVerdict {
    pub verdict: Verdict,
    /// Entries that are no request one could look at: no URL, no method, or no object at all.
    pub skipped_entries: usize,
}

/// The attempt as the recorder would have written it. The response is the last thing that happened.
fn trajectory(response: Option<&str>, trace: &Trace) -> (Trajectory, usize) {
    let mut bodies: Vec<EventBody> = Vec::with_capacity(trace.events.len() + 2);
    let mut skipped = trace.malformed_entries;
    for (position, event) in trace.events.iter().enumerate() {
        match trace::exchange(event, position, &|bytes| {
            umpire_model::Body::Text(String::from_utf8_lossy(bytes).into_owned())
        }) {
            Some(exchange) => bodies.push(EventBody::Exchange(Box::new(exchange))),
            None => skipped += 1,
        }
    }
    let end = if response.is_some() { End::Answered } else { End::Stopped };
    bodies.extend(response.map(|response| EventBody::Answered { response: response.to_owned() }));
    bodies.push(EventBody::Ended { end, detail: String::new(), steps: 0, counted: 0 });
    let events =
        bodies.into_iter().zip(0..).map(|(body, seq)| Event { v: JOURNAL_VERSION, seq, ms: seq, body });
    (Trajectory { events: events.collect(), damaged_lines: 0, tries: 1 }, skipped)
}

/// Bodies from a trace are in the events themselves.
struct NoBlobs;

impl BlobSource for NoBlobs {
    fn read(&self, _: &BlobRef) -> Result<Vec<u8>, std::io::Error> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}
