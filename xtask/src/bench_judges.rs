//! What a judge costs beside its model: prompts of trajectories that were recorded and looked at before, and the work on
//! pictures that are new.

use crate::bench::{json_of, number, ours};
use crate::setup::{Done, build_release};

/// Trajectories a second, 20 screenshots each, on two cores.
const LEAST: f64 = 200.0;
const CORES: f64 = 2.0;

pub fn judges() -> Done {
    build_release()?;
    let found = json_of(ours().arg("judges"))?;
    println!(
        "\njudges: trajectories of {} screenshots of 1280 × 1024, {:.0} KiB each",
        found["screenshots"],
        number(&found, "/mean_kb")?
    );
    // By CPU time, because whatever else the machine does is not the judge's.
    let a_second = |path: &str| number(&found, path).map(|ms| CORES * 1000.0 / ms);
    let rate = a_second("/cpu_ms")?;
    println!("{:58} {rate:>8.0} /s    ≥ {LEAST:.0}", "prompts with base64 on 2 cores, nothing to decode");
    for (name, value) in [
        ("  by the clock, beside whatever else runs", number(&found, "/per_second")?),
        ("  if two thirds of the steps changed nothing", a_second("/idle_cpu_ms")?),
        ("  with the bytes of the request, which the gateway writes", a_second("/request_cpu_ms")?),
    ] {
        println!("{name:58} {value:>8.0} /s");
    }
    for (name, path) in [
        ("a new JPEG: fingerprint, one core", "/fingerprint_ms"),
        ("a pair that is close: both decoded and compared, one core", "/compare_ms"),
        ("shrunk to 1024 and encoded, one core", "/shrink_ms"),
        ("a page of 1280 × 9000 in tiles, one core", "/tiles_ms"),
        ("a trajectory never seen before, all cores, by the clock", "/new_trajectory_ms"),
    ] {
        println!("{name:58} {:>8.1} ms", number(&found, path)?);
    }
    if rate < LEAST { Err("missed: judges".to_owned()) } else { Ok(()) }
}
