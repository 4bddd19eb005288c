//! The pure parts of personalization: people and their histories, wishes that leave things unsaid, how planners' answers
//! are read, what an attempt made of a person's history, in points and kinds of error.
//!
//! Nothing here asks a model, opens a file or waits. Where a model may do a step instead, [`stages`] has the prompt and
//! reads the answer; whoever calls does the asking.

pub mod audit;
mod committed;
mod generate;
mod grammar;
mod history;
pub mod inference;
mod numbers;
pub mod planner;
mod profile;
pub mod queries;
pub mod scoring;
mod sessions;
pub mod stages;
mod tables;
mod words;

pub use committed::{BadHistories, HISTORIES_VERSION, Histories};
pub use generate::{
    BadTruth, EventSeed, Extent, Generated, PlannedAction, Truth, free_profile, generate, given_profile,
    people,
};
pub use history::{BadHistory, Entry, EntryKind, History, Timestamp};
pub use profile::{Demographics, DomainProfile, Gender, Marital, Person, Profile};
pub use tables::{BadTable, Domain, Pace, Tables};
pub use words::{has_words, replace_words};
