//! browser-use's way: elements with index numbers, a JSON reply with an evaluation, a memory, the next goal and up to
//! ten actions, which are carried out in order as long as the page they were meant for is still there.

mod actions;
mod queue;
mod reply;

use std::collections::VecDeque;
use std::fmt::Write as _;

use umpire_browser::{Observation, marks};
use umpire_llm::{Message, Prompt, ReplyShape};
use umpire_model::{Media, TaskBrief};

use self::actions::Move;
use self::queue::{Next, Queue};
use self::reply::{Reply, parse, schema};
use super::answer::answer_rules;
use super::asking::{Model, NoReply};
use super::page_room::PageRoom;
use super::prompts::Prompts;
use super::spec::ModelOptions;
use super::voyager::SEARCH_URL;
use crate::agent::{Agent, Deciding, Decision, NoDecision, Turn};

const ACTIONS_PER_REPLY: usize = 10;
const PAGE_BYTES: usize = 20_000;
/// Unreadable replies in a row that end the attempt.
const MOST_FAILURES: u32 = 3;
/// Steps that are told again in full; of older ones only the newest memory counts.
const TOLD: usize = 15;
/// Of what an action found out.
const LONGEST_RESULT: usize = 2_000;
/// Questions on paper (options, extracts) in one turn before something has to be done.
const MOST_PAPER_MOVES: u32 = 5;

pub(super) struct Indexed {
    model: Model,
    prompts: Prompts,
    room: PageRoom,
    most_actions: usize,
    thought_chars: Option<usize>,
    search_url: String,
    queue: Queue,
    history: VecDeque<String>,
    failures: u32,
}

impl Indexed {
    pub fn new(model: Model, prompts: Prompts, options: &ModelOptions) -> Self {
        Self {
            model,
            prompts,
            room: PageRoom::new(options, PAGE_BYTES),
            most_actions: options.actions_per_reply.unwrap_or(ACTIONS_PER_REPLY).clamp(1, ACTIONS_PER_REPLY),
            thought_chars: options.thought_chars,
            search_url: options.search_url.clone().unwrap_or_else(|| SEARCH_URL.to_owned()),
            queue: Queue::default(),
            history: VecDeque::new(),
            failures: 0,
        }
    }

    async fn next(&mut self, turn: Turn<'_>) -> Result<Decision, NoDecision> {
        if let Some(error) = turn.last_error {
            self.tell(format!("The last action had no effect: {error}"));
        }
        for dialog in &turn.seen.dialogs {
            self.tell(format!("A dialog was shown and answered: {dialog}"));
        }
        let mut thoughts = String::new();
        let mut paper_moves = 0;
        loop {
            match self.queue.next(turn.seen, turn.last_error.is_some()) {
                Next::Act(action) => {
                    let thought = (!thoughts.is_empty()).then_some(thoughts);
                    return Ok(Decision { thought, action });
                }
                Next::Read(question) => {
                    let found = self.read(&question, &turn).await?;
                    self.tell(found);
                    continue;
                }
                Next::Tell(found) => {
                    self.tell(found);
                    continue;
                }
                Next::Dropped(number) => {
                    self.tell(format!("The page changed; {number} further actions were not carried out."));
                }
                Next::Empty => {}
            }
            paper_moves += 1;
            if paper_moves > MOST_PAPER_MOVES {
                return Err(NoDecision::Lost("nothing was done on the page for several replies".to_owned()));
            }
            let reply = self.ask(&turn).await?;
            let _ = writeln!(thoughts, "{}", reply.state);
            self.plan(&reply, turn.task, turn.seen)?;
        }
    }

    /// Takes a reply's actions in, as far as they can be understood.
    fn plan(&mut self, reply: &Reply, task: &TaskBrief, seen: &Observation) -> Result<(), NoDecision> {
        let actions = &reply.actions[..reply.actions.len().min(self.most_actions)];
        let mut step = format!("{}\n", reply.state);
        let mut moves = Vec::with_capacity(actions.len());
        let mut problem = None;
        for (name, parameters) in actions {
            let _ = writeln!(step, "Action: {name} {parameters}");
            match Move::read(name, parameters, task, seen, &self.search_url) {
                Ok(more) => moves.extend(more),
                Err(reason) => {
                    problem = Some(format!("{name}: {reason}"));
                    break;
                }
            }
        }
        if reply.actions.len() > self.most_actions {
            let _ = writeln!(step, "Only the first {} actions of a reply count.", self.most_actions);
        }
        self.tell(step);
        match problem {
            // What stands before the first mistake is carried out, and the mistake told afterwards.
            Some(problem) if moves.is_empty() => return Err(self.failed(problem)),
            Some(problem) => self.tell(format!("Not carried out: {problem}")),
            None => {}
        }
        self.failures = 0;
        self.queue.fill(moves, seen);
        Ok(())
    }

