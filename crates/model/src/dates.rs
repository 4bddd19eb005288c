//! Days in tasks: the window in which a task can be asked, and dates that are told from the day of the run.
//!
//! `{{today}}`, `{{today+7d}}`, `{{today-1m+2d}}` and `{{next friday}}` become dates wherever a task has text; a format
//! may follow, as in `{{today+1w|%-d %B %Y}}`.

use std::str::FromStr;

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

const OPEN: &str = "{{";
const CLOSE: &str = "}}";
const DEFAULT_FORMAT: &str = "%Y-%m-%d";

/// A day of the calendar, written `2026-03-16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(Date);

/// A date that cannot be told.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadDate {
    #[error("`{0}` is not a day such as 2026-03-16")]
    Day(String),
    #[error(
        "`{{{{{0}}}}}` is not a date: write today, today+7d (d, w, m, y) or next friday, and a format behind `|`"
    )]
    Placeholder(String),
}

impl Day {
    pub fn date(self) -> Date {
        self.0
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Self(date)
    }
}

impl FromStr for Day {
    type Err = BadDate;

    fn from_str(text: &str) -> Result<Self, BadDate> {
        let is_plain = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let day = if is_plain { text.parse().ok() } else { None };
        day.map(Self).ok_or_else(|| BadDate::Day(text.to_owned()))
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The text with its dates told from `today`.
pub fn told_from(text: &str, today: Day) -> Result<String, BadDate> {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, placeholder, after)) = next_placeholder(rest) {
        told.push_str(before);
        told.push_str(&tell(placeholder, today)?);
        rest = after;
    }
    told.push_str(rest);
    Ok(told)
}

/// Tells the dates in every text of a JSON value.
pub(crate) fn tell_all(value: &mut Value, today: Day) -> Result<(), BadDate> {
    match value {
        Value::String(text) if has_dates(text) => *text = told_from(text, today)?,
        Value::Array(items) => items.iter_mut().try_for_each(|item| tell_all(item, today))?,
        Value::Object(fields) => fields.values_mut().try_for_each(|field| tell_all(field, today))?,
        _ => {}
    }
    Ok(())
}

/// Whether a text has dates to be told.
pub(crate) fn has_dates(text: &str) -> bool {
    next_placeholder(text).is_some()
}

/// What stands before the first placeholder, in it and after it. Other words in double braces are no business of ours.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find(OPEN) {
        let start = from + at + OPEN.len();
        let inside = &text[start..];
        let is_date = ["today", "next "].iter().any(|word| inside.starts_with(word));
        if is_date && let Some(end) = inside.find(CLOSE) {
            return Some((&text[..start - OPEN.len()], &inside[..end], &inside[end + CLOSE.len()..]));
        }
        from = start;
    }
    None
}

fn tell(placeholder: &str, today: Day) -> Result<String, BadDate> {
    let bad = || BadDate::Placeholder(placeholder.to_owned());
    let (date, format) = placeholder.split_once('|').unwrap_or((placeholder, DEFAULT_FORMAT));
    let date = match date.strip_prefix("next ") {
        Some(weekday) => next_weekday(today.0, weekday.trim()).ok_or_else(bad)?,
        None => moved(today.0, date.strip_prefix("today").ok_or_else(bad)?).ok_or_else(bad)?,
    };
    jiff::fmt::strtime::format(format, date).map_err(|_| bad())
}

/// The first such weekday after the day.
fn next_weekday(day: Date, name: &str) -> Option<Date> {
    let weekday = match name {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    };
    day.nth_weekday(1, weekday).ok()
}

/// The day moved by `+7d`, `-1m+2d` and the like, one after the other.
fn moved(mut day: Date, mut moves: &str) -> Option<Date> {
    while !moves.is_empty() {
        let end = moves.find(['d', 'w', 'm', 'y'])?;
        let (sign, digits) = moves[..end].split_at_checked(1)?;
        let count: i64 = if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            digits.parse().ok()?
        } else {
            return None;
        };
        if count > 10_000 {
            return None;
        }
        let span: Span = match &moves[end..=end] {
            "d" => count.days(),
            "w" => count.weeks(),
            "m" => count.months(),
            _ => count.years(),
        };
        day = match sign {
            "+" => day.checked_add(span).ok()?,
            "-" => day.checked_sub(span).ok()?,
            _ => return None,
        };
        moves = &moves[end + 1..];
    }
    Some(day)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn monday() -> Day {
        "2026-03-16".parse().expect("a day")
    }

    #[test]
    fn dates_are_told_from_the_day() {
        for (text, told) in [
            ("from {{today}} on", "from 2026-03-16 on"),
            ("{{today+7d}}/{{today-1d}}", "2026-03-23/2026-03-15"),
            ("{{today+2w|%-d %B %Y}}", "30 March 2026"),
            ("{{today-1m}}", "2026-02-16"),
            ("{{today+15d-1m}}", "2026-02-28"),
            ("{{today+1y|%d.%m.%y}}", "16.03.27"),
            ("{{next friday}}", "2026-03-20"),
            ("{{next monday|%A}}", "Monday"),
            ("{{next monday}}", "2026-03-23"),
            ("{{site}} and {{ and {{today}}", "{{site}} and {{ and 2026-03-16"),
            ("{{today is open", "{{today is open"),
        ] {
            assert_eq!(told_from(text, monday()).as_deref(), Ok(told), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "{{today+d}}",
            "{{today*1d}}",
            "{{today+1}}",
            "{{today+99999d}}",
            "{{next freitag}}",
            "{{today|%Q%}}",
            "{{today+-1d}}",
        ] {
            assert!(told_from(text, monday()).is_err(), "{text}");
        }
        for day in ["2026-3-16", "16.03.2026", "2026-02-30", "", "2026-03-16T00:00"] {
            assert!(day.parse::<Day>().is_err(), "{day}");
        }
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(text in "(\\{\\{|\\}\\}|today|next |[+-]|[0-9]{1,6}|[dwmy]|\\||%[a-zA-Z]|é| friday){0,12}") {
            let _ = told_from(&text, monday());
        }
    }
}
