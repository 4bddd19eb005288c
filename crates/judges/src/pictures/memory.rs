use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use umpire_model::Digest;

use super::Fingerprint;

/// What is known about pictures from before. A caller that keeps it beside a run spares the next judge the decoding; one
/// that forgets costs time and changes no result.
pub trait Memory: Sync {
    fn fingerprint(&self, picture: &Digest) -> Option<Fingerprint>;
    fn keep_fingerprint(&self, picture: &Digest, fingerprint: &Fingerprint);
    /// Whether two pictures that are close show the same.
    fn same(&self, a: &Digest, b: &Digest) -> Option<bool>;
    fn keep_same(&self, a: &Digest, b: &Digest, same: bool);
}

/// Remembers the latest few thousand, as long as the process lives.
#[derive(Debug)]
pub struct InMemory {
    fingerprints: Mutex<Latest<Digest, Fingerprint>>,
    pairs: Mutex<Latest<(Digest, Digest), bool>>,
}

impl InMemory {
    /// A fingerprint of 1280 × 1024 takes 15 KiB.
    pub fn new(most: usize) -> Self {
        Self { fingerprints: Mutex::new(Latest::new(most)), pairs: Mutex::new(Latest::new(most)) }
    }
}

impl Default for InMemory {
    fn default() -> Self {
        Self::new(4096)
    }
}

impl Memory for InMemory {
    fn fingerprint(&self, picture: &Digest) -> Option<Fingerprint> {
        self.fingerprints.lock().unwrap_or_else(PoisonError::into_inner).get(picture).cloned()
    }

    fn keep_fingerprint(&self, picture: &Digest, fingerprint: &Fingerprint) {
        let mut latest = self.fingerprints.lock().unwrap_or_else(PoisonError::into_inner);
        latest.insert(picture.clone(), fingerprint.clone());
    }

    fn same(&self, a: &Digest, b: &Digest) -> Option<bool> {
        self.pairs.lock().unwrap_or_else(PoisonError::into_inner).get(&(a.clone(), b.clone())).copied()
    }

    fn keep_same(&self, a: &Digest, b: &Digest, same: bool) {
        self.pairs.lock().unwrap_or_else(PoisonError::into_inner).insert((a.clone(), b.clone()), same);
    }
}

/// A map that drops its oldest entries.
#[derive(Debug)]
struct Latest<K, V> {
    known: HashMap<K, V>,
    order: VecDeque<K>,
    most: usize,
}

impl<K: Clone + Eq + Hash, V> Latest<K, V> {
    fn new(most: usize) -> Self {
        Self { known: HashMap::new(), order: VecDeque::new(), most: most.max(1) }
    }

    fn get(&self, key: &K) -> Option<&V> {
        self.known.get(key)
    }

    fn insert(&mut self, key: K, value: V) {
        if self.known.insert(key.clone(), value).is_some() {
            return;
        }
        self.order.push_back(key);
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_forgotten() {
        let memory = InMemory::new(2);
        let [a, b, c] = [b"a", b"b", b"c"].map(|name| Digest::of(name));
        for other in [&a, &b, &c] {
            memory.keep_same(&a, other, true);
            memory.keep_same(&a, other, true);
        }
        assert_eq!(memory.same(&a, &a), None);
        assert_eq!((memory.same(&a, &b), memory.same(&a, &c)), (Some(true), Some(true)));
    }
}
