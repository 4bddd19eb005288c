//! Calendar dates, whole or with parts missing. A time of day after the date is allowed and not looked at; no zone is
//! converted.
//!
//! Nothing is filled in from today: `March 2026` has no day and equals only another date without a day. Numbers with
//! slashes or dashes are month first (`03/05/2026` is in March) unless that cannot be; with dots they are day first.
//! Two-digit years are read with slashes only, as POSIX reads them (69–99 are 19xx). A weekday, if given, must be the
//! right one.

use std::fmt;
use std::sync::LazyLock;

use jiff::civil::{Date, Weekday};
use regex::{Captures, Regex};
use serde_json::Value;

use super::folding::{caseless, plain};

/// The longest real form, `wednesday, 30th of september 2026 at 12:00:00.000000 p.m. +00:00`, is shorter.
const LONGEST: usize = 100;

/// At least one part is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PartialDate {
    pub(super) year: Option<i16>,
    pub(super) month: Option<i8>,
    pub(super) day: Option<i8>,
}

impl From<Date> for PartialDate {
    fn from(date: Date) -> Self {
        Self { year: Some(date.year()), month: Some(date.month()), day: Some(date.day()) }
    }
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let year = self.year.map_or_else(|| "????".to_owned(), |year| format!("{year:04}"));
        let [month, day] = [self.month, self.day]
            .map(|part| part.map_or_else(|| "??".to_owned(), |part| format!("{part:02}")));
        write!(f, "{year}-{month}-{day}")
    }
}

pub(super) fn read(value: &Value) -> Option<PartialDate> {
    match value {
        Value::String(text) if text.len() <= LONGEST * 4 => read_text(&caseless(&plain(text))),
        // A year is the one date that is a number.
        Value::Number(number) => {
            let year = number.as_i64().filter(|year| (1000..=9999).contains(year))?;
            Some(PartialDate { year: i16::try_from(year).ok(), ..PartialDate::default() })
        }
        _ => None,
    }
}

pub(super) fn read_text(text: &str) -> Option<PartialDate> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.trim_end_matches(['.', ',']);
    if let Some(found) = YEAR_FIRST.captures(text) {
        let date = date(number(&found, "year")?, number(&found, "month")?, number(&found, "day")?);
        return date.filter(|_| found["separator"] == found["again"]).map(PartialDate::from);
    }
    if let Some(found) = YEAR_LAST.captures(text) {
        return year_last(&found).map(PartialDate::from);
    }
    if let Some(found) = COMPACT.captures(text) {
        return date(number(&found, "year")?, number(&found, "month")?, number(&found, "day")?)
            .map(PartialDate::from);
    }
    match MONTH_NAMED.iter().find_map(|form| form.captures(text)) {
        Some(found) => month_named_in_full(&found).map(PartialDate::from),
        None => incomplete(text),
    }
}

fn month_named_in_full(found: &Captures<'_>) -> Option<Date> {
    let date = date(number(found, "year")?, month_named(&found["month"])?, number(found, "day")?)?;
    match found.name("weekday") {
        Some(name) => (date.weekday() == weekday_named(name.as_str())?).then_some(date),
        None => Some(date),
    }
}

