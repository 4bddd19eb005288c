//! The hard subset's model at the size of the paper, against the same model in `NumPyro` on the same attempts.
//!
//! The peer has the same priors, chains and draws, and its own defaults in everything else. What it spends on compiling is
//! measured first and taken off. Both sides' answers are compared: a quick fit of another model would be no feat.

use std::process::Command;

use serde_json::Value;

use crate::bench::{json_of, number, ours};
use crate::setup::{Done, build_release, cargo, ensure_python, root, run, target_dir};

const PEER: [(&str, &str); 1] = [("numpyro==0.22.0", "numpyro")];
const MOST_SECONDS: f64 = 60.0;
const LEAST_RATIO: f64 = 5.0;
const MOST_R_HAT: f64 = 1.01;

pub fn subset() -> Done {
    build_release()?;
    let venv = target_dir().join("numpyro");
    ensure_python(&venv, &PEER)?;
    let attempts = target_dir().join("bench-subset.csv");
    let us = json_of(ours().arg("subset").arg(&attempts))?;
    let mut peer = Command::new(venv.join("bin/python3"));
    peer.arg(root().join("benches/peer/subset.py")).arg(&attempts);
    for setting in ["chains", "warmup", "draws"] {
        peer.arg(us[setting].to_string());
    }
    let them = json_of(peer.arg("parallel"))?;

    println!(
        "\nhard subset: {} attempts, {} tasks, {} agents; {} chains × {} draws after {}",
        us["attempts"], us["tasks"], us["agents"], us["chains"], us["draws"], us["warmup"]
    );
    println!("{:38} {:>10} {:>16} {:>8}   wanted", "", "umpire", "NumPyro", "ratio");
    for (name, path, wanted) in [
        ("sampling, CPU s", "/cpu", format!("≥ {LEAST_RATIO:.0}×")),
        ("sampling, wall s", "/seconds", String::new()),
    ] {
        let (a, b) = (number(&us, path)?, number(&them, path)?);
        println!("{name:38} {a:>10.1} {b:>16.1} {:>7.1}×   {wanted}", b / a);
    }
    println!("{:38} {:>10} {:>16.1}", "compiling, CPU s", "–", number(&them, "/compile_cpu")?);
    println!(
        "{:38} {:>10.1} {:>16}            ≤ {MOST_SECONDS:.0}",
        "all of the fit on 2 cores, CPU s / 2",
        number(&us, "/all_cpu")? / 2.0,
        "–"
    );
    println!(
        "{:38} {:>10.1} {:>16}",
        "  by the clock, beside whatever else runs",
        number(&us, "/all_seconds")?,
        "–"
    );
    println!(
        "{:38} {:>10.4} {:>16.4}            ≤ {MOST_R_HAT}",
        "R̂, largest",
        number(&us, "/r_hat")?,
        number(&them, "/r_hat")?
    );
    println!(
        "{:38} {:>10.0} {:>16.0}",
        "effective draws, least",
        number(&us, "/ess")?,
        number(&them, "/ess")?
    );
    println!("{:38} {:>10} {:>16}", "divergences", us["divergences"], them["divergences"]);
    println!(
        "{:38} {:>10.3} {:>16.3}",
        "rank correlation with the truth; oracle's",
        number(&us, "/rank")?,
        number(&us, "/oracle_rank")?
    );
    let farthest = farthest_agent(&us, &them)?;
    println!(
        "{:38} {farthest:>10.2}                             ≤ 0.25",
        "agents' effects apart, in spreads"
    );

    let mut missed = Vec::new();
    for (name, holds) in [
        ("speed", number(&them, "/cpu")? / number(&us, "/cpu")? >= LEAST_RATIO),
        ("time", number(&us, "/all_cpu")? / 2.0 <= MOST_SECONDS),
        ("R̂", number(&us, "/r_hat")? <= MOST_R_HAT),
        ("divergences", us["divergences"] == 0),
        ("the peer's answer", farthest <= 0.25),
    ] {
        if !holds {
            missed.push(name);
        }
    }
    truths()?;
    if missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", missed.join("; "))) }
}

/// The largest difference between the two sides' agent effects, in units of their posterior spread: with hundreds of
/// effective draws on each side it is below 0.1 in the mean, and above 0.25 about never.
fn farthest_agent(us: &Value, them: &Value) -> Result<f64, String> {
    let ours = us["agent_effects"].as_object().ok_or("no agents")?;
    let mut farthest: f64 = 0.0;
    for (name, effect) in ours {
        let theirs = number(them, &format!("/agents/{name}/mean"))?;
        farthest = farthest.max((number(effect, "/median")? - theirs).abs() / number(effect, "/spread")?);
    }
    Ok(farthest)
}

/// Six simulated pools of the paper's size, whose truths the fit has to find.
fn truths() -> Done {
    let test = ["--test", "stats", "--", "hard_subset::", "--ignored", "--nocapture"];
    run(cargo().args(["test", "--quiet", "--release", "--package", "umpire-stats"]).args(test))
}
