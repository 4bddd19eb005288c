//! The pipelines: how each judge puts the shared parts together.

mod form;
mod key_screenshots;
mod outcome;
mod pairwise;
mod persona;
mod privacy;
mod questions;

use umpire_llm::Message;

use crate::definition::{Definition, Pipeline};
use crate::frames::Frame;
use crate::judge::Judge;
use crate::pictures::{Choice, select};

pub use pairwise::Preference;
pub use persona::{Pair, PersonaScore, Rubric, score as persona_score};

/// The judge that a definition describes.
pub fn judge(definition: Definition) -> Box<dyn Judge> {
    match definition.pipeline {
        Pipeline::Outcome => Box::new(outcome::Outcome(definition)),
        Pipeline::Questions => Box::new(questions::Questions(definition)),
        Pipeline::KeyScreenshots => Box::new(key_screenshots::KeyScreenshots(definition)),
        Pipeline::Privacy => Box::new(privacy::Privacy(definition)),
        Pipeline::Persona => Box::new(persona::PersonaRubric(definition)),
        Pipeline::Pairwise => Box::new(pairwise::Pairwise(definition)),
    }
}

/// A user's message with pictures after it.
fn with_pictures<'f>(text: String, frames: impl IntoIterator<Item = &'f Frame>) -> Message {
    frames.into_iter().fold(Message::user(text), |message, frame| frame.onto(message))
}

/// At most so many frames; neither the end of a long run nor its beginning is cut off.
fn chosen(frames: &[Frame], most: usize) -> Vec<&Frame> {
    select(frames.len(), most, &Choice::default()).into_iter().map(|place| &frames[place]).collect()
}