/// `March 2026`, `2026-03`, `3/2026`, `March 5`, `5th of March`, `2026`, `March`.
fn incomplete(text: &str) -> Option<PartialDate> {
    let found = INCOMPLETE.iter().find_map(|form| form.captures(text))?;
    let month = match found.name("name") {
        Some(name) => Some(month_named(name.as_str())?),
        None if found.name("month").is_some() => Some(number(&found, "month")?),
        None => None,
    };
    let (year, day) = (number(&found, "year"), number(&found, "day"));
    // A leap year stands in for one that is not given, so that 29 February can be a day.
    date(year.unwrap_or(2000), month.unwrap_or(1), day.unwrap_or(1))?;
    let small = |part: Option<i16>| part.and_then(|part| i8::try_from(part).ok());
    Some(PartialDate { year, month: small(month), day: small(day) })
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

pub(super) const MONTHS: [&str; 12] = [
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

fn month_named(name: &str) -> Option<i16> {
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

const ZONE: &str = r"(?: ?(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?";
const TIME: &str = r"(?:(?:t|,? (?:at )?)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?)?";
const WEEKDAY: &str = r"(?:(?P<weekday>mon|monday|tue|tues|tuesday|wed|wednesday|thu|thur|thurs|thursday|fri|friday|sat|saturday|sun|sunday)\.?,? )?";
const DAY: &str = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?";

static YEAR_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    form(r"(?P<year>\d{4})(?P<separator>[/.-])(?P<month>\d{1,2})(?P<again>[/.-])(?P<day>\d{1,2})")
});
static YEAR_LAST: LazyLock<Regex> = LazyLock::new(|| {
    form(r"(?P<first>\d{1,2})(?P<separator>[/.-])(?P<second>\d{1,2})(?P<again>[/.-])(?P<year>\d{4}|\d{2})")
});
static MONTH_NAMED: LazyLock<[Regex; 4]> = LazyLock::new(|| {
    [
        form(&format!(r"{WEEKDAY}(?P<month>[a-z]+)(?:\. ?|, ?|[ -]){DAY}(?:, ?|[ -])(?P<year>\d{{4}})")),
        form(&format!(r"{WEEKDAY}{DAY}\.?(?: of)?[ /-](?P<month>[a-z]+)\.?,?[ /-](?P<year>\d{{4}})")),
        form(&format!(r"(?P<year>\d{{4}})(?:, ?|[ -])(?P<month>[a-z]+)\.?[ -]{DAY}")),
        // As `date` and `git log` print it.
        form(&format!(r"{WEEKDAY}(?P<month>[a-z]+) {DAY} \d{{2}}:\d{{2}}:\d{{2}} (?P<year>\d{{4}})")),
    ]
});
static COMPACT: LazyLock<Regex> =
    LazyLock::new(|| form(r"(?P<year>[12]\d{3})(?P<month>\d{2})(?P<day>\d{2})(?:t\d{6})?"));
static INCOMPLETE: LazyLock<[Regex; 6]> = LazyLock::new(|| {
    [
        r"\A(?P<name>[a-z]+)\.?,? (?:of )?(?P<year>\d{4})\z",
        r"\A(?P<year>\d{4})[/-](?P<month>\d{1,2})\z",
        r"\A(?P<month>\d{1,2})[/-](?P<year>\d{4})\z",
        r"\A(?P<name>[a-z]+)\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?\z",
        r"\A(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?(?: of)?[ -](?P<name>[a-z]+)\z",
        r"\A(?:(?P<year>\d{4})|(?P<name>[a-z]+))\z",
    ]
    .map(|pattern| Regex::new(pattern).expect("the forms are constants, and tests use them all"))
});

fn form(date: &str) -> Regex {
    Regex::new(&format!(r"\A{date}{TIME}{ZONE}\z")).expect("the forms are constants, and tests use them all")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn forms_of_one_day() {
        let fifth_of_march = PartialDate::from(Date::constant(2026, 3, 5));
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
            "2026-03-05 UTC",
            "2026.03.05",
            "20260305",
            "20260305T100000Z",
            "March 5,2026",
            "March,5,2026",
            "Mar-05-2026",
            "5/Mar/2026",
            "2026 March 5",
            "2026, March 5",
            "Thu Mar 5 10:00:00 2026 +0100",
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
            assert_eq!(read(&json!(text)), Some(expected.into()), "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for value in [
            json!("2026-02-30"),
            json!("29 February 2026"),
            json!("13/13/2026"),
            json!("Thursday"),
            json!("today"),
            json!("Monday, March 5, 2026"),
            json!("05.13.2026"),
            json!("03/05-2026"),
            json!("2026-03/05"),
            json!("05.03.26"),
            json!("Marchember 5, 2026"),
            json!(20_260_305),
            json!("2026-03-05 or so"),
            json!("2026-03-05 2026-03-06"),
            json!(""),
            json!(null),
            json!("m 5, 2026"),
            json!("3/5"),
            json!("utc"),
            json!("13/2026"),
            json!("February 30"),
            json!("20261305"),
            json!(5),
            json!(2026.5),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    #[test]
    fn missing_parts_stay_missing() {
        let of = |year, month, day| PartialDate { year, month, day };
        for (text, expected) in [
            ("March 2026", of(Some(2026), Some(3), None)),
            ("Mar. 2026", of(Some(2026), Some(3), None)),
            ("2026-03", of(Some(2026), Some(3), None)),
            ("03/2026", of(Some(2026), Some(3), None)),
            ("March 5", of(None, Some(3), Some(5))),
            ("5th of March", of(None, Some(3), Some(5))),
            ("February 29", of(None, Some(2), Some(29))),
            ("2026", of(Some(2026), None, None)),
            ("March", of(None, Some(3), None)),
        ] {
            assert_eq!(read(&json!(text)), Some(expected), "{text}");
        }
        assert_eq!(read(&json!(2026)), read(&json!("2026")));
    }

    proptest! {
        #[test]
        fn every_day_is_read_back_from_iso(days in -700_000..2_900_000_i32) {
            let epoch = Date::constant(1970, 1, 1);
            if let Ok(date) = epoch.checked_add(jiff::Span::new().days(days)) && date.year() >= 1000 {
                prop_assert_eq!(read(&json!(date.to_string())), Some(date.into()));
                prop_assert_eq!(PartialDate::from(date).to_string(), date.to_string());
            }
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>(), near in "(mar|march|thu|5th|of|2026|03|[/., -]|10:00|utc){0,8}") {
            read(&json!(text));
            read(&json!(near));
        }
    }
}
