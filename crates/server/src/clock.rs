//! The time of day, as the database keeps it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since the Unix epoch.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs().cast_signed())
}

/// Milliseconds since the Unix epoch, as the arena counts.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// `2026-03-16 09:30`, for a reader.
pub(crate) fn in_words(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).map_or_else(
        |_| "unknown".to_owned(),
        |at| at.to_string().chars().take(16).collect::<String>().replace('T', " "),
    )
}
