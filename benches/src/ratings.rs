//! Ratings of a hundred models from a million battles: from rows in memory, and drawn again a thousand times.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;
use umpire_model::Random;
use umpire_stats::ratings::{Battles, Pairs, Winner, bootstrap, fit, sandwich_intervals};

use crate::cpu_ms;

const MODELS: usize = 100;
const ROUNDS: usize = 1000;
/// Milliseconds are measured better several times.
const REPEATS: usize = 9;

/// Writes the battles that both sides are given: every pair about equally often, a seventh of the votes ties.
pub fn write(battles: &str, path: &str) -> Result<(), String> {
    let battles: usize = battles.parse().map_err(|_| "the number of battles is no number")?;
    let mut random = Random::new(20_261_116);
    let names: Vec<String> = (0..MODELS).map(|id| format!("vendor-{:02}/model-{id:03}", id % 17)).collect();
    let mut text = String::from("model_a,model_b,winner\n");
    for _ in 0..battles {
        let a = random.below(MODELS);
        let b = (a + 1 + random.below(MODELS - 1)) % MODELS;
        // Strengths from 0 to 3 in log odds.
        let gap = 3.0 * (a as f64 - b as f64) / MODELS as f64;
        let wins = (1e6 / (1.0 + (-gap).exp())) as usize;
        let winner = match random.below(7) {
            0 => "t",
            _ if random.below(1_000_000) < wins => "a",
            _ => "b",
        };
        let _ = writeln!(text, "{},{},{winner}", names[a], names[b]);
    }
    std::fs::write(path, text).map_err(|error| format!("{path}: {error}"))
}

pub fn measure(path: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(Path::new(path)).map_err(|error| format!("{path}: {error}"))?;
    // Names as text, not as numbers: that is what the peers are given too.
    let rows: Vec<(String, String, Winner)> = text
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut cells = line.split(',');
            let (a, b) = (cells.next()?.to_owned(), cells.next()?.to_owned());
            Some((a, b, Winner::from_label(cells.next()?)))
        })
        .collect();
    let mut times = Vec::new();
    let mut found = None;
    for _ in 0..REPEATS {
        let before = cpu_ms();
        let battles: Battles = rows.iter().map(|(a, b, winner)| (a.as_str(), b.as_str(), *winner)).collect();
        let pairs = Pairs::count(&battles);
        let ratings = fit(&pairs, None, None);
        times.push(cpu_ms() - before);
        found = Some((battles, pairs, ratings));
    }
    times.sort_by(f64::total_cmp);
    let (battles, pairs, ratings) = found.ok_or("nothing was fitted")?;
    let before = cpu_ms();
    let intervals = sandwich_intervals(&pairs, None, &ratings);
    let sandwich_ms = cpu_ms() - before;
    let before = cpu_ms();
    let drawn = bootstrap(&pairs, &ratings, None, ROUNDS, 7);
    let bootstrap_ms = cpu_ms() - before;
    let by_name = |values: &dyn Fn(usize) -> f64| -> serde_json::Map<String, serde_json::Value> {
        battles.models.names().enumerate().map(|(id, name)| (name.to_owned(), json!(values(id)))).collect()
    };
    println!(
        "{}",
        json!({
            "rows": rows.len(), "fit_ms": times[REPEATS / 2], "sandwich_ms": sandwich_ms, "rounds": ROUNDS,
            "bootstrap_ms": bootstrap_ms,
            "ratings": by_name(&|id| ratings.ratings[id]),
            "deviations": by_name(&|id| drawn.interval(id).map_or(f64::NAN, |interval| interval.variance.sqrt())),
            "by_formula": by_name(&|id| intervals[id].variance.sqrt()),
        })
    );
    Ok(())
}
