//! The nouns of Umpire and their file formats.
//!
//! Every other room speaks in these types; a format is one type here, shared by its writer and its reader.
//! Nothing in this crate opens a file, a socket or a clock: values come in, values go out.

mod account;
mod action;
mod backend;
mod dates;
mod deadline;
mod digest;
mod episode;
mod evidence;
mod filter;
mod guard;
mod history;
mod ids;
mod instance;
mod label;
mod manifest;
mod outcome;
mod persona;
mod perturbation;
mod public_address;
mod random;
mod redact;
mod staging;
mod suite;
mod task;
mod taxonomy;
pub mod template;
mod trajectory;
mod usage;
mod validity;
mod verdict;
mod vote;

pub use account::{AccountSpec, LoginCheck};
pub use action::{Action, Direction, NotAnAction, PageFormat, ScrollArea, Target};
pub use backend::{BackendAnswer, BackendCheck, BackendQuestion, Moment, PostQuestion, Said, SqlQuestion};
pub use dates::{BadDate, Day};
pub use deadline::Deadline;
pub use digest::Digest;
pub use episode::{EpisodeBegan, Rewarded, ServedFolder};
pub use evidence::{BlobRef, BlobSource, Evidence, Media, Unrecorded};
pub use filter::{Filter, FilterError, INSTANCE_FIELDS};
pub use guard::{GuardDecision, GuardMode, GuardRule, Guarded, Irreversible, UnknownGuard};
pub use history::{HistoryAccess, HistoryHit, HistoryScheme, HistorySettings};
pub use ids::{AttemptId, BadName, RunId};
pub use instance::{Instance, TaskBrief};
pub use label::{
    ADJUDICATOR, BadLabelTime, HumanLabel, LABEL_VERSION, LabelTime, StepLabel, StepVerdict, Success,
    standing_labels,
};
pub use manifest::{
    AgentEntry, Imported, Limits, MANIFEST_VERSION, Manifest, NotRecorded, RemoteBrowser, Viewport,
};
pub use outcome::Outcome;
pub use persona::{Location, Persona, Preference, Website};
pub use perturbation::{
    Consent, Lapse, Perturbation, PerturbationKind, PerturbationRecord, Perturbed, UnknownPerturbation,
};
pub use public_address::is_public_address;
pub use random::Random;
pub use redact::{REDACTED, Redactor};
pub use staging::{BackendOrder, CallOrder, ReplayedSession, SetupOrder, SqlOrder, Staged, StatesBy};
pub use suite::{SUITE_VERSION, Suite, SuiteError, SuiteFile};
pub use task::{
    ActivityCheck, Check, Comparison, Difficulty, InitialState, NetworkCheck, ResponseCheck, RewardCheck,
    StateCheck, StateExpectation, Task, TaskKind, UndecidableCheck, Which,
};
pub use taxonomy::{Category, FailureCategory, TAXONOMIES, Taxonomy, UnknownCategory};
pub use trajectory::{
    Body, Dialog, End, Event, EventBody, Exchange, ExchangeRequest, ExchangeResponse, JOURNAL_VERSION,
    Observed, Rect, Tab, Trajectory,
};
pub use usage::{CallSource, ModelCall, NotMoney, Spending, Usage, UsdMicros};
pub use validity::{Canary, Validity};
pub use verdict::{CheckResult, ResponseForm, VERDICT_VERSION, Verdict};
pub use vote::{JudgeCall, Ruling, Shown, VOTE_VERSION, Vote, VoteKey};
