use umpire_runner::evaluate as judge_again;
use umpire_store::Run;

use crate::exit::Exit;
use crate::failure::Failure;

/// Judges every finished attempt again from its evidence and reports what changed.
pub fn evaluate(run: &Run, as_json: bool) -> Result<Exit, Failure> {
    let judged = judge_again(run)?;
    let changed =
        judged.iter().filter(|(verdict, before)| before.is_some_and(|b| b != verdict.outcome)).count();
    if as_json {
        for (verdict, _) in &judged {
            say!("{}", serde_json::to_string(verdict).unwrap_or_default());
        }
        return Ok(Exit::Ok);
    }
    say!("judged {} attempts of run {} by rule", judged.len(), run.manifest().run);
    if run.manifest().imported.is_some() && judged.len() < run.manifest().planned() {
        say!(
            "the others have no checks, or checks of what was not recorded; `umpire import --suite` gives attempts the checks of their tasks"
        );
    }
    for (verdict, before) in &judged {
        if let Some(before) = before.filter(|before| *before != verdict.outcome) {
            say!("  {}: {before} → {}  {}", verdict.attempt, verdict.outcome, verdict.reason);
        }
    }
    if changed == 0 {
        say!("no outcome changed");
    }
    Ok(if judged.is_empty() { Exit::NothingRan } else { Exit::Ok })
}
