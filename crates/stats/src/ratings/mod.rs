//! Ratings from battles: who wins against whom, on one scale, with intervals that admit what is not known.
//!
//! The scale is the usual one: 400 points are odds of ten to one, the mean of every group of models that met is 1000.
//! Where the votes leave a rating without a finite value (a model that never lost, groups that never met) the answer says
//! so in a [`Warning`] instead of printing whatever an optimiser stopped at.

mod battles;
mod bootstrap;
mod bradley_terry;
mod cholesky;
mod connectivity;
mod contextual;
mod elo;
mod information;
mod log_cleaning;
mod multinomial;
mod overlap;
mod pairs;
mod sampling;
mod sandwich;
mod scale;
mod vote_filters;
mod warning;
mod win_rates;

pub use battles::{Battles, ModelId, Models, Winner};
pub use bootstrap::{Resampled, bootstrap};
pub use bradley_terry::{Estimate, Fit, fit, fit_within_strong_blocks};
pub use connectivity::Connectivity;
pub use contextual::{ContextualFit, Features, Penalty, Weighting, fit_contextual};
pub use elo::{Elo, elo_bootstrap, online_elo};
pub use information::{StrengthGap, StrengthPosterior};
pub use log_cleaning::{
    Cleaned, CleaningRules, LogState, LoggedVote, NotKept, clean_vote, current_model_name,
};
pub use overlap::ranks_by_overlap;
pub use pairs::{Pair, Pairs, SelfPlay};
pub use sampling::{PairProbability, PairSampler, SamplingError};
pub use sandwich::{RatingInterval, sandwich_intervals};
pub use scale::{Anchor, MEAN_RATING, POINTS_PER_NAT};
pub use vote_filters::{FlaggingRule, PairStats, Vote, flagged_judges, pair_stats, within_daily_limit};
pub use warning::Warning;
pub use win_rates::{UnknownLabels, WinRates};
