//! Online-Mind2Web's naive search agent: one query, one result opened, one answer from that page, and nothing else. What it
//! solves needs no browsing.

use umpire_browser::{Element, Observation};
use umpire_llm::{Message, Prompt};
use umpire_model::{Action, Target};

use super::answer::{answer_rules, final_answer};
use super::asking::{Model, NoReply, first_line};
use super::page_room::PageRoom;
use super::prompts::Prompts;
use super::spec::ModelOptions;
use super::voyager::SEARCH_URL;
use crate::agent::{Agent, Deciding, Decision, NoDecision, Turn};
use crate::response::Response;

const PAGE_BYTES: usize = 30_000;
const LONGEST_QUERY: usize = 200;

pub(super) struct Search {
    model: Model,
    prompts: Prompts,
    room: PageRoom,
    engine: String,
    stage: Stage,
}

enum Stage {
    Asking,
    /// The query is on its way to the engine.
    Searching(String),
    Choosing,
    Reading,
}

/// Where a search engine shows its results.
pub(super) fn query_url(search_url: &str, query: &str) -> String {
    let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
    format!("{}/search?q={query}", search_url.trim_end_matches('/'))
}

impl Search {
    pub fn new(model: Model, prompts: Prompts, options: &ModelOptions) -> Self {
        Self {
            model,
            prompts,
            room: PageRoom::new(options, PAGE_BYTES),
            engine: options.search_url.clone().unwrap_or_else(|| SEARCH_URL.to_owned()),
            stage: Stage::Asking,
        }
    }

    async fn next(&mut self, turn: Turn<'_>) -> Result<Decision, NoDecision> {
        let task = turn.whole_task();
        if let Stage::Searching(query) = &self.stage {
            // The engine did not load: what is seen is the page before it, whose links are no results.
            if turn.last_error.is_some() {
                return Ok(self.search_for(query));
            }
            self.stage = Stage::Choosing;
        }
        match self.stage {
            Stage::Asking => {
                let prompt = self.prompts.fill("search-query.md", &[("task", &*task)]);
                let said = self.ask(prompt, &turn).await?;
                let query = said.trim().trim_matches('"').trim().lines().next().unwrap_or_default();
                let query = query[..query.floor_char_boundary(LONGEST_QUERY)].to_owned();
                let decision = self.search_for(&query);
                self.stage = Stage::Searching(query);
                Ok(decision)
            }
            Stage::Searching(_) | Stage::Choosing => {
                let results = results(turn.seen);
                if results.is_empty() {
                    let nothing = Response::not_found(turn.task.kind, "the search found nothing");
                    return Ok(nothing.into_answer().into());
                }
                let list: Vec<String> = results.iter().map(ToString::to_string).collect();
                let values = [("task", &*task), ("results", &list.join("\n"))];
                let said = self.ask(self.prompts.fill("search-choose.md", &values), &turn).await?;
                let chosen = number_in(&said);
                let result =
                    results.iter().find(|element| Some(element.mark) == chosen).ok_or_else(|| {
                        NoDecision::Lost(format!("{} is none of the results", first_line(&said)))
                    })?;
                self.stage = Stage::Reading;
                Ok(Decision::because(
                    format!("Open {}", result.name),
                    Action::Click(Target::Mark(result.mark)),
                ))
            }
            Stage::Reading => {
                let answer = answer_rules(&self.prompts, turn.task);
                let said = loop {
                    let page = self.room.cut(&turn.seen.outline);
                    let values = [("task", &*task), ("page", &page), ("answer", answer.as_str())];
                    let text = self.prompts.fill("search-answer.md", &values);
                    let prompt = Prompt { messages: vec![Message::user(text)], ..Prompt::default() };
                    match self.model.ask(prompt, turn.deadline).await {
                        Ok(said) => break said,
                        Err(NoReply::TooLong(_)) if self.room.shrink() => {}
                        Err(none) => return Err(none.into()),
                    }
                };
                Ok(final_answer(turn.task, &said).into())
            }
        }
    }

    fn search_for(&self, query: &str) -> Decision {
        Decision::because(format!("Search for {query}"), Action::GoTo(query_url(&self.engine, query)))
    }

    async fn ask(&self, text: String, turn: &Turn<'_>) -> Result<String, NoDecision> {
        let prompt = Prompt { messages: vec![Message::user(text)], ..Prompt::default() };
        Ok(self.model.ask(prompt, turn.deadline).await?)
    }
}

/// Links that lead away from the search engine.
fn results(seen: &Observation) -> Vec<&Element> {
    let host = |url: &str| {
        url.split_once("://").map(|(_, rest)| rest.split('/').next().unwrap_or_default().to_owned())
    };
    let own = host(&seen.url);
    let leads_away = |element: &&Element| {
        let target = element.href.as_deref().and_then(host);
        element.role == "link" && !element.name.is_empty() && target.is_some() && target != own
    };
    seen.elements.iter().filter(leads_away).collect()
}

fn number_in(text: &str) -> Option<u32> {
    text.split(|c: char| !c.is_ascii_digit()).find(|word| !word.is_empty())?.parse().ok()
}

impl Agent for Search {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        Box::pin(self.next(turn))
    }
}
