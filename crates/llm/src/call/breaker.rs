//! A provider that is down is left alone for a while, instead of costing every attempt all its tries.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

#[derive(Debug)]
pub(crate) struct Breaker {
    /// Calls in a row that must fail, each after all its tries.
    calls: u32,
    pause: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failed_in_a_row: u32,
    open_until: Option<Instant>,
    /// One call is finding out whether the provider is back.
    probing: bool,
}

/// The provider is left alone, for so much longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open(pub(crate) Duration);

/// The right to call. Dropped without a word, it says nothing about the provider.
#[derive(Debug)]
pub(crate) struct Admission<'a> {
    breaker: &'a Breaker,
    is_probe: bool,
}

impl Breaker {
    pub(crate) fn new(calls: u32, pause: Duration) -> Self {
        Self { calls, pause, state: Mutex::default() }
    }

    pub(crate) fn admit(&self) -> Result<Admission<'_>, Open> {
        let mut state = self.state();
        let Some(until) = state.open_until else {
            return Ok(Admission { breaker: self, is_probe: false });
        };
        let left = until.saturating_duration_since(Instant::now());
        if !left.is_zero() || state.probing {
            return Err(Open(left));
        }
        state.probing = true;
        Ok(Admission { breaker: self, is_probe: true })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Admission<'_> {
    /// The provider answered, be it with a refusal.
    pub(crate) fn answered(self) {
        let mut state = self.breaker.state();
        state.failed_in_a_row = 0;
        state.open_until = None;
    }

    /// Whether the provider is left alone from now on.
    pub(crate) fn failed(self) -> bool {
        let mut state = self.breaker.state();
        state.failed_in_a_row = state.failed_in_a_row.saturating_add(1);
        if self.is_probe || state.failed_in_a_row >= self.breaker.calls {
            state.open_until = Some(Instant::now() + self.breaker.pause);
            return true;
        }
        false
    }
}

impl Drop for Admission<'_> {
    fn drop(&mut self) {
        if self.is_probe {
            self.breaker.state().probing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(30);

    fn fail(breaker: &Breaker, times: u32) {
        for _ in 0..times {
            breaker.admit().expect("closed").failed();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_so_many_failures_in_a_row() {
        let breaker = Breaker::new(3, PAUSE);
        fail(&breaker, 2);
        breaker.admit().expect("closed").answered();
        fail(&breaker, 2);
        assert!(breaker.admit().is_ok(), "an answer in between starts the count again");
        fail(&breaker, 1);
        assert_eq!(breaker.admit().err(), Some(Open(PAUSE)));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(breaker.admit().err(), Some(Open(Duration::from_secs(20))));
    }

    #[tokio::test(start_paused = true)]
    async fn after_the_pause_one_call_finds_out() {
        let breaker = Breaker::new(1, PAUSE);
        fail(&breaker, 1);
        tokio::time::advance(PAUSE).await;
        let probe = breaker.admit().expect("half open");
        assert!(breaker.admit().is_err(), "only one at a time");
        probe.failed();
        assert_eq!(breaker.admit().err(), Some(Open(PAUSE)));
        tokio::time::advance(PAUSE).await;
        breaker.admit().expect("half open").answered();
        let (one, two) = (breaker.admit(), breaker.admit());
        assert!(one.is_ok() && two.is_ok(), "closed again");
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_is_given_up_lets_another_try() {
        let breaker = Breaker::new(1, PAUSE);
        fail(&breaker, 1);
        tokio::time::advance(PAUSE).await;
        drop(breaker.admit().expect("half open"));
        assert!(breaker.admit().is_ok());
    }
}
