//! Turns at the browser. Attempts think at the same time, but what they make the browser do competes for the same cores:
//! sixteen pages laid out at once take each as long as all of them. In turns, whoever came first is done first, and none
//! waits longer than the others.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use umpire_model::Deadline;

/// While a page waits for its server or comes to rest, its core is free for another.
const PER_CORE: usize = 2;

/// A page that takes longer waits for somebody else, and does not keep others waiting for it.
const LONGEST: Duration = Duration::from_millis(500);

#[derive(Clone)]
pub(crate) struct Turns(Arc<Semaphore>);

/// It is over when this is dropped, or after a while.
pub(crate) struct Turn(AbortHandle);

impl Turns {
    pub fn on_this_machine() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Semaphore::new(cores * PER_CORE)))
    }

    /// Waits for a turn; none if the deadline comes first.
    pub async fn take(&self, deadline: Deadline) -> Option<Turn> {
        let permit = Arc::clone(&self.0).acquire_owned();
        let permit = tokio::time::timeout_at(deadline.at().into(), permit).await.ok()?.ok()?;
        Some(Turn(tokio::spawn(held(permit)).abort_handle()))
    }
}

async fn held(permit: OwnedSemaphorePermit) {
    tokio::time::sleep(LONGEST).await;
    drop(permit);
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Deadline {
        Deadline::after(Duration::from_secs(10))
    }

    #[tokio::test]
    async fn a_turn_ends_with_its_holder_or_after_a_while() {
        let turns = Turns(Arc::new(Semaphore::new(1)));
        let first = turns.take(soon()).await.expect("free");
        assert!(turns.take(Deadline::after(Duration::from_millis(20))).await.is_none(), "it is taken");
        drop(first);
        let _endless = turns.take(soon()).await.expect("given back");
        assert!(turns.take(soon()).await.is_some(), "nobody holds on to it for ever");
    }
}
