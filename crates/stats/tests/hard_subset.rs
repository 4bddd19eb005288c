//! Attempts are made up by the model, and the fit has to find what they were made from.

use umpire_stats::Bootstrap;
use umpire_stats::agreement::spearman;
use umpire_stats::hard::{
    Fit, NutsSettings, Policy, Scores, Shape, Simulated, SiteShape, Truth, leave_one_out, overlap, select,
    simulate, stability, validate,
};

/// A pool of so many tasks on two sites, in templates of four and categories of two templates.
fn small(agents: usize, tasks: usize) -> Shape {
    let site = |name| SiteShape {
        name,
        tasks: tasks / 2,
        templates: tasks / 8,
        categories: tasks / 16,
        attempts: tasks / 2 * agents,
    };
    Shape { agents, sites: vec![site("forum"), site("shop")], success_rate: 0.4, budget: 30 }
}

/// How far estimates are from the truth, in units of their own spread.
fn misses(fit: &Fit, simulated: &Simulated) -> Vec<f64> {
    let truths = &simulated.truth.agents;
    fit.agents.iter().zip(truths).map(|(found, truth)| (found.median - truth) / found.spread).collect()
}

fn covered(fit: &Fit, simulated: &Simulated) -> usize {
    let truths = simulated.truth.agents.iter();
    fit.agents
        .iter()
        .zip(truths)
        .filter(|(e, truth)| (e.interval.low..=e.interval.high).contains(*truth))
        .count()
}

#[test]
fn intervals_of_agents_cover_the_truth_as_often_as_they_say() {
    // Truths come from the priors, which is when 95 % intervals cover in 95 % of cases, neither less nor more.
    let settings = NutsSettings { chains: 2, warmup: 250, draws: 250, ..NutsSettings::default() };
    let (pools, agents) = (40_u64, 5_usize);
    let (mut inside, mut squares) = (0, 0.0);
    for seed in 0..pools {
        let simulated = simulate(&small(agents, 64), Truth::from_priors(seed), seed).expect("attempts");
        let fit = Fit::of(&simulated.pool, NutsSettings { seed, ..settings });
        inside += covered(&fit, &simulated);
        squares += misses(&fit, &simulated).iter().map(|miss| miss * miss).sum::<f64>();
    }
    let all = pools as f64 * agents as f64;
    // Four standard errors. Effects sum to zero, so there are 4 free ones in every 5.
    let error = (0.95 * 0.05 / (0.8 * all)).sqrt();
    let share = inside as f64 / all;
    assert!(share > 0.95 - 4.0 * error, "only {share:.3} of 95 % intervals hold the truth");
    // Intervals that always hold it would be too wide: squared misses have mean 1, and variance 2 each.
    let error = (2.0 / (0.8 * all)).sqrt();
    let mean = squares / all;
    assert!((mean - 1.0).abs() < 4.0 * error, "mean squared miss {mean:.2} is not 1 ± {:.2}", 4.0 * error);
}

/// Rank correlations with the true reference successes: of the fit, of the oracle, and of plain success rates.
fn correlations(fit: &Fit, simulated: &Simulated) -> [f64; 3] {
    let truth = simulated.reference_successes();
    let oracle = simulated.oracle_successes().expect("an oracle");
    let mut rates = vec![(0.0, 0.0); truth.len()];
    for row in &simulated.pool.rows {
        rates[row.task].0 += f64::from(u8::from(row.success));
        rates[row.task].1 += 1.0;
    }
    let rates: Vec<f64> = rates.into_iter().map(|(successes, attempts)| successes / attempts).collect();
    [fit.reference_successes(), &oracle, &rates].map(|found| spearman(found, &truth).expect("both vary"))
}

#[test]
fn tasks_are_ranked_almost_as_well_as_by_who_knows_the_scales() {
    let settings = NutsSettings { chains: 2, warmup: 300, draws: 300, ..NutsSettings::default() };
    let mut better = 0;
    for seed in 0..4 {
        let simulated = simulate(&small(8, 160), Truth::TYPICAL, seed).expect("attempts");
        let [fit, oracle, rates] = correlations(&Fit::of(&simulated.pool, settings), &simulated);
        // Estimating four scales costs little: the standard error of a rank correlation of 160 tasks is about
        // (1 − 0.85²) / √160 = 0.02, and the two are computed on the same tasks.
        assert!(fit > oracle - 0.02, "{fit:.3}, but {oracle:.3} was possible");
        better += usize::from(fit > rates);
    }
    assert!(better >= 3, "plain success rates ranked tasks better in {} of 4", 4 - better);
}

