//! The prompts, as templates whose words a user can replace.

use std::collections::BTreeMap;

use umpire_model::Digest;
use umpire_model::template::{self, UnknownName};

use crate::generate::{EventSeed, PlannedAction};
use crate::profile::{DomainProfile, Person, Profile};
use crate::tables::{Pace, Tables};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Tastes,
    Events,
    Actions,
    Entries,
}

impl Stage {
    pub const ALL: [Self; 4] = [Self::Tastes, Self::Events, Self::Actions, Self::Entries];

    /// The name of its template.
    pub fn file(self) -> &'static str {
        match self {
            Self::Tastes => "preferences.md",
            Self::Events => "events.md",
            Self::Actions => "actions.md",
            Self::Entries => "entries.md",
        }
    }

    fn own(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Tastes => {
                (include_str!("../../prompts/preferences.md"), &["person", "home", "count", "domains"])
            }
            Self::Events => (include_str!("../../prompts/events.md"), &["month", "profile", "pace", "count"]),
            Self::Actions => (include_str!("../../prompts/actions.md"), &["date", "event", "ending"]),
            Self::Entries => (include_str!("../../prompts/entries.md"), &["profile", "actions"]),
        }
    }
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadPrompt {
    #[error("{file}:{}: {unknown}", unknown.line)]
    UnknownName { file: String, unknown: UnknownName },
    #[error("`{file}` is no template of a history; those are {known}")]
    UnknownFile { file: String, known: String },
}

/// The templates in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompts(BTreeMap<Stage, String>);

impl Default for Prompts {
    fn default() -> Self {
        Self(Stage::ALL.into_iter().map(|stage| (stage, stage.own().0.to_owned())).collect())
    }
}

impl Prompts {
    /// Ours, with some of them replaced: file names and their texts.
    pub fn with(own: &[(String, String)]) -> Result<Self, BadPrompt> {
        let mut prompts = Self::default();
        for (file, text) in own {
            let stage = Stage::ALL.into_iter().find(|stage| stage.file() == file).ok_or_else(|| {
                let known = Stage::ALL.map(Stage::file).join(", ");
                BadPrompt::UnknownFile { file: file.clone(), known }
            })?;
            template::check(text, stage.own().1)
                .map_err(|unknown| BadPrompt::UnknownName { file: file.clone(), unknown })?;
            prompts.0.insert(stage, text.clone());
        }
        Ok(prompts)
    }

    /// Of all templates, for a manifest.
    pub fn digest(&self) -> Digest {
        let texts: Vec<(&str, &str)> =
            self.0.iter().map(|(stage, text)| (stage.file(), text.as_str())).collect();
        Digest::of_json(&texts)
    }

    /// Asks for somebody's tastes in `count` domains.
    pub fn tastes(&self, tables: &Tables, person: &Person, count: usize) -> String {
        let domain = |domain: &crate::tables::Domain| {
            let sites: Vec<String> = domain
                .sites
                .iter()
                .map(|site| format!("{} ({})", site.website.name, site.website.host))
                .collect();
            format!("- {}: {}", domain.name, sites.join(", "))
        };
        let domains: Vec<String> = tables.domains.iter().map(domain).collect();
        let home = format!("{}, {}", person.home.address, person.home.city);
        self.fill(
            Stage::Tastes,
            &[
                ("person", &person.demographics.told()),
                ("home", &home),
                ("count", &count.to_string()),
                ("domains", &domains.join("\n")),
            ],
        )
    }

    /// Asks for about `count` events of one pace in a month, which is told as in `March 2026`.
    pub fn events(&self, profile: &Profile, month: &str, pace: Pace, count: u32) -> String {
        let pace = match pace {
            Pace::High => {
                "Only what belongs to everyday life: food, shopping, work or study, ways, news, pastimes."
            }
            Pace::Low => {
                "Only what happens now and then: travel, doctors, concerts, courses, larger purchases."
            }
        };
        let often = |own: &DomainProfile| format!("{} About {} times a year.", own.told(), own.frequency);
        let told: Vec<String> = profile.domains.iter().map(often).collect();
        let told = format!("{}\n{}", profile.person.demographics.told(), told.join("\n"));
        self.fill(
            Stage::Events,
            &[("month", month), ("profile", &told), ("pace", pace), ("count", &count.to_string())],
        )
    }

    /// Asks for the steps of an event.
    pub fn actions(&self, event: &EventSeed) -> String {
        let ending = if event.cancelled { "It is called off in the end; one step says so." } else { "" };
        let date = event.date.to_string();
        self.fill(Stage::Actions, &[("date", &date), ("event", &event.description), ("ending", ending)])
    }

    /// Asks for the entries of some steps.
    pub fn entries(&self, own: &DomainProfile, actions: &[PlannedAction]) -> String {
        let step = |action: &PlannedAction| {
            format!("- {} {}: {}", action.timestamp, action.kind.name(), action.action)
        };
        let steps: Vec<String> = actions.iter().map(step).collect();
        self.fill(Stage::Entries, &[("profile", &own.told()), ("actions", &steps.join("\n"))])
    }

    fn fill(&self, stage: Stage, values: &[(&str, &str)]) -> String {
        template::fill(self.0.get(&stage).map_or("", String::as_str), values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extent, free_profile, generate, people};

    #[test]
    fn every_prompt_is_filled_in_with_what_the_stage_before_gave() {
        let tables = Tables::embedded();
        let prompts = Prompts::default();
        let person = people(tables, 3, 1).remove(0);
        let tastes = prompts.tastes(tables, &person, 9);
        assert!(tastes.contains("Choose 9 of these domains"), "{tastes}");
        assert!(
            tastes.contains(&person.home.city)
                && tastes.contains("- Groceries: Fennel & Rye (fennelrye.localhost)")
        );
        let profile = free_profile(tables, 3, person);
        let events = prompts.events(&profile, "March 2026", Pace::Low, 7);
        assert!(events.contains("in March 2026") && events.contains("travel, doctors"), "{events}");
        assert!(events.contains("About 7 such things"), "{events}");
        let extent = Extent { entries: 200, until: "2026-03-15".parse().expect("a day") };
        let made = generate(tables, 3, &profile, extent);
        let actions = prompts.actions(&made.events[0]);
        assert!(actions.contains(&made.events[0].description), "{actions}");
        let entries = prompts.entries(&profile.domains[0], &made.actions[..3]);
        assert!(entries.contains(&made.actions[2].timestamp.to_string()), "{entries}");
        for prompt in [tastes, events, actions, entries] {
            assert!(!prompt.contains("{{"), "{prompt}");
        }
    }

    #[test]
    fn templates_can_be_replaced_and_are_checked_first() {
        let with = |file: &str, text: &str| Prompts::with(&[(file.to_owned(), text.to_owned())]);
        let own = with("events.md", "Tell {{month}}.").expect("a template");
        assert_ne!(own.digest(), Prompts::default().digest());
        let error = with("events.md", "a\n{{weather}}").expect_err("unknown").to_string();
        assert!(error.starts_with("events.md:2: there is no `{{weather}}`"), "{error}");
        let error = with("tastes.md", "").expect_err("unknown").to_string();
        assert!(error.contains("preferences.md, events.md, actions.md, entries.md"), "{error}");
    }
}
