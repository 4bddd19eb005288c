//! Episodes: tasks that a page sets and rewards by itself, such as those of `MiniWoB++`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Digest;

/// A folder of pages that is served on an origin of its own (`[folder]` of `suite.toml`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServedFolder {
    /// Where the files are on this machine, which is no part of what the suite asks.
    #[serde(skip_serializing)]
    pub path: PathBuf,
    /// Digest of all names and contents: other files would be other tasks.
    pub digest: Digest,
}

/// What an episode was begun with, and what its page said then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodeBegan {
    pub seed: u64,
    /// Which distribution the page draws its problems from.
    pub mode: String,
    /// The page ends the episode after this time by itself.
    pub seconds: u64,
    /// What is to be done, in the page's words: the intent that agents are given.
    pub utterance: String,
}

/// What a page gave for an episode, and what is known about how it came to that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rewarded {
    /// The reward without what the page takes off for the time used.
    pub raw: f64,
    /// The page's own reason, if it gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The event the page was handling, such as `click`; none in a timer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// False if that event was made by a script, not by the browser.
    pub trusted: bool,
    /// The first thing the agent asked of the browser, up to then, that can change what the page's script does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_script: Option<String>,
}

impl Rewarded {
    /// Why the reward says nothing about the agent's work; `None` if it can be believed.
    ///
    /// Whoever can run script in a page can give itself any reward there. So a reward counts only if nobody but the page
    /// did, and if it was given for input that came from the browser itself, or by the page's own clock.
    pub fn objection(&self) -> Option<String> {
        if let Some(request) = &self.client_script {
            return Some(format!("the agent meddled with the page's script ({request})"));
        }
        let event = self.event.as_deref().unwrap_or("event");
        (!self.trusted).then(|| format!("it was given for a {event} that a script made up"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reward_counts_only_if_it_came_of_real_input_to_an_untouched_page() {
        let reward = Rewarded { raw: 1.0, reason: None, event: None, trusted: true, client_script: None };
        assert_eq!(reward.objection(), None, "a timer of the page");
        let clicked = Rewarded { event: Some("click".to_owned()), ..reward.clone() };
        assert_eq!(clicked.objection(), None);
        let forged = Rewarded { trusted: false, ..clicked.clone() };
        assert_eq!(forged.objection().as_deref(), Some("it was given for a click that a script made up"));
        let meddled = Rewarded { client_script: Some("Runtime.evaluate".to_owned()), ..clicked };
        assert!(meddled.objection().is_some_and(|why| why.contains("Runtime.evaluate")));
    }
}
