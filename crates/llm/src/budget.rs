//! Budgets bind before a call is made.
//!
//! A call is let through if what is spent, together with an upper estimate of what the calls under way may cost, is
//! below the limit. So a limit is passed by the last call at most, however many run at once. Near the limit a call
//! waits for those under way instead of being refused: their estimates are much higher than what they turn out to
//! cost. It is refused when the limit is really spent.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::timeout;
use umpire_model::{Deadline, Usage, UsdMicros};

/// What may be spent; what is none is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub money: Option<UsdMicros>,
    /// Read and written together.
    pub tokens: Option<u64>,
    pub calls: Option<u64>,
}

/// What calls came to. Money counts only where it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    pub money: UsdMicros,
    pub tokens: u64,
    pub calls: u64,
}

/// A limit shared by everything that spends from it: the calls of an attempt, of a run, of a judge.
#[derive(Debug)]
pub struct Budget {
    name: String,
    limits: Limits,
    state: Mutex<State>,
    settled: Notify,
}

#[derive(Debug, Default)]
struct State {
    spent: Spent,
    under_way: Spent,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    #[error("{0}")]
    Spent(String),
    #[error("the time ran out while other calls of the same budget were under way")]
    Deadline,
}

enum Room {
    Free,
    /// Other calls have to end first.
    Taken,
    Spent(String),
}

