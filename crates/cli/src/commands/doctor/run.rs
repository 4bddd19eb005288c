//! Looks through a run's files for damage, says what it means, and mends what can be mended.

use std::path::{Path, PathBuf};

use serde::Serialize;
use umpire_runner::evaluate;
use umpire_store::{Condition, Damage, Effect, Mended, Run, Runs, inspect};

use crate::args::{DoctorArgs, Global};
use crate::exit::Exit;
use crate::failure::Failure;

/// As many findings as one reads; `--json` has them all.
const SHOWN: usize = 20;

/// What there is to tell.
#[derive(Serialize)]
struct Told<'a> {
    run: &'a str,
    #[serde(flatten)]
    condition: &'a Condition,
    #[serde(skip_serializing_if = "Option::is_none")]
    mended: Option<&'a Mended>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judged_again: Option<usize>,
}

pub fn run(wanted: &str, args: &DoctorArgs, global: &Global, runs: &Runs) -> Result<Exit, Failure> {
    let folder = folder_of(wanted, runs)?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let found = inspect(&folder)?;
    if !args.mend {
        let told = Told { run: &name, condition: &found, mended: None, judged_again: None };
        say_condition(&told, global.json);
        return Ok(exit_for(&found));
    }
    if !global.json {
        say_counts(&name, &found);
        say_damages(&found.damages);
    }
    let (mended, after) = found.mend(&folder)?;
    let needs_judging = |damage: &Damage| damage.effect == Effect::NoVerdict;
    let (after, judged_again) = if after.damages.iter().any(needs_judging) {
        let judged = evaluate(&Run::at(&folder)?)?.len();
        (inspect(&folder)?, Some(judged))
    } else {
        (after, None)
    };
    if global.json {
        let told = Told { run: &name, condition: &after, mended: Some(&mended), judged_again };
        say!("{}", serde_json::to_string(&told).unwrap_or_default());
    } else {
        say_mended(&mended, judged_again, &after);
    }
    Ok(exit_for(&after))
}

fn exit_for(condition: &Condition) -> Exit {
    if condition.is_sound() { Exit::Ok } else { Exit::BadInput }
}

/// A run by its name or the beginning of it, readable or not, or any folder that holds one.
fn folder_of(wanted: &str, runs: &Runs) -> Result<PathBuf, Failure> {
    let named = runs.root().join(wanted);
    let is_name = !wanted.is_empty() && Path::new(wanted).components().count() == 1;
    if is_name && named.is_dir() {
        return Ok(named);
    }
    let path = Path::new(wanted);
    let looks_like_a_run = ["manifest.json", "instances.json", "attempts"];
    if path.is_dir() && looks_like_a_run.iter().any(|inside| path.join(inside).exists()) {
        return path.canonicalize().map_err(|error| Failure::new(format!("{wanted}: {error}")));
    }
    Ok(runs.open(wanted)?.folder().to_owned())
}

fn say_condition(told: &Told<'_>, as_json: bool) {
    if as_json {
        say!("{}", serde_json::to_string(told).unwrap_or_default());
        return;
    }
    say_counts(told.run, told.condition);
    say_damages(&told.condition.damages);
    let can_be_mended = |damage: &Damage| !damage.is_harmless() && damage.effect != Effect::Newer;
    if told.condition.damages.iter().any(can_be_mended) {
        say!("    next: umpire doctor {} --mend", told.run);
    }
}

fn say_counts(run: &str, condition: &Condition) {
    let Condition { planned, ended, interrupted, blobs, .. } = condition;
    say!(
        "run {run}: {planned} attempts planned, {ended} ended, {interrupted} interrupted; {blobs} blobs read"
    );
    if condition.damages.is_empty() {
        say!("everything is as it was written");
    } else if condition.is_sound() {
        say!("everything that counts is as it was written");
    }
}

fn say_damages(damages: &[Damage]) {
    let mut sorted: Vec<&Damage> = damages.iter().collect();
    sorted.sort_by_key(|damage| damage.is_harmless());
    for damage in sorted.iter().take(SHOWN) {
        let mark = if damage.is_harmless() { "note  " } else { "DAMAGE" };
        say!("{mark} {}: {}", damage.file.display(), damage.what);
        say!("       → {}", damage.effect);
    }
    if let Some(more) = sorted.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        say!("       and {more} more; --json has them all");
    }
}

fn say_mended(mended: &Mended, judged_again: Option<usize>, after: &Condition) {
    say!("");
    if mended.blobs > 0 {
        say!("restored {} blobs that other runs here have as well", mended.blobs);
    }
    for attempt in &mended.attempts {
        say!("set aside {attempt}");
    }
    for file in &mended.files {
        say!("set aside {}", file.display());
    }
    if let Some(judged) = judged_again {
        say!("judged {judged} attempts again by rule");
    }
    let plan_is_gone = after.damages.iter().any(|damage| damage.effect == Effect::Plan);
    if plan_is_gone || !mended.attempts.is_empty() {
        say!("    next: the command that began the run goes on with it");
    } else if after.is_sound() {
        say!("everything that counts is as it was written");
    } else {
        say_damages(&after.damages);
    }
}
