//! What attempts do that wait for nothing but the machine: they load their first page, and take steps between an agent's
//! answer and its next question. A spare that nobody waits for yet, a context that nobody needs any more, and the next
//! attempt's beginning leave the cores to them for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use umpire_model::Deadline;

/// Longest that anything is put off: attempts may start, and agents decide, without a pause.
const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) struct Pressing {
    starts: AtomicUsize,
    steps: AtomicUsize,
    one_ended: Notify,
    /// Whose turn it is to begin.
    entering: tokio::sync::Mutex<()>,
    cores: usize,
}

impl Default for Pressing {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            starts: AtomicUsize::new(0),
            steps: AtomicUsize::new(0),
            one_ended: Notify::new(),
            entering: tokio::sync::Mutex::default(),
            cores,
        }
    }
}

/// One attempt's start; it ends when this is dropped.
pub(crate) struct Starting(Arc<Pressing>);

/// One step, from the agent's answer until its next question; it ends when this is dropped.
pub struct Stepping(Arc<Pressing>);

impl Pressing {
    /// Begins one more start, when it is its turn and there is a core for it: of attempts that begin together each would
    /// make the others slower, and they would go on in step.
    pub async fn enter(self: &Arc<Self>) -> Starting {
        let patience = Self::patience();
        let _turn = self.entering.lock().await;
        self.calm(patience).await;
        self.start()
    }

    fn start(self: &Arc<Self>) -> Starting {
        self.starts.fetch_add(1, Ordering::AcqRel);
        Starting(Arc::clone(self))
    }

    pub fn step(self: &Arc<Self>) -> Stepping {
        self.steps.fetch_add(1, Ordering::AcqRel);
        Stepping(Arc::clone(self))
    }

    /// Until when work that begins to wait now is put off.
    pub fn patience() -> Deadline {
        Deadline::after(PATIENCE)
    }

    /// Waits for a moment at which no attempt is starting.
    pub async fn no_start(&self, give_up: Deadline) {
        self.until(give_up, || self.starts.load(Ordering::Acquire) == 0).await;
    }

    /// Waits for a moment at which starts and steps leave a core free.
    pub async fn calm(&self, give_up: Deadline) {
        let under_way = || self.starts.load(Ordering::Acquire) + self.steps.load(Ordering::Acquire);
        self.until(give_up, || under_way() < self.cores).await;
    }

    async fn until(&self, give_up: Deadline, holds: impl Fn() -> bool) {
        let waiting = async {
            loop {
                let ended = self.one_ended.notified();
                if holds() {
                    return;
                }
                ended.await;
            }
        };
        let _ = tokio::time::timeout_at(give_up.at().into(), waiting).await;
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        self.0.starts.fetch_sub(1, Ordering::AcqRel);
        self.0.one_ended.notify_waiters();
    }
}

impl Drop for Stepping {
    fn drop(&mut self) {
        self.0.steps.fetch_sub(1, Ordering::AcqRel);
        self.0.one_ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Deadline {
        Deadline::after(Duration::from_mins(1))
    }

    #[tokio::test]
    async fn work_waits_for_the_last_start_but_not_for_ever() {
        let pressing = Arc::new(Pressing::default());
        pressing.no_start(soon()).await;
        let (first, second) = (pressing.start(), pressing.start());
        let waiting = tokio::spawn({
            let pressing = Arc::clone(&pressing);
            async move { pressing.no_start(soon()).await }
        });
        drop(first);
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(second);
        waiting.await.expect("no panic");

        let _endless = pressing.start();
        let waiting = pressing.no_start(Deadline::after(Duration::from_millis(10)));
        tokio::time::timeout(Duration::from_secs(10), waiting).await.expect("it gave up by itself");
    }

    #[tokio::test]
    async fn what_leaves_a_core_free_disturbs_nobody() {
        let pressing = Arc::new(Pressing { cores: 2, ..Pressing::default() });
        let step = pressing.step();
        let start = pressing.enter().await;
        let waiting = tokio::spawn({
            let pressing = Arc::clone(&pressing);
            async move { pressing.calm(soon()).await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(step);
        waiting.await.expect("no panic");
        drop(start);
    }

    #[tokio::test]
    async fn attempts_begin_one_by_one_but_begin() {
        let pressing = Arc::new(Pressing { cores: 1, ..Pressing::default() });
        let began = std::time::Instant::now();
        let first = pressing.enter().await;
        let entering = |pressing: &Arc<Pressing>| {
            let pressing = Arc::clone(pressing);
            tokio::spawn(async move { pressing.enter().await })
        };
        let (second, third) = (entering(&pressing), entering(&pressing));
        tokio::task::yield_now().await;
        assert!(!second.is_finished() && !third.is_finished());
        drop(first);
        // The second does not end; the third waits for it no longer than it had to anyway.
        let (_second, _third) = (second.await.expect("no panic"), third.await.expect("no panic"));
        assert!(began.elapsed() >= PATIENCE, "{:?}", began.elapsed());
    }
}
