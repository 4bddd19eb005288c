//! Tables and pages of a run.
//!
//! [`summary`] counts what is on disk; everything else shows it: a console table, JSON, a folder of HTML pages that
//! opens from the disk without a server, one page in one file, Markdown, CSV, Parquet, `JUnit`, annotations, [`plots`], and
//! the network of one attempt as HAR. Nothing here judges and nothing here changes a run. Page text and agent text are
//! hostile: they are escaped, never linked, and no page runs a script but the one-file page its own.

mod attempts_csv;
mod attempts_parquet;
mod columns;
mod console;
mod error;
mod github;
mod har;
pub mod html;
mod junit;
mod markdown;
mod page;
pub mod plots;
mod robustness;
mod rows;
mod summary;
mod wording;

pub use attempts_csv::{csv, harmless};
pub use attempts_parquet::parquet;
pub use columns::{ATTEMPT_COLUMNS, Cell, Column, ColumnType, Record, records};
pub use console::console_table;
pub use error::ReportError;
pub use github::github_annotations;
pub use har::har;
pub use html::write_html;
pub use junit::junit;
pub use markdown::markdown;
pub use page::page;
pub use robustness::Robustness;
pub use rows::rows;
pub use summary::{
    AgentSummary, AttemptSummary, Dimension, SUMMARY_VERSION, Slice, Summary, attempt_summary, counted,
    on_all_cores, summary,
};
pub use wording::{
    bytes, clipped, count, infra_bounds, interval, p_value_in_words, percent, points, points_interval,
    seconds, spent,
};

/// The summary as JSON, for machines.
pub fn json(summary: &Summary) -> serde_json::Value {
    serde_json::json!(summary)
}
