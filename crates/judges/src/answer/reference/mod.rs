//! Answers as the released evaluators of Online-Mind2Web read them, and prompts as they are laid out, mistakes included.
//!
//! For replication only: a published figure is compared with the same reading. Each function states what was observed by
//! running the release; `tests/golden.rs` holds all of it to the recorded behaviour. Nothing here decides a verdict of
//! ours, and the words of the released prompts are not part of it.

mod key_points;
mod layout;
mod python;
mod runner;
mod score;
mod selection;
mod status;

pub use key_points::key_points;
pub use layout::{Heading, Known, Section, laid_out, sections};
pub use runner::{PictureMode, chunk_sizes, declared_media, encodes, screenshot_sort_key};
pub use score::{Scored, score};
pub use selection::{MOST_PICTURES, Selection, select};
pub use status::status;

/// The evaluators of the release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    Autonomous,
    AgentTrek,
    WebVoyager,
    /// `WebJudge` with the criteria made for Online-Mind2Web.
    WebJudgeOnline,
    WebJudgeGeneral,
}

impl Mode {
    pub const ALL: [Self; 5] =
        [Self::Autonomous, Self::AgentTrek, Self::WebVoyager, Self::WebJudgeOnline, Self::WebJudgeGeneral];

    /// The name the release knows it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Autonomous => "Autonomous_eval",
            Self::AgentTrek => "AgentTrek_eval",
            Self::WebVoyager => "WebVoyager_eval",
            Self::WebJudgeOnline => "WebJudge_Online_Mind2Web_eval",
            Self::WebJudgeGeneral => "WebJudge_general_eval",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// Where the release ends with an exception, which kills the worker and all the tasks it still had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the released evaluator crashes here: {0}")]
pub struct Crash(pub &'static str);
