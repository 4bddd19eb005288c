//! How long to wait before the next try.

use std::time::{Duration, SystemTime};

use hyper::HeaderMap;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// Doubles with every try, up to a limit, and lies anywhere in the upper half of that, so that many attempts that were
/// turned away together do not come back together. A wait the provider asked for is kept to.
pub(crate) fn pause(failed_tries: u32, asked: Option<Duration>, jitter: f64) -> Duration {
    let doubled = FIRST.saturating_mul(1 << failed_tries.saturating_sub(1).min(16)).min(LONGEST);
    let own = doubled.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0);
    match asked {
        // Never earlier than asked, and not all at that same moment either.
        Some(asked) => asked + FIRST.mul_f64(jitter.clamp(0.0, 1.0) / 2.0),
        None => own,
    }
}

/// `Retry-After` in seconds or as a date, or OpenAI's finer `retry-after-ms`.
pub(crate) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let seconds = |text: &str, unit: f64| {
        let count = text.parse::<f64>().ok().filter(|count| count.is_finite() && *count >= 0.0)?;
        Duration::try_from_secs_f64(count * unit).ok()
    };
    if let Some(wait) = text("retry-after-ms").and_then(|text| seconds(text, 0.001)) {
        return Some(wait);
    }
    let value = text("retry-after")?;
    seconds(value, 1.0).or_else(|| {
        let date = httpdate::parse_http_date(value).ok()?;
        Some(date.duration_since(now).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_limit() {
        for (failed, most_ms) in [(1, 500), (2, 1000), (3, 2000), (4, 4000), (7, 30_000), (40, 30_000)] {
            let longest = Duration::from_millis(most_ms);
            assert_eq!(pause(failed, None, 1.0), longest);
            assert_eq!(pause(failed, None, 0.0), longest / 2);
        }
    }

    #[test]
    fn a_wait_the_provider_asks_for_is_never_cut_short() {
        let asked = Duration::from_secs(7);
        assert_eq!(pause(1, Some(asked), 0.0), asked);
        assert!(pause(9, Some(asked), 1.0) <= asked + FIRST);
    }

    #[test]
    fn both_spellings_of_retry_after_are_read() {
        // The date is the example of RFC 9110; its second as Unix time is 784111777.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777 - 20);
        for (name, value, expected) in [
            ("retry-after", "120", Some(120_000)),
            ("retry-after", " 1.5 ", Some(1_500)),
            ("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT", Some(20_000)),
            ("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("retry-after-ms", "250", Some(250)),
            ("retry-after", "soon", None),
            ("retry-after", "-3", None),
            ("retry-after", "1e300", None),
            ("x-other", "5", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(hyper::header::HeaderName::from_static(name), value.parse().expect("a header"));
            assert_eq!(retry_after(&headers, now), expected.map(Duration::from_millis), "{name}: {value}");
        }
    }
}
