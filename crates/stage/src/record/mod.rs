//! Records what a person does in a browser as a session.
//!
//! An onlooker in every page reports what is done there; the [`Collector`] makes steps of the reports; the writer keeps
//! the file on the disk whole at every moment. What is secret becomes a reference before anything is written.

mod collector;
mod enact;
mod export;
mod frames;
mod journey;
mod live;
mod noted;
mod purpose;
mod report;
mod scripts;
mod secrets;
mod worker;
mod writer;

pub use collector::{Collector, Heading, PictureWanted, RawEvent};
pub use enact::{EnactError, enact, enact_watched};
pub use export::{ExportError, from_export};
pub use live::{RecordError, RecordOptions, Recorded, Recorder};
pub use noted::StepKey;
pub use report::PageReport;
pub use writer::{SessionWriter, WriteError};
