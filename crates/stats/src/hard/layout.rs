//! Where each parameter stands in the vector that the sampler moves.

use std::ops::Range;

use super::attempts::Pool;
use super::steps::StepBins;

/// The families of effects whose spread is estimated, in the order of their scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Site,
    Template,
    Category,
    Bin,
}

impl Family {
    pub const ALL: [Self; 4] = [Self::Site, Self::Template, Self::Category, Self::Bin];

    /// Scale of the half-normal prior of the family's own scale.
    pub fn prior_scale(self) -> f64 {
        if self == Self::Bin { 0.3 } else { 0.5 }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Template => "template",
            Self::Category => "category",
            Self::Bin => "step bin",
        }
    }
}

/// All parameters are free to be any number: effects of a family in units of its scale, agents by their coordinates among
/// vectors that sum to zero. A scale has a sign, which changes nothing but the signs of its family's units: so its prior is
/// half-normal without an edge at 0, and a chain passes there without slowing down.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The level: the intercept plus the mean effects of all families, which the data pin down better than the intercept.
    pub level: usize,
    pub exhausted: usize,
    pub scales: Range<usize>,
    /// One less than there are agents.
    pub agents: Range<usize>,
    /// Sites, templates, categories, bins.
    pub families: [Range<usize>; 4],
    pub tasks: Range<usize>,
}

impl Layout {
    pub fn of(pool: &Pool) -> Self {
        let mut next = 0;
        let mut take = |count: usize| {
            let range = next..next + count;
            next = range.end;
            range
        };
        let level = take(1).start;
        let exhausted = take(1).start;
        let scales = take(Family::ALL.len());
        let agents = take(pool.agents.len() - 1);
        let bins = StepBins::of_budget(pool.budget).count();
        let families = [pool.sites.len(), pool.templates.len(), pool.categories.len(), bins].map(&mut take);
        let tasks = take(pool.tasks.len());
        Self { level, exhausted, scales, agents, families, tasks }
    }

    pub fn len(&self) -> usize {
        self.tasks.end
    }

    pub fn family(&self, family: Family) -> Range<usize> {
        self.families[family as usize].clone()
    }

    pub fn scale(&self, family: Family) -> usize {
        self.scales.start + family as usize
    }
}

/// Agent effects that sum to zero, from one coordinate less: the orthonormal basis of Helmert, so that independent
/// coordinates of equal spread make effects of equal spread.
#[derive(Clone, Debug)]
pub struct SumToZero {
    agents: usize,
}

impl SumToZero {
    pub fn of(agents: usize) -> Self {
        Self { agents }
    }

    /// The `j`-th direction is 1 for agents 0 to `j`, −(`j` + 1) for the next, 0 for the rest, over its length.
    pub fn expand(&self, coordinates: &[f64], effects: &mut [f64]) {
        let mut later = 0.0;
        for agent in (0..self.agents).rev() {
            let (own, length) = Self::step(agent);
            effects[agent] = later;
            if agent > 0 {
                let coordinate = coordinates[agent - 1] / length;
                effects[agent] -= own * coordinate;
                later += coordinate;
            }
        }
    }

    /// The gradient by coordinates of what has this gradient by effects.
    pub fn pull_back(&self, by_effect: &[f64], by_coordinate: &mut [f64]) {
        let mut before = by_effect[0];
        for agent in 1..self.agents {
            let (own, length) = Self::step(agent);
            by_coordinate[agent - 1] = (before - own * by_effect[agent]) / length;
            before += by_effect[agent];
        }
    }

    fn step(agent: usize) -> (f64, f64) {
        let own = agent as f64;
        (own, (own * (own + 1.0)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn effects_sum_to_zero_and_keep_their_length(coordinates in proptest::collection::vec(-3.0..3.0_f64, 1..12)) {
            let basis = SumToZero::of(coordinates.len() + 1);
            let mut effects = vec![0.0; coordinates.len() + 1];
            basis.expand(&coordinates, &mut effects);
            prop_assert!(effects.iter().sum::<f64>().abs() < 1e-12);
            let square = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
            prop_assert!((square(&effects) - square(&coordinates)).abs() < 1e-9);
            // The basis is orthonormal, so pulling the effects back gives the coordinates.
            let mut back = vec![0.0; coordinates.len()];
            basis.pull_back(&effects, &mut back);
            prop_assert!(back.iter().zip(&coordinates).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}
