//! How far opinions on the same things agree, and what a success rate is worth that was counted by a fallible judge.
//!
//! What cannot be computed is `None`, never 0 or NaN: a judge that never said "success" has no precision.

mod alpha;
mod ceiling;
mod confusion;
mod kappa;
mod powered;
mod preference;
mod rank;
mod rogan_gladen;
mod share;
mod votes;

pub use alpha::krippendorff_alpha;
pub use ceiling::{Ceiling, human_ceiling};
pub use confusion::Confusion;
pub use kappa::{Kappa, cohen_kappa, fleiss_kappa};
pub use powered::{PoweredRate, powered_rate};
pub use preference::{Preferences, preferences_from_scores};
pub use rank::{kendall_tau_b, pearson, spearman};
pub use rogan_gladen::{CorrectedRate, Uncorrectable, rogan_gladen};
pub use share::Share;
pub use votes::{Panel, VotingRule, panel_of};
