//! Opinions of models on attempts: one vote a line, appended as it is cast.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{AttemptId, Digest, Spending, Usage, UsdMicros};

pub const VOTE_VERSION: u32 = 1;

/// What one judge with one model said of one attempt, once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vote {
    pub version: u32,
    pub attempt: AttemptId,
    /// The other attempt, for a judge that compares two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<AttemptId>,
    /// The try it speaks of: a vote on an `infra` try says nothing about the next.
    pub r#try: u32,
    pub judge: String,
    /// Of the judge's definition, prompts and way of reading, and of the model's configuration.
    pub digest: Digest,
    /// Of what was shown; the same judge looks again when the evidence is other.
    pub evidence: Digest,
    pub model: String,
    /// From 1.
    pub sample: u32,
    pub ruling: Ruling,
    /// One or a few sentences of the judge's own.
    pub reason: String,
    /// What the judge found beside the ruling, in its own shape.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub findings: Value,
    pub shown: Shown,
    pub calls: Vec<JudgeCall>,
}

/// What a vote, or all votes together, come to. Only the first two are opinions on the attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ruling {
    Pass,
    Fail,
    /// The judge says that it cannot tell, or the votes do not add up to one side.
    Abstained,
    /// There is no answer, or none that can be read: the judge's fault, never the attempt's.
    Error,
    /// The judge gives findings and no opinion.
    Noted,
}

impl Ruling {
    pub const ALL: [Self; 5] = [Self::Pass, Self::Fail, Self::Abstained, Self::Error, Self::Noted];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Abstained => "abstained",
            Self::Error => "error",
            Self::Noted => "noted",
        }
    }
}

impl std::fmt::Display for Ruling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// How much of the evidence a judge was shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// Screenshots that were taken.
    pub screenshots: u32,
    /// Of these, after identical and near-identical neighbours were collapsed.
    pub frames: u32,
    /// Screenshots that a model was asked about or given, all calls together.
    pub images: u32,
    /// What the plain pipeline would have shown: every screenshot to every call that looks at screenshots.
    pub plain_images: u32,
    /// Calls that the plain pipeline would have made.
    pub plain_calls: u32,
    /// Sentences in pages' and the agent's text that speak to a judge.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub canaries: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// One question to a model, and what it said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeCall {
    /// What was asked about: `key points`, `screenshot 3`, `outcome`.
    pub part: String,
    /// None if nothing came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// Why it could not be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Nothing for a reply from the cache; none if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<UsdMicros>,
}

impl Vote {
    /// What makes it this vote and no other: cast twice, it counts once.
    pub fn key(&self) -> VoteKey {
        VoteKey {
            attempt: self.attempt.clone(),
            against: self.against.clone(),
            r#try: self.r#try,
            judge: self.judge.clone(),
            digest: self.digest.clone(),
            evidence: self.evidence.clone(),
            model: self.model.clone(),
            sample: self.sample,
        }
    }

    pub fn spending(&self) -> Spending {
        let mut spending = Spending::default();
        for call in &self.calls {
            spending.calls += 1;
            spending.usage += call.usage.unwrap_or_default();
            match call.cost {
                Some(cost) => spending.cost = spending.cost.plus(cost),
                None => spending.unknown += 1,
            }
        }
        spending
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VoteKey {
    pub attempt: AttemptId,
    pub against: Option<AttemptId>,
    pub r#try: u32,
    pub judge: String,
    pub digest: Digest,
    pub evidence: Digest,
    pub model: String,
    pub sample: u32,
}
