//! `umpire suite audit`: what is wrong with a task file's checks, before anybody runs an agent on it.

use serde_json::json;
use umpire_webarena::audit::{audit as audit_file, baselines};

use crate::args::AuditArgs;
use crate::exit::Exit;
use crate::failure::Failure;

pub fn audit(args: &AuditArgs, as_json: bool) -> Result<Exit, Failure> {
    let explain = |problem: String| Failure::new(format!("{}: {problem}", args.file.display()));
    let text = std::fs::read_to_string(&args.file).map_err(|error| explain(error.to_string()))?;
    let report = audit_file(&text).map_err(|error| explain(error.to_string()))?;
    // No model is at hand here; the report says so.
    let lower_bounds = args
        .baselines
        .then(|| baselines(&text, None))
        .transpose()
        .map_err(|error| explain(error.to_string()))?;
    if as_json {
        say!("{}", json!({"audit": report, "baselines": lower_bounds}));
        return Ok(Exit::Ok);
    }
    for finding in &report.findings {
        say!("{finding}");
    }
    say!("\n{}", report.to_string().trim_end());
    if let Some(lower_bounds) = lower_bounds {
        say!("\n{}", lower_bounds.to_string().trim_end());
    }
    Ok(Exit::Ok)
}
