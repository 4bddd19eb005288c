//! Points in time as sites print and store them. Every world stands still at [`Clock::NOW`].

use std::fmt;
use std::sync::LazyLock;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::Clock;

static NOW: LazyLock<Timestamp> = LazyLock::new(|| Clock::NOW.parse().unwrap_or(Timestamp::UNIX_EPOCH));

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment(Timestamp);

impl Moment {
    pub fn now() -> Self {
        Self(*NOW)
    }

    pub fn minutes_ago(minutes: u32) -> Self {
        Self(NOW.checked_sub(SignedDuration::from_mins(i64::from(minutes))).unwrap_or(*NOW))
    }

    pub fn days_from_now(days: i64) -> Self {
        Self(NOW.checked_add(SignedDuration::from_hours(days.saturating_mul(24))).unwrap_or(*NOW))
    }

    pub fn age_minutes(self) -> i64 {
        NOW.duration_since(self.0).as_mins()
    }

    /// `3 hours ago`, `yesterday`, `5 months ago`.
    pub fn ago(self) -> String {
        let minutes = self.age_minutes();
        let (hours, days) = (minutes / 60, minutes / (24 * 60));
        match (minutes, hours, days) {
            (..1, _, _) => "just now".to_owned(),
            (..60, _, _) => count(minutes, "minute"),
            (_, ..24, _) => count(hours, "hour"),
            (_, _, 1) => "yesterday".to_owned(),
            (_, _, ..30) => count(days, "day"),
            (_, _, ..365) => count(days / 30, "month"),
            _ => count(days / 365, "year"),
        }
    }

    /// `14 March 2026`.
    pub fn day(self) -> String {
        self.0.to_zoned(TimeZone::UTC).strftime("%-d %B %Y").to_string()
    }

    /// `2026-03-14`.
    pub fn iso_day(self) -> String {
        self.0.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d").to_string()
    }

    /// `14 March 2026, 08:15`.
    pub fn day_and_time(self) -> String {
        self.0.to_zoned(TimeZone::UTC).strftime("%-d %B %Y, %H:%M").to_string()
    }
}

fn count(number: i64, unit: &str) -> String {
    format!("{number} {unit}{} ago", if number == 1 { "" } else { "s" })
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        moment.to_string()
    }
}

impl TryFrom<String> for Moment {
    type Error = jiff::Error;
    fn try_from(text: String) -> Result<Self, jiff::Error> {
        text.parse().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_in_words() {
        for (minutes, expected) in [
            (0, "just now"),
            (1, "1 minute ago"),
            (59, "59 minutes ago"),
            (60, "1 hour ago"),
            (23 * 60 + 59, "23 hours ago"),
            (24 * 60, "yesterday"),
            (48 * 60, "2 days ago"),
            (45 * 24 * 60, "1 month ago"),
            (800 * 24 * 60, "2 years ago"),
        ] {
            assert_eq!(Moment::minutes_ago(minutes).ago(), expected);
        }
    }

    #[test]
    fn dates_are_counted_from_the_worlds_clock() {
        assert_eq!(Moment::now().to_string(), Clock::NOW);
        assert_eq!(Moment::now().day(), "16 March 2026");
        assert_eq!(Moment::now().iso_day(), Clock::TODAY);
        assert_eq!(Moment::days_from_now(-16).iso_day(), "2026-02-28");
        // Sixteen days before 16 March is the last day of February: 2026 is no leap year.
        assert_eq!(Moment::minutes_ago(16 * 24 * 60).day_and_time(), "28 February 2026, 09:30");
        assert_eq!(Moment::try_from(Clock::NOW.to_owned()).expect("valid"), Moment::now());
    }
}
