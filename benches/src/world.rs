//! What a world with all sites costs: to start, to create and drop again, and to keep.

use std::time::Instant;

use serde_json::{Value, json};
use umpire_worlds::{World, site_names};

use crate::memory_mb;

const ROUNDS: usize = 500;
const ALIVE: usize = 200;

pub fn measure() -> Result<(), String> {
    let sites: Vec<String> = site_names().into_iter().map(str::to_owned).collect();
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
    let shared = memory_mb("VmRSS")?;
    let alive = (0..ALIVE).map(|_| create()).collect::<Result<Vec<_>, _>>()?;
    let memory = memory_mb("VmRSS")?;
    let line = json!({
        "sites": sites.len(),
        "first_ms": first_ms,
        "median_ms": times[ROUNDS / 2],
        "p99_ms": times[ROUNDS * 99 / 100],
        "worlds": alive.len(),
        "memory_mb": memory,
        "each_mb": (memory - shared) / ALIVE as f64,
    });
    println!("{line}");
    Ok(())
}
