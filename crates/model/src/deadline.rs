use std::time::{Duration, Instant};

/// The moment a wait gives up. Everything that waits takes one, so a wait without a limit does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    pub fn after(span: Duration) -> Self {
        Self(Instant::now() + span)
    }

    pub fn at(self) -> Instant {
        self.0
    }

    /// The earlier of this deadline and `span` from now: a step inside an attempt never outlives it.
    #[must_use]
    pub fn within(self, span: Duration) -> Self {
        Self(self.0.min(Instant::now() + span))
    }

    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    pub fn passed(self) -> bool {
        self.left().is_zero()
    }
}
