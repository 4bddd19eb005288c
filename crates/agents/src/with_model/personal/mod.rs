//! Knowing the person, around any agent that asks a model: a planner decides what to look up in the person's history, a
//! retriever looks it up, a generator puts what was found into words. The agent itself stays what it is.

mod memory;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use umpire_llm::{Message, Prompt};
use umpire_model::{HistoryAccess, HistoryScheme, TaskBrief};
use umpire_persona::planner;

pub use self::memory::{Memory, NoMemory, Recalled, Recalling, look_up};
use super::asking::Model;
use super::page_room::PageRoom;
use super::prompts::Prompts;
use super::spec::{ModelAgentSpec, ModelKind};
use crate::agent::{Agent, Deciding, Decision, NoDecision, Turn};

/// Bytes of the page that the planner is shown.
const PAGE_BYTES: usize = 4_000;
/// In place of an answer, so that nobody asks the same again.
const NOTHING: &str = "nothing was found";

type Create = Box<dyn FnOnce(&TaskBrief) -> Box<dyn Agent> + Send>;

pub(super) struct Personal {
    scheme: HistoryScheme,
    model: Model,
    prompts: Prompts,
    memory: Arc<dyn Memory>,
    room: PageRoom,
    needs_page: bool,
    acting: Acting,
    /// Questions and answers so far.
    known: Vec<(String, String)>,
    /// Nothing more may be looked up.
    spent: bool,
}

enum Acting {
    /// Made once it is known how the task is to be said.
    Later(Option<Create>),
    Now {
        agent: Box<dyn Agent>,
        task: TaskBrief,
    },
}

impl Personal {
    /// Around the agent of this specification that `create` makes.
    pub fn new(
        scheme: HistoryScheme,
        spec: &ModelAgentSpec,
        model: Model,
        prompts: Prompts,
        memory: Arc<dyn Memory>,
        create: Create,
    ) -> Self {
        Self {
            scheme,
            model,
            prompts,
            memory,
            room: PageRoom::new(&spec.options, PAGE_BYTES),
            needs_page: spec.kind != ModelKind::Knowledge,
            acting: Acting::Later(Some(create)),
            known: Vec::new(),
            spent: false,
        }
    }

    async fn next(&mut self, turn: Turn<'_>) -> Result<Decision, NoDecision> {
        if let Acting::Later(create) = &mut self.acting {
            let create = create.take().ok_or_else(|| NoDecision::Stopped("it was interrupted".to_owned()))?;
            let mut task = turn.task.clone();
            match self.scheme {
                HistoryScheme::PreExecution => task.intent = self.said_anew(&turn).await?,
                HistoryScheme::Profile => {
                    let _ = write!(task.intent, "\n\nAbout the user:\n{}", self.memory.profile());
                }
                HistoryScheme::OnDemand => {}
            }
            self.acting = Acting::Now { agent: create(&task), task };
        }
        if self.scheme == HistoryScheme::OnDemand && !self.spent {
            self.look_up_if_needed(&turn).await?;
        }
        let learned = self.learned();
        let Acting::Now { agent, task } = &mut self.acting else {
            return Err(NoDecision::Stopped("it was interrupted".to_owned()));
        };
        agent.decide(Turn { task, learned: learned.as_deref(), ..turn }).await
    }

    /// The task with what the history says in place of what it leaves open; as it was, where nothing is found.
    async fn said_anew(&mut self, turn: &Turn<'_>) -> Result<String, NoDecision> {
        let intent = turn.task.intent.as_str();
        let Some(plan) = self.reply("history-plan.md", &[("task", intent)], turn).await? else {
            return Ok(intent.to_owned());
        };
        let mut facts = String::new();
        let queries = planner::read_plan(&plan).map(|plan| plan.queries).unwrap_or_default();
        for query in queries {
            if let Some(answer) = self.look_up(0, query.clone(), None, turn).await? {
                let _ = writeln!(facts, "- {query}: {answer}");
            }
        }
        if facts.is_empty() {
            return Ok(intent.to_owned());
        }
        let values = [("task", intent), ("facts", facts.as_str())];
        Ok(self.reply("history-rewrite.md", &values, turn).await?.unwrap_or_else(|| intent.to_owned()))
    }

