//! How an initial state is brought about where the world cannot simply be made that way: by doing again what somebody
//! recorded, by a call, by a statement. All of it happens before an attempt's clock starts and before its evidence.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::BlobRef;

/// A recorded session to be done again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayedSession {
    /// Name of a session of the suite.
    pub session: String,
    /// What its controls are to be set to: `on`, `off`, `recorded`, or the name of an option.
    pub state: String,
}

/// How the initial states of a run are brought about where a task knows more than one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatesBy {
    /// The world is made that way: exact and instant.
    #[default]
    World,
    /// The task's recorded session is replayed, and the world must agree with the state it would have been given.
    Replay,
}

impl StatesBy {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What was done before an attempt to bring its initial state about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Staged {
    /// What was replayed or ordered, for people: `session social-close-friends for on`.
    pub what: String,
    /// Steps of a session, and how many of them changed something.
    #[serde(default)]
    pub steps: u32,
    #[serde(default)]
    pub changed: u32,
    /// Elements whose best recorded locator led nowhere, and how they were found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub healed: Vec<String>,
    /// Why the state was not reached, with a picture of the page at that moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<BlobRef>,
    pub took_ms: u64,
}

impl fmt::Display for Staged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.problem {
            Some(problem) => write!(f, ", not reached: {problem}"),
            None if self.steps > 0 => {
                write!(f, ", {} of {} steps changed something", self.changed, self.steps)
            }
            None => Ok(()),
        }
    }
}

/// Something a backend is told to do, where the user allows it: `writable = true` in `[backends.NAME]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetupOrder {
    /// Name of a connection: `[backends.NAME]` in the configuration.
    pub backend: String,
    pub order: BackendOrder,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackendOrder {
    Call(CallOrder),
    Sql(SqlOrder),
}

/// A REST call; an answer outside 200–299 means that the state was not reached. `{{account.user}}` and the like in path and
/// body are filled in from the task's account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallOrder {
    pub method: String,
    /// A path with its query, below the connection's URL.
    pub path: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub body: Value,
    /// Further statuses that mean the state is reached: 404 to what is to be gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_fine: Vec<u16>,
}

/// One statement that is carried out whole or not at all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SqlOrder {
    pub statement: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Value>,
    /// How many rows it must touch; any number if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
}
