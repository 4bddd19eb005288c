//! What the files of a run tell of failures: the one place here that opens any.

use serde_json::Value;
use umpire_model::{AttemptId, BlobRef, BlobSource as _, standing_labels};
use umpire_store::{Run, StoreError};

use crate::by_rule::{Attempt, Findings, findings_by_rule};
use crate::reasons::{Reason, ReasonSource, reasons_of_label, reasons_of_verdict, reasons_of_vote};

/// From these sources: the labels that stand, and of these attempts all votes and the newest verdict by rule.
pub fn reasons_of_run(
    run: &Run,
    attempts: &[AttemptId],
    from: &[ReasonSource],
) -> Result<Vec<Reason>, StoreError> {
    let mut reasons = Vec::new();
    if from.contains(&ReasonSource::Label) {
        let labels = run.labels()?;
        reasons.extend(standing_labels(&labels).into_iter().flat_map(reasons_of_label));
    }
    for attempt in attempts {
        let folder = run.attempt(attempt);
        if from.contains(&ReasonSource::Vote) {
            reasons.extend(folder.votes()?.iter().filter_map(reasons_of_vote));
        }
        if from.contains(&ReasonSource::Rules) {
            let last = folder.verdicts()?.into_iter().rfind(|filed| filed.verdict.by == "rules");
            reasons.extend(last.and_then(|filed| reasons_of_verdict(&filed.verdict)));
        }
    }
    Ok(reasons)
}

/// What became of an attempt, by its record.
pub fn findings_of_attempt(run: &Run, id: &AttemptId) -> Result<Findings, StoreError> {
    let folder = run.attempt(id);
    let trajectory = folder.read()?;
    let blobs = run.blobs();
    let state =
        |blob: Option<&BlobRef>| -> Option<Value> { serde_json::from_slice(&blobs.read(blob?).ok()?).ok() };
    let tries = trajectory.tries;
    let verdict =
        folder.verdicts()?.into_iter().rfind(|filed| filed.verdict.by == "rules" && filed.r#try == tries);
    let before = state(trajectory.state_before());
    let after = state(trajectory.state_after().map(|(_, blob)| blob));
    Ok(findings_by_rule(&Attempt {
        trajectory: &trajectory,
        outcome: verdict.map(|filed| filed.verdict.outcome),
        state_before: before.as_ref(),
        state_after: after.as_ref(),
        start_url: None,
    }))
}
