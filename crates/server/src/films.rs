//! Films that need an encoder: whoever has one lends it to the pages, for one film at a time.

use std::fmt;
use std::pin::Pin;

use umpire_exchange::StillEncoder;

/// An encoder, ready; it ends when it is dropped.
pub type Encoder = Box<dyn StillEncoder + Send>;
/// An encoder that is being started, or why it cannot be.
pub type Starting<'a> = Pin<Box<dyn Future<Output = Result<Encoder, String>> + Send + 'a>>;

/// Lends encoders of stills, of which WebM films are made.
pub trait FilmStudio: fmt::Debug + Send + Sync {
    fn start(&self) -> Starting<'_>;
}
