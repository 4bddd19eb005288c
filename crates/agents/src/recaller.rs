use std::sync::Arc;

use umpire_model::TaskBrief;
use umpire_persona::audit::About;
use umpire_persona::{Tables, inference};

use crate::agent::{Agent, Deciding, Decision, NoDecision, Turn};
use crate::detours::Reference;
use crate::oracle::Oracle;
use crate::with_model::{Memory, NoMemory, look_up};

/// Goes the oracle's way as far as it knows it. What the wish leaves unsaid it has to find out, and goes wrong where it
/// finds out wrongly: no model, and yet an agent for whom a history makes the difference.
pub(crate) struct Recaller {
    reference: Reference,
    source: Source,
    walking: Option<Oracle>,
}

/// Where it takes from what the wish does not say.
pub(crate) enum Source {
    /// What it finds in the history; the value that most of the entries show.
    History(Option<Arc<dyn Memory>>),
    /// Nowhere: it goes to the first place there is, and leaves open what it does not know.
    Nowhere,
}

impl Recaller {
    pub fn new(reference: Reference, source: Source) -> Self {
        Self { reference, source, walking: None }
    }

    async fn next(&mut self, turn: Turn<'_>) -> Result<Decision, NoDecision> {
        if self.walking.is_none() {
            let mut way = self.reference.clone();
            for (about, value) in self.found_out(turn.task, turn.step).await? {
                way.fill(&about, &value);
            }
            way.leave_open();
            self.walking = Some(Oracle::new(way));
        }
        match &mut self.walking {
            Some(walking) => walking.decide(turn).await,
            None => Err(NoDecision::Stopped("it was interrupted".to_owned())),
        }
    }

    async fn found_out(&self, task: &TaskBrief, step: u32) -> Result<Vec<(About, String)>, NoDecision> {
        let (tables, blanks) = (Tables::embedded(), &self.reference.blanks);
        let values: Vec<Option<String>> = match &self.source {
            Source::Nowhere => {
                // Without a site and a town there is no page to be on; everything else can be left alone.
                let is_place = |about: &&About| !matches!(about, About::Preference(_));
                let first = |about: &About| {
                    let choices = inference::choices(tables, &blanks.category, about);
                    choices.into_iter().next().map(|value| (about.clone(), value))
                };
                return Ok(blanks.unsaid.iter().filter(is_place).filter_map(first).collect());
            }
            Source::History(memory) => {
                let texts = match memory {
                    Some(memory) => self.read(memory.as_ref(), &task.intent, step).await?,
                    None => Vec::new(),
                };
                let told = |about| {
                    let texts = texts.iter().map(String::as_str);
                    inference::likeliest(tables, &blanks.category, about, texts)
                };
                blanks.unsaid.iter().map(told).collect()
            }
        };
        let known = |(about, value): (&About, Option<String>)| match value {
            Some(value) => Ok((about.clone(), value)),
            None => Err(NoDecision::Stopped(format!("it cannot find out the {about}"))),
        };
        blanks.unsaid.iter().zip(values).map(known).collect()
    }

    /// Everything that its questions bring up: an answer to one may stand in what another found.
    async fn read(&self, memory: &dyn Memory, wish: &str, step: u32) -> Result<Vec<String>, NoDecision> {
        let mut asked: Vec<String> = Vec::new();
        let mut texts = Vec::new();
        let blanks = &self.reference.blanks;
        for about in &blanks.unsaid {
            let question = inference::question(Tables::embedded(), &blanks.category, wish, about);
            if asked.contains(&question) {
                continue;
            }
            let reason = format!("the wish does not say the {about}");
            match look_up(memory, step, &question, Some(&reason)).await {
                Ok(recalled) => texts.extend(recalled.texts().map(str::to_owned)),
                Err(NoMemory::Spent(_)) => break,
                Err(none @ NoMemory::Broken(_)) => return Err(NoDecision::Infra(none.to_string())),
            }
            asked.push(question);
        }
        Ok(texts)
    }
}

impl Agent for Recaller {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        Box::pin(self.next(turn))
    }
}
