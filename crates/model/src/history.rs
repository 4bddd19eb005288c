use serde::{Deserialize, Serialize};

use crate::Digest;

/// One look into the history of the person a task is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryAccess {
    /// The turn it was made in; 0 before the first.
    pub step: u32,
    pub scheme: HistoryScheme,
    pub query: String,
    /// Why it was wanted, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How entries were looked for: `lexical`, `dense`, `hybrid`.
    pub method: String,
    /// Best first.
    pub hits: Vec<HistoryHit>,
    /// What the agent made of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Why nothing was looked up, or no answer was made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub took_ms: u64,
}

impl HistoryAccess {
    /// What was shown to the agent.
    pub fn kept(&self) -> impl Iterator<Item = &HistoryHit> {
        self.hits.iter().filter(|hit| hit.text.is_some())
    }
}

/// An entry that a query brought up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryHit {
    /// Place in the history, from 0.
    pub id: usize,
    pub score: f64,
    /// The entry as the agent was shown it; absent if the score was too low for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// When an agent looks into a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HistoryScheme {
    /// Once, before the first turn: the task is said anew with what was found.
    PreExecution,
    /// In any turn, as it comes to need it.
    OnDemand,
    /// Never; it is told the facts themselves, which shows what retrieval costs.
    Profile,
}

impl HistoryScheme {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PreExecution => "pre-execution",
            Self::OnDemand => "on-demand",
            Self::Profile => "profile",
        }
    }
}

/// How histories may be asked in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistorySettings {
    /// `lexical`, `dense` or `hybrid`.
    pub method: String,
    /// What of an entry is searched: `type+object`, `all`.
    pub keys: String,
    /// Entries that a query brings up at most.
    pub most: usize,
    /// The least score of an entry that is shown; the method's own if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f32>,
    /// How often an attempt may ask.
    pub accesses: u32,
    /// The identity of the model that embedded the entries, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<Digest>,
    /// Of the histories that were brought along; absent where they are the suite's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub histories: Option<Digest>,
}
