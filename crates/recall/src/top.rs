use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use serde::Serialize;

/// An entry that was found, by its place in the bank.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Hit {
    pub id: usize,
    pub score: f32,
}

impl Ord for Hit {
    /// By score, and among equals by id.
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Hit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Hit {}

/// The best so many of hits that are offered in the order of their ids.
///
/// Equal scores are treated as `faiss` does, for its lists to be ours: they are listed with the last id first; once the list
/// is full, a hit as good as its worst does not come in, and a better one pushes out the first id among the worst.
pub(crate) struct Top {
    most: usize,
    hits: BinaryHeap<Reverse<Hit>>,
    /// What a hit must exceed.
    floor: f32,
}

impl Top {
    pub(crate) fn of(most: usize) -> Self {
        let floor = if most == 0 { f32::INFINITY } else { f32::NEG_INFINITY };
        Self { most, hits: BinaryHeap::new(), floor }
    }

    #[inline]
    pub(crate) fn offer(&mut self, id: usize, score: f32) {
        if score > self.floor {
            self.take(Hit { id, score });
        }
    }

    #[cold]
    fn take(&mut self, hit: Hit) {
        if self.hits.len() == self.most {
            self.hits.pop();
        }
        self.hits.push(Reverse(hit));
        if self.hits.len() == self.most {
            self.floor = self.hits.peek().map_or(self.floor, |worst| worst.0.score);
        }
    }

    /// Best first.
    pub(crate) fn into_hits(self) -> Vec<Hit> {
        self.hits.into_sorted_vec().into_iter().map(|hit| hit.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(most: usize, scores: &[f32]) -> Vec<usize> {
        let mut top = Top::of(most);
        for (id, score) in scores.iter().enumerate() {
            top.offer(id, *score);
        }
        top.into_hits().iter().map(|hit| hit.id).collect()
    }

    #[test]
    fn equals_are_listed_last_first_and_keep_their_seat_against_equals() {
        assert_eq!(best(3, &[1.0, 1.0]), [1, 0]);
        assert_eq!(best(2, &[1.0, 1.0, 1.0]), [1, 0]);
        assert_eq!(best(2, &[1.0, 1.0, 2.0]), [2, 1]);
        assert_eq!(best(2, &[2.0, 1.0, 1.0]), [0, 1]);
        assert_eq!(best(0, &[1.0]), [0_usize; 0]);
        assert_eq!(best(2, &[]), [0_usize; 0]);
    }
}
