//! What was written about attempts that went wrong.

use serde::{Deserialize, Serialize};
use umpire_arena::{Ballot, Side};
use umpire_model::{FailureCategory, HumanLabel, Outcome, Ruling, StepVerdict, Success, Verdict, Vote};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonSource {
    /// An annotator's label.
    Label,
    /// A visitor of the arena.
    Ballot,
    /// A model that judged.
    Vote,
    /// The rules.
    Rules,
}

/// One reason, in somebody's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub source: ReasonSource,
    pub agent: String,
    /// The attempt, or the battle.
    pub about: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<FailureCategory>,
}

/// A category that was ticked without a word says what its name says.
fn words(text: &str, categories: &[FailureCategory]) -> String {
    let text = text.trim();
    if !text.is_empty() {
        return text.to_owned();
    }
    let named = categories.iter().map(|category| {
        let name = category.to_string();
        name.rsplit('/').next().unwrap_or_default().replace('-', " ")
    });
    named.collect::<Vec<_>>().join(", ")
}

fn told(reason: Reason) -> Option<Reason> {
    (!reason.text.is_empty()).then_some(reason)
}

/// What an annotator says about steps that were wrong, and about an attempt that failed.
pub fn reasons_of_label(label: &HumanLabel) -> Vec<Reason> {
    let reason = |step: Option<u32>, text: &str, categories: &[FailureCategory]| {
        told(Reason {
            source: ReasonSource::Label,
            agent: label.attempt.agent.clone(),
            about: label.attempt.to_string(),
            step,
            text: words(text, categories),
            categories: categories.to_vec(),
        })
    };
    let failed = matches!(label.success, Some(Success::Failure)) || !label.failures.is_empty();
    let whole = failed.then(|| reason(None, &label.text, &label.failures)).flatten();
    let steps = label.steps.iter().filter(|step| step.verdict == StepVerdict::Wrong);
    steps.filter_map(|step| reason(Some(step.step), &step.text, &step.failures)).chain(whole).collect()
}

/// What a visitor of the arena says about steps that were wrong.
pub fn reasons_of_ballot(ballot: &Ballot) -> Vec<Reason> {
    let wrong = ballot.annotations.iter().filter(|step| step.verdict == StepVerdict::Wrong);
    wrong
        .filter_map(|step| {
            told(Reason {
                source: ReasonSource::Ballot,
                agent: if step.side == Side::Left { ballot.left.clone() } else { ballot.right.clone() },
                about: ballot.battle.to_string(),
                step: Some(step.step),
                text: words(&step.text, &step.failures),
                categories: step.failures.clone(),
            })
        })
        .collect()
}

/// Why a model says that an attempt failed.
pub fn reasons_of_vote(vote: &Vote) -> Option<Reason> {
    if vote.ruling != Ruling::Fail || vote.against.is_some() {
        return None;
    }
    told(Reason {
        source: ReasonSource::Vote,
        agent: vote.attempt.agent.clone(),
        about: vote.attempt.to_string(),
        step: None,
        text: words(&vote.reason, &[]),
        categories: Vec::new(),
    })
}

/// Why the rules say so. `infra` is the harness's failure, not the agent's.
pub fn reasons_of_verdict(verdict: &Verdict) -> Option<Reason> {
    if matches!(verdict.outcome, Outcome::Pass | Outcome::Infra | Outcome::Invalid) {
        return None;
    }
    told(Reason {
        source: ReasonSource::Rules,
        agent: verdict.attempt.agent.clone(),
        about: verdict.attempt.to_string(),
        step: None,
        text: words(&verdict.reason, &[]),
        categories: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use umpire_model::StepLabel;

    use super::*;

    #[test]
    fn labels_tell_of_wrong_steps_and_of_failures() {
        let mut label = HumanLabel::empty("kite/t1/1".parse().expect("an attempt"), 1, "Buy a lamp");
        let step = |step, verdict, text: &str| StepLabel {
            step,
            verdict,
            failures: Vec::new(),
            text: text.to_owned(),
        };
        label.steps = vec![
            step(1, StepVerdict::Ok, "fine"),
            step(2, StepVerdict::Wrong, " clicked the advert "),
            step(3, StepVerdict::Wrong, ""),
        ];
        label.text = "well done".to_owned();
        let texts = |label: &HumanLabel| {
            reasons_of_label(label).into_iter().map(|r| (r.step, r.text)).collect::<Vec<_>>()
        };
        assert_eq!(
            texts(&label),
            [(Some(2), "clicked the advert".to_owned())],
            "praise is no reason for a failure"
        );
        label.success = Some(Success::Failure);
        label.failures = vec!["browserarena/pop-up-banner".parse().expect("known")];
        label.text.clear();
        assert_eq!(texts(&label)[1], (None, "pop up banner".to_owned()));
    }
}
