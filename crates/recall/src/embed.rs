use thiserror::Error;
use umpire_model::Digest;

use crate::vectors::Vectors;

/// Turns texts into vectors whose directions say what the texts mean: the [`Encoder`](crate::Encoder) in this process, or a
/// model elsewhere.
pub trait Embed: Send + Sync {
    /// Of all that the vectors depend on: weights and vocabulary, or the address and name of a model. Vectors of different
    /// identities are never compared.
    fn identity(&self) -> Digest;

    /// One vector for each text, in their order, of any length but zero.
    fn embed(&self, texts: &[&str]) -> Result<Vectors, EmbedError>;
}

/// Why texts could not be embedded.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct EmbedError(pub String);
