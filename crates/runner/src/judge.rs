//! Verdicts from recorded evidence: right after an attempt, or any time later.

use std::collections::HashMap;

use umpire_model::{Instance, Outcome, Verdict};
use umpire_store::{AttemptDir, Run, Status, StoreError};

#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the run has an attempt at `{0}`, which its own instances do not list")]
    Stranger(String),
}

/// Judges the last try of an attempt and files the verdict.
pub(crate) fn judge(attempt: &AttemptDir, instance: &Instance, run: &Run) -> Result<Verdict, StoreError> {
    let trajectory = attempt.read()?;
    let verdict = umpire_rules::evaluate(attempt.id(), instance, &trajectory, &run.blobs());
    attempt.append_verdict(&verdict)?;
    Ok(verdict)
}

/// Judges every finished attempt of a run again. Beside each verdict stands the outcome it had before, if any.
pub fn evaluate(run: &Run) -> Result<Vec<(Verdict, Option<Outcome>)>, JudgeError> {
    let _lock = run.lock()?;
    let instances: HashMap<String, Instance> =
        run.expectations()?.into_iter().map(|instance| (instance.id.clone(), instance)).collect();
    let mut judged = Vec::new();
    for id in run.planned()? {
        let attempt = run.attempt(&id);
        if let Status::Ended { verdict: before, .. } = attempt.status()? {
            let instance =
                instances.get(&id.instance).ok_or_else(|| JudgeError::Stranger(id.instance.clone()))?;
            judged.push((judge(&attempt, instance, run)?, before.map(|verdict| verdict.outcome)));
        }
    }
    Ok(judged)
}
