//! Builds the catalogue from the vocabulary. Each project draws from its own stream, so that a new one leaves the
//! others as they were.

mod people;
mod project;
mod requests;
mod tickets;
pub mod tree;

pub use people::people;
pub use project::projects;
pub use tickets::replies;

use umpire_model::Random;

use crate::kit::text::capitalised;

const DAY: i64 = 24 * 60;

/// One of `items`, the earlier ones more often: in every project a few people do most of the work.
fn choose_early<'a, T>(random: &mut Random, items: &'a [T]) -> Option<&'a T> {
    let at = random.below(items.len()).min(random.below(items.len()));
    items.get(at)
}

/// `HTTP handler` in `{p} …` begins a sentence as it is written; `tile cache` becomes `Tile cache`.
fn sentence(pattern: &str, part: &str) -> String {
    capitalised(&pattern.replace("{p}", part))
}
