//! `umpire suite audit`: what is wrong with a task file's checks, before anybody runs an agent on it.

use std::path::Path;

use serde_json::json;
use umpire_webarena::audit::{Knowledge, KnownAnswers, audit as audit_file, baselines};

use crate::args::AuditArgs;
use crate::exit::Exit;
use crate::failure::Failure;

pub fn audit(args: &AuditArgs, as_json: bool) -> Result<Exit, Failure> {
    let explain = |problem: String| Failure::new(format!("{}: {problem}", args.file.display()));
    let text = std::fs::read_to_string(&args.file).map_err(|error| explain(error.to_string()))?;
    let report = audit_file(&text).map_err(|error| explain(error.to_string()))?;
    let knowledge = args.knowledge.as_deref().map(known_answers).transpose()?;
    let knowledge = knowledge.as_ref().map(|answers| answers as &dyn Knowledge);
    let lower_bounds = args
        .baselines
        .then(|| baselines(&text, knowledge))
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

fn known_answers(path: &Path) -> Result<KnownAnswers, Failure> {
    let explain = |problem: String| Failure::new(format!("{}: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| explain(error.to_string()))?;
    KnownAnswers::parse(&text).map_err(|error| explain(error.to_string()))
}
