//! Bradley–Terry on a million battles of a hundred models, beside public implementations, by CPU time.
//!
//! All sides are given the same battles: names as text, in memory. The peers bring along what their users have: two lists
//! for `evalica`, a data frame for the pipeline of pandas and scipy that arena leaderboards use. Reading the file is
//! measured apart, on our whole command.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::bench::{json_of, number, ours};
use crate::bench_rules::measured;
use crate::setup::{Done, build_release, ensure_rating_peers, released, root, run, target_dir};

const BATTLES: &str = "1000000";
/// Rounds the peer draws; each costs the same, so what 1,000 take is known from these.
const PEER_ROUNDS: &str = "60";
const FROM_FILE_S: f64 = 0.3;

pub fn ratings() -> Done {
    let python = ensure_rating_peers()?.join("bin/python3");
    build_release()?;
    let file = target_dir().join(format!("bench-ratings-{}.csv", std::process::id()));
    let result = beside_peers(&python, &file);
    let _ = std::fs::remove_file(&file);
    result
}

fn beside_peers(python: &Path, file: &Path) -> Done {
    run(ours().args(["ratings", "write", BATTLES]).arg(file))?;
    let us = json_of(ours().args(["ratings", "measure"]).arg(file))?;
    let mut peer = Command::new(python);
    let them = json_of(peer.arg(root().join("benches/peer/ratings.py")).arg(file).arg(PEER_ROUNDS))?;
    same_ratings(&us, &them)?;

    let fit = number(&us, "/fit_ms")? / 1000.0;
    let drawn = number(&us, "/bootstrap_ms")? / 1000.0;
    let grouping = number(&them, "/bootstrap/grouping_s")?;
    let rounds = number(&us, "/rounds")? / number(&them, "/bootstrap/rounds")?;
    let their_draws = grouping + rounds * (number(&them, "/bootstrap/s")? - grouping);
    println!(
        "\n{:52} {:>9} {:>9} {:>7}   wanted",
        "1,000,000 battles × 100 models, CPU", "umpire", "peer", "ratio"
    );
    let mut missed = Vec::new();
    for (name, ours, theirs, least) in [
        ("ratings, against evalica (lists of names)", fit, number(&them, "/evalica/s")?, Some(5.0)),
        ("ratings, against pandas + L-BFGS, rows sorted", fit, number(&them, "/pandas/s")?, Some(25.0)),
        ("  the same, rows grouped by pandas", fit, number(&them, "/pandas/groupby_s")?, None),
        ("1,000 rounds of bootstrap, against the same", drawn, their_draws, Some(10.0)),
    ] {
        let ratio = theirs / ours;
        let wanted = least.map(|least| format!("≥ {least:.0}×")).unwrap_or_default();
        println!("{name:52} {ours:>7.3} s {theirs:>7.2} s {ratio:>6.0}×   {wanted}");
        if least.is_some_and(|least| ratio < least) {
            missed.push(name);
        }
    }
    println!("  (the peer drew {PEER_ROUNDS} rounds; the rest is by proportion)");
    let mut times = Vec::new();
    for _ in 0..5 {
        let mut command = released();
        times.push(measured(command.args(["rank", "--json"]).arg(file))?.cpu);
    }
    times.sort_by(f64::total_cmp);
    let name = "`umpire rank FILE.csv`, the whole command";
    println!("{name:52} {:>7.3} s {:>27}", times[2], format!("≤ {FROM_FILE_S} s"));
    if times[2] > FROM_FILE_S {
        missed.push(name);
    }
    println!("{:52} {:>7.3} s", "sandwich intervals", number(&us, "/sandwich_ms")? / 1000.0);
    if missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", missed.join("; "))) }
}

/// Speed counts for nothing if the answers differ: to a tenth of a point for ratings, and to what so few rounds allow for
/// the spread of draws.
fn same_ratings(us: &Value, them: &Value) -> Done {
    for (peer, ours, theirs, most) in [
        ("evalica", "/ratings", "/evalica/ratings", 0.1),
        ("pandas + L-BFGS", "/ratings", "/pandas/ratings", 0.1),
    ] {
        let far = farthest(us, ours, them, theirs, |one, other| (one - other).abs())?;
        println!("ratings are within {far:.4} points of those of {peer}");
        if far.is_nan() || far > most {
            return Err(format!("our ratings differ from those of {peer} by {far}"));
        }
    }
    let far =
        farthest(us, "/deviations", them, "/bootstrap/deviations", |one, other| (one / other - 1.0).abs())?;
    println!("the spread of our draws is within {:.0} % of theirs for every model", 100.0 * far);
    if far.is_nan() || far > 0.6 {
        return Err(format!("our bootstrap spreads otherwise than theirs, by {far}"));
    }
    Ok(())
}

fn farthest(
    us: &Value,
    ours: &str,
    them: &Value,
    theirs: &str,
    distance: fn(f64, f64) -> f64,
) -> Result<f64, String> {
    let object = |value: &Value, path: &str| {
        value.pointer(path).and_then(Value::as_object).cloned().ok_or(format!("no {path} was given"))
    };
    let (ours, theirs) = (object(us, ours)?, object(them, theirs)?);
    if ours.len() != theirs.len() || ours.is_empty() {
        return Err(format!("{} models here, {} there", ours.len(), theirs.len()));
    }
    let mut far: f64 = 0.0;
    for (name, value) in &ours {
        let pair = value.as_f64().zip(theirs.get(name).and_then(Value::as_f64));
        let (one, other) = pair.ok_or(format!("`{name}` has no number on both sides"))?;
        far = far.max(distance(one, other));
    }
    Ok(far)
}
