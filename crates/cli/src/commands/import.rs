//! `umpire import`: trajectories recorded elsewhere, as a run.

use serde_json::json;
use umpire_exchange::{Import, ImportError, ImportReport, Problem, import as import_run};
use umpire_runner::load_suite;
use umpire_store::Runs;

use crate::args::ImportRunArgs;
use crate::exit::Exit;
use crate::failure::Failure;

/// More problems than this are counted, not listed.
const LISTED: usize = 50;

pub fn import(args: &ImportRunArgs, as_json: bool, runs: &Runs) -> Result<Exit, Failure> {
    let suite = args.suite.as_deref().map(load_suite).transpose()?;
    let request = Import {
        format: args.format,
        path: &args.path,
        agent: args.agent.as_deref(),
        suite: suite.as_ref(),
        strict: args.strict,
        now: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        rules_digest: umpire_rules::digest(),
    };
    let report = import_run(&request, runs).map_err(|error| explained(&error))?;
    if as_json {
        say!("{}", in_json(&report));
    } else {
        in_words(&report, args);
    }
    Ok(if report.left_out.is_empty() { Exit::Ok } else { Exit::BadInput })
}

fn in_words(report: &ImportReport, args: &ImportRunArgs) {
    let manifest = report.run.manifest();
    say!("{} attempts imported as run {}", report.attempts.len(), manifest.run);
    if let Some(imported) = &manifest.imported {
        say!("    not recorded: {}", imported.lacking());
        for remark in imported.remarks.iter().take(LISTED) {
            say!("    {remark}");
        }
        more(imported.remarks.len());
    }
    if !report.left_out.is_empty() {
        say!("{} attempts left out:", report.left_out.len());
        for problem in report.left_out.iter().take(LISTED) {
            say!("    {problem}");
            say!("        {}", problem.remedy);
        }
        more(report.left_out.len());
    }
    let next = if args.suite.is_some() { "evaluate" } else { "report" };
    say!("    next: umpire {next} {}", manifest.run);
}

fn more(count: usize) {
    if count > LISTED {
        say!("    and {} more", count - LISTED);
    }
}

fn in_json(report: &ImportReport) -> serde_json::Value {
    let problem = |problem: &Problem| json!({"file": problem.file, "line": problem.line, "problem": problem.what, "remedy": problem.remedy});
    json!({
        "run": report.run.manifest().run,
        "attempts": report.attempts,
        "imported": report.run.manifest().imported,
        "left_out": report.left_out.iter().map(problem).collect::<Vec<_>>(),
    })
}

fn explained(error: &ImportError) -> Failure {
    let remedy = match error {
        ImportError::Strict(problem) => Some(problem.remedy.clone()),
        ImportError::AllLeftOut { first, .. } => Some(first.remedy.clone()),
        ImportError::Nothing { .. } => Some("point at the folder that holds the attempts".to_owned()),
        _ => None,
    };
    let failure = Failure::new(error.to_string());
    match remedy {
        Some(remedy) => failure.help(remedy),
        None => failure,
    }
}
