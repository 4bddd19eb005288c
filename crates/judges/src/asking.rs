//! Asking a model one question, and asking once more if the answer cannot be read.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use umpire_llm::{Ask, AskError, Finish, Message, Prompt, ReplyShape};
use umpire_model::{Deadline, JudgeCall, Redactor};

/// What the part of a call about one screenshot begins with; its number follows.
pub const SCREENSHOT: &str = "screenshot ";

/// How answers are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parser {
    /// By schema or by a line that is a verdict; what is neither is asked for once more, then an error.
    #[default]
    Strict,
    /// As the released systems read them, to reproduce their figures.
    Reference,
}

/// What a question asks for.
pub struct Question<'a> {
    /// As [`JudgeCall::part`].
    pub part: String,
    pub system: String,
    pub messages: Vec<Message>,
    /// Name and JSON Schema of the answer; none in reference mode.
    pub schema: Option<(&'static str, &'a Value)>,
}

/// Why a judge has no opinion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOpinion {
    /// Nothing came back.
    #[error("{0}")]
    Unanswered(AskError),
    /// What came back says nothing, twice.
    #[error("{part}: the answer cannot be read: {problem}")]
    Unread { part: String, problem: String },
    #[error("{part}: the model declined to answer")]
    Declined { part: String },
    /// The evidence itself is not there or damaged.
    #[error("{0}")]
    NoEvidence(String),
}

/// One model asked by one judge about one attempt.
pub struct Asking<'a> {
    ask: &'a dyn Ask,
    ledger: &'a Ledger,
    pub parser: Parser,
    deadline: Deadline,
}

impl<'a> Asking<'a> {
    pub fn new(ask: &'a dyn Ask, ledger: &'a Ledger, parser: Parser, deadline: Deadline) -> Self {
        Self { ask, ledger, parser, deadline }
    }

    pub fn sees_images(&self) -> bool {
        self.ask.sees_images()
    }

    /// The answer as `read` understands it. What it cannot read is sent back with the reason, once; a released system
    /// never asked again, so in reference mode neither do we.
    pub async fn ask<T>(
        &self,
        question: Question<'_>,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, NoOpinion> {
        let part = question.part;
        let schema = question.schema.map(|(name, schema)| (name.to_owned(), schema.clone()));
        let mut prompt = Prompt {
            system: Some(question.system).filter(|system| !system.is_empty()),
            messages: question.messages,
            shape: ReplyShape { schema, grammar: None },
            ..Prompt::default()
        };
        let (first, at) = self.reply(&part, &prompt).await?;
        let problem = match read(&first) {
            Ok(answer) => return Ok(answer),
            Err(problem) => problem,
        };
        self.ledger.unread(at, &problem);
        if self.parser == Parser::Reference {
            return Err(NoOpinion::Unread { part, problem });
        }
        prompt.messages.push(Message::assistant(first));
        prompt.messages.push(Message::user(format!(
            "Your answer could not be read: {problem}. Give the same judgement again, in the form that was asked for and \
             nothing else."
        )));
        let (second, at) = self.reply(&format!("{part}, again"), &prompt).await?;
        read(&second).map_err(|problem| {
            self.ledger.unread(at, &problem);
            NoOpinion::Unread { part, problem }
        })
    }

    /// What was said, and its place in the ledger.
    async fn reply(&self, part: &str, prompt: &Prompt) -> Result<(String, usize), NoOpinion> {
        let mut call =
            JudgeCall { part: part.to_owned(), reply: None, problem: None, usage: None, cost: None };
        let reply = match self.ask.ask(prompt, self.deadline).await {
            Ok(reply) => reply,
            Err(error) => {
                call.problem = Some(error.to_string());
                self.ledger.call(call);
                return Err(NoOpinion::Unanswered(error));
            }
        };
        let declined = reply.finish == Finish::Refused;
        call.problem = match reply.finish {
            Finish::Length => Some("it was cut off at the limit of tokens".to_owned()),
            Finish::Refused => Some("the model declined".to_owned()),
            _ => None,
        };
        (call.usage, call.cost) = (reply.usage, reply.cost);
        call.reply = Some(reply.text.clone());
        let at = self.ledger.call(call);
        if declined { Err(NoOpinion::Declined { part: part.to_owned() }) } else { Ok((reply.text, at)) }
    }
}

/// What was asked and said so far, for the vote.
#[derive(Debug, Default)]
pub struct Ledger {
    calls: Mutex<Vec<JudgeCall>>,
    redactor: Redactor,
}

impl Ledger {
    pub fn new(redactor: Redactor) -> Self {
        Self { calls: Mutex::default(), redactor }
    }

    /// Its place among the calls.
    fn call(&self, mut call: JudgeCall) -> usize {
        call.reply = call.reply.map(|text| self.redactor.text(&text).into_owned());
        let mut calls = self.calls();
        calls.push(call);
        calls.len() - 1
    }

    fn unread(&self, at: usize, problem: &str) {
        if let Some(call) = self.calls().get_mut(at) {
            call.problem = Some(problem.to_owned());
        }
    }

    /// All calls, by part; several may have been under way at once, and a vote is to be the same whoever was first.
    pub fn take(&self) -> Vec<JudgeCall> {
        let mut calls = std::mem::take(&mut *self.calls());
        calls.sort_by_key(|call| numbered_part(&call.part));
        calls
    }

    fn calls(&self) -> MutexGuard<'_, Vec<JudgeCall>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Screenshots among themselves by their number; everything else stays where it was.
fn numbered_part(part: &str) -> Option<u32> {
    let rest = part.strip_prefix(SCREENSHOT)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
