//! Near-miss mutants: wrong attempts made from a right one, to try a suite's own checks with.
//!
//! [`mutants`] lists what could almost be right about an instance: an answer off by one unit, a request with another
//! field, a change too many in the state. [`apply`] makes one of them of a recorded attempt that passed; [`evaluate`]
//! then has to reject it. A mutant that passes is a false positive of the suite's checks, not of the rules. Mutants are
//! derived from the task alone, never from what its checks accept: that is what they are there to find out.
//!
//! ```text
//! for mutant in mutants(&instance, answer) {
//!     let Some((trajectory, blobs)) = apply(&mutant, &recorded, &store) else { continue }; // nothing there to change
//!     let verdict = evaluate(&attempt, &instance, &trajectory, &blobs);
//!     // verdict.outcome == Outcome::Pass: the checks let `mutant.what` through
//! }
//! ```
//!
//! [`evaluate`]: crate::evaluate

mod apply;
mod backends;
mod leaves;
mod requests;
mod responses;
mod states;

pub use apply::{MutatedBlobs, apply};

use std::fmt;

use serde::Serialize;
use umpire_model::{Check, Instance};

use backends::BackendChange;
use requests::RequestChange;
use states::StateChange;

/// A wrong attempt, as a change to a right one.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    pub kind: MutantKind,
    /// What is wrong, in a few words: `answer: one unit too much (20)`.
    pub what: String,
    change: Change,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MutantKind {
    Response,
    /// Of the world, or of a deployment's backend.
    State,
    Request,
}

#[derive(Clone, Debug, PartialEq)]
enum Change {
    Answer(String),
    State(StateChange),
    Request(Box<RequestChange>),
    Backend(BackendChange),
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// All mutants of an instance. `reference_response` is an answer that is right, as the reference gives it.
pub fn mutants(instance: &Instance, reference_response: &str) -> Vec<Mutant> {
    let mut mutants = responses::mutants(instance, reference_response);
    mutants.extend(states::mutants(instance));
    for check in &instance.checks {
        match check {
            Check::Network(check) => mutants.extend(requests::mutants(check)),
            Check::Activity(_) => mutants.push(requests::no_activity()),
            Check::Backend(check) => mutants.extend(backends::mutants(check)),
            // What a response and a state may be depends on all checks together.
            // A reward is the page's own; there is no near miss of it that the task could tell.
            Check::Response(_) | Check::State(_) | Check::Reward(_) | Check::Undecidable(_) => {}
        }
    }
    mutants
}
