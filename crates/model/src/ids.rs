use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A name that is not safe as part of a path.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "`{0}` is not a name: use letters, digits, `.`, `_`, `-`, `+` and `@`, starting with a letter or digit"
)]
pub struct BadName(pub String);

pub(crate) fn check_name(text: &str) -> Result<(), BadName> {
    let first_ok = text.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
    let rest_ok = text.chars().all(|c| c.is_ascii_alphanumeric() || "._-+@".contains(c));
    if first_ok && rest_ok && text.len() <= 120 { Ok(()) } else { Err(BadName(text.to_owned())) }
}

/// Name of a run; also its folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

impl RunId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RunId {
    type Error = BadName;
    fn try_from(text: String) -> Result<Self, BadName> {
        check_name(&text)?;
        Ok(Self(text))
    }
}

impl FromStr for RunId {
    type Err = BadName;
    fn from_str(text: &str) -> Result<Self, BadName> {
        Self::try_from(text.to_owned())
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> Self {
        id.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Agent × instance × trial. Written `agent/instance/3`, which is also its folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AttemptId {
    pub agent: String,
    pub instance: String,
    pub trial: u32,
}

impl AttemptId {
    pub fn new(agent: &str, instance: &str, trial: u32) -> Result<Self, BadName> {
        check_name(agent)?;
        check_name(instance)?;
        Ok(Self { agent: agent.to_owned(), instance: instance.to_owned(), trial })
    }
}

impl fmt::Display for AttemptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.agent, self.instance, self.trial)
    }
}

impl FromStr for AttemptId {
    type Err = BadName;
    fn from_str(text: &str) -> Result<Self, BadName> {
        let bad = || BadName(text.to_owned());
        let mut parts = text.split('/');
        let (Some(agent), Some(instance), Some(trial), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(bad());
        };
        Self::new(agent, instance, trial.parse().map_err(|_| bad())?)
    }
}

impl TryFrom<String> for AttemptId {
    type Error = BadName;
    fn try_from(text: String) -> Result<Self, BadName> {
        text.parse()
    }
}

impl From<AttemptId> for String {
    fn from(id: AttemptId) -> Self {
        id.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_leave_their_folder_are_refused() {
        for bad in ["", "..", ".hidden", "a/b", "a b", "-x", "a\u{0}", "é"] {
            assert!(RunId::from_str(bad).is_err(), "{bad:?} was accepted");
        }
        assert!("oracle/../1".parse::<AttemptId>().is_err());
        assert!("oracle/shop-1@on/x".parse::<AttemptId>().is_err());
    }

    #[test]
    fn attempt_id_round_trips() {
        let id: AttemptId = "oracle/shop-1@on/3".parse().expect("well-formed");
        assert_eq!((id.agent.as_str(), id.instance.as_str(), id.trial), ("oracle", "shop-1@on", 3));
        assert_eq!(id.to_string(), "oracle/shop-1@on/3");
    }
}
