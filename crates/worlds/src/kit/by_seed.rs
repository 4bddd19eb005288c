use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What is built once per seed and then shared by all worlds of that seed.
pub struct BySeed<T>(Mutex<BTreeMap<u64, Arc<T>>>);

impl<T> BySeed<T> {
    pub const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    pub fn get(&self, seed: u64, build: impl FnOnce(u64) -> T) -> Arc<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
}
