//! Answers without browsing: what it gets right was known before, or can be guessed.

use umpire_llm::{Message, Prompt};

use super::answer::{answer_rules, final_answer};
use super::asking::Model;
use super::prompts::Prompts;
use crate::agent::{Agent, Deciding, Decision, NoDecision, Turn};

pub(super) struct Knowledge {
    model: Model,
    prompts: Prompts,
}

impl Knowledge {
    pub fn new(model: Model, prompts: Prompts) -> Self {
        Self { model, prompts }
    }

    async fn answer(&mut self, turn: Turn<'_>) -> Result<Decision, NoDecision> {
        let answer = answer_rules(&self.prompts, turn.task);
        let site = turn.task.start_urls.first().map_or(String::new(), |url| format!("\nWebsite: {url}"));
        let prompt = Prompt {
            system: Some(self.prompts.fill("knowledge.md", &[("answer", answer.as_str())])),
            messages: vec![Message::user(format!("Task: {}{site}", turn.whole_task()))],
            ..Prompt::default()
        };
        let said = self.model.ask(prompt, turn.deadline).await?;
        Ok(final_answer(turn.task, &said).into())
    }
}

impl Agent for Knowledge {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        Box::pin(self.answer(turn))
    }

    fn needs_page(&self) -> bool {
        false
    }
}