#[test]
fn a_subset_is_harder_and_comes_out_the_same_again() {
    let settings = NutsSettings { chains: 2, warmup: 300, draws: 300, ..NutsSettings::default() };
    let simulated = simulate(&small(6, 160), Truth::TYPICAL, 5).expect("attempts");
    let pool = &simulated.pool;
    let subset = |settings| {
        let fit = Fit::of(pool, settings);
        (select(pool, &Scores::of(&fit, 0.2), Policy::default()), fit)
    };
    let (first, fit) = subset(settings);
    assert_eq!(first, subset(settings).0, "the same seed gives the same subset");
    let (other, _) = subset(NutsSettings { seed: 77, ..settings });
    assert!(overlap(&first.tasks, &other.tasks) > 0.8, "another seed gives nearly the same");

    // 10 categories on each site, at most 3 of each.
    assert!(first.tasks.len() <= 60 && first.tasks.len() >= 40, "{}", first.tasks.len());
    let truth = simulated.reference_successes();
    let mean = |tasks: &[usize]| tasks.iter().map(|&task| truth[task]).sum::<f64>() / tasks.len() as f64;
    let all: Vec<usize> = (0..truth.len()).collect();
    assert!(mean(&first.tasks) < mean(&all) - 0.1, "{} {}", mean(&first.tasks), mean(&all));

    let bootstrap = Bootstrap { draws: 60, seed: 1 };
    let validation = validate(pool, &first.tasks, bootstrap);
    let drift = validation.drift.expect("rates");
    assert!(drift.value > 0.06 && drift.met < 0.5, "a harder subset lowers everybody's rate: {drift:?}");
    let steady = stability(pool, &fit, Policy::default(), bootstrap).expect("subsets");
    assert_eq!(steady.replicates + steady.unsettled, 60);
    assert!(steady.overlap > 0.4 && steady.overlap < 1.0, "{steady:?}");
    let left_out = leave_one_out(
        pool,
        &first.tasks,
        Policy::default(),
        NutsSettings { warmup: 150, draws: 150, ..settings },
    );
    assert_eq!(left_out.len(), 6);
    assert!(left_out.iter().all(|one| one.overlap > 0.4), "{left_out:?}");
    assert!(
        left_out.iter().any(|one| one.overlap < 1.0),
        "an agent less changes nothing at all: {left_out:?}"
    );
}

/// At the size of the paper; `cargo xtask bench subset` runs it.
#[test]
#[ignore = "a minute in a release build"]
fn at_the_papers_size_the_truth_is_found_and_the_chains_agree() {
    let (mut inside, mut squares, mut agents) = (0, 0.0, 0);
    for seed in 0..6 {
        let simulated = simulate(&Shape::paper(), Truth::TYPICAL, seed).expect("attempts");
        assert_eq!((simulated.pool.rows.len(), simulated.pool.tasks.len()), (5173, 655));
        assert!((simulated.pool.success_rate() - 0.369).abs() < 0.03);
        let fit = Fit::of(&simulated.pool, NutsSettings { seed, ..NutsSettings::default() });
        let [ours, oracle, rates] = correlations(&fit, &simulated);
        println!(
            "R̂ {:.4}, bulk ESS {:.0}, {} divergences; ranks: fit {ours:.3}, oracle {oracle:.3}, success rates {rates:.3}",
            fit.health.r_hat, fit.health.ess_bulk, fit.health.divergences
        );
        assert!(fit.health.is_good(), "{:?}", fit.health);
        // The standard error of a rank correlation of 655 tasks is about (1 − 0.88²) / √655 = 0.009.
        assert!(ours > oracle - 0.009 && ours > rates, "{ours:.3} {oracle:.3} {rates:.3}");
        inside += covered(&fit, &simulated);
        squares += misses(&fit, &simulated).iter().map(|miss| miss * miss).sum::<f64>();
        agents += simulated.truth.agents.len();
    }
    let all = agents as f64;
    let mean = squares / all;
    println!("{inside} of {agents} intervals of agents hold the truth, mean squared miss {mean:.2}");
    let error = (0.95 * 0.05 / (0.875 * all)).sqrt();
    assert!(inside as f64 / all > 0.95 - 4.0 * error);
    assert!((mean - 1.0).abs() < 4.0 * (2.0 / (0.875 * all)).sqrt(), "{mean}");
}
