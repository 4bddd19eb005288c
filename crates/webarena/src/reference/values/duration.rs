//! Spans of time.

use std::sync::LazyLock;

use regex::Regex;

use super::time_expression::seconds_of;
use super::{Context, Unreadable, ValueType};
use crate::python::{Value, parse_float, str_of};
use crate::reference::text::fold;

/// In microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DurationValue(i64);

const SECOND: i64 = 1_000_000;

impl ValueType for DurationValue {
    fn read(value: &Value, context: &Context) -> Result<Self, Unreadable> {
        let text = match value {
            Value::Str(text) => clock_hours(&fold(text, Some(context))),
            falsy if !falsy.truthy() => return Err(Unreadable("no duration")),
            other => str_of(other),
        };
        if text.is_empty() || parse_float(&text).is_some() {
            return Err(Unreadable("a duration needs a unit"));
        }
        seconds_of(&text).map(|seconds| Self(to_microseconds(seconds))).ok_or(Unreadable("no duration"))
    }

    /// Within three minutes or a tenth of the longer one.
    fn same(&self, other: &Self) -> bool {
        let longer = i128::from(self.0.max(other.0));
        let difference = (i128::from(self.0) - i128::from(other.0)).abs();
        difference <= i128::from(180 * SECOND) || difference * 10 <= longer
    }

    fn report(&self) -> Value {
        Value::from(iso_text(self.0))
    }
}

impl DurationValue {
    pub fn seconds(self) -> f64 {
        self.0 as f64 / SECOND as f64
    }
}

/// `1:30 hours` is one hour and a half.
fn clock_hours(text: &str) -> String {
    static CLOCK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(\d+):(\d+)\s*hours?").expect("a constant pattern"));
    CLOCK.replace_all(text, "${1}h${2}m").into_owned()
}

fn to_microseconds(seconds: f64) -> i64 {
    (seconds * SECOND as f64).round_ties_even() as i64
}

/// ISO 8601 with years of 365 days as the largest unit.
fn iso_text(microseconds: i64) -> String {
    let sign = if microseconds < 0 { "-" } else { "" };
    let total = microseconds.unsigned_abs();
    let (seconds, fraction) = (total / 1_000_000, total % 1_000_000);
    let (days, hours, minutes, seconds) =
        (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    let unit = |amount: u64, unit: &str| if amount == 0 { String::new() } else { format!("{amount}{unit}") };
    let seconds = match fraction {
        0 => unit(seconds, "S"),
        fraction => format!("{seconds}.{}S", format!("{fraction:06}").trim_end_matches('0')),
    };
    let date = format!("{}{}", unit(days / 365, "Y"), unit(days % 365, "D"));
    let time = format!("{}{}{}", unit(hours, "H"), unit(minutes, "M"), seconds);
    match (date.is_empty(), time.is_empty()) {
        (true, true) => "PT0S".to_owned(),
        (false, true) => format!("{sign}P{date}"),
        _ => format!("{sign}P{date}T{time}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_iso_8601() {
        for (seconds, text) in [
            (0.0, "PT0S"),
            (5400.0, "PT1H30M"),
            (93_600.0, "P1DT2H"),
            (-300.0, "-PT5M"),
            (1.5, "PT1.5S"),
            (86_400.0, "P1D"),
            (31_622_400.0, "P1Y1D"),
        ] {
            assert_eq!(iso_text(to_microseconds(seconds)), text);
        }
    }
}
