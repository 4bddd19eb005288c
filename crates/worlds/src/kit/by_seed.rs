use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Seeds kept for the next world; a run uses one, so a handful is plenty.
const KEPT: usize = 8;

/// What is built once per seed and then shared by all worlds of that seed.
pub struct BySeed<T>(Mutex<BTreeMap<u64, Arc<T>>>);

impl<T> BySeed<T> {
    pub const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    pub fn get(&self, seed: u64, build: impl FnOnce(u64) -> T) -> Arc<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT && !kept.contains_key(&seed) {
            kept.clear();
        }
        Arc::clone(kept.entry(seed).or_insert_with(|| Arc::new(build(seed))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_built_once() {
        static BUILT: BySeed<u64> = BySeed::new();
        let first = BUILT.get(7, |seed| seed * 2);
        let again = BUILT.get(7, |_| panic!("it is there already"));
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!((*first, *BUILT.get(8, |seed| seed * 2)), (14, 16));
    }

    #[test]
    fn many_seeds_do_not_pile_up() {
        let built: BySeed<u64> = BySeed::new();
        for seed in 0..100 {
            assert_eq!(*built.get(seed, |seed| seed), seed);
        }
        assert!(built.0.lock().expect("not poisoned").len() <= KEPT);
    }
}
