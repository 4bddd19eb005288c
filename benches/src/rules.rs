//! Recorded attempts judged as the reference judges them, inside this process: reading and deciding, without start-up,
//! task file and results, which the peer's figure leaves out too.

use std::num::NonZeroUsize;
use std::path::Path;

use serde_json::json;
use umpire_webarena::config::Config;
use umpire_webarena::reference::run::{RunOptions, evaluate_folder};
use umpire_webarena::task::Dataset;

use crate::cpu_ms;

pub fn measure(suite: &str, folder: &str) -> Result<(), String> {
    let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let folder = Path::new(folder);
    let dataset = Dataset::from_json(&read(Path::new(suite))?).map_err(|error| error.to_string())?;
    let config: Config =
        serde_json::from_slice(&read(&folder.join("config.json"))?).map_err(|error| error.to_string())?;
    let options = RunOptions {
        dataset: &dataset,
        config: Some(&config),
        today: jiff::civil::date(2026, 11, 15),
        threads: NonZeroUsize::MIN,
    };
    let before = cpu_ms();
    let judged = evaluate_folder(&folder.join("attempts"), &options).map_err(|error| error.to_string())?;
    let took = cpu_ms() - before;
    println!("{}", json!({"ms_per_task": took / judged.results.len().max(1) as f64}));
    Ok(())
}