    /// Counts a reply of no use.
    fn failed(&mut self, problem: String) -> NoDecision {
        self.failures += 1;
        if self.failures < MOST_FAILURES {
            return NoDecision::Lost(problem);
        }
        NoDecision::Stopped(format!("{MOST_FAILURES} replies in a row were of no use: {problem}"))
    }

    async fn ask(&mut self, turn: &Turn<'_>) -> Result<Reply, NoDecision> {
        let most = self.most_actions.to_string();
        let answer = answer_rules(&self.prompts, turn.task);
        let values = [
            ("answer", answer.as_str()),
            ("actions", most.as_str()),
            ("search_url", self.search_url.as_str()),
        ];
        let system = self.prompts.fill("indexed.md", &values);
        loop {
            let mut shown = Message::user(self.shown(turn));
            if self.model.sees_images() && !turn.seen.screenshot.is_empty() {
                shown = shown.with_image(Media::Jpeg, marks::draw(turn.seen));
            }
            let prompt = Prompt {
                system: Some(system.clone()),
                messages: vec![shown],
                shape: ReplyShape {
                    schema: Some(("step".to_owned(), schema(self.most_actions, self.thought_chars))),
                    grammar: None,
                },
                ..Prompt::default()
            };
            match self.model.ask(prompt, turn.deadline).await {
                Ok(text) => match parse(&text) {
                    Ok(reply) => return Ok(reply),
                    Err(problem) => return Err(self.failed(problem)),
                },
                Err(NoReply::TooLong(_)) if self.room.shrink() => {}
                Err(NoReply::Other(NoDecision::Lost(problem))) => return Err(self.failed(problem)),
                Err(none) => return Err(none.into()),
            }
        }
    }

    fn shown(&self, turn: &Turn<'_>) -> String {
        let seen = turn.seen;
        let mut text = format!("Task: {}\n", turn.whole_task());
        if !self.history.is_empty() {
            text.push_str("\nSo far:\n");
            self.history.iter().for_each(|line| {
                let _ = writeln!(text, "{}", line.trim_end());
            });
        }
        text.push_str("\nTabs:\n");
        for (number, tab) in seen.tabs.iter().enumerate() {
            let here = if tab.active { " (this one)" } else { "" };
            let _ = writeln!(text, "{} {} {}{here}", number + 1, tab.url, tab.title);
        }
        let _ = writeln!(text, "\nPage: {} ({})", seen.title, seen.url);
        text.push_str(&self.room.cut(&seen.marked_outline()));
        text
    }

    /// Answers a question about the page that needs no action.
    async fn read(&mut self, goal: &str, turn: &Turn<'_>) -> Result<String, NoDecision> {
        loop {
            let page = self.room.cut(&turn.seen.outline);
            let text = self.prompts.fill("indexed-extract.md", &[("goal", goal), ("page", &page)]);
            let prompt = Prompt { messages: vec![Message::user(text)], ..Prompt::default() };
            match self.model.ask(prompt, turn.deadline).await {
                Ok(found) => return Ok(format!("Extracted for {goal:?}: {}", found.trim())),
                Err(NoReply::TooLong(_)) if self.room.shrink() => {}
                Err(NoReply::Other(NoDecision::Lost(problem))) => {
                    return Ok(format!("Nothing was extracted: {problem}"));
                }
                Err(none) => return Err(none.into()),
            }
        }
    }

    fn tell(&mut self, mut what: String) {
        what.truncate(what.floor_char_boundary(LONGEST_RESULT));
        self.history.push_back(what);
        if self.history.len() > TOLD {
            self.history.pop_front();
        }
    }
}

impl Agent for Indexed {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        Box::pin(self.next(turn))
    }
}
