//! What a sitting may cost, before it begins.

use umpire_llm::Price;
use umpire_model::{Usage, UsdMicros};

use super::{Docket, Panel, PanelError};
use crate::case::Case;
use crate::evidence::Screenshots;

/// About so many characters make a token of English.
const CHARACTERS: u64 = 4;
/// What providers count for a screenshot of a usual window, give or take.
const IMAGE_TOKENS: u64 = 1_500;
/// An instruction and the form of the answer, for each call.
const FRAME_TOKENS: u64 = 700;
const ANSWER_TOKENS: u64 = 350;
/// So many cases are read to tell the size of all.
const READ: usize = 40;

/// For each model, what the votes that are still to be cast may take. Near-identical screenshots are not collapsed here,
/// so it is rather too much than too little.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    pub attempts: usize,
    pub votes: u64,
    pub by_model: Vec<ModelEstimate>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ModelEstimate {
    pub model: String,
    pub calls: u64,
    pub images: u64,
    pub usage: Usage,
    /// None if its price is not known.
    pub cost: Option<UsdMicros>,
}

impl Panel {
    pub fn estimate(&self, docket: &Docket) -> Result<Estimate, PanelError> {
        let per_model = docket.brought.len() as u64 * u64::from(self.options.samples);
        let (texts, frames) = self.usual_size(docket)?;
        let effort = self.judge.effort(frames);
        let by_model = self.options.models.iter().map(|model| {
            let sees = self.gateway.spec(model).is_none_or(|spec| spec.images);
            let calls = effort.calls as u64 * per_model;
            let images = if sees { effort.images as u64 * per_model } else { 0 };
            let usage = Usage {
                input: calls * (texts / CHARACTERS + FRAME_TOKENS) + images * IMAGE_TOKENS,
                output: calls * ANSWER_TOKENS,
                ..Usage::default()
            };
            let cost = self.gateway.price(model).map(|price: Price| price.cost(&usage));
            ModelEstimate { model: model.clone(), calls, images, usage, cost }
        });
        Ok(Estimate {
            attempts: docket.brought.len(),
            votes: per_model * self.options.models.len() as u64,
            by_model: by_model.collect(),
        })
    }

    /// Characters of text and number of frames of a case, on average over some of them.
    fn usual_size(&self, docket: &Docket) -> Result<(u64, usize), PanelError> {
        let some: Vec<_> = docket.brought.iter().step_by((docket.brought.len() / READ).max(1)).collect();
        let (mut characters, mut frames) = (0, 0);
        for brought in &some {
            let case = self.case(&brought.attempt, &brought.instance)?;
            characters += case.hostile().map(str::len).sum::<usize>() + case.intent.len();
            frames += frames_of(&case, self.judge.evidence().screenshots);
        }
        let count = some.len().max(1);
        Ok(((characters / count) as u64, frames.div_ceil(count)))
    }
}

fn frames_of(case: &Case, screenshots: Screenshots) -> usize {
    let taken = case.turns.iter().filter(|turn| turn.screenshot.is_some()).count();
    match screenshots {
        Screenshots::None => 0,
        Screenshots::Last => taken.min(1),
        Screenshots::All => taken,
    }
}