impl Budget {
    /// `name` says whose it is, such as `attempt` or `run`.
    pub fn new(name: impl Into<String>, limits: Limits) -> Arc<Self> {
        Arc::new(Self { name: name.into(), limits, state: Mutex::default(), settled: Notify::new() })
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    pub fn spent(&self) -> Spent {
        self.state().spent
    }

    /// Counts what an earlier part of the same run spent.
    pub fn add(&self, earlier: Spent) {
        let spent = &mut self.state().spent;
        *spent = spent.plus(earlier);
    }

    /// True once no further call will be let through.
    pub fn is_spent(&self) -> bool {
        self.lack(&self.spent()).is_some()
    }

    /// Which limit these sums reach.
    fn lack(&self, sums: &Spent) -> Option<String> {
        let name = &self.name;
        if let Some(limit) = self.limits.money.filter(|limit| sums.money >= *limit) {
            return Some(format!("{} of {limit} of the {name} budget", sums.money));
        }
        if let Some(limit) = self.limits.tokens.filter(|limit| sums.tokens >= *limit) {
            return Some(format!("{} of {limit} tokens of the {name} budget", sums.tokens));
        }
        let limit = self.limits.calls.filter(|limit| sums.calls >= *limit)?;
        Some(format!("{} of {limit} calls of the {name} budget", sums.calls))
    }

    fn take(&self, estimate: &Spent) -> Room {
        let mut state = self.state();
        if let Some(lack) = self.lack(&state.spent) {
            return Room::Spent(lack);
        }
        if self.lack(&state.spent.plus(state.under_way)).is_some() {
            return Room::Taken;
        }
        state.under_way = state.under_way.plus(*estimate);
        Room::Free
    }

    fn give_back(&self, estimate: &Spent, cost: Option<Spent>) {
        {
            let mut state = self.state();
            state.under_way = state.under_way.minus(*estimate);
            state.spent = state.spent.plus(cost.unwrap_or_default());
        }
        self.settled.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spent {
    /// One call. Unknown money counts nothing here; a budget of money takes no model whose price is unknown.
    pub fn of_call(usage: &Usage, cost: Option<UsdMicros>) -> Self {
        let tokens = usage.input.saturating_add(usage.output);
        Self { money: cost.unwrap_or_default(), tokens, calls: 1 }
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            money: self.money.plus(other.money),
            tokens: self.tokens.saturating_add(other.tokens),
            calls: self.calls.saturating_add(other.calls),
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            money: UsdMicros(self.money.0.saturating_sub(other.money.0)),
            tokens: self.tokens.saturating_sub(other.tokens),
            calls: self.calls.saturating_sub(other.calls),
        }
    }
}

/// A call's place in all budgets it is paid from. Dropped unsettled, it cost nothing.
#[derive(Debug)]
pub(crate) struct Reservation {
    budgets: Vec<Arc<Budget>>,
    estimate: Spent,
}

impl Reservation {
    /// Waits while the budgets have no room but are not spent either.
    pub(crate) async fn make(
        budgets: &[Arc<Budget>],
        estimate: Spent,
        deadline: Deadline,
    ) -> Result<Self, Refused> {
        loop {
            // Listens before it looks, so that no settling in between is missed.
            let waits: Vec<_> = budgets.iter().map(|budget| Box::pin(budget.settled.notified())).collect();
            match Self::now(budgets, estimate) {
                Ok(reservation) => return Ok(reservation),
                Err((_, Room::Spent(lack))) => return Err(Refused::Spent(lack)),
                Err((full, _)) => {
                    let Some(wait) = waits.into_iter().nth(full) else { return Err(Refused::Deadline) };
                    if timeout(deadline.left(), wait).await.is_err() {
                        return Err(Refused::Deadline);
                    }
                }
            }
        }
    }

    /// Takes from all budgets or from none, and says which had no room.
    fn now(budgets: &[Arc<Budget>], estimate: Spent) -> Result<Self, (usize, Room)> {
        let mut taken = Self { budgets: Vec::with_capacity(budgets.len()), estimate };
        for (index, budget) in budgets.iter().enumerate() {
            match budget.take(&estimate) {
                Room::Free => taken.budgets.push(Arc::clone(budget)),
                room => return Err((index, room)),
            }
        }
        Ok(taken)
    }

    pub(crate) fn settle(mut self, cost: Spent) {
        for budget in std::mem::take(&mut self.budgets) {
            budget.give_back(&self.estimate, Some(cost));
        }
    }

    /// For a call that was answered without saying what it took: the most it can have been.
    pub(crate) fn settle_at_estimate(self) {
        let estimate = self.estimate;
        self.settle(estimate);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        for budget in &self.budgets {
            budget.give_back(&self.estimate, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn money(micros: u64) -> Spent {
        Spent { money: UsdMicros(micros), tokens: 10, calls: 1 }
    }

    fn limited(micros: u64) -> Arc<Budget> {
        Budget::new("attempt", Limits { money: Some(UsdMicros(micros)), ..Limits::default() })
    }

    fn soon() -> Deadline {
        Deadline::after(Duration::from_mins(1))
    }

    #[tokio::test]
    async fn the_last_call_may_pass_the_limit_and_no_other() {
        let budget = limited(100);
        for cost in [60, 39, 500] {
            let reservation =
                Reservation::make(&[Arc::clone(&budget)], money(cost), soon()).await.expect("room");
            reservation.settle(money(cost));
        }
        assert_eq!(budget.spent().money, UsdMicros(599));
        let refused = Reservation::make(&[Arc::clone(&budget)], money(1), soon()).await.expect_err("spent");
        assert_eq!(refused, Refused::Spent("$0.000599 of $0.0001 of the attempt budget".into()));
    }

    #[tokio::test]
    async fn every_kind_of_limit_binds() {
        for limits in [
            Limits { money: Some(UsdMicros(20)), ..Limits::default() },
            Limits { tokens: Some(20), ..Limits::default() },
            Limits { calls: Some(2), ..Limits::default() },
        ] {
            let budgets = [Budget::new("run", limits)];
            for _ in 0..2 {
                Reservation::make(&budgets, money(10), soon()).await.expect("room").settle(money(10));
            }
            assert!(budgets[0].is_spent());
            assert!(Reservation::make(&budgets, money(10), soon()).await.is_err(), "{limits:?}");
        }
        let unlimited = [Budget::new("run", Limits::default())];
        assert!(Reservation::make(&unlimited, money(u64::MAX), soon()).await.is_ok());
    }

    #[tokio::test]
    async fn a_nested_budget_gives_back_what_the_outer_one_refuses() {
        let (attempt, run) = (limited(1000), limited(0));
        let both = [Arc::clone(&attempt), run];
        assert!(Reservation::make(&both, money(5), soon()).await.is_err());
        assert_eq!(attempt.state().under_way, Spent::default());
        drop(Reservation::make(&both[..1], money(5), soon()).await.expect("room"));
        assert_eq!(attempt.state().under_way, Spent::default());
        assert_eq!(attempt.spent(), Spent::default());
    }

    /// Estimates are five times what calls come to; whatever the order, the limit is passed by one call at most.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn fifty_at_once_pass_the_limit_by_one_call_at_most() {
        for round in 0..20 {
            let budget = limited(1000);
            let mut calls = tokio::task::JoinSet::new();
            for number in 0..50_u64 {
                let budget = Arc::clone(&budget);
                calls.spawn(async move {
                    let cost = 30 + (number * 7 + round) % 41;
                    let reserved = Reservation::make(&[budget], money(cost * 5), soon()).await;
                    let Ok(reserved) = reserved else { return false };
                    tokio::time::sleep(Duration::from_micros(number * 13 % 400)).await;
                    reserved.settle(money(cost));
                    true
                });
            }
            let made = calls.join_all().await.into_iter().filter(|made| *made).count();
            let spent = budget.spent();
            assert!(spent.money >= UsdMicros(1000), "nothing is refused while there is room: {spent:?}");
            assert!(spent.money < UsdMicros(1000 + 71), "{spent:?}");
            assert_eq!(spent.calls, made as u64);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_without_room_waits_until_its_deadline() {
        let budgets = [limited(100)];
        let first = Reservation::make(&budgets, money(100), soon()).await.expect("room");
        let short = Deadline::after(Duration::from_secs(2));
        let refused = Reservation::make(&budgets, money(1), short).await.expect_err("no room");
        assert_eq!(refused, Refused::Deadline);
        drop(first);
        assert!(Reservation::make(&budgets, money(1), short).await.is_ok());
    }
}
