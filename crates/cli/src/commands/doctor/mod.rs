//! What is wrong, and how to mend it: with this machine, or with a run.

mod machine;
mod run;

pub use machine::machine;
pub use run::run;
