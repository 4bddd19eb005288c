//! Lengths of time: `1 hr 35 min`, `1 hour and 30 minutes`, `01:33:00`, `PT1H30M`. A unit is needed.
//!
//! Of two numbers with a colon the first are hours (`1:30` is an hour and a half), since travel and opening times are
//! what web pages write that way; `1:30 min` says otherwise. Three are hours, minutes and seconds.
//!
//! Two durations are the same if rounding to the precision written explains their difference and it is below half a
//! percent: `63 min` is `1 h 3 min`, and `1.58 h` is `1 h 35 min`, but `1 min` is neither `0 min` nor `2 min`. Months and
//! years have no fixed length, so they are compared with each other only.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use rust_decimal::Decimal;
use serde_json::Value;

use super::folding::plain;
use super::measure;
use super::quantity::Quantity;

const SHARE: Decimal = Decimal::from_parts(5, 0, 0, false, 3);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Duration {
    months: Decimal,
    seconds: Quantity,
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Unit {
    Seconds(Decimal),
    Months(Decimal),
}

impl Duration {
    pub(super) fn same_as(&self, other: &Self) -> bool {
        self.months == other.months && self.seconds.same_as(&other.seconds, SHARE)
    }

    /// Adds parts from large to small; a unit that comes twice, or out of order, is a slip or a trick.
    fn of(parts: &[(Quantity, Unit)], negative: bool) -> Option<Self> {
        if parts.is_empty() || !parts.windows(2).all(|pair| pair[0].1 > pair[1].1) {
            return None;
        }
        let mut sum = Self { months: Decimal::ZERO, seconds: Quantity::as_written(Decimal::ZERO) };
        for (amount, unit) in parts {
            match unit {
                Unit::Months(factor) => {
                    sum.months = sum.months.checked_add(amount.value.checked_mul(*factor)?)?;
                }
                Unit::Seconds(factor) => {
                    let part = amount.times(*factor)?;
                    sum.seconds =
                        Quantity { value: sum.seconds.value.checked_add(part.value)?, step: part.step };
                }
            }
        }
        if negative {
            sum.months = -sum.months;
            sum.seconds.value = -sum.seconds.value;
        }
        Some(sum)
    }
}

pub(super) fn read(value: &Value) -> Option<Duration> {
    let text = plain(value.as_str().filter(|text| text.len() <= measure::LONGEST)?);
    clock(&text).or_else(|| iso(&text)).or_else(|| {
        let measure = measure::read(&text, unit_named)?;
        Duration::of(&measure.parts, measure.negative)
    })
}

/// True for the name of a unit of time.
pub(super) fn is_unit(word: &str) -> bool {
    unit_named(word).is_some()
}

fn unit_named(name: &str) -> Option<Unit> {
    let thousandth = Decimal::new(1, 3);
    Some(match name.to_lowercase().as_str() {
        "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" => Unit::Seconds(thousandth),
        "s" | "sec" | "secs" | "second" | "seconds" => Unit::Seconds(Decimal::ONE),
        "m" | "min" | "mins" | "minute" | "minutes" => Unit::Seconds(Decimal::from(60)),
        "h" | "hr" | "hrs" | "hour" | "hours" => Unit::Seconds(Decimal::from(3600)),
        "d" | "day" | "days" => Unit::Seconds(Decimal::from(86_400)),
        "w" | "wk" | "wks" | "week" | "weeks" => Unit::Seconds(Decimal::from(604_800)),
        "mo" | "mos" | "mth" | "mths" | "month" | "months" => Unit::Months(Decimal::ONE),
        "y" | "yr" | "yrs" | "year" | "years" => Unit::Months(Decimal::from(12)),
        _ => return None,
    })
}

/// `1:30`, `01:33:00`, `1:30 hours`, `1:30 min`, and `1h30`.
fn clock(text: &str) -> Option<Duration> {
    static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
        constant(
            r"(?i)\A(\d{1,4}):([0-5]\d)(?::([0-5]\d(?:\.\d{1,6})?))?(?: ?(?:(h|hrs?|hours?)|(m|mins?|minutes?))\.?)?\z",
        )
    });
    static HOURS_MINUTES: LazyLock<Regex> = LazyLock::new(|| constant(r"(?i)\A(\d{1,4}) ?h([0-5]\d)\z"));
    let number = |digits: &str| digits.parse().ok().map(Quantity::as_written);
    let [hour, minute, second] = ["h", "min", "s"].map(unit_named);
    if let Some(found) = HOURS_MINUTES.captures(text) {
        return Duration::of(&[(number(&found[1])?, hour?), (number(&found[2])?, minute?)], false);
    }
    let found = CLOCK.captures(text)?;
    let (first, middle) = (number(&found[1])?, number(&found[2])?);
    match (found.get(3), found.get(5)) {
        (Some(last), None) => {
            Duration::of(&[(first, hour?), (middle, minute?), (number(last.as_str())?, second?)], false)
        }
        (None, Some(_)) => Duration::of(&[(first, minute?), (middle, second?)], false),
        (None, None) => Duration::of(&[(first, hour?), (middle, minute?)], false),
        (Some(_), Some(_)) => None,
    }
}

