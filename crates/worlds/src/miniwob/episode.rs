//! One episode: what it is begun with, and what its page reports.

use serde::Deserialize;
use serde_json::{Value, json};
use umpire_model::{EpisodeBegan, Instance, Rewarded};

use super::SITE;

/// What an instance of a `miniwob` world asks for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Episode {
    pub seed: u64,
    pub mode: String,
    pub seconds: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("the initial state is not an episode of MiniWoB++: {0}")]
pub struct NotAnEpisode(#[from] serde_json::Error);

impl Episode {
    pub fn of(instance: &Instance) -> Result<Self, NotAnEpisode> {
        let asked = instance.world.get(SITE).cloned().unwrap_or(Value::Null);
        Ok(serde_json::from_value(asked)?)
    }

    /// The JavaScript function that begins an episode. It takes a function to report with and [`Self::argument`], and
    /// promises the utterance.
    pub const BEGIN: &str = include_str!("episode.js");

    pub fn argument(&self) -> Value {
        json!({ "seed": self.seed, "mode": self.mode, "millis": self.seconds.saturating_mul(1000) })
    }

    pub fn began(&self, utterance: String) -> EpisodeBegan {
        EpisodeBegan { seed: self.seed, mode: self.mode.clone(), seconds: self.seconds, utterance }
    }
}

/// What a page says when its episode is over.
#[derive(Debug, Deserialize)]
pub struct Report {
    /// Pages compute it; what is not a number is no reward.
    raw: Option<f64>,
    reason: Option<String>,
    event: Option<String>,
    trusted: bool,
}

impl Report {
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The page's own clock ended the episode.
    pub fn is_timeout(&self) -> bool {
        self.reason.as_deref() == Some("timed out")
    }

    /// As it is written down; `client_script` is what the agent had done to the page's script by then.
    pub fn rewarded(self, client_script: Option<String>) -> Rewarded {
        let Self { raw, reason, event, trusted } = self;
        Rewarded { raw: raw.unwrap_or(0.0), reason, event, trusted, client_script }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_as_the_script_writes_them() {
        let won =
            Report::read(r#"{"raw":1,"reason":null,"event":"click","trusted":true}"#).expect("a report");
        assert!(!won.is_timeout());
        let won = won.rewarded(None);
        assert_eq!((won.raw, won.event.as_deref(), won.objection()), (1.0, Some("click"), None));
        let late = r#"{"raw":-1,"reason":"timed out","event":null,"trusted":true}"#;
        assert!(Report::read(late).expect("a report").is_timeout());
        let not_a_number = r#"{"raw":null,"reason":null,"event":null,"trusted":true}"#;
        assert!(Report::read(not_a_number).expect("a report").rewarded(None).raw.abs() < f64::EPSILON);
        assert!(Report::read("1").is_err());
    }
}
