//! Bootstrap intervals and ranks against Chatbot Arena's scripts, on the shared vectors.

use serde_json::Value;
use umpire_stats::quantile;
use umpire_stats::ratings::{Elo, Pairs, RatingInterval, bootstrap, elo_bootstrap, fit, ranks_by_overlap};

use crate::support::{Comparison, Set, sets};

/// Ratings of every round, by model, on the references' own draws, with the rounds that had no finite maximum.
fn on_the_same_draws(set: &Set) -> Option<(Vec<Vec<f64>>, usize)> {
    let rows = set.resamples()?;
    let models = set.battles.models.len();
    let mut samples = vec![Vec::new(); models];
    let mut without = 0;
    for round in 0..rows[0].counts.len() {
        let counts = rows.iter().map(|row| (row.models.0, row.models.1, row.winner, row.counts[round]));
        let found = fit(&Pairs::from_counts(models, counts), None, set.anchor(&set.battles.models));
        without += usize::from(!found.connectivity.has_finite_mle());
        for (of_model, rating) in samples.iter_mut().zip(found.ratings) {
            of_model.push(rating);
        }
    }
    Some((samples, without))
}

#[test]
fn percentiles_on_the_same_draws() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("fastchat.bootstrap_bt_100 on boot.csv");
    for set in sets {
        let Some((samples, without)) = on_the_same_draws(&set) else { continue };
        let expected = &set.expected["fastchat"]["bootstrap_bt_100"];
        comparison.set();
        let place = format!("{}: rounds without finite MLE", set.name);
        comparison.same(&place, &Some(without as u64), &expected["rounds_without_finite_mle"].as_u64());
        if without > 0 {
            continue;
        }
        let exact = &expected["exact_on_same_resamples"];
        for (key, q) in [("q025", 0.025), ("q50", 0.5), ("q975", 0.975)] {
            let got = |model: usize| quantile(&samples[model], q).expect("rounds");
            let place = format!("{} {key}", set.name);
            if exact.is_object() {
                comparison.by_model(&place, &set.battles.models, got, &exact[key], 1e-6);
            }
            // Their loose optimiser: up to a tenth of a point at the ends.
            comparison.by_model(&place, &set.battles.models, got, &expected[key], 0.15);
        }
    }
    comparison.conclude();
}

fn interval_of(low: &Value, high: &Value, name: &str) -> RatingInterval {
    let number = |value: &Value| value[name].as_f64().expect("a bound");
    RatingInterval { low: number(low), high: number(high), variance: 0.0 }
}

#[test]
fn ranks_by_the_leaderboards_intervals() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("fastchat.leaderboard ranks and battles");
    for set in sets {
        let fastchat = &set.expected["fastchat"];
        let board = &fastchat["leaderboard"];
        let (bounds, ranks) = if board.get("final_ranking").is_some() {
            (board, &board["final_ranking"])
        } else if fastchat.get("final_ranking_recomputed").is_some() {
            (&fastchat["bootstrap_bt_100"], &fastchat["final_ranking_recomputed"])
        } else {
            continue;
        };
        comparison.set();
        let intervals: Vec<RatingInterval> = set
            .battles
            .models
            .names()
            .map(|name| interval_of(&bounds["q025"], &bounds["q975"], name))
            .collect();
        let found = ranks_by_overlap(&intervals);
        comparison.by_model(&set.name, &set.battles.models, |m| found[m] as f64, ranks, 0.0);
        if board.get("num_battles").is_some() {
            let battles = Pairs::count(&set.battles).battles_of_each();
            comparison.by_model(&set.name, &set.battles.models, |m| battles[m], &board["num_battles"], 0.0);
        }
        // The same ranks from our fits to the same draws, unless bounds are too close to call.
        let Some((samples, 0)) = on_the_same_draws(&set) else { continue };
        let ours: Vec<RatingInterval> = samples
            .iter()
            .map(|samples| RatingInterval {
                low: quantile(samples, 0.025).expect("rounds"),
                high: quantile(samples, 0.975).expect("rounds"),
                variance: 0.0,
            })
            .collect();
        let found = ranks_by_overlap(&ours);
        for (model, name) in set.battles.models.names().enumerate() {
            let close = ours.iter().any(|other| (other.low - ours[model].high).abs() < 0.1);
            if !close {
                let place = format!("{} {name}: rank from our fits", set.name);
                comparison.same(&place, &Some(found[model] as u64), &ranks[name].as_u64());
            }
        }
    }
    comparison.conclude();
}

