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

/// At most so many frames: the last ones, and the others spread evenly over the rest, so that neither the end of a long
/// run nor its beginning is cut off.
fn spread(frames: &[Frame], most: usize) -> Vec<&Frame> {
    if frames.len() <= most || most == 0 {
        return frames.iter().take(if most == 0 { 0 } else { frames.len() }).collect();
    }
    let at_end = most.div_ceil(2);
    let early = &frames[..frames.len() - at_end];
    let room = most - at_end;
    let chosen = (0..room).map(|place| &early[place * early.len() / room.max(1)]);
    chosen.chain(&frames[frames.len() - at_end..]).collect()
}

#[cfg(test)]
mod tests {
    use umpire_model::Media;

    use super::*;

    #[test]
    fn the_end_of_a_long_run_is_never_cut_off() {
        let frames: Vec<Frame> = (1..=130)
            .map(|step| Frame { steps: vec![step], media: Media::Png, content: Vec::new().into() })
            .collect();
        for most in [1, 2, 7, 50, 129, 130, 200] {
            let chosen = spread(&frames, most);
            let steps: Vec<u32> = chosen.iter().map(|frame| frame.steps[0]).collect();
            assert_eq!(chosen.len(), most.min(130), "{most}");
            assert_eq!(steps.last(), Some(&130), "{most}");
            assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
        }
        assert!(spread(&frames, 0).is_empty());
    }
}
