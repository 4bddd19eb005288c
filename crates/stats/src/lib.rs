//! Estimators: pure functions over tables.
//!
//! Numbers come in, numbers go out: no file, no clock, nothing random but what a given seed repeats. An estimate that could
//! be misread carries its interval and its denominator with it, so a caller cannot show one without having the other at
//! hand.

pub mod agreement;
mod attempts;
mod bootstrap;
mod comparison;
mod efficiency;
pub mod hard;
mod interval;
mod macro_rate;
mod multiple;
mod paired;
mod power;
mod quantile;
mod rate;
pub mod ratings;
mod reliability;
mod student;
pub mod twins;

pub use attempts::AttemptRow;
pub use bootstrap::{Bootstrap, clustered_bootstrap};
pub use comparison::{Comparison, Flip, against, compare, flips};
pub use efficiency::{ADEQUATE_FROM, Adequacy, Efficiency, adequacy};
pub use interval::{Interval, wilson};
pub use macro_rate::{MacroRates, macro_rates};
pub use multiple::{benjamini_hochberg, holm};
pub use paired::Paired;
pub use power::Needed;
pub use quantile::{median, quantile};
pub use rate::{Rate, Tally};
pub use reliability::{Reliabilities, Reliability};
pub use student::Mean;
