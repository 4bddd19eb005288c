use super::ModelId;

/// The mean rating of every group of models that met, directly or through others.
pub const MEAN_RATING: f64 = 1000.0;

/// Rating points per unit of log odds: 400 points are odds of ten to one.
pub const POINTS_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// A model whose rating is given; all others are shifted with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    pub model: ModelId,
    pub rating: f64,
}

/// Shifts all ratings so that the anchor has its own. Groups that never met move along: their distance means nothing
/// before, and nothing after.
pub(crate) fn shift_to(anchor: Option<Anchor>, ratings: &mut [f64]) {
    let Some((anchor, now)) =
        anchor.and_then(|anchor| ratings.get(anchor.model as usize).map(|now| (anchor, *now)))
    else {
        return;
    };
    for rating in ratings {
        *rating += anchor.rating - now;
    }
}
