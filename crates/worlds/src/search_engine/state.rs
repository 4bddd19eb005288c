//! What a visitor of the search engine can change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

const MOST_REMEMBERED: usize = 200;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub settings: Settings,
    /// Questions asked, by number; the latest has the highest.
    pub history: BTreeMap<u32, String>,
    /// Questions remembered so far, so that no number is given twice.
    pub asked: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a box on the page of settings")]
pub struct Settings {
    pub per_page: u32,
    pub keep_history: bool,
    pub suggestions: bool,
    pub new_tab: bool,
    pub answer_card: bool,
}

pub const PER_PAGE: [u32; 3] = [10, 20, 30];

impl State {
    pub fn opening() -> Self {
        let earlier = [
            "longest river",
            "how to prune a fig",
            "rain jacket",
            "open source tide tables",
            "museum opening hours",
        ];
        let history = earlier.into_iter().zip(1..).map(|(text, number)| (number, text.to_owned()));
        Self {
            settings: Settings {
                per_page: 10,
                keep_history: true,
                suggestions: true,
                new_tab: false,
                answer_card: true,
            },
            history: history.collect(),
            asked: earlier.len() as u32,
        }
    }

    /// Asking the same thing twice in a row is remembered once.
    pub fn remember(&mut self, question: &str) {
        let is_repeated = self.history.last_key_value().is_some_and(|(_, last)| last == question);
        if !self.settings.keep_history || question.is_empty() || is_repeated {
            return;
        }
        if self.history.len() >= MOST_REMEMBERED {
            self.history.pop_first();
        }
        self.asked = self.asked.saturating_add(1);
        self.history.insert(self.asked, question.to_owned());
    }
}
