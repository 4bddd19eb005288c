mod file;

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use file::Identity;
pub use file::IndexFileError;

use crate::bank::Bank;
use crate::embed::{Embed, EmbedError};
use crate::flat::Flat;
use crate::keys::Keys;
use crate::lexical::{Bm25, Lexical};
use crate::top::{Hit, Top};
use crate::vectors::{VectorError, Vectors};

/// How entries are found.
#[derive(Clone)]
pub enum Method {
    /// By the words of the query, scored from 0 to 1 as [`Lexical::shares`] are. Needs no model.
    Lexical(Bm25),
    /// By what the query means: the cosine of embeddings.
    Dense(Arc<dyn Embed>),
    /// By both: the mean of the two scores above, a negative cosine counting as 0.
    Hybrid(Arc<dyn Embed>, Bm25),
}

impl Method {
    /// Scores below this are seldom about what was asked. 0.5 is the published figure for cosines. Shares are small, since
    /// questions have words that no entry has: on the banks at hand the best entry had 0.16 in the median for questions
    /// about preferences, and at most 0.07 for foreign ones. For the mean of both, both figures' mean is about right.
    pub fn threshold(&self) -> f32 {
        match self {
            Self::Lexical(_) => 0.08,
            Self::Dense(_) => 0.5,
            Self::Hybrid(..) => 0.3,
        }
    }

    /// What it embeds texts with, if it does.
    pub fn embed(&self) -> Option<&Arc<dyn Embed>> {
        match self {
            Self::Lexical(_) => None,
            Self::Dense(embed) | Self::Hybrid(embed, _) => Some(embed),
        }
    }
}

/// How much of what is found is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    pub most: usize,
    /// The least score; the method's own threshold if not given.
    pub least: Option<f32>,
}

impl Default for Cut {
    fn default() -> Self {
        Self { most: 20, least: None }
    }
}

