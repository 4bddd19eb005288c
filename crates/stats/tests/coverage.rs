//! How often a 95 % interval holds the truth, on simulated data. Slow: `cargo xtask coverage` runs it, and its results are
//! in docs/stats.md.

use umpire_model::{Outcome, Random};
use umpire_stats::Bootstrap;
use umpire_stats::ratings::{
    Battles, MEAN_RATING, POINTS_PER_NAT, Pairs, Winner, bootstrap, fit, sandwich_intervals,
};
use umpire_stats::{AttemptRow, Interval, macro_rates, wilson};

const REPEATS: usize = 4000;
const ALLOWED: std::ops::RangeInclusive<f64> = 0.94..=0.96;

fn uniform(random: &mut Random) -> f64 {
    random.below(1 << 30) as f64 / f64::from(1 << 30)
}

fn check(name: &str, held: usize, of: usize) {
    let coverage = held as f64 / of as f64;
    println!("{name:56} {:.2} % of {of}", 100.0 * coverage);
    assert!(ALLOWED.contains(&coverage), "{name}: {coverage}");
}

fn holds(interval: Interval, truth: f64) -> bool {
    (interval.low..=interval.high).contains(&truth)
}

#[test]
#[ignore = "slow"]
fn wilson_holds_the_rate() {
    let mut random = Random::stream(1, "coverage of wilson");
    for tasks in [50, 200, 800] {
        let mut held = 0;
        for _ in 0..10 * REPEATS {
            // Over rates as well, for at any one rate the steps of whole counts show.
            let truth = 0.1 + 0.8 * uniform(&mut random);
            let passed = (0..tasks).filter(|_| uniform(&mut random) < truth).count();
            held += usize::from(holds(wilson(passed, tasks), truth));
        }
        check(&format!("Wilson, {tasks} tasks"), held, 10 * REPEATS);
    }
}

/// Templates of different difficulty with two to six tasks each.
fn attempts(templates: usize, random: &mut Random) -> Vec<AttemptRow> {
    let mut rows = Vec::new();
    for template in 0..templates {
        let difficulty = uniform(random);
        // As many tasks whatever the difficulty, so that every rate has the same truth: one half.
        for _ in 0..2 + random.below(5) {
            let passed = uniform(random) < difficulty;
            rows.push(AttemptRow {
                template: template.to_string(),
                outcome: Some(if passed { Outcome::Pass } else { Outcome::Fail }),
                ..AttemptRow::default()
            });
        }
    }
    rows
}

#[test]
#[ignore = "slow"]
fn t_clustered_and_bootstrap_hold_the_rate() {
    const TRUTH: f64 = 0.5;
    let mut random = Random::stream(1, "coverage over templates");
    let templates = 190;
    let mut held = [0; 3];
    for repeat in 0..REPEATS {
        let settings = Bootstrap { draws: 1000, seed: repeat as u64 };
        let rates = macro_rates(&attempts(templates, &mut random), settings).expect("attempts");
        let intervals = [rates.template.interval, rates.clustered, rates.bootstrap];
        for (count, interval) in held.iter_mut().zip(intervals) {
            *count += usize::from(interval.is_some_and(|interval| holds(interval, TRUTH)));
        }
    }
    for (name, held) in
        ["t over templates", "clustered by template", "bootstrap by template"].iter().zip(held)
    {
        check(&format!("{name}, {templates} templates"), held, REPEATS);
    }
}

#[test]
#[ignore = "slow"]
fn bradley_terry_holds_the_ratings() {
    let truth: Vec<f64> = [-0.9, -0.4, -0.1, 0.1, 0.4, 0.9].to_vec();
    let names: Vec<String> = (0..truth.len()).map(|model| model.to_string()).collect();
    let mut random = Random::stream(1, "coverage of ratings");
    let (battles, repeats) = (1500, REPEATS / 4);
    let (mut by_formula, mut by_drawing, mut of) = (0, 0, 0);
    for repeat in 0..repeats {
        let mut table = Battles::with_capacity(battles);
        for name in &names {
            // Ids in the order of the truth.
            table.models.intern(name);
        }
        for _ in 0..battles {
            let a = random.below(truth.len());
            let b = (a + 1 + random.below(truth.len() - 1)) % truth.len();
            let chance = 1.0 / (1.0 + (truth[b] - truth[a]).exp());
            let winner = if uniform(&mut random) < chance { Winner::A } else { Winner::B };
            table.push(&names[a], &names[b], winner);
        }
        let pairs = Pairs::count(&table);
        let found = fit(&pairs, None, None);
        let formula = sandwich_intervals(&pairs, None, &found);
        let drawn = bootstrap(&pairs, &found, None, 200, repeat as u64);
        for (model, strength) in truth.iter().enumerate() {
            let rating = MEAN_RATING + POINTS_PER_NAT * strength;
            by_formula += usize::from((formula[model].low..=formula[model].high).contains(&rating));
            by_drawing += usize::from(
                drawn
                    .interval(model)
                    .is_some_and(|interval| (interval.low..=interval.high).contains(&rating)),
            );
            of += 1;
        }
    }
    check(&format!("Bradley–Terry, sandwich, {battles} battles of 6"), by_formula, of);
    check(&format!("Bradley–Terry, bootstrap, {battles} battles of 6"), by_drawing, of);
}
