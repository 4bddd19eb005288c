//! Time expressions: `1h30m`, `2 weeks, 3 days`, `1:02:03`. The forms, and which of them tolerates what, are those of
//! the library the reference uses.

use std::sync::LazyLock;

use regex::Regex;

use crate::python::parse_float;

/// The seconds a text stands for, to the microsecond.
pub fn seconds_of(text: &str) -> Option<f64> {
    read(text)
        .filter(|seconds| seconds.abs() <= LONGEST)
        .map(|seconds| (seconds * 1e6).round_ties_even() / 1e6)
}

/// Python's `timedelta` ends here.
const LONGEST: f64 = 999_999_999.0 * 86_400.0;

fn read(text: &str) -> Option<f64> {
    if is_plain_number(text) {
        return parse_float(text);
    }
    let trimmed = text.trim_start();
    let (sign, unsigned) = match trimmed.chars().next() {
        Some('-') => (-1.0, trimmed[1..].trim_start()),
        Some('+' | '|') => (1.0, trimmed[1..].trim_start()),
        _ => (1.0, trimmed),
    };
    // Only one line is looked at, so there must not be a second one.
    if unsigned.strip_suffix('\n').unwrap_or(unsigned).contains('\n') {
        return None;
    }
    for form in FORMS.iter() {
        match form.captures(unsigned) {
            Some(found) if !found[0].trim().is_empty() => return Some(sign * sum(form, &found)?),
            _ => {}
        }
    }
    parse_float(unsigned).map(|seconds| sign * seconds)
}

/// Digits with at most one point, one minus and one plus, wherever they stand.
fn is_plain_number(text: &str) -> bool {
    let bare = text.replacen('.', "", 1).replacen('-', "", 1).replacen('+', "", 1);
    !bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit())
}

struct Unit {
    name: &'static str,
    spellings: &'static str,
    seconds: f64,
    /// Whether a malformed number fails the expression; otherwise it counts as nothing.
    strict: bool,
}

const UNITS: [Unit; 8] = [
    Unit { name: "years", spellings: "ys?|yrs?.?|years?", seconds: 365.0 * 86_400.0, strict: false },
    Unit { name: "months", spellings: "mos?.?|mths?.?|months?", seconds: 30.0 * 86_400.0, strict: false },
    Unit { name: "weeks", spellings: "w|wks?|weeks?", seconds: 7.0 * 86_400.0, strict: false },
    Unit { name: "days", spellings: "d|dys?|days?", seconds: 86_400.0, strict: true },
    Unit { name: "hours", spellings: "h|hrs?|hours?", seconds: 3_600.0, strict: true },
    Unit { name: "minutes", spellings: "m|mins?|minutes?", seconds: 60.0, strict: true },
    Unit { name: "seconds", spellings: "s|secs?|seconds?", seconds: 1.0, strict: false },
    Unit { name: "milliseconds", spellings: "ms|msecs?|millis|milliseconds?", seconds: 0.001, strict: true },
];

/// In the order they are tried.
static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let amount = |unit: &Unit| format!(r"(?P<{}>[\d.]+)\s*(?:{})", unit.name, unit.spellings);
    // All but the two smallest units may be followed by a separator.
    let in_sequence = |unit: &Unit| match unit.name {
        "seconds" | "milliseconds" => format!("(?:{})?", amount(unit)),
        _ => format!(r"(?:{}\s*(?:[,/]\s*)?)?", amount(unit)),
    };
    let sequence = |units: &[Unit]| units.iter().map(in_sequence).collect::<Vec<_>>().join(r"\s*");
    let clock_seconds = r"(?P<seconds>\d{2}(?:\.\d+)?)";
    [
        sequence(&UNITS),
        sequence(&UNITS[2..]),
        format!(r"(?P<minutes>\d{{1,2}}):{clock_seconds}"),
        format!(r"{}\s*(?P<hours>\d+):(?P<minutes>\d{{2}}):{clock_seconds}", sequence(&UNITS[2..4])),
        format!(r"(?P<days>\d+):(?P<hours>\d{{2}}):(?P<minutes>\d{{2}}):{clock_seconds}"),
        format!(":{clock_seconds}"),
        amount(&UNITS[0]),
        amount(&UNITS[1]),
    ]
    .into_iter()
    .map(|form| Regex::new(&format!(r"(?i)^\s*{form}\s*$")).expect("a constant pattern"))
    .collect()
});

fn sum(form: &Regex, found: &regex::Captures<'_>) -> Option<f64> {
    let mut total = 0.0;
    for name in form.capture_names().flatten() {
        let Some(unit) = UNITS.iter().find(|unit| unit.name == name) else { continue };
        let Some(amount) = found.name(name) else { continue };
        match parse_float(amount.as_str()) {
            Some(amount) => total += amount * unit.seconds,
            None if unit.strict => return None,
            None => {}
        }
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (text, seconds) in [
            ("1h30m", Some(5400.0)),
            ("1 hour, 30 mins", Some(5400.0)),
            ("2 wks/3 days", Some(1_468_800.0)),
            ("1:30", Some(90.0)),
            ("1:02:03", Some(3723.0)),
            (":22", Some(22.0)),
            ("- 5 minutes", Some(-300.0)),
            ("1.5 h", Some(5400.0)),
            ("1.2.3 h", None),
            ("1.2.3 s", Some(0.0)),
            ("90", Some(90.0)),
            ("0.55h", Some(1980.0)),
            ("1e53", None),
            ("1 hour and 30 minutes", None),
            ("about 1 hour", None),
            ("PT1H30M", None),
            ("", None),
        ] {
            assert_eq!(seconds_of(text), seconds, "{text}");
        }
    }
}
