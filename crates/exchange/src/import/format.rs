//! The formats that come in, by name.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::finished::Finished;
use crate::source::Source;
use crate::{
    ImportError, Problem, UnknownFormat, agent_reward_bench, browser_use, online_mind2web, playwright,
    webarena_verified, webvoyager,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportFormat {
    WebVoyager,
    OnlineMind2Web,
    WebArenaVerified,
    BrowserUse,
    AgentRewardBench,
    PlaywrightTrace,
}

/// One attempt in the source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// The file that tells what the attempt is; problems are reported at it.
    pub file: PathBuf,
    /// As the place of the file spells it, where the format names attempts that way.
    pub task: String,
}

impl ImportFormat {
    pub const ALL: [Self; 6] = [
        Self::WebVoyager,
        Self::OnlineMind2Web,
        Self::WebArenaVerified,
        Self::BrowserUse,
        Self::AgentRewardBench,
        Self::PlaywrightTrace,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::WebVoyager => "webvoyager",
            Self::OnlineMind2Web => "online-mind2web",
            Self::WebArenaVerified => "webarena-verified",
            Self::BrowserUse => "browser-use",
            Self::AgentRewardBench => "agent-reward-bench",
            Self::PlaywrightTrace => "playwright-trace",
        }
    }

    /// Where the format keeps its attempts, for whoever pointed at the wrong place.
    fn looked_for(self) -> &'static str {
        match self {
            Self::WebVoyager => "looked for task<id>/interact_messages.json",
            Self::OnlineMind2Web => "looked for <task>/result.json",
            Self::WebArenaVerified => "looked for <number>/agent_response.json",
            Self::BrowserUse => "looked for <task>.json and <task>/<history>.json",
            Self::AgentRewardBench => {
                "looked for trajectories/cleaned/<benchmark>/<agent>/<experiment>/<task>.json"
            }
            Self::PlaywrightTrace => "looked for <task>.zip and <task>/trace.zip",
        }
    }

    pub(super) fn nothing(self, path: &Path) -> ImportError {
        ImportError::Nothing { path: path.to_owned(), format: self.name(), looked_for: self.looked_for() }
    }

    /// All attempts in the source; there is at least one.
    pub(super) fn find(self, source: &Source) -> Result<Vec<Found>, ImportError> {
        let found = match self {
            Self::WebVoyager => webvoyager::find(source)?,
            Self::OnlineMind2Web => online_mind2web::find(source)?,
            Self::WebArenaVerified => webarena_verified::find(source)?,
            Self::BrowserUse => browser_use::find(source)?,
            Self::AgentRewardBench => agent_reward_bench::find(source)?,
            Self::PlaywrightTrace => playwright::find(source)?,
        };
        if found.is_empty() { Err(self.nothing(source.given())) } else { Ok(found) }
    }

    pub(super) fn read(self, source: &Source, found: &Found) -> Result<Finished, Problem> {
        match self {
            Self::WebVoyager => webvoyager::read(source, found),
            Self::OnlineMind2Web => online_mind2web::read(source, found),
            Self::WebArenaVerified => webarena_verified::read(source, found),
            Self::BrowserUse => browser_use::read(source, found),
            Self::AgentRewardBench => agent_reward_bench::read(source, found),
            Self::PlaywrightTrace => playwright::read(source, found),
        }
    }
}

impl FromStr for ImportFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownFormat {
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}
