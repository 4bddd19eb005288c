//! Baselines that cannot solve anything. A suite in which one of them scores gives points for nothing.

mod answering;
mod browsing;
#[cfg(test)]
mod tests;

use umpire_model::{Random, TaskBrief};

use crate::agent::Agent;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naive {
    Yes,
    No,
    NotApplicable,
    Zero,
    Empty,
    Echo,
    Numbers,
    RandomClicker,
    LinkFollower,
    FormFiller,
    FixedNavigation,
    ScreenshotOnly,
}

impl Naive {
    pub const ALL: [Self; 12] = [
        Self::Yes,
        Self::No,
        Self::NotApplicable,
        Self::Zero,
        Self::Empty,
        Self::Echo,
        Self::Numbers,
        Self::RandomClicker,
        Self::LinkFollower,
        Self::FormFiller,
        Self::FixedNavigation,
        Self::ScreenshotOnly,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::NotApplicable => "na",
            Self::Zero => "zero",
            Self::Empty => "empty",
            Self::Echo => "echo",
            Self::Numbers => "numbers",
            Self::RandomClicker => "random-clicker",
            Self::LinkFollower => "link-follower",
            Self::FormFiller => "form-filler",
            Self::FixedNavigation => "fixed-navigation",
            Self::ScreenshotOnly => "screenshot-only",
        }
    }

    /// Browses without ever reading what is asked.
    pub fn ignores_intent(self) -> bool {
        matches!(
            self,
            Self::RandomClicker
                | Self::LinkFollower
                | Self::FormFiller
                | Self::FixedNavigation
                | Self::ScreenshotOnly
        )
    }

    pub fn create(self, task: &TaskBrief, seed: u64) -> Box<dyn Agent> {
        let random = Random::new(seed);
        match self {
            Self::RandomClicker => Box::new(browsing::Browsing::new(random, browsing::click_anything)),
            Self::LinkFollower => Box::new(browsing::Browsing::new(random, browsing::follow_any_link)),
            Self::FormFiller => Box::new(browsing::Browsing::new(random, browsing::fill_next_field)),
            Self::FixedNavigation => {
                Box::new(browsing::Browsing::new(random, browsing::follow_link_of_same_rank))
            }
            Self::ScreenshotOnly => Box::new(browsing::Browsing::only_looking(random)),
            answering => Box::new(answering::Answering::new(answering, task)),
        }
    }
}
