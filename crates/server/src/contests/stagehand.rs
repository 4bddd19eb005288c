//! What the arena needs from whoever can run agents. The pages know neither browsers nor agents: they ask, and read what
//! was recorded, as for every other run.

use std::fmt;
use std::pin::Pin;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::oneshot;
use umpire_model::{AttemptId, RunId, TaskKind};

/// What a visitor wants two agents to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Wish {
    /// In the visitor's own words. No rule can check it: the vote is its outcome.
    Own { text: String, kind_of_work: TaskKind, start_url: String },
    /// A task of a suite, drawn for the visitor.
    Drawn { suite: String, instance: String },
}

/// A wish and the two who are to fulfil it.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Names the battle, so that no two contests share a run.
    pub battle: String,
    pub wish: Wish,
    pub agents: [String; 2],
    pub seed: u64,
}

/// Where both attempts are recorded, in the order of the contest's agents. Told before anything is written there.
#[derive(Clone, Debug)]
pub struct Begun {
    pub run: RunId,
    pub attempts: [AttemptId; 2],
}

/// Why a contest came to nothing, in words for the visitor: no fault of either agent.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unplayed(pub String);

/// Ends when both attempts have ended. Dropped, it ends them.
pub type Playing = Pin<Box<dyn Future<Output = Result<(), Unplayed>> + Send>>;

/// Runs contests.
pub trait Stagehand: fmt::Debug + Send + Sync {
    fn offers(&self) -> &Offers;
    fn play(&self, contest: Contest, begun: oneshot::Sender<Begun>) -> Playing;
}

/// What visitors may choose from.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    pub sites: Vec<OfferedSite>,
    pub suites: Vec<OfferedSuite>,
    /// Visitors may ask in their own words.
    pub own_tasks: bool,
    /// And begin at an address of their own, on a host that the rules allow.
    pub elsewhere: bool,
}

/// A built-in website that a task may begin at.
#[derive(Clone, Debug)]
pub struct OfferedSite {
    pub name: String,
    pub url: String,
}

#[derive(Clone, Debug)]
pub struct OfferedSuite {
    pub name: String,
    pub description: String,
    pub tasks: Vec<OfferedTask>,
}

#[derive(Clone, Debug)]
pub struct OfferedTask {
    /// The instance's id.
    pub id: String,
    pub intent: String,
    /// What leaderboards are filtered by.
    pub kind: String,
}

impl Offers {
    pub(crate) fn suite(&self, name: &str) -> Option<&OfferedSuite> {
        self.suites.iter().find(|suite| suite.name == name)
    }

    pub(crate) fn site(&self, name: &str) -> Option<&OfferedSite> {
        self.sites.iter().find(|site| site.name == name)
    }
}

/// What an operator's own moderation says, unread: a command's output or an endpoint's answer.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<String, String>> + Send + 'a>>;

/// An operator's own look at a task before it is queued.
pub trait Moderator: fmt::Debug + Send + Sync {
    /// `request` is a JSON object with `version`, `task` and `start_url`.
    fn ask(&self, request: Value) -> Answering<'_>;
}
