//! The pages under load: votes as they arrive, viewers of a live run, a very long list.

use std::process::Command;

use serde_json::Value;

use crate::bench::{json_of, number};
use crate::setup::{Done, cargo, run, target_dir};

const EXAMPLES: [&str; 3] = ["voters", "viewers", "long_list"];
const STORED: &str = "10000";
const SECONDS: &str = "60";
const VIEWERS: &str = "1000";

/// What is measured, where it is told, and what is wanted: at most so much, in this unit.
const WANTED: [(&str, &str, &str, f64, &str); 5] = [
    ("voters", "page time while votes arrive, 99th percentile", "/page_ms/p99", 100.0, "ms"),
    ("voters", "a vote on the leaderboard, slowest", "/fresh_ms_worst", 2000.0, "ms"),
    ("viewers", "server's memory with 1,000 viewers", "/resident_kb", 200.0 * 1024.0, "KiB"),
    ("long_list", "10,000 attempts, opened after a restart", "/restarted_ms", 1000.0, "ms"),
    ("long_list", "10,000 attempts, slowest page, filter or part", "/slowest_ms", 1000.0, "ms"),
];

/// In the release build, or with `dev` in the quick one, whose figures mean nothing but that it works.
pub fn server(profile: Option<&str>) -> Done {
    let folder = match profile {
        None => "release",
        Some("dev") => "debug",
        Some(other) => return Err(format!("`{other}`: say `dev`, or nothing for the release build")),
    };
    let mut build = cargo();
    build.args(["build", "--package", "umpire-server"]);
    for example in EXAMPLES {
        build.args(["--example", example]);
    }
    if folder == "release" {
        build.arg("--release");
    }
    run(&mut build)?;
    let program = |name: &str| Command::new(target_dir().join(folder).join("examples").join(name));
    let voters = json_of(program("voters").args([STORED, SECONDS]))?;
    let viewers = json_of(program("viewers").arg(VIEWERS))?;
    let long_list = json_of(&mut program("long_list"))?;
    println!("\nserver: {STORED} votes stored, 100 a second for {SECONDS} s, then kill -9");
    println!("{:52} {:>12}   wanted", "", "measured");
    let mut missed = Vec::new();
    for (of, name, path, limit, unit) in WANTED {
        let told = match of {
            "voters" => &voters,
            "viewers" => &viewers,
            _ => &long_list,
        };
        let value = number(told, path)?;
        println!("{name:52} {value:>8.0} {unit:3}   ≤ {limit:.0}");
        if value > limit {
            missed.push(name);
        }
    }
    for (name, told, one, other) in [
        ("votes acknowledged and kept after kill -9", &voters, "/acknowledged", "/kept"),
        ("viewers that came and watch", &viewers, "/viewers", "/watching"),
        ("viewers that watch and are told", &viewers, "/watching", "/told"),
    ] {
        let (one, other) = (number(told, one)?, number(told, other)?);
        println!("{name:52} {one:>8.0}       = {other:.0}");
        if (one - other).abs() > 0.0 || one == 0.0 {
            missed.push(name);
        }
    }
    let arrived = number(&voters, "/arrived")?;
    let sent = 100.0 * SECONDS.parse::<f64>().unwrap_or(60.0);
    println!("{:52} {arrived:>8.0}       ≥ {sent:.0}", "votes that arrived within the minute");
    if arrived < sent {
        missed.push("votes that arrived");
    }
    told_all(&[&voters, &viewers, &long_list]);
    if missed.is_empty() { Ok(()) } else { Err(format!("missed: {}", missed.join("; "))) }
}

/// All that was measured, for whoever wants more of it.
fn told_all(all: &[&Value]) {
    println!();
    for one in all {
        println!("{one}");
    }
}
