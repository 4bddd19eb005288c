//! What goes wrong with agents, from people's and judges' words to a table.
//!
//! ```text
//!  reasons ──embed──▶ vectors ──cluster──▶ modes ──aim──▶ task set ──run──▶ attempts ──classify──▶ table per agent
//! ```
//!
//! [`Reason`]s are what annotators and judges wrote. [`cluster`] finds groups among them, says how stable the groups are,
//! names them by their salient words (or gives a prompt to ask a model with) and says what it left over. [`aim`] picks
//! the tasks of a suite that provoke a mode. [`findings_by_rule`] reads from the record of an attempt what became of it,
//! under the same names as the judges' questions, and [`FailureTable`] counts. Nothing here waits or asks;
//! [`reasons_of_run`] and [`findings_of_attempt`] alone open files.

mod aim;
mod asking;
mod by_rule;
mod cluster;
mod k_means;
mod lexical;
mod of_run;
mod reasons;
mod salient;
mod stability;
mod table;

pub use aim::{AimError, Aimed, KnownMode, aim, known_mode_of};
pub use asking::{
    NAME_PROMPT, NotAName, REWORD_PROMPT, name_prompt, read_name, read_rewording, reword_prompt,
};
pub use by_rule::{Attempt, Findings, findings_by_rule};
pub use cluster::{CLUSTERS_VERSION, Cluster, ClusterError, Clusters, Coverage, Settings, Sweep, cluster};
pub use lexical::lexical_vectors;
pub use of_run::{findings_of_attempt, reasons_of_run};
pub use reasons::{
    Reason, ReasonSource, reasons_of_ballot, reasons_of_label, reasons_of_verdict, reasons_of_vote,
};
pub use stability::adjusted_rand_index;
pub use table::{FailureTable, Question, QuestionSet, TableRow, findings_of_votes};