fn iso(text: &str) -> Option<Duration> {
    const AMOUNT: &str = r"(\d{1,9}(?:[.,]\d{1,9})?)";
    static ISO: LazyLock<Regex> = LazyLock::new(|| {
        constant(&format!(
            r"(?i)\A(-)?P(?:{AMOUNT}Y)?(?:{AMOUNT}M)?(?:{AMOUNT}W)?(?:{AMOUNT}D)?(?:T(?:{AMOUNT}H)?(?:{AMOUNT}M)?(?:{AMOUNT}S)?)?\z"
        ))
    });
    let found = ISO.captures(text)?;
    let mut parts = Vec::new();
    for (group, name) in (2..).zip(["y", "mo", "w", "d", "h", "m", "s"]) {
        if let Some(digits) = found.get(group) {
            let amount = digits.as_str().replace(',', ".").parse().ok()?;
            parts.push((Quantity::as_written(amount), unit_named(name)?));
        }
    }
    Duration::of(&parts, found.get(1).is_some())
}

fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant, and tests use it")
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.months.is_zero() {
            parts.push(format!("{} months", self.months.normalize()));
        }
        let minute = Decimal::from(60);
        let seconds = self.seconds.value.abs();
        let minutes = (seconds / minute).trunc();
        for (amount, unit) in
            [((minutes / minute).trunc(), "h"), (minutes % minute, "min"), (seconds % minute, "s")]
        {
            if !amount.is_zero() {
                parts.push(format!("{} {unit}", amount.normalize()));
            }
        }
        let sign = if self.seconds.value.is_sign_negative() && !seconds.is_zero() { "-" } else { "" };
        write!(f, "{sign}{}", if parts.is_empty() { "0 s".to_owned() } else { parts.join(" ") })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::values::same_both_ways;

    fn same(a: &str, b: &str) -> bool {
        same_both_ways(read(&json!(a)), read(&json!(b)), Duration::same_as)
    }

    #[test]
    fn durations_that_are_the_same() {
        for (a, b) in [
            ("63min", "1h 3min"),
            ("1hr 35min", "95 minutes"),
            ("1 hour and 30 minutes", "90 min"),
            ("1 hour, 30 minutes", "1h30"),
            ("1 hour and thirty minutes", "PT90M"),
            ("PT1H30M", "1.5 hours"),
            ("P1DT12H", "36 h"),
            ("1:30", "90 min"),
            ("1:30 hours", "90 min"),
            ("1:30 min", "90 s"),
            ("01:33:00", "1 h 33 min"),
            ("0:00:05", "5 seconds"),
            ("about 1 hour", "60 min"),
            ("1 hr.", "1 h"),
            ("1 1/2 hours", "90 min"),
            ("1½ hours", "90 min"),
            ("half an hour", "30 min"),
            ("1,5 h", "90 min"),
            ("1.58 h", "1 h 35 min"),
            ("1,500 ms", "1.5 s"),
            ("2 weeks", "14 days"),
            ("1 year", "12 months"),
            ("P1Y6M", "1.5 years"),
            ("５ min", "5 min"),
            ("11h", "11 h 0 min"),
        ] {
            assert!(same(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn durations_that_differ() {
        for (a, b) in [
            ("1 min", "3 min"),
            ("1 min", "0 min"),
            ("30 min", "31 min"),
            ("30 min", "0:31:00"),
            ("10 h", "10 h 5 min"),
            ("1 h", "1 h 1 min"),
            ("1:30", "90 s"),
            ("5 min", "-5 min"),
            ("1 month", "30 days"),
            ("1 year", "365 days"),
            ("1 min", "1 month"),
        ] {
            assert!(!same(a, b), "{a} and {b}");
        }
    }

    #[test]
    fn texts_that_are_no_duration() {
        for text in [
            "",
            "90",
            "1:75",
            "1:2:3",
            "1:30:00 min",
            "P",
            "PT",
            "P1H",
            "PT1M1H",
            "5 min 1 h",
            "5 min 5 min",
            "5 km",
            "5-6 min",
            "under 5 min",
            "a while",
            "1 h 30",
            "^.*$",
        ] {
            assert_eq!(read(&json!(text)), None, "{text}");
        }
        for value in [json!(90), json!(null), json!(["1 h"]), json!({"h": 1})] {
            assert_eq!(read(&value), None, "{value}");
        }
    }

    #[test]
    fn normal_text() {
        for (text, expected) in
            [("95 min", "1 h 35 min"), ("0 s", "0 s"), ("-90 s", "-1 min 30 s"), ("1.5 years", "18 months")]
        {
            assert_eq!(read(&json!(text)).map(|d| d.to_string()).as_deref(), Some(expected));
        }
    }

    proptest! {
        #[test]
        fn all_ways_to_write_a_time_agree(seconds in 0..1_000_000_u32) {
            let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
            let ways = [
                format!("{seconds} s"),
                format!("{h} hours {m} minutes and {s} seconds"),
                format!("{h}h{m}m{s}s"),
                format!("{h}:{m:02}:{s:02}"),
                format!("PT{h}H{m}M{s}S"),
            ];
            for way in &ways {
                prop_assert!(same(&ways[0], way), "{}", way);
                prop_assert!(!same(&format!("{} s", seconds + 1), way), "{}", way);
            }
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>(), near in "[PT0-9:.,hmsdwy -]{0,20}") {
            for text in [text, near] {
                if let Some(duration) = read(&json!(text)) {
                    prop_assert!(duration.same_as(&duration) && !duration.to_string().is_empty());
                }
            }
        }
    }
}
