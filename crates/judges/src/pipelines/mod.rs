//! The pipelines: how each judge puts the shared parts together.

mod form;
mod key_screenshots;
mod outcome;
mod pairwise;
mod persona;
mod privacy;
mod questions;

use serde_json::Value;
use umpire_llm::Message;

use crate::asking::{NoOpinion, Question};
use crate::definition::{Definition, Pipeline};
use crate::frames::Frame;
use crate::judge::{Bench, Effort, Opinion};
use crate::pictures::{Choice, select};

pub use pairwise::Preference;

pub(crate) async fn opinion(definition: &Definition, bench: &Bench<'_>) -> Result<Opinion, NoOpinion> {
    match definition.pipeline {
        Pipeline::Outcome => outcome::opinion(definition, bench).await,
        Pipeline::Questions => questions::opinion(definition, bench).await,
        Pipeline::KeyScreenshots => key_screenshots::opinion(definition, bench).await,
        Pipeline::Privacy => privacy::opinion(definition, bench).await,
        Pipeline::Persona => persona::opinion(definition, bench).await,
        Pipeline::Pairwise => pairwise::opinion(definition, bench).await,
    }
}

pub(crate) fn effort(definition: &Definition, frames: usize) -> Effort {
    let shown = frames.min(definition.evidence.most_screenshots);
    let (calls, images) = match definition.pipeline {
        Pipeline::Outcome | Pipeline::Questions | Pipeline::Persona => (1, shown),
        // Every frame by itself, and at most all of them again at the end.
        Pipeline::KeyScreenshots => (frames + 2, frames + shown),
        // A failure costs the second call.
        Pipeline::Privacy => (2, shown),
        // Both sides, in both orders.
        Pipeline::Pairwise => (2, 4 * frames.min(1)),
    };
    Effort { calls, images }
}

/// A judge's main prompt filled in, and the pictures that go with it.
struct Shown<'b> {
    system: String,
    user: String,
    frames: Vec<&'b Frame>,
}

impl<'b> Shown<'b> {
    /// Neither the end of a long run nor its beginning is cut off.
    fn new(definition: &Definition, bench: &'b Bench<'_>, more: &[(&str, &str)]) -> Self {
        let frames = &bench.side.frames.frames;
        let places = select(frames.len(), definition.evidence.most_screenshots, &Choice::default());
        let frames: Vec<&Frame> = places.into_iter().map(|place| &frames[place]).collect();
        let count = frames.len().to_string();
        let mut values = bench.side.exhibit.texts.values().to_vec();
        values.push(("count", &count));
        values.extend(more);
        let (system, user) = definition.prompt(&definition.main, &values);
        Self { system, user, frames }
    }

    /// Asked in this form, and for an answer of this shape.
    fn question<'s>(
        &self,
        part: &str,
        form: &str,
        schema: Option<(&'static str, &'s Value)>,
    ) -> Question<'s> {
        Question {
            part: part.to_owned(),
            system: self.system.clone(),
            messages: vec![with_pictures(format!("{}\n\n{form}", self.user), self.frames.iter().copied())],
            schema,
        }
    }
}

/// A user's message with pictures after it.
fn with_pictures<'f>(text: String, frames: impl IntoIterator<Item = &'f Frame>) -> Message {
    frames.into_iter().fold(Message::user(text), |message, frame| frame.onto(message))
}
