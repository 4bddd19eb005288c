use serde::{Deserialize, Serialize};

use crate::{AttemptId, Digest, Outcome};

pub const VERDICT_VERSION: u32 = 1;

/// One opinion on one attempt. It holds no time and no random part: the same evidence gives the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    pub version: u32,
    pub attempt: AttemptId,
    /// Who decided: `rules` here; a model or a person elsewhere.
    pub by: String,
    /// Digest of the rules or prompt that decided.
    pub digest: Digest,
    pub outcome: Outcome,
    /// One sentence for a table.
    pub reason: String,
    /// How the response was given, where that was not as asked for; counted apart from what it said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_form: Option<ResponseForm>,
    pub checks: Vec<CheckResult>,
}

/// A response that is not the JSON object alone, although there is one in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResponseForm {
    /// After a byte order mark.
    Bom,
    /// In a code fence.
    Fenced,
    /// With other text around it.
    Prose,
}

impl ResponseForm {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bom => "bom",
            Self::Fenced => "fenced",
            Self::Prose => "prose",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckResult {
    /// `response`, `network`, `state`, `backend`, `activity`, `reward`, `undecidable`.
    pub kind: String,
    /// The condition, in words.
    pub expected: String,
    pub held: bool,
    /// What was found instead, or what satisfied it.
    pub found: String,
    /// Sequence numbers of the journal events this rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<u64>,
}
