use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;
use umpire_model::Digest;

use super::{BadPicture, Frame, Picture, Policy, prepare};

type Outcome = Result<Arc<[Picture]>, String>;
type Key = (Digest, Policy);

/// Pictures that were prepared already. Several judges, and several questions of one judge, show the same screenshots.
///
/// Whoever asks first does the work, and all others wait for it. The longest unused go first when there are more bytes
/// than allowed; what is passed on untouched shares its bytes with the caller's and is counted all the same.
#[derive(Debug)]
pub struct Prepared {
    entries: Mutex<Entries>,
    most_bytes: usize,
}

#[derive(Debug, Default)]
struct Entries {
    by_key: HashMap<Key, Entry>,
    by_use: BTreeMap<u64, Key>,
    clock: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    outcome: Arc<OnceLock<Outcome>>,
    used: u64,
    bytes: usize,
}

impl Default for Prepared {
    fn default() -> Self {
        Self::new(256 << 20)
    }
}

impl Prepared {
    pub fn new(most_bytes: usize) -> Self {
        Self { entries: Mutex::default(), most_bytes }
    }

    /// What [`prepare`] gives. That a picture is damaged is remembered, too.
    pub fn pictures(&self, digest: &Digest, content: &Bytes, policy: &Policy) -> Outcome {
        let key = (digest.clone(), policy.clone());
        let cell = self.lock().touch(&key);
        let mut is_new = false;
        let outcome = cell.get_or_init(|| {
            is_new = true;
            prepare(content, policy).map(Into::into)
        });
        if is_new {
            let bytes = outcome
                .iter()
                .flat_map(|pictures| pictures.iter())
                .map(|picture| picture.content.len())
                .sum();
            self.lock().account(&key, bytes, self.most_bytes);
        }
        outcome.clone()
    }

    /// The same for a frame.
    pub fn pictures_of(&self, frame: &Frame, policy: &Policy) -> Result<Arc<[Picture]>, BadPicture> {
        let step = frame.steps.last().copied().unwrap_or_default();
        self.pictures(&frame.digest, &frame.content, policy).map_err(|problem| BadPicture { step, problem })
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn touch(&mut self, key: &Key) -> Arc<OnceLock<Outcome>> {
        self.clock += 1;
        let now = self.clock;
        let entry = self.by_key.entry(key.clone()).or_insert_with(|| Entry {
            outcome: Arc::default(),
            used: now,
            bytes: 0,
        });
        self.by_use.remove(&entry.used);
        entry.used = now;
        self.by_use.insert(now, key.clone());
        Arc::clone(&entry.outcome)
    }

    fn account(&mut self, key: &Key, bytes: usize, most: usize) {
        // Even what holds no bytes, such as an error, takes room.
        let bytes = bytes + 256;
        if let Some(entry) = self.by_key.get_mut(key) {
            self.bytes = self.bytes - entry.bytes + bytes;
            entry.bytes = bytes;
        }
        while self.bytes > most
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.bytes -= self.by_key.remove(&oldest).map_or(0, |entry| entry.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unused_go_first() {
        let prepared = Prepared::new(3000);
        let policy = Policy::default();
        let mut pixels = Vec::new();
        let encoder = jpeg_encoder::Encoder::new(&mut pixels, 50);
        encoder.encode(&[200; 12], 2, 2, jpeg_encoder::ColorType::Rgb).expect("encoded");
        let content = Bytes::from(pixels);
        assert!(content.len() < 1000, "{}", content.len());
        let digests: Vec<Digest> = (0..20u8).map(|name| Digest::of(&[name])).collect();
        for digest in &digests {
            prepared.pictures(&digests[0], &content, &policy).expect("a picture");
            prepared.pictures(digest, &content, &policy).expect("a picture");
        }
        let entries = prepared.lock();
        assert!(entries.bytes <= 3000);
        assert!(
            entries.by_key.contains_key(&(digests[0].clone(), policy.clone())),
            "it was used all the time"
        );
        assert!(!entries.by_key.contains_key(&(digests[1].clone(), policy)));
        assert_eq!(entries.by_key.len(), entries.by_use.len());
    }
}
