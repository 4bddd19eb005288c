use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use umpire_model::Random;

use super::bradley_terry::Contest;
use super::multinomial::multinomial;
use super::scale::{Anchor, MEAN_RATING, POINTS_PER_NAT, shift_to};
use super::{Estimate, Fit, ModelId, Pairs, RatingInterval, sandwich_intervals};
use crate::quantile;

/// Ratings from battles drawn again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Resampled {
    /// By model, one rating a round.
    pub samples: Vec<Vec<f64>>,
    /// Rounds in which some model had no finite rating, or lost touch with the others of its group. They are regularised
    /// and kept: leaving them out would make a rating look the surer the less is known.
    pub without_finite_mle: usize,
}

impl Resampled {
    pub fn rounds(&self) -> usize {
        self.samples.first().map_or(0, Vec::len)
    }

    pub fn quantile(&self, model: usize, q: f64) -> Option<f64> {
        quantile(self.samples.get(model)?, q)
    }

    /// Percentiles 2.5 and 97.5, with the variance; `None` for fewer than two rounds.
    pub fn interval(&self, model: usize) -> Option<RatingInterval> {
        let samples = self.samples.get(model).filter(|samples| samples.len() > 1)?;
        let rounds = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / rounds;
        let squares: f64 = samples.iter().map(|sample| (sample - mean) * (sample - mean)).sum();
        Some(RatingInterval {
            low: quantile(samples, 0.025)?,
            high: quantile(samples, 0.975)?,
            variance: squares / (rounds - 1.0),
        })
    }

    /// Intervals of all models; `None` for fewer than two rounds.
    ///
    /// Votes that all went one way stay so however they are drawn, and would look certain. Models without a finite rating
    /// therefore have the interval of the regularised likelihood instead.
    pub fn intervals(&self, pairs: &Pairs, fit: &Fit) -> Option<Vec<RatingInterval>> {
        let is_regularised = fit.estimates.contains(&Estimate::Regularised);
        let by_formula = if is_regularised { sandwich_intervals(pairs, None, fit) } else { Vec::new() };
        let of_model = |model: usize| match fit.estimates[model] {
            Estimate::Exact => self.interval(model),
            Estimate::Regularised => by_formula.get(model).copied(),
        };
        (0..self.samples.len()).map(of_model).collect()
    }
}

/// Draws as many battles as there are, with replacement, and fits them, `rounds` times.
///
/// Battles of a pair with the same outcome are alike, so a round draws how often each kind occurs. Every round has its own
/// stream of random numbers: how many threads share the work changes nothing.
pub fn bootstrap(pairs: &Pairs, fit: &Fit, anchor: Option<Anchor>, rounds: usize, seed: u64) -> Resampled {
    let plan = Plan::of(pairs, fit);
    let mut seeds = Random::stream(seed, "bootstrap of ratings");
    let seeds: Vec<u64> = (0..rounds).map(|_| seeds.next_u64()).collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(rounds.max(1));
    let work = || {
        let mut done = Vec::new();
        let mut counts = vec![0.0; plan.weights.len()];
        let mut contests: Vec<Contest> = plan.groups.iter().map(|group| group.contest.clone()).collect();
        loop {
            let round = next.fetch_add(1, Ordering::Relaxed);
            let Some(&seed) = seeds.get(round) else { return done };
            multinomial(&mut Random::new(seed), pairs.battles as u64, &plan.weights, &mut counts);
            let (mut ratings, is_finite) = plan.round(&counts, &mut contests);
            shift_to(anchor, &mut ratings);
            done.push((round, ratings, is_finite));
        }
    };
    let mut all: Vec<(usize, Vec<f64>, bool)> = std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for helper in helpers {
            match helper.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_unstable_by_key(|(round, _, _)| *round);
    let samples =
        (0..pairs.models).map(|model| all.iter().map(|(_, ratings, _)| ratings[model]).collect()).collect();
    let without_finite_mle = all.iter().filter(|(_, _, is_finite)| !is_finite).count();
    Resampled { samples, without_finite_mle }
}

/// What is the same in every round.
struct Plan<'a> {
    models: usize,
    groups: Vec<Group<'a>>,
    /// Kinds of battles: three for each pair of each group in turn (won by the first, by the second, by neither), and one
    /// for all battles of models against themselves.
    weights: Vec<f64>,
}

struct Group<'a> {
    members: &'a [ModelId],
    contest: Contest,
    estimate: Estimate,
    /// Where the search begins: at the strengths from all battles, which are never far.
    start: Vec<f64>,
}

