//! What a world costs: to create and drop, and to keep.

use std::time::Instant;

use serde_json::{Value, json};
use umpire_worlds::World;

use crate::memory_mb;

const ROUNDS: usize = 500;
const ALIVE: usize = 200;

pub fn measure() -> Result<(), String> {
    let sites: Vec<String> = ["shop", "forum", "hub"].map(str::to_owned).to_vec();
    let create = || World::create(&sites, 7, &Value::Null).map_err(|error| error.to_string());
    let first = Instant::now();
    drop(create()?);
    let first_ms = first.elapsed().as_secs_f64() * 1000.0;
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let started = Instant::now();
        drop(create()?);
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    let alive = (0..ALIVE).map(|_| create()).collect::<Result<Vec<_>, _>>()?;
    let memory = memory_mb("VmRSS")?;
    let line = json!({
        "first_ms": first_ms,
        "median_ms": times[ROUNDS / 2],
        "p99_ms": times[ROUNDS * 99 / 100],
        "worlds": alive.len(),
        "memory_mb": memory,
    });
    println!("{line}");
    Ok(())
}
