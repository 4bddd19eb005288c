//! Verdicts from recorded evidence: right after an attempt, or any time later.

use std::collections::HashMap;

use umpire_model::{Check, Instance, Manifest, NotRecorded, Outcome, Verdict};
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

/// Judges every finished attempt of a run again, save imported ones that no rule can judge. Beside each verdict stands the outcome it had before, if any.
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
            if !is_judgeable(instance, run.manifest()) {
                continue;
            }
            judged.push((judge(&attempt, instance, run)?, before.map(|verdict| verdict.outcome)));
        }
    }
    Ok(judged)
}

/// An attempt recorded elsewhere may have no checks, or checks of something its recorder did not look at. Absent
/// evidence is no evidence of absence: such an attempt has no verdict.
fn is_judgeable(instance: &Instance, manifest: &Manifest) -> bool {
    if manifest.imported.is_none() {
        return true;
    }
    let was_recorded = |check: &Check| match check {
        Check::Response(_) | Check::Undecidable(_) => true,
        Check::Network(_) | Check::Activity(_) => !manifest.lacks(NotRecorded::Network),
        Check::State(_) | Check::Backend(_) | Check::Reward(_) => !manifest.lacks(NotRecorded::State),
    };
    !instance.checks.is_empty() && instance.checks.iter().all(was_recorded)
}
