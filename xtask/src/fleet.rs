//! The fleet at scale, with attempts that only wait: `simulate` and `bench fleet`. Both are tests of the fleet's room that
//! nobody runs by accident.

use std::process::Command;

use crate::setup::{Done, cargo, ensure_databases, run};

/// `--attempts N --workers N --deaths N`, each with a default.
pub fn simulate(arguments: &[&str]) -> Done {
    ensure_databases()?;
    let mut command = ignored_test("simulate::simulate");
    for pair in arguments.chunks(2) {
        let (["--attempts" | "--workers" | "--deaths", number], Ok(_)) =
            (pair, pair.last().unwrap_or(&"").parse::<usize>())
        else {
            return Err("cargo xtask simulate [--attempts N] [--workers N] [--deaths A_SECOND]".to_owned());
        };
        let name = pair[0].trim_start_matches('-').to_uppercase();
        command.env(format!("UMPIRE_SIMULATE_{name}"), number);
    }
    run(&mut command)
}

pub fn bench() -> Done {
    ensure_databases()?;
    run(&mut ignored_test("simulate::bench"))
}

fn ignored_test(name: &str) -> Command {
    let mut command = cargo();
    command.args(["test", "--quiet", "--release", "--package", "umpire-fleet", "--test", "fleet", "--"]);
    command.args(["--ignored", "--exact", name, "--nocapture"]);
    command
}
