//! Months: by name (`March`, `Mar.`), by number (`3`, `03`), or within a year (`March 2026`, `2026-03`).
//!
//! Years count if both sides give one. A weekday, a day or a time of day is not a month.

use std::fmt;

use serde_json::Value;

use super::date;
use super::folding::{caseless, plain};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Month {
    month: i8,
    year: Option<i16>,
}

impl Month {
    pub(super) fn same_as(self, other: Self) -> bool {
        let years_agree = match (self.year, other.year) {
            (Some(year), Some(other)) => year == other,
            _ => true,
        };
        self.month == other.month && years_agree
    }
}

impl Month {
    /// The month after it, in the same year unless that one ends.
    pub(super) fn next(self) -> Self {
        match self.month {
            12 => Self { month: 1, year: self.year.map(|year| year.saturating_add(1)) },
            month => Self { month: month + 1, ..self },
        }
    }
}

pub(super) fn read(value: &Value) -> Option<Month> {
    match value {
        Value::Number(number) => {
            let whole = number.as_i64().or_else(|| {
                number.as_f64().filter(|number| number.fract() == 0.0).map(|number| number as i64)
            });
            numbered(i8::try_from(whole?).ok()?)
        }
        Value::String(text) if text.len() < 100 => {
            let text = caseless(&plain(text));
            if (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
                return numbered(text.parse().ok()?);
            }
            let date = date::read_text(&text).filter(|date| date.day.is_none())?;
            Some(Month { month: date.month?, year: date.year })
        }
        _ => None,
    }
}

fn numbered(month: i8) -> Option<Month> {
    (1..=12).contains(&month).then_some(Month { month, year: None })
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = usize::try_from(self.month - 1).ok().and_then(|at| date::MONTHS.get(at));
        f.write_str(name.unwrap_or(&"no month"))?;
        self.year.map_or(Ok(()), |year| write!(f, " {year}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn ways_to_name_a_month() {
        for value in [
            json!("March"),
            json!("march"),
            json!("Mar."),
            json!("MAR"),
            json!("3"),
            json!("03"),
            json!(3),
            json!(3.0),
            json!("March 2026"),
            json!("2026-03"),
            json!("3/2026"),
        ] {
            assert!(read(&value).is_some_and(|month| month.month == 3), "{value}");
        }
        assert_eq!(read(&json!("Sept")).map(|month| month.to_string()).as_deref(), Some("september"));
        assert_eq!(read(&json!("Jan 2026")).map(|month| month.to_string()).as_deref(), Some("january 2026"));
    }

    #[test]
    fn years_count_if_both_are_given() {
        let month = |text: &str| read(&json!(text)).expect(text);
        assert!(month("May").same_as(month("May 2022")));
        assert!(month("May 2022").same_as(month("2022-05")));
        assert!(!month("May 2022").same_as(month("May 2023")));
        assert!(!month("May").same_as(month("June")));
    }

    #[test]
    fn what_is_no_month() {
        for value in [
            json!("5th"),
            json!("Monday"),
            json!("12.0"),
            json!("10pm"),
            json!("13"),
            json!("0"),
            json!(0),
            json!(13),
            json!(2.5),
            json!(true),
            json!("March 5"),
            json!("2026-03-05"),
            json!("2026"),
            json!(""),
            json!(null),
            json!(["March"]),
        ] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn a_month_is_read_back_from_its_name(month in 1..=12_i8, year in prop::option::of(1000..=9999_i16)) {
            let month = Month { month, year };
            prop_assert_eq!(read(&json!(month.to_string())), Some(month));
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>()) {
            read(&json!(text));
        }
    }
}
