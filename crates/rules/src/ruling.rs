//! What a check comes to, before it is written into a verdict.

/// A check that could be decided.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    Held {
        found: String,
        evidence: Vec<u64>,
    },
    Failed {
        found: String,
        /// Stands alone in a table: `answer: expected 19.99, got 24.99`.
        reason: String,
        evidence: Vec<u64>,
    },
}

/// A check that could not be decided, and whose fault that is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Undecided {
    /// The check makes no sense: a bad pattern or pointer, an unknown type, a site the world does not have.
    /// No run could be judged by it, so the attempt is `invalid`.
    #[error("the check is broken: {0}")]
    Broken(String),
    /// The harness owes evidence it does not have: no state recorded, a blob that cannot be read, requests lost.
    /// That says nothing about the agent, so the attempt is `infra`.
    #[error("evidence is missing: {0}")]
    NoEvidence(String),
}