#[derive(Debug, Error)]
pub enum RecallError {
    #[error("embedding failed: {0}")]
    Embedding(#[from] EmbedError),
    #[error("the embedder gave {found} vectors for {wanted} texts")]
    Count { found: usize, wanted: usize },
    #[error(transparent)]
    Vectors(#[from] VectorError),
}

/// A bank made searchable. Ids of hits are places in the bank.
pub struct Index {
    identity: Identity,
    threshold: f32,
    finder: Finder,
}

enum Finder {
    Lexical(Arc<Lexical>),
    Dense(Dense),
    Hybrid(Dense, Arc<Lexical>),
}

struct Dense {
    embed: Arc<dyn Embed>,
    flat: Arc<Flat>,
}

impl Index {
    pub fn build(bank: &Bank, keys: Keys, method: &Method) -> Result<Self, RecallError> {
        let texts = keys.of_bank(bank);
        let slices: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = method.embed().map(|embed| embedded(embed.as_ref(), &slices)).transpose()?;
        Ok(Self::of(Identity::of(bank, keys, method), method, &texts, vectors))
    }

    /// Reads what [`Index::save`] wrote, if it was made of this bank, by these keys and this embedder, and is whole;
    /// otherwise the error says what is wrong with it. Vectors that a dense index saved serve a hybrid one, and the other
    /// way round: words are counted anew.
    pub fn load(path: &Path, bank: &Bank, keys: Keys, method: &Method) -> Result<Self, IndexFileError> {
        let identity = Identity::of(bank, keys, method);
        let vectors = file::read(path, &identity)?;
        Ok(Self::of(identity, method, &keys.of_bank(bank), vectors))
    }

    fn of(identity: Identity, method: &Method, texts: &[String], vectors: Option<Vectors>) -> Self {
        let dense = |embed: &Arc<dyn Embed>| {
            let flat = Flat::new(vectors.unwrap_or_else(Vectors::none));
            Dense { embed: Arc::clone(embed), flat: Arc::new(flat) }
        };
        let words = |settings: &Bm25| Arc::new(Lexical::of(texts, *settings));
        let finder = match method {
            Method::Lexical(settings) => Finder::Lexical(words(settings)),
            Method::Dense(embed) => Finder::Dense(dense(embed)),
            Method::Hybrid(embed, settings) => Finder::Hybrid(dense(embed), words(settings)),
        };
        Self { identity, threshold: method.threshold(), finder }
    }

    /// The same index for somebody else, whose queries are embedded by `embed`: the same model, on another's behalf.
    #[must_use]
    pub fn for_queries_by(&self, embed: &Arc<dyn Embed>) -> Self {
        let dense = |own: &Dense| Dense { embed: Arc::clone(embed), flat: Arc::clone(&own.flat) };
        let finder = match &self.finder {
            Finder::Lexical(lexical) => Finder::Lexical(Arc::clone(lexical)),
            Finder::Dense(own) => Finder::Dense(dense(own)),
            Finder::Hybrid(own, lexical) => Finder::Hybrid(dense(own), Arc::clone(lexical)),
        };
        Self { identity: self.identity.clone(), threshold: self.threshold, finder }
    }

    /// Writes the vectors with what they were made of, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), IndexFileError> {
        let vectors = match &self.finder {
            Finder::Lexical(_) => None,
            Finder::Dense(dense) | Finder::Hybrid(dense, _) => Some(dense.flat.vectors()),
        };
        file::write(path, &self.identity, vectors)
    }

    pub fn search(&self, query: &str, cut: Cut) -> Result<Vec<Hit>, RecallError> {
        let mut found = self.search_all(&[query], cut)?;
        Ok(found.pop().unwrap_or_default())
    }

    /// Every query's hits, best first. The queries are embedded together, which is quicker than one after the other.
    pub fn search_all(&self, queries: &[&str], cut: Cut) -> Result<Vec<Vec<Hit>>, RecallError> {
        if self.identity.entries == 0 {
            return Ok(vec![Vec::new(); queries.len()]);
        }
        let mut found = match &self.finder {
            Finder::Lexical(lexical) => {
                queries.iter().map(|query| best(&lexical.shares(query), cut.most)).collect()
            }
            Finder::Dense(dense) => dense.flat.search(&embedded(dense.embed.as_ref(), queries)?, cut.most)?,
            Finder::Hybrid(dense, lexical) => {
                let vectors = embedded(dense.embed.as_ref(), queries)?;
                let both = |(at, query): (usize, &&str)| {
                    let cosines = dense.flat.scores(vectors.row(at))?;
                    let pairs = lexical.shares(query).into_iter().zip(cosines);
                    let means: Vec<f32> =
                        pairs.map(|(share, cosine)| f32::midpoint(share, cosine.max(0.0))).collect();
                    Ok(best(&means, cut.most))
                };
                queries.iter().enumerate().map(both).collect::<Result<Vec<_>, VectorError>>()?
            }
        };
        let least = cut.least.unwrap_or(self.threshold);
        for hits in &mut found {
            hits.retain(|hit| hit.score >= least);
        }
        Ok(found)
    }
}

/// Vectors of unit length for these texts, as many.
fn embedded(embed: &dyn Embed, texts: &[&str]) -> Result<Vectors, RecallError> {
    if texts.is_empty() {
        return Ok(Vectors::none());
    }
    let vectors = embed.embed(texts)?;
    if vectors.len() != texts.len() {
        return Err(RecallError::Count { found: vectors.len(), wanted: texts.len() });
    }
    Ok(vectors.into_unit()?)
}

/// The best of what has a score at all.
fn best(scores: &[f32], most: usize) -> Vec<Hit> {
    let mut top = Top::of(most);
    for (id, score) in scores.iter().enumerate().filter(|(_, score)| **score > 0.0) {
        top.offer(id, *score);
    }
    top.into_hits()
}

#[cfg(test)]
mod tests;
