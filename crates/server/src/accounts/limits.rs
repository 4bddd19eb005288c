//! How much anybody may ask for: a bucket a visitor, an address or a name, refilled over time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Address;
use crate::error::PageError;

/// Buckets kept for one limit; when there are more, those that are full again, or soonest will be, go.
const MOST_BUCKETS: usize = 20_000;

/// How many at once, and how long until all of them are there again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    what: &'static str,
    burst: f64,
    refill: Duration,
}

const fn limit(what: &'static str, burst: f64, seconds: u64) -> Limit {
    Limit { what, burst, refill: Duration::from_secs(seconds) }
}

impl Limit {
    /// Guessing passwords for one name, from wherever.
    pub(crate) const SIGN_IN_NAME: Self = limit("sign-in by name", 10.0, 300);
    /// The same in a browser that was signed in under the name before: those who guess do not shut its owner out.
    pub(crate) const SIGN_IN_KNOWN: Self = limit("sign-in where it is known", 10.0, 300);
    /// Guessing passwords from one place.
    pub(crate) const SIGN_IN_ADDRESS: Self = limit("sign-in by address", 30.0, 300);
    /// Forms of one visitor, and from one place: an office may share an address.
    pub(crate) const FORMS_VISITOR: Self = limit("forms by visitor", 120.0, 60);
    pub(crate) const FORMS_ADDRESS: Self = limit("forms by address", 600.0, 60);
    /// Battles asked for from one place: whoever forgets their cookie is a new visitor, but not a new place.
    pub(crate) const BATTLES_ADDRESS: Self = limit("battles by address", 60.0, 3600);
    /// Films and archives.
    pub(crate) const EXPORTS: Self = limit("exports by address", 20.0, 60);
}

#[derive(Default)]
pub(crate) struct Limits {
    by_limit: Mutex<HashMap<&'static str, HashMap<String, Bucket>>>,
}

struct Bucket {
    left: f64,
    at: Instant,
    full_at: Instant,
}

impl Limits {
    pub(crate) fn take_for(&self, limit: Limit, address: Address) -> Result<(), PageError> {
        self.take(limit, &address.place())
    }

    pub(crate) fn take(&self, limit: Limit, key: &str) -> Result<(), PageError> {
        if self.take_at(limit, key, Instant::now()) { Ok(()) } else { Err(PageError::TooMany) }
    }

    fn take_at(&self, limit: Limit, key: &str, now: Instant) -> bool {
        let mut by_limit = self.by_limit.lock().unwrap_or_else(PoisonError::into_inner);
        // Each limit has its own: whoever makes up visitors does not make the server forget who guesses passwords.
        let buckets = by_limit.entry(limit.what).or_default();
        if buckets.len() >= MOST_BUCKETS {
            make_room(buckets, now);
        }
        let full = Bucket { left: limit.burst, at: now, full_at: now };
        let bucket = buckets.entry(key.to_owned()).or_insert(full);
        let rate = limit.burst / limit.refill.as_secs_f64();
        let left = (bucket.left + now.duration_since(bucket.at).as_secs_f64() * rate).min(limit.burst);
        let allowed = left >= 1.0;
        bucket.left = if allowed { left - 1.0 } else { left };
        bucket.at = now;
        bucket.full_at = now + Duration::from_secs_f64((limit.burst - bucket.left) / rate);
        allowed
    }
}

/// Half of them go at most, so that it is not done for every newcomer; those who took most stay.
fn make_room(buckets: &mut HashMap<String, Bucket>, now: Instant) {
    buckets.retain(|_, bucket| bucket.full_at > now);
    if buckets.len() < MOST_BUCKETS {
        return;
    }
    let mut full: Vec<Instant> = buckets.values().map(|bucket| bucket.full_at).collect();
    let (_, middle, _) = full.select_nth_unstable(MOST_BUCKETS / 2);
    let middle = *middle;
    buckets.retain(|_, bucket| bucket.full_at > middle);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_took_all_is_remembered_however_many_come() {
        let limits = Limits::default();
        let (limit, other) = (limit("test", 3.0, 3000), limit("other", 1.0, 3000));
        let start = Instant::now();
        assert!(limits.take_at(other, "eve", start));
        while limits.take_at(limit, "eve", start) {}
        for newcomer in 0..2 * MOST_BUCKETS {
            // Each a moment after the other, as it happens.
            let now = start + Duration::from_micros(newcomer as u64);
            assert!(limits.take_at(limit, &newcomer.to_string(), now));
        }
        let later = start + Duration::from_secs(1);
        assert!(!limits.take_at(limit, "eve", later), "she is not new");
        assert!(!limits.take_at(other, "eve", later), "nor anywhere else");
        let kept = limits.by_limit.lock().expect("free")["test"].len();
        assert!(kept <= MOST_BUCKETS, "{kept}");
    }

    #[test]
    fn a_bucket_empties_refills_and_is_ones_own() {
        let limits = Limits::default();
        let limit = limit("test", 3.0, 30);
        let start = Instant::now();
        let taken = (0..5).filter(|_| limits.take_at(limit, "ann", start)).count();
        assert_eq!(taken, 3);
        assert!(limits.take_at(limit, "ben", start), "another visitor is not concerned");
        assert!(!limits.take_at(limit, "ann", start + Duration::from_secs(9)));
        assert!(
            limits.take_at(limit, "ann", start + Duration::from_secs(11)),
            "one came back after ten seconds"
        );
    }
}
