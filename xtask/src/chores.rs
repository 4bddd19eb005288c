use std::process::Command;

use crate::setup::{Done, cargo, ensure_chromium, ensure_clients, ensure_databases, root, run, target_dir};

/// The README's first command.
pub fn demo(arguments: &[&str]) -> Done {
    ensure_chromium()?;
    run(cargo().args(["build", "--quiet", "--package", "umpire"]))?;
    run(Command::new(target_dir().join("debug/umpire")).current_dir(root()).arg("demo").args(arguments))
}

/// The README's second command.
pub fn test(arguments: &[&str]) -> Done {
    ensure_chromium()?;
    let clients = ensure_clients()?;
    ensure_databases()?;
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    run(cargo()
        .args(["test", "--workspace"])
        .args(arguments)
        .env("UMPIRE_TEST_CLIENTS", clients)
        .env("UMPIRE_TEST_DATABASES", "installed"))
}

/// The suites against their own agents: the oracle proves that every check can be met, the naive ones that none is
/// met by chance.
pub fn check_suites() -> Done {
    ensure_chromium()?;
    run(cargo().args(["build", "--quiet", "--release", "--package", "umpire"]))?;
    let out = target_dir().join("check-suites");
    let _ = std::fs::remove_dir_all(&out);
    let umpire = |agents: &str, filter: &str| {
        let mut command = Command::new(target_dir().join("release/umpire"));
        command
            .current_dir(root())
            .arg("--runs")
            .arg(&out)
            .args(["run", "--suite", "demo", "--agent", agents]);
        if !filter.is_empty() {
            command.args(["--filter", filter]);
        }
        command
    };
    run(umpire("oracle", "").args(["--gate", "success>=1"]))?;
    let naive = "yes,no,na,zero,empty,echo,numbers,random-clicker,link-follower,form-filler,fixed-navigation,\
                 screenshot-only";
    let output = umpire(naive, "kind!=navigate")
        .arg("--json")
        .output()
        .map_err(|error| format!("umpire could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the run of the naive agents ended with {}", output.status));
    }
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let events: Vec<serde_json::Value> =
        lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let finished: Vec<&serde_json::Value> =
        events.iter().filter(|event| event["event"] == "finished").collect();
    let passed: Vec<String> = finished
        .iter()
        .filter(|event| event["outcome"] == "pass")
        .map(|event| event["attempt"].to_string())
        .collect();
    let infra = finished.iter().filter(|event| event["outcome"] == "infra").count();
    println!("naive agents: {} attempts, {} passed, {infra} infra", finished.len(), passed.len());
    if finished.is_empty() || infra > 0 || !passed.is_empty() {
        return Err(format!("a check that a naive agent meets proves nothing: {}", passed.join(", ")));
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