/// How much wider ours are than theirs, as the mean logarithm over all models of all sets: single spreads from 100 rounds
/// are uncertain by 7 % and more, their mean is not.
#[derive(Default)]
struct Spreads {
    logs: Vec<f64>,
}

impl Spreads {
    fn add(&mut self, comparison: &mut Comparison, place: &str, ours: f64, theirs: f64) {
        if theirs < 1e-6 {
            comparison.near(&format!("{place}: no spread"), ours, theirs, 1e-6);
            return;
        }
        let log = (ours / theirs).ln();
        comparison.near(&format!("{place}: spread"), log, 0.0, std::f64::consts::LN_2);
        self.logs.push(log);
    }

    fn conclude(&self) {
        let mean = self.logs.iter().sum::<f64>() / self.logs.len() as f64;
        println!("ours are {:+.1} % wider on average over {} models", 100.0 * mean, self.logs.len());
        // Below 50 models chance alone may bring more than this.
        assert!(mean.abs() < 0.04 || self.logs.len() < 50, "{mean}");
    }
}

#[test]
fn our_own_draws_spread_as_theirs() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("fastchat.bootstrap_bt_100, statistically");
    let mut spreads = Spreads::default();
    for set in sets {
        let expected = &set.expected["fastchat"]["bootstrap_bt_100"];
        if expected["rounds_without_finite_mle"] != 0 {
            continue;
        }
        comparison.set();
        let pairs = Pairs::count(&set.battles);
        let anchor = set.anchor(&set.battles.models);
        let found = bootstrap(&pairs, &fit(&pairs, None, anchor), anchor, 1000, 3);
        for (model, name) in set.battles.models.names().enumerate() {
            let place = format!("{} {name}", set.name);
            let theirs = expected["variance"][name].as_f64().expect("a variance").sqrt();
            let ours = found.interval(model).expect("rounds").variance.sqrt();
            spreads.add(&mut comparison, &place, ours, theirs);
            // The median of 100 rounds is uncertain by an eighth of their spread.
            let median = expected["q50"][name].as_f64().expect("a median");
            let got = found.quantile(model, 0.5).expect("rounds");
            comparison.near(
                &format!("{place}: median, in spreads"),
                (got - median) / theirs.max(1e-6),
                0.0,
                0.8,
            );
        }
    }
    spreads.conclude();
    comparison.conclude();
}

#[test]
fn elo_on_drawn_battles_spreads_as_theirs() {
    let Some(sets) = sets() else { return };
    let mut comparison = Comparison::of("fastchat.elo_bootstrap_100_seed42, statistically");
    let mut spreads = Spreads::default();
    for set in sets {
        let expected = &set.expected["fastchat"]["elo_bootstrap_100_seed42"];
        if !expected.is_object() || expected.get("error").is_some() {
            continue;
        }
        comparison.set();
        // As many rounds as theirs: ends of fewer rounds lie further inside.
        let found = elo_bootstrap(&set.battles, Elo::default(), 100, 3);
        for (model, name) in set.battles.models.names().enumerate() {
            let place = format!("{} {name}", set.name);
            let theirs = interval_of(&expected["q025"], &expected["q975"], name);
            let ours = found.interval(model).expect("rounds");
            let width = theirs.high - theirs.low;
            spreads.add(&mut comparison, &place, ours.high - ours.low, width);
            let middle = |interval: &RatingInterval| f64::midpoint(interval.low, interval.high);
            let off = (middle(&ours) - middle(&theirs)) / width.max(1e-6);
            comparison.near(&format!("{place}: middle, in widths"), off, 0.0, 0.4);
        }
    }
    spreads.conclude();
    comparison.conclude();
}
