use umpire_store::{Merged, Run, Runs};

use crate::args::{Global, MergeArgs};
use crate::exit::Exit;
use crate::failure::Failure;

/// As many attempts as one reads.
const SHOWN: usize = 10;

pub fn merge(args: &MergeArgs, global: &Global, runs: &Runs) -> Result<Exit, Failure> {
    let copies = args.folders.iter().map(|folder| Run::at(folder)).collect::<Result<Vec<_>, _>>()?;
    let (run, merged) = runs.merge(&copies)?;
    if global.json {
        let mut told = serde_json::to_value(&merged).unwrap_or_default();
        told["run"] = run.manifest().run.as_str().into();
        say!("{told}");
    } else {
        tell(&run, &merged);
    }
    Ok(match (merged.damaged.is_empty(), merged.open) {
        (false, _) => Exit::BadInput,
        (true, 0) => Exit::Ok,
        (true, _) => Exit::Incomplete,
    })
}

fn tell(run: &Run, merged: &Merged) {
    let Merged { taken, known, made_twice, damaged, labels, open } = merged;
    let name = &run.manifest().run;
    say!("run {name}: {taken} attempts taken over, {known} known already, {labels} new labels");
    if !made_twice.is_empty() {
        say!("{} attempts were made twice; the first copy's stand:", made_twice.len());
        for id in made_twice.iter().take(SHOWN) {
            say!("  {id}");
        }
    }
    if !damaged.is_empty() {
        say!("{} attempts are damaged and were left out:", damaged.len());
        for (id, problem) in damaged.iter().take(SHOWN) {
            say!("  {id}: {problem}");
        }
        say!("    next: umpire doctor FOLDER says more");
    }
    match open {
        0 => say!("all {} attempts have ended\n    next: umpire report {name}", run.manifest().planned()),
        open => say!("{open} of {} attempts have not ended", run.manifest().planned()),
    }
}
