//! One program for all of these: linking each by itself would take longer than running them.

mod agreement;
mod coverage;
mod hard_subset;
mod support;
mod vectors_ratings_arena;
mod vectors_ratings_bootstrap;
mod vectors_ratings_fit;
mod vectors_ratings_votes;
