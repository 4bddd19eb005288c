//! A history told by a model, in four stages: tastes, the events of each month, the actions of each event, their entries.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::civil::Date;
use umpire_llm::{Ask, Message, Prompt};
use umpire_model::{Day, Deadline};
use umpire_persona::stages::{
    BadReply, Prompts, events_a_month, read_actions, read_entries, read_events, read_tastes,
};
use umpire_persona::{DomainProfile, Entry, EventSeed, Extent, History, Pace, Person, Profile, Tables};

use crate::failure::Failure;

/// Domains that a person is active in, of 21.
const DOMAINS: usize = 15;
/// Of a year.
const DAYS: i32 = 365;
/// A reply that cannot be read is asked for again with the reason, so often in all.
const TRIES: usize = 3;
/// For one question.
const PATIENCE: Duration = Duration::from_mins(5);

/// Somebody who tells of people.
pub struct Teller {
    pub model: Arc<dyn Ask>,
    pub prompts: Prompts,
    /// Questions at a time.
    pub jobs: usize,
}

/// What a model told of one person.
pub struct Told {
    pub profile: Profile,
    pub history: History,
    /// Months and events that it could not tell so that it can be read.
    pub left_out: usize,
}

impl Teller {
    pub async fn tell(&self, tables: &Tables, person: Person, extent: Extent) -> Result<Told, Failure> {
        let asked = self.prompts.tastes(tables, &person, DOMAINS);
        let domains = self.read(asked, |reply| read_tastes(tables, reply)).await?.map_err(|problem| {
            Failure::new(format!("{}: the model's tastes cannot be read: {problem}", person.id))
        })?;
        let profile = Profile { person, domains };
        let left_out = AtomicUsize::new(0);
        let months = months_until(extent.until);
        let diary = months.iter().flat_map(|month| [(month, Pace::High), (month, Pace::Low)]);
        let events: Vec<Vec<EventSeed>> = stream::iter(diary)
            .map(|(month, pace)| {
                self.events(&profile, month, pace, events_a_month(extent.entries, pace), &left_out)
            })
            .buffered(self.jobs)
            .try_collect()
            .await?;
        let entries: Vec<Vec<Entry>> = stream::iter(events.concat())
            .map(|event| self.entries(&profile, event, &left_out))
            .buffered(self.jobs)
            .try_collect()
            .await?;
        let mut entries = entries.concat();
        entries.retain(|entry| is_in_year(entry.timestamp.date(), extent.until));
        entries.sort_by_key(|entry| entry.timestamp);
        Ok(Told { profile, history: History { entries }, left_out: left_out.into_inner() })
    }

    async fn events(
        &self,
        profile: &Profile,
        month: &str,
        pace: Pace,
        count: u32,
        left_out: &AtomicUsize,
    ) -> Result<Vec<EventSeed>, Failure> {
        let asked = self.prompts.events(profile, month, pace, count);
        let read = self.read(asked, |reply| read_events(reply, &profile.domains, pace)).await?;
        Ok(or_left_out(read, left_out))
    }

    /// What an event left behind, by way of its actions.
    async fn entries(
        &self,
        profile: &Profile,
        event: EventSeed,
        left_out: &AtomicUsize,
    ) -> Result<Vec<Entry>, Failure> {
        let Some(own): Option<&DomainProfile> = profile.domain(&event.domain) else { return Ok(Vec::new()) };
        let actions = self.read(self.prompts.actions(&event), read_actions).await?;
        let actions = or_left_out(actions, left_out);
        if actions.is_empty() {
            return Ok(Vec::new());
        }
        let asked = self.prompts.entries(own, &actions);
        let entries = self.read(asked, |reply| read_entries(reply, &actions)).await?;
        Ok(or_left_out(entries, left_out))
    }

    /// What the model says to a prompt, as `read` understands it; the inner error after the last try.
    async fn read<T>(
        &self,
        prompt: String,
        read: impl Fn(&str) -> Result<T, BadReply>,
    ) -> Result<Result<T, BadReply>, Failure> {
        let mut prompt = Prompt { messages: vec![Message::user(prompt)], ..Prompt::default() };
        let mut tries = 1;
        loop {
            let reply = self.model.ask(&prompt, Deadline::after(PATIENCE)).await;
            let said = reply.map_err(|error| {
                Failure::new(error.to_string())
                    .help("replies so far are kept: the same command goes on from there")
            })?;
            match read(&said.text) {
                Err(problem) if tries < TRIES => {
                    tries += 1;
                    let again = format!("That cannot be used: {problem}. Give the whole answer again.");
                    prompt.messages.extend([Message::assistant(said.text), Message::user(again)]);
                }
                read => return Ok(read),
            }
        }
    }
}

fn or_left_out<T>(read: Result<Vec<T>, BadReply>, left_out: &AtomicUsize) -> Vec<T> {
    read.unwrap_or_else(|_| {
        left_out.fetch_add(1, Ordering::Relaxed);
        Vec::new()
    })
}

/// Whether a day is of the year that ends with another. Diaries have whole months, and what follows a deal may come weeks
/// after it.
fn is_in_year(day: Date, until: Day) -> bool {
    let last = until.date();
    (last.saturating_sub(jiff::Span::new().days(DAYS - 1))..=last).contains(&day)
}

/// The twelve months that end with this day's, as `March 2026`.
fn months_until(until: Day) -> Vec<String> {
    let last = until.date().first_of_month();
    let before = |back: i32| last.saturating_sub(jiff::Span::new().months(back));
    (0..12).rev().map(|back| before(back).strftime("%B %Y").to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_ends_with_the_month_of_its_last_day() {
        let months = months_until("2026-03-15".parse().expect("a day"));
        assert_eq!((months.len(), months[0].as_str(), months[11].as_str()), (12, "April 2025", "March 2026"));
        let months = months_until("2026-12-31".parse().expect("a day"));
        assert_eq!((months[0].as_str(), months[11].as_str()), ("January 2026", "December 2026"));
    }

    #[test]
    fn a_year_has_its_days_and_no_others() {
        let until: Day = "2026-03-15".parse().expect("a day");
        for (day, is_in) in [
            ("2025-03-15", false),
            ("2025-03-16", true),
            ("2025-12-31", true),
            ("2026-03-15", true),
            ("2026-03-16", false),
        ] {
            assert_eq!(is_in_year(day.parse().expect("a day"), until), is_in, "{day}");
        }
    }
}
