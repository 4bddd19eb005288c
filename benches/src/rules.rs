//! Recorded attempts judged as the reference judges them, inside this process: reading and deciding, without start-up,
//! task file and results, which the peer's figure leaves out too.

use std::num::NonZeroUsize;
use std::path::Path;

use serde_json::json;
use umpire_webarena::attempts::find;
use umpire_webarena::config::Config;
use umpire_webarena::reference::run::{RunOptions, evaluate_attempts};
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
    let folders = find(&folder.join("attempts")).map_err(|error| error.to_string())?;
    // What the first attempt sets up for all is start-up, on both sides.
    evaluate_attempts(folders.get(..1).ok_or("there is no attempt")?, &options);
    let before = cpu_ms();
    let mut judged = 0_u32;
    for attempt in folders.chunks(1) {
        // As the peer's loop does, each result is let go before the next attempt.
        judged += evaluate_attempts(attempt, &options).results.len() as u32;
    }
    let took = cpu_ms() - before;
    if judged == 0 {
        return Err("nothing was judged".to_owned());
    }
    println!("{}", json!({"ms_per_task": took / f64::from(judged)}));
    Ok(())
}
