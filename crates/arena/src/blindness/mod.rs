//! Names kept out of what voters see.
//!
//! A trace may name its own author: "As Claude, I …". A [`Scrubber`] knows the names of an arena's agents and models and
//! those of the well-known makers, finds them in any case and spacing (`gpt-4o`, `GPT 4o`, `Gpt4O`), and puts a mark in
//! their place. It looks at whole words, so `metadata` and `metal prices` stay as they are; and words that mean other
//! things too (`llama`, `palm`, `sonnet`) are names only where something else says so. What was hidden is counted, since
//! a trace in which much had to be hidden may have told its voter anyhow.

mod known;
mod scrub;
mod traces;
mod words;

pub use scrub::{Scrubbed, Scrubber};
