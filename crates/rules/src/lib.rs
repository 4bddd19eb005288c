//! Verdicts by rule: what the recorded evidence says about the checks of an instance.
//!
//! [`evaluate`] is a pure function. It reads the trajectory and its blobs and nothing else: no clock, no network, no
//! randomness, so the same evidence gives the same bytes on any machine. Everything the agent wrote is hostile input
//! here: it is compared, never executed. Patterns and alternatives count on the expected side only.
//!
//! The way of a verdict: [`evaluate`] lets the end of the try decide first, then asks `response`, `network`, `activity`,
//! `state`, `backend` and `reward` for a ruling on each check. `values` knows the types of results, one small file each. [`mutants`] makes wrong
//! attempts of right ones, to try a suite's checks with.

mod activity;
mod backend;
mod backtracking_pattern;
mod evaluate;
mod json_equality;
mod json_path;
mod linear_pattern;
mod network;
mod pattern;
mod pattern_cost;
mod response;
mod response_check;
mod reward;
mod ruling;
mod state;
mod strict_json;
mod text_rule;
mod values;
mod walls;
mod words;

pub mod mutants;

pub use backtracking_pattern::{BacktrackingPattern, NotAPattern};
pub use evaluate::{BackendJudgement, evaluate, evaluate_backend};
pub use linear_pattern::{LinearPattern, NotLinear, PatternFlags};
pub use mutants::{Mutant, MutantKind, MutatedBlobs, apply, mutants};
pub use pattern_cost::{Costly, refuse_costly};
pub use response::{
    MAX_RESPONSE_BYTES, ReadResponse, Response, ResponseProblem, Status, parse_response, read_response,
    response_schema,
};
pub use values::{Broken, Comparison, try_value, value_types};

use umpire_model::Digest;

/// Goes up with every change that can change a verdict; two verdicts with the same digest are comparable.
const RULES_VERSION: u32 = 6;

/// Names this set of rules in verdicts and manifests.
pub fn digest() -> Digest {
    Digest::of(format!("umpire rules {RULES_VERSION}").as_bytes())
}
