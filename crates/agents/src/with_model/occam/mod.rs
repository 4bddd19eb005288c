//! `AgentOccam`'s way: text only. The page is an accessibility outline without what only lays it out; of pages that were
//! seen before, only the lines the model called pivotal stay; the work runs along a tree of plans that the model
//! branches and prunes.

mod page;
mod plan;
mod reply;

use std::fmt::Write as _;

use umpire_llm::{Message, Prompt, ReplyShape};
use umpire_model::{Action, Direction, ScrollArea, Target, TaskBrief};

use self::page::{pivotal, pruned};
use self::plan::Plan;
use self::reply::{Said, Step, grammar, parse};
use super::answer::{answer_rules, final_answer};
use super::asking::{Model, NoReply};
use super::page_room::PageRoom;
use super::prompts::Prompts;
use super::spec::ModelOptions;
use crate::agent::{Agent, Deciding, Decision, NoDecision, Turn};

const PAGE_BYTES: usize = 12_000;
/// Moves on paper (notes, branches, prunes) before something has to be done.
const MOST_PAPER_MOVES: u32 = 4;

pub(super) struct Occam {
    model: Model,
    prompts: Prompts,
    room: PageRoom,
    thought_chars: Option<usize>,
    plan: Plan,
    home: Option<String>,
    /// Enter is pressed in the turn after the typing, when the page has taken the text in.
    enter_next: bool,
}

impl Occam {
    pub fn new(model: Model, prompts: Prompts, options: &ModelOptions, task: &TaskBrief) -> Self {
        Self {
            model,
            prompts,
            room: PageRoom::new(options, PAGE_BYTES),
            thought_chars: options.thought_chars,
            plan: Plan::new(&task.intent),
            home: task.start_urls.first().cloned(),
            enter_next: false,
        }
    }

    async fn next(&mut self, turn: Turn<'_>) -> Result<Decision, NoDecision> {
        if std::mem::take(&mut self.enter_next) && turn.last_error.is_none() {
            return Ok(Action::Press("Enter".to_owned()).into());
        }
        if let Some(error) = turn.last_error {
            self.plan.note(format!("The last action had no effect: {error}"));
        }
        for dialog in &turn.seen.dialogs {
            self.plan.note(format!("A dialog was shown and answered: {dialog}"));
        }
        let page = pruned(&turn.seen.marked_outline());
        let mut thoughts = Vec::new();
        for _ in 0..MOST_PAPER_MOVES {
            let said = self.ask(&turn, &page).await?;
            thoughts.push(said.reason.clone());
            let thought = thoughts.join("\n");
            if let Some(action) = self.follow(said, &page, turn.task)? {
                return Ok(Decision { thought: Some(thought), action });
            }
        }
        Err(NoDecision::Lost(format!(
            "{MOST_PAPER_MOVES} plans and notes in a row; do something on the page"
        )))
    }

    async fn ask(&mut self, turn: &Turn<'_>, page: &str) -> Result<Said, NoDecision> {
        let answer = answer_rules(&self.prompts, turn.task);
        let system = self.prompts.fill("occam.md", &[("answer", answer.as_str())]);
        loop {
            let prompt = Prompt {
                system: Some(system.clone()),
                messages: vec![Message::user(self.shown(turn, page))],
                shape: ReplyShape { schema: None, grammar: Some(grammar(self.thought_chars)) },
                ..Prompt::default()
            };
            match self.model.ask(prompt, turn.deadline).await {
                Ok(reply) => return parse(&reply).map_err(NoDecision::Lost),
                Err(NoReply::TooLong(_)) if self.room.shrink() => {}
                Err(none) => return Err(none.into()),
            }
        }
    }

    /// What changes little comes first: providers read a beginning they know for less.
    fn shown(&self, turn: &Turn<'_>, page: &str) -> String {
        let mut text = format!("Task: {}\n\nPlan:\n{}", turn.whole_task(), self.plan);
        let history = self.plan.history();
        if !history.is_empty() {
            let _ = write!(text, "\nDone so far on this plan:\n{history}");
        }
        let _ = write!(text, "\nPage now: {} ({})\n", turn.seen.title, turn.seen.url);
        text.push_str(&self.room.cut(page));
        text
    }

    /// Carries out what was said: on paper, or as the action of this turn.
    fn follow(&mut self, said: Said, page: &str, task: &TaskBrief) -> Result<Option<Action>, NoDecision> {
        let done = said.step.to_string();
        let pivots = pivotal(page, &said.highlight);
        let action = match said.step {
            Step::Note(text) => {
                self.plan.note(text);
                return Ok(None);
            }
            Step::Branch(parent, goal) => {
                self.plan.branch(parent, goal).map_err(NoDecision::Lost)?;
                return Ok(None);
            }
            Step::Prune(node, reason) => {
                self.plan.prune(node, &reason).map_err(NoDecision::Lost)?;
                return Ok(None);
            }
            Step::Stop(said) => final_answer(task, &said),
            Step::Click(mark) => Action::Click(Target::Mark(mark)),
            Step::Type { mark, text, enter } => {
                self.enter_next = enter;
                Action::Type(Target::Mark(mark), text)
            }
            Step::Select(mark, option) => Action::Select(Target::Mark(mark), option),
            Step::Scroll(down) => {
                Action::Scroll(ScrollArea::Window, if down { Direction::Down } else { Direction::Up })
            }
            Step::Back => Action::Back,
            Step::Home => match &self.home {
                Some(url) => Action::GoTo(url.clone()),
                None => return Err(NoDecision::Lost("the task has no page it starts on".to_owned())),
            },
        };
        self.plan.did(done, said.summary, pivots);
        Ok(Some(action))
    }
}

impl Agent for Occam {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        Box::pin(self.next(turn))
    }
}
