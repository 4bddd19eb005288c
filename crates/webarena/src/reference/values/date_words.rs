//! The words a date text may contain.

/// Monday is 0.
pub(super) fn weekday(word: &str) -> Option<i8> {
    const NAMES: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    named(word, &NAMES).and_then(|at| i8::try_from(at).ok())
}

/// January is 1.
pub(super) fn month(word: &str) -> Option<i64> {
    if word.eq_ignore_ascii_case("sept") {
        return Some(9);
    }
    named(word, &MONTHS).and_then(|at| i64::try_from(at + 1).ok())
}

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

/// By full name or its first three letters.
fn named(word: &str, names: &[&str]) -> Option<usize> {
    names.iter().position(|name| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..3]))
}

/// Hours are 0, minutes 1, seconds 2.
pub(super) fn time_unit(word: &str) -> Option<usize> {
    match word.to_ascii_lowercase().as_str() {
        "h" | "hour" | "hours" => Some(0),
        "m" | "minute" | "minutes" => Some(1),
        "s" | "second" | "seconds" => Some(2),
        _ => None,
    }
}

/// Whether a word names the half of the day after noon.
pub(super) fn am_or_pm(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "am" | "a" => Some(false),
        "pm" | "p" => Some(true),
        _ => None,
    }
}

/// Words and signs that may stand anywhere and mean nothing.
pub(super) fn is_jump(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        " " | "."
            | ","
            | ";"
            | "-"
            | "/"
            | "'"
            | "at"
            | "on"
            | "and"
            | "ad"
            | "m"
            | "t"
            | "of"
            | "st"
            | "nd"
            | "rd"
            | "th"
    )
}

pub(super) fn is_utc(word: &str) -> bool {
    matches!(word, "UTC" | "GMT" | "Z" | "z")
}
