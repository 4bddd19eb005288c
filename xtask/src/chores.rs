use std::process::Command;

use crate::setup::{Done, cargo, ensure_chromium, root, run, target_dir};

/// The README's first command.
pub fn demo(arguments: &[&str]) -> Done {
    ensure_chromium()?;
    run(cargo().args(["build", "--quiet", "--package", "umpire"]))?;
    run(Command::new(target_dir().join("debug/umpire")).current_dir(root()).arg("demo").args(arguments))
}

/// The intervals of the statistics against simulated truths.
pub fn coverage() -> Done {
    let slow = ["--test", "stats", "--", "coverage::", "--ignored", "--nocapture"];
    run(cargo().args(["test", "--release", "--package", "umpire-stats"]).args(slow))
}

/// Arbitrary bytes for every reader of what others wrote, for so many seconds each. Coverage needs compiler flags that
/// are not stable; the variable lets the one toolchain at hand use them.
pub fn fuzz(arguments: &[&str]) -> Done {
    let seconds = arguments.first().copied().unwrap_or("60");
    seconds.parse::<u32>().map_err(|_| format!("`{seconds}` is not a number of seconds"))?;
    let installed = cargo().args(["fuzz", "--version"]).output().is_ok_and(|out| out.status.success());
    if !installed {
        run(cargo().args(["install", "--locked", "cargo-fuzz"]))?;
    }
    let targets: Vec<&str> = match arguments.get(1..) {
        Some(named) if !named.is_empty() => named.to_vec(),
        _ => vec!["response", "har", "values", "url_patterns", "task_files", "run_files"],
    };
    for target in targets {
        let mut fuzz = cargo();
        fuzz.current_dir(root()).env("RUSTC_BOOTSTRAP", "1").args(["fuzz", "run", target, "--"]);
        // Seconds by the clock, so that a busy machine finds nothing that is not there; and a gigabyte.
        run(fuzz.args([&format!("-max_total_time={seconds}"), "-timeout=10", "-rss_limit_mb=1024"]))?;
    }
    Ok(())
}

/// Licences, sources and bans. The advisory database lives on the open internet, so it is not part of this.
pub fn deny() -> Done {
    let installed = cargo().args(["deny", "--version"]).output().is_ok_and(|out| out.status.success());
    if !installed {
        run(cargo().args(["install", "--locked", "cargo-deny"]))?;
    }
    run(cargo().args(["deny", "check", "bans", "licenses", "sources"]))
}
