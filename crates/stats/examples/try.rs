use std::time::Instant;
use umpire_stats::hard::*;
fn main() {
    let sim = simulate(&Shape::paper(), Truth::TYPICAL, 7).unwrap();
    println!(
        "{} attempts {} tasks rate {:.3}",
        sim.pool.rows.len(),
        sim.pool.tasks.len(),
        sim.pool.success_rate()
    );
    let t = Instant::now();
    let target: f64 = std::env::args().nth(1).map_or(0.8, |a| a.parse().unwrap()); let seed: u64 = std::env::args().nth(2).map_or(1, |a| a.parse().unwrap());
    let fit = Fit::of(&sim.pool, NutsSettings { target, seed, ..NutsSettings::default() });
    println!("{:?}", t.elapsed());
    println!("{:#?}", fit.health);
    for e in fit
        .agents
        .iter()
        .chain(&fit.scales)
        .chain(&fit.sites)
        .chain(&fit.bins)
        .chain([&fit.intercept, &fit.exhausted])
    {
        let d = e.diagnosis.unwrap();
        println!(
            "{:12} {:.3} [{:.3} {:.3}] rhat {:.4} bulk {:.0} tail {:.0}",
            e.name, e.median, e.interval.low, e.interval.high, d.r_hat, d.ess_bulk, d.ess_tail
        );
    }
    println!(
        "{:?} {:?} {:?} {:?}",
        sim.truth.agents, sim.truth.scales, sim.truth.groups[0], sim.truth.groups[3]
    );
    println!(
        "{:?}",
        umpire_stats::agreement::spearman(fit.reference_successes(), &sim.reference_successes())
    );
}
