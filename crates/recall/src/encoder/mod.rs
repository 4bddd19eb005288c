//! all-MiniLM-L6-v2 in this process: word pieces in, one unit vector a text out.

mod forward;
mod gelu;
mod vocabulary;
mod weights;
mod word_pieces;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use thiserror::Error;
use umpire_model::Digest;

use crate::embed::{Embed, EmbedError};
use crate::flat::finished;
use crate::vectors::Vectors;
use vocabulary::Vocabulary;
use weights::{Shape, Weights};

/// Tokens of a text that are read; what comes after is not.
const MOST_TOKENS: usize = 256;
/// Tokens that pass the layers together: enough for the weights to be used often while they are at hand, few enough
/// for the tokens to stay at hand too.
const TOGETHER: usize = 192;

#[derive(Debug, Error)]
pub enum EncoderError {
    #[error("{}: {error}", path.display())]
    Unreadable { path: PathBuf, error: std::io::Error },
    #[error("{} has no {wanted}", folder.display())]
    Missing { folder: PathBuf, wanted: &'static str },
    #[error("{}: {problem}", path.display())]
    Unfit { path: PathBuf, problem: String },
}

pub struct Encoder {
    vocabulary: Vocabulary,
    weights: Weights,
    weights_digest: Digest,
    identity: Digest,
    threads: usize,
}

impl Encoder {
    /// Opens a folder with the weights (`model.safetensors` or `model.fp16.safetensors`) and the vocabulary
    /// (`tokenizer.json` or `vocab.txt`), as model hubs and their packages lay them out.
    pub fn open(folder: &Path) -> Result<Self, EncoderError> {
        let (path, content) =
            first_of(folder, &["model.safetensors", "model.fp16.safetensors"], "model.safetensors")?;
        let weights_digest = Digest::of(&content);
        let unfit = |path: &Path| {
            let path = path.to_owned();
            move |problem| EncoderError::Unfit { path, problem }
        };
        let weights = Weights::read(&content, &Shape::MINILM).map_err(unfit(&path))?;
        let (path, content) =
            first_of(folder, &["tokenizer.json", "vocab.txt"], "tokenizer.json or vocab.txt")?;
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        let vocabulary = if is_json { Vocabulary::of_json(&content) } else { Vocabulary::of_lines(&content) };
        let vocabulary = vocabulary.and_then(|vocabulary| vocabulary.fitting(Shape::MINILM.vocabulary));
        let vocabulary = vocabulary.map_err(unfit(&path))?;
        let made_of = (&weights_digest, vocabulary.digest(), MOST_TOKENS);
        let identity = Digest::of_json(&made_of);
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        Ok(Self { vocabulary, weights, weights_digest, identity, threads })
    }

    /// The same on so many threads; without this, on as many as there are cores.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }

    /// SHA-256 of the file of weights, as publishers give it.
    pub fn weights_digest(&self) -> &Digest {
        &self.weights_digest
    }

    /// The tokens of a text as the model sees them, from `[CLS]` to `[SEP]`.
    pub fn tokens(&self, text: &str) -> Vec<u32> {
        self.vocabulary.tokens(text, MOST_TOKENS)
    }

    /// Batches of texts, by their places: about as many tokens in each, texts of one length together, the longest first,
    /// so that no thread is left alone with a long one at the end.
    fn batches(tokens: &[Vec<u32>]) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..tokens.len()).collect();
        order.sort_by_key(|place| std::cmp::Reverse(tokens[*place].len()));
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut room = 0;
        for place in order {
            let length = tokens[place].len();
            match batches.last_mut() {
                Some(batch) if length <= room => {
                    batch.push(place);
                    room -= length;
                }
                _ => {
                    batches.push(vec![place]);
                    room = TOGETHER.saturating_sub(length);
                }
            }
        }
        batches
    }
}

impl Embed for Encoder {
    fn identity(&self) -> Digest {
        self.identity.clone()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError> {
        let tokens: Vec<Vec<u32>> = texts.iter().map(|text| self.tokens(text)).collect();
        let batches = Self::batches(&tokens);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                let texts: Vec<&[u32]> = batch.iter().map(|place| tokens[*place].as_slice()).collect();
                done.push((batch, forward::embeddings(&self.weights, &texts)));
            }
            done
        };
        let threads = self.threads.min(batches.len());
        let done: Vec<_> = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            done.extend(others.into_iter().flat_map(finished));
            done
        });
        let width = self.weights.shape.hidden;
        let mut values = vec![0.0; texts.len() * width];
        for (batch, embeddings) in done {
            for (place, embedding) in batch.iter().zip(embeddings.chunks_exact(width)) {
                values[place * width..][..width].copy_from_slice(embedding);
            }
        }
        Vectors::new(width, values)
            .map_err(|error| EmbedError(format!("the model's weights are no good: {error}")))
    }
}

/// The first of these files that the folder has.
fn first_of(folder: &Path, names: &[&str], wanted: &'static str) -> Result<(PathBuf, Vec<u8>), EncoderError> {
    let path = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    let path = path.ok_or_else(|| EncoderError::Missing { folder: folder.to_owned(), wanted })?;
    match std::fs::read(&path) {
        Ok(content) => Ok((path, content)),
        Err(error) => Err(EncoderError::Unreadable { path, error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_every_text_once_and_long_ones_first() {
        let tokens: Vec<Vec<u32>> =
            [3, 250, 2, 100, 90, 5, 200].iter().map(|length| vec![0; *length]).collect();
        assert_eq!(Encoder::batches(&tokens), [vec![1], vec![6], vec![3, 4], vec![5, 0, 2]]);
        assert_eq!(Encoder::batches(&[]), [[0_usize; 0]; 0]);
    }

    #[test]
    fn a_folder_that_lacks_something_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Encoder::open(folder.path()).map(|_| ()).expect_err("no model").to_string();
        assert!(open().ends_with("has no model.safetensors"), "{}", open());
        std::fs::write(folder.path().join("model.safetensors"), b"not weights").expect("written");
        assert!(open().contains("model.safetensors: "), "{}", open());
    }
}
