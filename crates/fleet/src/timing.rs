use std::time::Duration;

/// How long the parts of the fleet wait for each other. Tests and the simulator compress it; everything else keeps the
/// default, because all machines of a fleet have to agree on the lease.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// How long an attempt stays its worker's without a sign of life; then the queue hands it out again.
    pub lease: Duration,
    /// How often followers and stewards look.
    pub poll: Duration,
    /// How long a worker waits for a message before it looks around.
    pub pull: Duration,
    /// Before an attempt whose site or account is in use is tried again.
    pub busy: Duration,
    /// An attempt is not slow before this, however quick the others were.
    pub straggle: Duration,
    /// Servers that cannot be reached are waited for this long before work in hand is given up.
    pub outage: Duration,
}

impl Timing {
    /// Three signs of life in a lease: one may be lost.
    pub fn beat(&self) -> Duration {
        self.lease / 3
    }

    /// Before what could not be carried out so many times is tried again.
    pub(crate) fn back_off(&self, failures: u32) -> Duration {
        self.busy.saturating_mul(1 << failures.saturating_sub(1).min(10)).min(self.lease)
    }

    /// Who was silent for so long is taken for dead when the queue hands out what it had.
    pub(crate) fn absence(&self) -> Duration {
        self.lease * 4 / 5
    }

    /// Who was silent for so long does not come back.
    pub(crate) fn despair(&self) -> Duration {
        self.lease * 10
    }
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            poll: Duration::from_secs(1),
            pull: Duration::from_secs(3),
            busy: Duration::from_secs(2),
            straggle: Duration::from_secs(30),
            outage: Duration::from_hours(1),
        }
    }
}
