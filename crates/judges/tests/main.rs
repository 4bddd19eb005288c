//! One program for all of these: linking each by itself would take longer than running them.

mod court;
mod faults;
mod golden;
mod injection;
mod pictures;
mod pipelines;
mod released_answers;
