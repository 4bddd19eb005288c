//! Who does better, by people's votes: standings, matrices, history, and votes that look dishonest.

mod api;
mod drawings;
mod table;
mod voters;

use std::sync::Arc;

use jiff::civil::Date;
use serde::Deserialize;
use umpire_arena::{Time, VotersCounted};

pub(crate) use self::api::{battles, description, standings};
pub(crate) use self::drawings::drawing;
pub(crate) use self::table::{download, leaderboard};
pub(crate) use self::voters::{count_again, leave_out, voters};
use crate::board::{Counted, View};
use crate::error::PageError;
use crate::pages::in_query;
use crate::state::App;

/// Which votes a reader wants counted; the same on pages, in files and in the API.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Wanted {
    /// A kind of task; empty or absent means all.
    #[serde(default)]
    kind: String,
    /// `out` leaves out ballots that look dishonest.
    #[serde(default)]
    marked: String,
    /// Whose votes: `people`, `models` or `everybody`.
    #[serde(default)]
    voters: String,
    /// The first and the last day, `2026-03-16`, by UTC.
    #[serde(default)]
    from: String,
    #[serde(default)]
    until: String,
}

impl Wanted {
    async fn view(&self, app: &App) -> Result<Arc<View>, PageError> {
        let all = app.board.view(Counted::default()).await.ok_or(PageError::TooSlow)?;
        if !self.kind.is_empty() && !all.kinds.contains(&self.kind) {
            return Err(PageError::BadRequest("There are no votes on tasks of that kind.".to_owned()));
        }
        let without_marked = match self.marked.as_str() {
            "" | "in" => false,
            "out" => true,
            _ => return Err(PageError::BadRequest("`marked` is `in` or `out`.".to_owned())),
        };
        let voters = match self.voters.as_str() {
            "" | "people" => VotersCounted::People,
            "models" => VotersCounted::Models,
            "everybody" => VotersCounted::Everybody,
            _ => {
                let told = "`voters` is `people`, `models` or `everybody`.";
                return Err(PageError::BadRequest(told.to_owned()));
            }
        };
        let counted = Counted {
            kind: Some(self.kind.clone()).filter(|kind| !kind.is_empty()),
            without_marked,
            voters,
            from: day(&self.from, Some)?,
            until: day(&self.until, |day| day.tomorrow().ok())?,
        };
        if counted == Counted::default() {
            return Ok(all);
        }
        app.board.view(counted).await.ok_or(PageError::TooSlow)
    }

    /// As part of an address, with its question mark; empty if everything is counted.
    fn query(&self) -> String {
        let mut parts = Vec::new();
        if !self.kind.is_empty() {
            parts.push(format!("kind={}", in_query(&self.kind)));
        }
        if self.marked == "out" {
            parts.push("marked=out".to_owned());
        }
        for (name, value) in [("voters", &self.voters), ("from", &self.from), ("until", &self.until)] {
            if !value.is_empty() {
                parts.push(format!("{name}={}", in_query(value)));
            }
        }
        if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
    }
}

/// The moment a day begins, or that of another day that `of` makes of it; none, if nothing is said.
fn day(text: &str, of: impl FnOnce(Date) -> Option<Date>) -> Result<Option<Time>, PageError> {
    if text.is_empty() {
        return Ok(None);
    }
    let moment = text.parse::<Date>().ok().and_then(of).and_then(|day| {
        let begins = day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond();
        u64::try_from(begins).ok()
    });
    let told = || PageError::BadRequest("`from` and `until` are days such as 2026-03-16.".to_owned());
    moment.map(|moment| Some(Time(moment))).ok_or_else(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_at_midnight_and_what_is_none_is_refused() {
        let begins = |text: &str| day(text, Some).ok().flatten();
        assert_eq!(begins("1970-01-02"), Some(Time(86_400_000)));
        assert_eq!(day("1970-01-02", |day| day.tomorrow().ok()).ok().flatten(), Some(Time(2 * 86_400_000)));
        assert!(day("", Some).is_ok_and(|none| none.is_none()));
        for text in ["yesterday", "2026-02-30", "1969-12-31", "99999-01-01"] {
            assert!(day(text, Some).is_err(), "{text}");
        }
    }
}
