//! Finds entries of a text bank by meaning or by words.
//!
//! A [`Bank`] of entries becomes an [`Index`] by its [`Keys`] and a [`Method`]: words alone (BM25, which needs nothing),
//! embeddings, or both. Embeddings come from whatever implements [`Embed`]: the [`Encoder`] here runs a small model in this
//! process. Nothing here waits for anybody or opens a connection; files are read and written whole.

mod bank;
mod embed;
mod encoder;
mod flat;
mod index;
mod keys;
mod lexical;
mod products;
mod top;
mod vectors;
mod words;

pub use bank::{Bank, BankError, Entry};
pub use embed::{Embed, EmbedError};
pub use encoder::{Encoder, EncoderError};
pub use flat::Flat;
pub use index::{Cut, Index, IndexFileError, Method, RecallError};
pub use keys::Keys;
pub use lexical::{Bm25, Lexical};
pub use top::Hit;
pub use vectors::{VectorError, Vectors};
