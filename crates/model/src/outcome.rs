use std::fmt;

use serde::{Deserialize, Serialize};

/// The one result of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Every check held.
    Pass,
    /// The agent finished, or gave up, and some check did not hold.
    Fail,
    /// The attempt's time ran out.
    Timeout,
    /// The agent used up its counted actions (or, with a model, its money).
    Budget,
    /// The site kept the agent out: a captcha, a wall, a refused login.
    Blocked,
    /// The task cannot be scored: its checks are broken or cannot be met.
    Invalid,
    /// Browser, world, disk or network of the harness failed; says nothing about the agent.
    Infra,
}

impl Outcome {
    pub const ALL: [Self; 7] =
        [Self::Pass, Self::Fail, Self::Timeout, Self::Budget, Self::Blocked, Self::Invalid, Self::Infra];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Timeout => "timeout",
            Self::Budget => "budget",
            Self::Blocked => "blocked",
            Self::Invalid => "invalid",
            Self::Infra => "infra",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
