//! Tables and pages of a run.
//!
//! [`summary`] counts what is on disk; everything else shows it: a console table, JSON, a folder of HTML pages that
//! opens from the disk without a server, and the network of one attempt as HAR. Nothing here judges and nothing here
//! changes a run. Page text and agent text are hostile: they are escaped, never linked, and no page runs a script.

mod console;
mod error;
mod har;
mod html;
mod robustness;
mod rows;
mod summary;
mod wording;

pub use console::console_table;
pub use error::ReportError;
pub use har::har;
pub use html::write_html;
pub use robustness::Robustness;
pub use rows::rows;
pub use summary::{AgentSummary, AttemptSummary, Dimension, SUMMARY_VERSION, Slice, Summary, summary};

/// The summary as JSON, for machines.
pub fn json(summary: &Summary) -> serde_json::Value {
    serde_json::json!(summary)
}
