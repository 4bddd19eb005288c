//! `WebVoyager`'s way, with WebSP-Eval's actions: a screenshot with numbered boxes, the elements as text, the open tabs;
//! one thought and one action a turn.

mod grammar;

use std::fmt::Write as _;

use umpire_browser::{Observation, marks};
use umpire_llm::{Message, Part, Prompt, ReplyShape};
use umpire_model::{Action, Media, TaskBrief};

use self::grammar::{Step, parse};
use super::answer::{answer_rules, final_answer};
use super::asking::{Model, NoReply};
use super::conversation::Conversation;
use super::page_room::PageRoom;
use super::prompts::Prompts;
use super::spec::ModelOptions;
use crate::agent::{Agent, Deciding, Decision, NoDecision, Turn};

/// Pages that stay in the conversation.
const KEPT: usize = 3;
/// Bytes of element text in a turn.
const PAGE_BYTES: usize = 20_000;
/// As long as the released agent waits when asked to.
const WAIT_MS: u64 = 5_000;
pub(super) const SEARCH_URL: &str = "http://search.localhost/";
const NO_ACCOUNT: &str = "the account the page offers";

pub(super) struct Voyager {
    model: Model,
    prompts: Prompts,
    conversation: Conversation,
    kept: usize,
    room: PageRoom,
    account: String,
    search_url: String,
}

impl Voyager {
    pub fn new(model: Model, prompts: Prompts, options: &ModelOptions) -> Self {
        Self {
            model,
            prompts,
            conversation: Conversation::default(),
            kept: options.keep_pages.unwrap_or(KEPT),
            room: PageRoom::new(options, PAGE_BYTES),
            account: options.account.clone().unwrap_or_else(|| NO_ACCOUNT.to_owned()),
            search_url: options.search_url.clone().unwrap_or_else(|| SEARCH_URL.to_owned()),
        }
    }

    async fn next(&mut self, turn: Turn<'_>) -> Result<Decision, NoDecision> {
        let answer = answer_rules(&self.prompts, turn.task);
        let values = [
            ("answer", answer.as_str()),
            ("account", self.account.as_str()),
            ("search_url", self.search_url.as_str()),
        ];
        let system = self.prompts.fill("voyager.md", &values);
        let (shown, reply) = loop {
            let shown = self.shown(&turn);
            let prompt = Prompt {
                system: Some(system.clone()),
                messages: self.conversation.with(shown.clone(), self.kept),
                shape: ReplyShape { schema: None, grammar: Some(grammar::GRAMMAR.to_owned()) },
                ..Prompt::default()
            };
            match self.model.ask(prompt, turn.deadline).await {
                Ok(reply) => break (shown, reply),
                Err(NoReply::TooLong(_)) if self.room.shrink() => self.kept = 1,
                Err(none) => return Err(none.into()),
            }
        };
        self.conversation.remember(shown, reply.clone());
        let parsed = parse(&reply).map_err(NoDecision::Lost)?;
        Ok(Decision { thought: parsed.thought, action: self.action(parsed.step, turn.task, turn.seen)? })
    }

    fn action(&self, step: Step, task: &TaskBrief, seen: &Observation) -> Result<Action, NoDecision> {
        Ok(match step {
            Step::Act(action) => action,
            Step::Wait => Action::Wait { millis: WAIT_MS },
            Step::Search => Action::GoTo(self.search_url.clone()),
            Step::Answer(said) => final_answer(task, &said),
            Step::SwitchTab(url) => {
                let tab = tab_with(seen, &url);
                Action::SwitchTab(tab.ok_or_else(|| NoDecision::Lost(format!("no open tab shows {url}")))?)
            }
        })
    }

    /// What the model is shown this turn; with the task until a reply to it is remembered.
    fn shown(&self, turn: &Turn<'_>) -> Message {
        let seen = turn.seen;
        let mut parts = Vec::new();
        if self.conversation.is_empty() {
            parts.push(Part::Text(format!("Task: {}", turn.task.intent)));
        }
        let mut text = String::new();
        if let Some(learned) = turn.learned {
            let _ = writeln!(text, "From the user's history:\n{learned}");
        }
        if let Some(error) = turn.last_error {
            let _ = writeln!(text, "The last action had no effect: {error}");
        }
        for dialog in &seen.dialogs {
            let _ = writeln!(text, "A dialog was shown and answered: {dialog}");
        }
        let _ = writeln!(text, "Page: {} ({})", seen.title, seen.url);
        if seen.tabs.len() > 1 {
            text.push_str("Tabs:\n");
            for tab in &seen.tabs {
                let here = if tab.active { " (this one)" } else { "" };
                let _ = writeln!(text, "- {} {}{here}", tab.url, tab.title);
            }
        }
        let _ = write!(text, "Elements:\n{}", seen.element_list_within(self.room.bytes()));
        if !self.model.sees_images() {
            // Without a picture the outline is what there is to see.
            let _ = write!(text, "Text of the page:\n{}", self.room.cut(&seen.outline));
        }
        parts.push(Part::Text(text));
        if self.model.sees_images() && !seen.screenshot.is_empty() {
            let picture = marks::draw(seen);
            parts.push(Part::Image { media: Media::Jpeg, content: picture.into() });
        }
        Message { role: umpire_llm::Role::User, parts }
    }
}

/// The number of the tab that shows this URL, or else one of the same host whose path begins alike.
fn tab_with(seen: &Observation, url: &str) -> Option<u32> {
    let place = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        (host.trim_start_matches("www.").to_ascii_lowercase(), path.trim_end_matches('/').to_owned())
    };
    let (host, path) = place(url);
    let alike = |tab: &str| {
        let (other_host, other_path) = place(tab);
        host == other_host && (path.starts_with(&other_path) || other_path.starts_with(&path))
    };
    let exact = seen.tabs.iter().position(|tab| tab.url == url);
    let number = exact.or_else(|| seen.tabs.iter().position(|tab| alike(&tab.url)))?;
    Some(number as u32 + 1)
}

impl Agent for Voyager {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        Box::pin(self.next(turn))
    }
}
