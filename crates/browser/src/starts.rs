//! Attempts that are loading their first page. They need the cores more than a spare that nobody waits for yet, or a
//! context that nobody needs any more; such work waits until no attempt is starting.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// Longest that other work is put off: attempts may start without a pause.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Default)]
pub(crate) struct Starts {
    under_way: AtomicUsize,
    one_ended: Notify,
}

/// One attempt's start; it ends when this is dropped.
pub(crate) struct Starting(Arc<Starts>);

impl Starts {
    pub fn begin(self: &Arc<Self>) -> Starting {
        self.under_way.fetch_add(1, Ordering::AcqRel);
        Starting(Arc::clone(self))
    }

    /// Waits for a moment at which no attempt is starting.
    pub async fn pause(&self) {
        self.pause_at_most(PATIENCE).await;
    }

    async fn pause_at_most(&self, patience: Duration) {
        let calm = async {
            loop {
                let ended = self.one_ended.notified();
                if self.under_way.load(Ordering::Acquire) == 0 {
                    return;
                }
                ended.await;
            }
        };
        let _ = tokio::time::timeout(patience, calm).await;
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::AcqRel);
        self.0.one_ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_waits_for_the_last_start_but_not_for_ever() {
        let starts = Arc::new(Starts::default());
        starts.pause().await;
        let (first, second) = (starts.begin(), starts.begin());
        let waiting = tokio::spawn({
            let starts = Arc::clone(&starts);
            async move { starts.pause().await }
        });
        drop(first);
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(second);
        waiting.await.expect("no panic");

        let _endless = starts.begin();
        let waiting = starts.pause_at_most(Duration::from_millis(10));
        tokio::time::timeout(Duration::from_secs(10), waiting).await.expect("it gave up by itself");
    }
}
