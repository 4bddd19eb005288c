//! What a sitting may cost, before it begins.

use std::collections::{BTreeMap, HashMap, HashSet};

use umpire_llm::Price;
use umpire_model::{AttemptId, Ruling, Usage, UsdMicros};

use super::voting::case;
use super::{Brought, Docket, Panel, PanelError};

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
    /// Those on the disk included.
    pub votes: u64,
    /// On the disk from before. Whether the evidence is still the same is not looked at here.
    pub kept: u64,
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
        let kept = self.kept(docket)?;
        let by_model = self.options.models.iter().map(|model| {
            let sees = self.gateway.spec(model).is_none_or(|spec| spec.images);
            let open = per_model - kept.get(model.as_str()).copied().unwrap_or(0);
            let calls = effort.calls as u64 * open;
            let images = if sees { effort.images as u64 * open } else { 0 };
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
            kept: kept.values().sum(),
            by_model: by_model.collect(),
        })
    }

    /// How many votes of each model need not be cast again.
    fn kept(&self, docket: &Docket) -> Result<BTreeMap<&str, u64>, PanelError> {
        let mut kept: BTreeMap<&str, HashSet<_>> = BTreeMap::new();
        let earlier = self.earlier_votes(docket)?;
        let tries: HashMap<_, u32> =
            docket.brought.iter().map(|brought| (pair(brought), brought.r#try)).collect();
        for vote in earlier.values() {
            let model = self.options.models.iter().find(|model| **model == vote.model);
            let is_same = tries.get(&(&vote.attempt, vote.against.as_ref())) == Some(&vote.r#try)
                && vote.judge == self.judge.name()
                && vote.sample <= self.options.samples
                && vote.ruling != Ruling::Error;
            if let Some(model) = model.filter(|model| is_same && vote.digest == self.digest(model)) {
                kept.entry(model).or_default().insert((&vote.attempt, vote.against.as_ref(), vote.sample));
            }
        }
        Ok(kept.into_iter().map(|(model, votes)| (model, votes.len() as u64)).collect())
    }

    /// Characters of text and number of frames of a case, on average over some of them.
    fn usual_size(&self, docket: &Docket) -> Result<(u64, usize), PanelError> {
        let some: Vec<_> = docket.brought.iter().step_by((docket.brought.len() / READ).max(1)).collect();
        let (mut characters, mut frames) = (0, 0);
        for brought in &some {
            let case = case(&self.run, &brought.attempt, &brought.instance)?;
            characters += case.hostile().map(str::len).sum::<usize>() + case.intent.len();
            frames += case.screenshots(self.judge.evidence().screenshots).len();
        }
        let count = some.len().max(1);
        Ok(((characters / count) as u64, frames.div_ceil(count)))
    }
}

fn pair(brought: &Brought) -> (&AttemptId, Option<&AttemptId>) {
    (&brought.attempt, brought.against.as_ref().map(|(other, _)| other))
}
