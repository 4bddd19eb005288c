//! Estimators: pure functions over tables.
//!
//! Numbers come in, numbers go out: no file, no clock, nothing random but what a given seed repeats. An estimate that could
//! be misread carries its interval and its denominator with it, so a caller cannot show one without having the other at
//! hand.

pub mod agreement;
pub mod hard;
mod interval;
mod paired;
mod quantile;
mod rate;

pub use interval::{Interval, wilson};
pub use paired::Paired;
pub use quantile::{median, quantile};
pub use rate::{Rate, Tally};
