use serde::{Deserialize, Serialize};

/// Milliseconds since 1970, UTC. It is always passed in: nothing in this crate asks a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub u64);

const DAY: u64 = 86_400_000;

impl Time {
    #[must_use]
    pub fn plus(self, millis: u64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// How long after `earlier` this is; 0 if it is before.
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Days since 1970-01-01, UTC.
    pub fn day(self) -> u64 {
        self.0 / DAY
    }

    pub fn start_of_day(day: u64) -> Self {
        Self(day.saturating_mul(DAY))
    }
}
