//! The hard subset's model at the size of the paper: simulated attempts, written out for the peer, and fitted.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};
use umpire_stats::agreement::spearman;
use umpire_stats::hard::{Draws, Estimate, Fit, NutsSettings, Shape, Simulated, Truth, simulate};

use crate::cpu_ms;

const SEED: u64 = 7;

/// `attempts` is the file to write them to.
pub fn measure(attempts: &str) -> Result<(), String> {
    let simulated = simulate(&Shape::paper(), Truth::TYPICAL, SEED).map_err(|error| error.to_string())?;
    std::fs::write(Path::new(attempts), csv(&simulated)).map_err(|error| format!("{attempts}: {error}"))?;
    let settings = NutsSettings::default();
    let (started, cpu) = (Instant::now(), cpu_ms());
    let draws = Draws::sample(&simulated.pool, settings);
    let (sampling, sampling_cpu) = (started.elapsed().as_secs_f64(), (cpu_ms() - cpu) / 1000.0);
    let fit = Fit::from_draws(&simulated.pool, draws);
    let truth = simulated.reference_successes();
    let oracle = simulated.oracle_successes().ok_or("the oracle did not settle")?;
    println!(
        "{}",
        json!({
            "attempts": simulated.pool.rows.len(), "tasks": simulated.pool.tasks.len(),
            "agents": simulated.pool.agents.len(),
            "chains": settings.chains, "warmup": settings.warmup, "draws": settings.draws,
            "seconds": sampling, "cpu": sampling_cpu,
            "all_seconds": started.elapsed().as_secs_f64(), "all_cpu": (cpu_ms() - cpu) / 1000.0,
            "r_hat": fit.health.r_hat, "ess": fit.health.ess_bulk, "ess_tail": fit.health.ess_tail,
            "divergences": fit.health.divergences, "evaluations": fit.health.evaluations,
            "rank": spearman(fit.reference_successes(), &truth), "oracle_rank": spearman(&oracle, &truth),
            "agent_effects": table(&fit.agents), "scales": table(&fit.scales),
        })
    );
    Ok(())
}

fn table(estimates: &[Estimate]) -> Map<String, Value> {
    let one = |estimate: &Estimate| {
        let draws = estimate.diagnosis.map(|found| found.ess_bulk);
        (estimate.name.clone(), json!({"median": estimate.median, "spread": estimate.spread, "draws": draws}))
    };
    estimates.iter().map(one).collect()
}

fn csv(simulated: &Simulated) -> String {
    let mut out = String::from("agent,task,site,template,category,steps,success,exhausted\n");
    for one in &simulated.attempts {
        let flag = |is: bool| u8::from(is);
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{}",
            one.agent,
            one.task,
            one.sites.join("+"),
            one.template,
            one.category,
            one.steps,
            flag(one.success),
            flag(one.exhausted == Some(true))
        );
    }
    out
}