impl<'a> Plan<'a> {
    fn of(pairs: &Pairs, fit: &'a Fit) -> Self {
        let mut group_of = vec![0; pairs.models];
        let mut groups = Vec::new();
        for (at, members) in fit.connectivity.weak.iter().enumerate() {
            for &model in members {
                group_of[model as usize] = at;
            }
            let ratings: Vec<f64> = members.iter().map(|&model| fit.ratings[model as usize]).collect();
            let mean = ratings.iter().sum::<f64>() / ratings.len() as f64;
            groups.push(Group {
                members,
                contest: Contest { models: members.len(), pairs: Vec::new() },
                estimate: fit.estimates[members[0] as usize],
                start: ratings.iter().map(|rating| (rating - mean) / POINTS_PER_NAT).collect(),
            });
        }
        let mut weights_of: Vec<Vec<f64>> = vec![Vec::new(); groups.len()];
        for (group, weights) in weights_of.iter_mut().enumerate() {
            groups[group].contest = Contest::among(groups[group].members, pairs, None);
            for pair in pairs.pairs.iter().filter(|pair| group_of[pair.first as usize] == group) {
                weights.extend([pair.first_wins, pair.second_wins, pair.halves()]);
            }
        }
        let alone: f64 = pairs.self_play.iter().map(|own| own.decided + own.ties + own.unknown).sum();
        let mut weights = weights_of.concat();
        weights.push(alone);
        Self { models: pairs.models, groups, weights }
    }

    fn round(&self, counts: &[f64], contests: &mut [Contest]) -> (Vec<f64>, bool) {
        let mut ratings = vec![MEAN_RATING; self.models];
        let mut is_finite = true;
        let mut kinds = counts.chunks_exact(3);
        for (group, contest) in self.groups.iter().zip(contests) {
            for (met, kind) in contest.pairs.iter_mut().zip(&mut kinds) {
                met.first_points = kind[0] + kind[2] / 2.0;
                met.second_points = kind[1] + kind[2] / 2.0;
            }
            let estimate = if group.estimate == Estimate::Exact && contest.is_strong() {
                Estimate::Exact
            } else {
                is_finite = false;
                Estimate::Regularised
            };
            for (&model, strength) in group.members.iter().zip(contest.solve(estimate, Some(&group.start))) {
                ratings[model as usize] = MEAN_RATING + POINTS_PER_NAT * strength;
            }
        }
        (ratings, is_finite)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Battles, Winner, fit};
    use super::*;

    fn draws() -> Pairs {
        let mut random = Random::new(11);
        let names = ["p", "q", "r", "s"];
        let rows = (0..2000).map(|_| {
            let (a, b) = (random.below(4), random.below(4));
            let winner = match random.below(10) {
                0 => Winner::Tie,
                n if n < 5 + a => Winner::A,
                _ => Winner::B,
            };
            (names[a], names[b], winner)
        });
        Pairs::count(&rows.collect::<Battles>())
    }

    #[test]
    fn agrees_with_the_sandwich_on_many_battles() {
        let pairs = draws();
        let fit = fit(&pairs, None, None);
        let resampled = bootstrap(&pairs, &fit, None, 1000, 5);
        assert_eq!((resampled.rounds(), resampled.without_finite_mle), (1000, 0));
        for (model, wanted) in sandwich_intervals(&pairs, None, &fit).iter().enumerate() {
            let got = resampled.interval(model).expect("rounds");
            assert!((got.variance / wanted.variance - 1.0).abs() < 0.25, "{got:?} {wanted:?}");
            let median = resampled.quantile(model, 0.5).expect("rounds");
            assert!((median - fit.ratings[model]).abs() < wanted.variance.sqrt() / 5.0);
        }
    }

    #[test]
    fn the_seed_decides_and_the_anchor_stays() {
        let pairs = draws();
        let fit = fit(&pairs, None, None);
        let anchor = Some(Anchor { model: 2, rating: 1114.0 });
        let draw = |seed| bootstrap(&pairs, &fit, anchor, 30, seed);
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(draw(1).samples[2].iter().all(|rating| (rating - 1114.0).abs() < 1e-9));
    }

    #[test]
    fn one_battle_drawn_again_and_again_is_not_certainty() {
        let pairs = Pairs::count(&[("p", "q", Winner::A)].into_iter().collect::<Battles>());
        let fit = fit(&pairs, None, None);
        let drawn = bootstrap(&pairs, &fit, None, 20, 5);
        let intervals = drawn.intervals(&pairs, &fit).expect("rounds");
        assert!(intervals[0].low < intervals[1].high, "{intervals:?}");
        assert_eq!(drawn.without_finite_mle, 20);
    }

    #[test]
    fn rounds_that_leave_a_model_without_a_rating_are_counted() {
        // The only loss of `top` is missing in about 1/e of the rounds.
        let mut rows = vec![("top", "p", Winner::A); 20];
        rows.push(("top", "p", Winner::B));
        let pairs = Pairs::count(&rows.into_iter().collect::<Battles>());
        let fit = fit(&pairs, None, None);
        let resampled = bootstrap(&pairs, &fit, None, 1000, 5);
        assert!((250..500).contains(&resampled.without_finite_mle), "{}", resampled.without_finite_mle);
        assert!(resampled.samples.iter().flatten().all(|rating| rating.is_finite()));
    }
}
