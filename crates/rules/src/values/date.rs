//! Calendar dates. A time of day after the date is allowed and not looked at; no zone is converted.
//!
//! Numbers with slashes or dashes are month first (`03/05/2026` is in March) unless that cannot be; with dots they are
//! day first. A date must be whole: nothing is filled in from today. Two-digit years are read with slashes only, as
//! POSIX reads them (69–99 are 19xx). A weekday, if given, must be the right one.

use std::sync::LazyLock;

use jiff::civil::{Date, Weekday};
use regex::{Captures, Regex};
use serde_json::Value;

use super::folding::{caseless, plain};

/// The longest real form, `wednesday, 30th of september 2026 at 12:00:00.000000 p.m. +00:00`, is shorter.
const LONGEST: usize = 100;

pub(super) fn read(value: &Value) -> Option<Date> {
    let text = value.as_str()?;
    (text.len() <= LONGEST * 4).then(|| caseless(&plain(text))).and_then(|text| read_text(&text))
}

fn read_text(text: &str) -> Option<Date> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.trim_end_matches(['.', ',']);
    if let Some(found) = YEAR_FIRST.captures(text) {
        let date = date(number(&found, "year")?, number(&found, "month")?, number(&found, "day")?);
        return date.filter(|_| found["separator"] == found["again"]);
    }
    if let Some(found) = YEAR_LAST.captures(text) {
        return year_last(&found);
    }
    let found = MONTH_NAMED_FIRST.captures(text).or_else(|| DAY_FIRST_MONTH_NAMED.captures(text))?;
    let date = date(number(&found, "year")?, month_named(&found["month"])?, number(&found, "day")?)?;
    match found.name("weekday") {
        Some(name) => (date.weekday() == weekday_named(name.as_str())?).then_some(date),
        None => Some(date),
    }
}

fn year_last(found: &Captures<'_>) -> Option<Date> {
    let (first, second) = (number(found, "first")?, number(found, "second")?);
    let separator = &found["separator"];
    if *separator != found["again"] {
        return None;
    }
    let year = number(found, "year")?;
    let year = match (found["year"].len(), separator) {
        (4, _) => year,
        (_, "/") if year < 69 => 2000 + year,
        (_, "/") => 1900 + year,
        _ => return None,
    };
    let day_first = separator == "." || first > 12;
    if day_first { date(year, second, first) } else { date(year, first, second) }
}

fn number(found: &Captures<'_>, group: &str) -> Option<i16> {
    found.name(group)?.as_str().parse().ok()
}

fn date(year: i16, month: i16, day: i16) -> Option<Date> {
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

fn month_named(name: &str) -> Option<i16> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let at = MONTHS.iter().position(|month| {
        *month == name || &month[..3] == name || (name == "sept" && *month == "september")
    })?;
    i16::try_from(at + 1).ok()
}

fn weekday_named(name: &str) -> Option<Weekday> {
    Some(match name.get(..3)? {
        "mon" => Weekday::Monday,
        "tue" => Weekday::Tuesday,
        "wed" => Weekday::Wednesday,
        "thu" => Weekday::Thursday,
        "fri" => Weekday::Friday,
        "sat" => Weekday::Saturday,
        "sun" => Weekday::Sunday,
        _ => return None,
    })
}

const TIME: &str = r"(?:(?:t|,? (?:at )?)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?(?: ?(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?)?";
const WEEKDAY: &str = r"(?:(?P<weekday>mon|monday|tue|tues|tuesday|wed|wednesday|thu|thur|thurs|thursday|fri|friday|sat|saturday|sun|sunday)\.?,? )?";
const DAY: &str = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?";

static YEAR_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    form(r"(?P<year>\d{4})(?P<separator>[/-])(?P<month>\d{1,2})(?P<again>[/-])(?P<day>\d{1,2})")
});
static YEAR_LAST: LazyLock<Regex> = LazyLock::new(|| {
    form(r"(?P<first>\d{1,2})(?P<separator>[/.-])(?P<second>\d{1,2})(?P<again>[/.-])(?P<year>\d{4}|\d{2})")
});
static MONTH_NAMED_FIRST: LazyLock<Regex> =
    LazyLock::new(|| form(&format!(r"{WEEKDAY}(?P<month>[a-z]+)\.? {DAY},? (?P<year>\d{{4}})")));
static DAY_FIRST_MONTH_NAMED: LazyLock<Regex> = LazyLock::new(|| {
    form(&format!(r"{WEEKDAY}{DAY}\.?(?: of)?[ -](?P<month>[a-z]+)\.?,?[ -](?P<year>\d{{4}})"))
});

fn form(date: &str) -> Regex {
    Regex::new(&format!(r"\A{date}{TIME}\z")).expect("the forms are constants, and tests use them all")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn forms_of_one_day() {
        let fifth_of_march = Date::constant(2026, 3, 5);
        for text in [
            "2026-03-05",
            "2026-3-5",
            "2026/03/05",
            "2026-03-05T23:59:59Z",
            "2026-03-05 10:00",
            "2026-03-05 10:00:00.5 UTC",
            "2026-03-05T00:30:00+02:00",
            "March 5, 2026",
            "MARCH 5 2026",
            "Mar. 5th, 2026",
            "Mar 5, 2026 at 3:15 PM",
            "Mar 5, 2026, 3:15 p.m.",
            "5 Mar 2026",
            "5 March, 2026",
            "5th of March 2026",
            "5. March 2026",
            "5-Mar-2026",
            "Thursday, March 5, 2026",
            "Thu, 5 Mar 2026 10:00:00 GMT",
            "03/05/2026",
            "3/5/2026",
            "3/5/26",
            "03-05-2026",
            "05.03.2026",
            "5.3.2026",
            " March\u{a0}5,\n2026. ",
            "２０２６-03-05",
        ] {
            assert_eq!(read(&json!(text)), Some(fifth_of_march), "{text}");
        }
    }

    #[test]
    fn other_days() {
        for (text, expected) in [
            ("13/05/2026", Date::constant(2026, 5, 13)),
            ("Sept 9, 2024", Date::constant(2024, 9, 9)),
            ("29 February 2024", Date::constant(2024, 2, 29)),
            ("12/31/99", Date::constant(1999, 12, 31)),
        ] {
            assert_eq!(read(&json!(text)), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for value in [
            json!("2026-02-30"),
            json!("29 February 2026"),
            json!("13/13/2026"),
            json!("2026"),
            json!("March 2026"),
            json!("March 5"),
            json!("Thursday"),
            json!("today"),
            json!("Monday, March 5, 2026"),
            json!("05.13.2026"),
            json!("03/05-2026"),
            json!("2026-03/05"),
            json!("05.03.26"),
            json!("Marchember 5, 2026"),
            json!("20260305"),
            json!(20_260_305),
            json!("2026-03-05 or so"),
            json!("2026-03-05 2026-03-06"),
            json!(""),
            json!(null),
            json!("m 5, 2026"),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn every_day_is_read_back_from_iso(days in -700_000..2_900_000_i32) {
            let epoch = Date::constant(1970, 1, 1);
            if let Ok(date) = epoch.checked_add(jiff::Span::new().days(days)) && date.year() >= 1000 {
                prop_assert_eq!(read(&json!(date.to_string())), Some(date));
            }
        }
    }
}
