use std::fmt;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use serde::{Deserialize, Serialize};

/// A calendar day: ISO in the state and in URLs, words on pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day(Date);

/// [`crate::Clock::TODAY`] as a date.
pub const TODAY: Day = Day(jiff::civil::date(2026, 3, 16));

impl Day {
    pub const fn of(year: i16, month: i8, day: i8) -> Self {
        Self(jiff::civil::date(year, month, day))
    }

    #[must_use]
    pub fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days.days()))
    }

    #[must_use]
    pub fn minus(self, days: i32) -> Self {
        Self(self.0.saturating_sub(days.days()))
    }

    pub fn iso(self) -> String {
        self.0.to_string()
    }

    /// Reads `2026-03-16`.
    pub fn parse(text: &str) -> Option<Self> {
        text.trim().parse().ok().map(Self)
    }

    pub fn year(self) -> i16 {
        self.0.year()
    }

    pub fn is_weekend(self) -> bool {
        matches!(self.0.weekday(), Weekday::Saturday | Weekday::Sunday)
    }

    /// 0 for Monday … 6 for Sunday.
    pub fn weekday(self) -> usize {
        usize::from(self.0.weekday().to_monday_zero_offset().unsigned_abs())
    }

    /// `Mon, Mar 16`.
    pub fn short(self) -> String {
        const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
        let long = self.to_string();
        let month = long.get(..3).unwrap_or_default();
        format!("{}, {month} {}", DAYS.get(self.weekday()).unwrap_or(&""), self.0.day())
    }

    /// `March 2026`.
    pub fn month(self) -> String {
        let long = self.to_string();
        format!("{} {}", long.split(' ').next().unwrap_or_default(), self.0.year())
    }

    pub fn day_of_month(self) -> i32 {
        i32::from(self.0.day())
    }

    #[must_use]
    pub fn first_of_month(self) -> Self {
        Self(self.0.first_of_month())
    }

    pub fn days_in_month(self) -> i32 {
        i32::from(self.0.days_in_month())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MONTHS: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let month = MONTHS.get(usize::from(self.0.month().unsigned_abs()).wrapping_sub(1)).unwrap_or(&"");
        write!(f, "{month} {}, {}", self.0.day(), self.0.year())
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.iso()
    }
}

impl TryFrom<String> for Day {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self).map_err(|_| format!("`{text}` is not a date such as 2026-03-16"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_live_on_the_worlds_day() {
        assert_eq!(TODAY.iso(), crate::Clock::TODAY);
        assert_eq!(TODAY.to_string(), "March 16, 2026");
        assert_eq!(TODAY.minus(16).to_string(), "February 28, 2026");
        assert_eq!((TODAY.short(), TODAY.month()), ("Mon, Mar 16".to_owned(), "March 2026".to_owned()));
        assert_eq!((TODAY.weekday(), TODAY.is_weekend(), TODAY.plus(5).is_weekend()), (0, false, true));
        assert_eq!(Day::parse(" 2026-03-16 "), Some(TODAY));
        assert_eq!(Day::parse("16.3.2026"), None);
    }
}
