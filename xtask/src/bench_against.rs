//! A run on this machine beside the same run by an earlier revision: what was added since may not cost those who do not
//! use it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::setup::{Done, build_release, cargo, ensure_chromium, root, run, target_dir};

/// The last revision without a fleet.
const BEFORE_THE_FLEET: &str = "c80f553";
/// Both sides take turns, so that a busy moment of the machine hits neither alone.
const TURNS: usize = 7;
/// Noise of two runs of the same program.
const MOST: f64 = 1.05;

/// Of release builds, or with `dev` of quick ones: the ratio is of two builds of one kind either way.
pub fn against(arguments: &[&str]) -> Done {
    let (revision, is_dev) = match arguments {
        [] => (BEFORE_THE_FLEET, false),
        ["dev"] => (BEFORE_THE_FLEET, true),
        [revision] => (*revision, false),
        [revision, "dev"] => (*revision, true),
        _ => return Err("cargo xtask bench against [REVISION] [dev]".to_owned()),
    };
    ensure_chromium()?;
    if is_dev {
        run(cargo().args(["build", "--quiet", "--package", "umpire"]))?;
    } else {
        build_release()?;
    }
    let folder = if is_dev { "debug" } else { "release" };
    let before = build(revision, is_dev)?.join(folder).join("umpire");
    let today = target_dir().join(folder).join("umpire");
    let (mut now_s, mut then_s) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        then_s.push(seconds(&before)?);
        now_s.push(seconds(&today)?);
    }
    let (now, then) = (median(&mut now_s), median(&mut then_s));
    println!(
        "\nsuite smoke with the oracle, median of {TURNS} turns: {now:.2} s; at {revision} {then:.2} s; ratio {:.2} (wanted ≤ {MOST})",
        now / then
    );
    if now / then <= MOST { Ok(()) } else { Err("missed: slower than before".to_owned()) }
}

/// Builds the program as it was, by the compiler's settings of today; says where it was built.
fn build(revision: &str, is_dev: bool) -> Result<PathBuf, String> {
    let folder = target_dir().join("against");
    let (tree, target) = (folder.join("tree"), folder.join("target"));
    let git = || {
        let mut git = Command::new("git");
        git.current_dir(root());
        git
    };
    if !tree.exists() {
        run(git().args(["worktree", "add", "--detach", "--force"]).arg(&tree).arg(revision))?;
    }
    run(git().arg("-C").arg(&tree).args(["checkout", "--quiet", "--detach", revision]))?;
    let mut build = cargo();
    build.current_dir(&tree).env("CARGO_TARGET_DIR", &target).args([
        "build",
        "--quiet",
        "--package",
        "umpire",
    ]);
    if !is_dev {
        build.args(["--release", "--config", "profile.release.lto='fat'"]);
        build.args(["--config", "profile.release.codegen-units=1"]);
    }
    run(&mut build)?;
    Ok(target)
}

fn seconds(program: &Path) -> Result<f64, String> {
    let out = target_dir().join("against/runs");
    let _ = std::fs::remove_dir_all(&out);
    let mut umpire = Command::new(program);
    umpire.arg("--runs").arg(&out).args(["run", "--suite", "smoke", "--agent", "oracle", "--json"]);
    let started = Instant::now();
    run(umpire.stdout(Stdio::null()))?;
    Ok(started.elapsed().as_secs_f64())
}

fn median(seconds: &mut [f64]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
