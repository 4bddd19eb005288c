//! How an initial state is brought about where the world cannot simply be made that way: by doing again what somebody
//! recorded, by a call, by a statement. All of it happens before an attempt's clock starts and before its evidence.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A recorded session to be done again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayedSession {
    /// The session's file, relative to `suite.toml`.
    pub session: String,
    /// What its controls are to be set to: `on`, `off`, `recorded`, or the name of an option.
    pub state: String,
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

/// A REST call; an answer outside 200–299 means that the state was not reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallOrder {
    pub method: String,
    /// A path with its query, below the connection's URL.
    pub path: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub body: Value,
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