    async fn look_up_if_needed(&mut self, turn: &Turn<'_>) -> Result<(), NoDecision> {
        let outline = turn.seen.marked_outline();
        let page = self.room.cut(&outline);
        let known = self.learned().unwrap_or_default();
        let values = [
            ("task", turn.task.intent.as_str()),
            ("known", known.as_str()),
            ("title", turn.seen.title.as_str()),
            ("url", turn.seen.url.as_str()),
            ("page", &*page),
        ];
        let Some(reply) = self.reply("history-need.md", &values, turn).await? else { return Ok(()) };
        // A reply that cannot be read asks for nothing.
        let Ok(planner::Request { query: Some(query), reason }) = planner::read_request(&reply) else {
            return Ok(());
        };
        let is_known = self.known.iter().any(|(known, _)| *known == query);
        if is_known {
            return Ok(());
        }
        let answer = self.look_up(turn.step, query.clone(), Some(reason), turn).await?;
        // A question that was refused was not answered either way.
        if !self.spent {
            self.known.push((query, answer.unwrap_or_else(|| NOTHING.to_owned())));
        }
        Ok(())
    }

    /// Retrieves, puts into words, and writes the access down, whatever came of it.
    async fn look_up(
        &mut self,
        step: u32,
        query: String,
        reason: Option<String>,
        turn: &Turn<'_>,
    ) -> Result<Option<String>, NoDecision> {
        let started = Instant::now();
        let scheme = self.scheme;
        let mut access = HistoryAccess {
            step,
            scheme,
            query,
            reason,
            method: String::new(),
            hits: Vec::new(),
            answer: None,
            error: None,
            took_ms: 0,
        };
        let outcome = self.answered(&mut access, turn).await;
        if let Err(none) = &outcome {
            access.error = Some(none.to_string());
        }
        access.took_ms = started.elapsed().as_millis() as u64;
        let answer = access.answer.clone();
        self.memory.accessed(access);
        outcome.map(|()| answer)
    }

    async fn answered(&mut self, access: &mut HistoryAccess, turn: &Turn<'_>) -> Result<(), NoDecision> {
        let memory = Arc::clone(&self.memory);
        let recalled = match memory.recall(&access.query).await {
            Ok(recalled) => recalled,
            Err(none @ NoMemory::Spent(_)) => {
                self.spent = true;
                access.error = Some(none.to_string());
                return Ok(());
            }
            Err(none @ NoMemory::Broken(_)) => return Err(NoDecision::Infra(none.to_string())),
        };
        let entries: Vec<String> =
            recalled.texts().enumerate().map(|(at, text)| format!("{}. {text}", at + 1)).collect();
        access.method = recalled.method;
        access.hits = recalled.hits;
        if entries.is_empty() {
            return Ok(());
        }
        let entries = entries.join("\n");
        let values = [("query", access.query.as_str()), ("entries", entries.as_str())];
        access.answer = self.reply("history-answer.md", &values, turn).await?;
        if access.answer.is_none() {
            access.error = Some("the model made no answer of it".to_owned());
        }
        Ok(())
    }

    /// What the model says to a template; nothing if nothing can be made of its reply, which is no reason to stop.
    async fn reply(
        &mut self,
        template: &str,
        values: &[(&str, &str)],
        turn: &Turn<'_>,
    ) -> Result<Option<String>, NoDecision> {
        let prompt = Prompt {
            messages: vec![Message::user(self.prompts.fill(template, values))],
            ..Prompt::default()
        };
        match self.model.ask(prompt, turn.deadline).await.map_err(NoDecision::from) {
            Ok(reply) => Ok(Some(reply.trim().to_owned())),
            Err(NoDecision::Lost(_)) => Ok(None),
            Err(none) => Err(none),
        }
    }

    fn learned(&self) -> Option<String> {
        let lines: Vec<String> =
            self.known.iter().map(|(query, answer)| format!("- {query}: {answer}")).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

impl Agent for Personal {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        Box::pin(self.next(turn))
    }

    fn needs_page(&self) -> bool {
        self.needs_page
    }
}
