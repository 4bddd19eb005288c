use std::num::NonZero;
use std::thread;

use crate::products::{Rows, products, products_with_one};
use crate::top::{Hit, Top};
use crate::vectors::{VectorError, Vectors};

/// From so many queries on it pays to multiply matrices.
const TOGETHER: usize = 4;
/// A thread is worth starting for so many products of numbers.
const WORTH_A_THREAD: usize = 1 << 26;

/// Exact search by inner product: every vector is looked at.
///
/// A query's hits and scores are the same alone as in company, and on one thread as on several.
#[derive(Clone, Debug)]
pub struct Flat {
    vectors: Vectors,
}

impl Flat {
    pub fn new(vectors: Vectors) -> Self {
        Self { vectors }
    }

    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// The best `most` of each query, best first.
    pub fn search(&self, queries: &Vectors, most: usize) -> Result<Vec<Vec<Hit>>, VectorError> {
        let work = self.vectors.values().len().saturating_mul(queries.len());
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        self.search_on(cores.min(1 + work / WORTH_A_THREAD), queries, most)
    }

    /// As [`Flat::search`], on at most so many threads.
    pub fn search_on(
        &self,
        threads: usize,
        queries: &Vectors,
        most: usize,
    ) -> Result<Vec<Vec<Hit>>, VectorError> {
        self.check_dimensions(queries)?;
        if queries.len() < TOGETHER {
            return Ok((0..queries.len()).map(|query| self.search_one(queries.row(query), most)).collect());
        }
        // Threads share out the queries, not the vectors: ties depend on the order in which vectors are seen.
        let share = queries.len().div_ceil(threads.max(1)).max(TOGETHER);
        let shares = queries.values().chunks(share * queries.dimensions());
        Ok(thread::scope(|scope| {
            let working: Vec<_> =
                shares.map(|share| scope.spawn(move || self.search_together(share, most))).collect();
            working.into_iter().flat_map(finished).collect()
        }))
    }

    /// The score of every vector, in their order.
    pub fn scores(&self, query: &[f32]) -> Result<Vec<f32>, VectorError> {
        let (found, wanted) = (query.len(), self.vectors.dimensions());
        if found != wanted {
            return Err(VectorError::OtherDimensions { found, wanted });
        }
        Ok(self.all_scores(query))
    }

    fn check_dimensions(&self, queries: &Vectors) -> Result<(), VectorError> {
        let (found, wanted) = (queries.dimensions(), self.vectors.dimensions());
        if found == wanted { Ok(()) } else { Err(VectorError::OtherDimensions { found, wanted }) }
    }

    fn all_scores(&self, query: &[f32]) -> Vec<f32> {
        let mut scores = vec![0.0; self.vectors.len()];
        products_with_one(self.vectors.rows(), query, &mut scores);
        scores
    }

    fn search_one(&self, query: &[f32], most: usize) -> Vec<Hit> {
        let mut top = Top::of(most);
        for (id, score) in self.all_scores(query).into_iter().enumerate() {
            top.offer(id, score);
        }
        top.into_hits()
    }

    fn search_together(&self, queries: &[f32], most: usize) -> Vec<Vec<Hit>> {
        let queries = Rows::whole(queries, self.vectors.dimensions());
        let mut tops: Vec<Top> = (0..queries.len()).map(|_| Top::of(most)).collect();
        products(self.vectors.rows(), queries, |id, query, score| tops[query].offer(id, score));
        tops.into_iter().map(Top::into_hits).collect()
    }
}

/// What a thread made; its panic goes on in the one that waited for it.
pub(crate) fn finished<T>(work: thread::ScopedJoinHandle<'_, T>) -> T {
    work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Small whole numbers: exact scores, many ties.
    fn table(most: usize, dimensions: usize) -> impl Strategy<Value = Vectors> {
        (0..most).prop_flat_map(move |rows| {
            prop::collection::vec(-3_i8..=3, rows * dimensions).prop_map(move |values| {
                Vectors::new(dimensions, values.into_iter().map(f32::from).collect()).expect("finite")
            })
        })
    }

    /// The whole list sorted, which says everything but whom a cut through equals leaves out.
    fn sorted(bank: &Vectors, query: &[f32]) -> Vec<(i64, usize)> {
        let score = |id: usize| bank.row(id).iter().zip(query).map(|(a, b)| (a * b) as i64).sum::<i64>();
        let mut all: Vec<(i64, usize)> = (0..bank.len()).map(|id| (score(id), id)).collect();
        all.sort_by(|one, other| other.cmp(one));
        all
    }

    proptest! {
        #[test]
        fn search_finds_what_sorting_everything_finds(
            (bank, queries, most) in (1_usize..9).prop_flat_map(|dimensions| {
                (table(60, dimensions), table(12, dimensions), 0_usize..70)
            })
        ) {
            let flat = Flat::new(bank.clone());
            let found = flat.search(&queries, most).expect("equal dimensions");
            prop_assert_eq!(found.len(), queries.len());
            prop_assert_eq!(&found, &flat.search_on(3, &queries, most).expect("equal dimensions"));
            for (query, hits) in found.iter().enumerate() {
                let alone = Vectors::new(queries.dimensions(), queries.row(query).to_vec()).expect("finite");
                prop_assert_eq!(hits, &flat.search(&alone, most).expect("equal dimensions")[0]);
                let all = sorted(&bank, queries.row(query));
                let wanted: Vec<i64> = all.iter().take(most).map(|(score, _)| *score).collect();
                prop_assert_eq!(hits.iter().map(|hit| hit.score as i64).collect::<Vec<_>>(), wanted);
                let worst = hits.last().map(|hit| hit.score as i64);
                let clear = |(score, _): &&(i64, usize)| all.len() <= most || worst.is_some_and(|worst| *score > worst);
                let clear: Vec<usize> = all.iter().filter(clear).map(|(_, id)| *id).collect();
                prop_assert_eq!(hits.iter().take(clear.len()).map(|hit| hit.id).collect::<Vec<_>>(), clear);
                prop_assert!(hits.is_sorted_by(|one, next| one > next));
            }
        }
    }

    #[test]
    fn other_dimensions_are_refused() {
        let flat = Flat::new(Vectors::new(3, vec![]).expect("empty"));
        let query = Vectors::new(2, vec![1.0, 2.0]).expect("finite");
        let problem = VectorError::OtherDimensions { found: 2, wanted: 3 };
        assert_eq!(flat.search(&query, 5), Err(problem));
        assert!(flat.scores(&[1.0]).is_err());
        assert_eq!(flat.search(&Vectors::new(3, vec![0.0; 3]).expect("finite"), 5), Ok(vec![vec![]]));
    }
}
