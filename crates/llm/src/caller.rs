use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use umpire_model::Evidence;

use crate::Budget;

/// On whose behalf models are called: what pays, and where it is recorded.
#[derive(Clone)]
pub struct Caller {
    /// Such as the attempt's id. A cassette gives a caller its own replies back.
    pub name: String,
    /// All of them pay, the attempt's first.
    pub budgets: Vec<Arc<Budget>>,
    pub evidence: Arc<dyn Evidence>,
    /// The step under way, from 1; 0 while there is none, or if the caller's steps are not ours to know.
    pub step: Arc<AtomicU32>,
    /// From 1. Whoever asks the same again to hear another opinion gets no reply that was kept for the first.
    pub sample: u32,
}

impl Caller {
    pub fn new(name: impl Into<String>, budgets: Vec<Arc<Budget>>, evidence: Arc<dyn Evidence>) -> Self {
        Self { name: name.into(), budgets, evidence, step: Arc::default(), sample: 1 }
    }

    pub(crate) fn current_step(&self) -> Option<u32> {
        Some(self.step.load(Ordering::Relaxed)).filter(|step| *step > 0)
    }

    pub(crate) fn is_limited_in_money(&self) -> bool {
        self.budgets.iter().any(|budget| budget.limits().money.is_some())
    }
}

impl std::fmt::Debug for Caller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Caller")
            .field("name", &self.name)
            .field("budgets", &self.budgets)
            .finish_non_exhaustive()
    }
}
