//! A metered call from beginning to end: looked for on tape, paid for, made, recorded.

use std::sync::Arc;

use bytes::Bytes;
use hyper::HeaderMap;
use serde_json::Value;
use umpire_model::{CallSource, Deadline, Usage, UsdMicros};

use crate::ask::AskError;
use crate::budget::{Refused, Reservation, Spent};
use crate::call::{CallError, Delivered, Tried, Wanted, read_answer};
use crate::caller::Caller;
use crate::gateway::{Gateway, Model};
use crate::reply::Finish;
use crate::sheet::{Entry, Sheet, media_of};
use crate::tape::{Taped, TapedCall};

/// What is to be sent.
pub(crate) struct Question<'a> {
    pub(crate) wanted: Wanted,
    pub(crate) body: &'a Value,
    /// Of the client whose request is passed on.
    pub(crate) headers: HeaderMap,
}

/// An answer with its bill.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) delivered: Delivered,
    pub(crate) usage: Option<Usage>,
    pub(crate) cost: Option<UsdMicros>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    Budget(String),
    Call(CallError),
    NotOnCassette(String),
}

impl From<NoAnswer> for AskError {
    fn from(no_answer: NoAnswer) -> Self {
        match no_answer {
            NoAnswer::Budget(lack) => Self::Budget(lack),
            NoAnswer::Call(error) => error.into(),
            NoAnswer::NotOnCassette(call) => Self::NotOnCassette(call),
        }
    }
}

/// A call that may be made: paid for in advance, with its record begun. Dropped, it cost nothing and left no trace:
/// that is a built-in agent's attempt which was ended in the middle of it.
pub(crate) struct Ticket {
    gateway: Arc<Gateway>,
    model: Arc<Model>,
    caller: Caller,
    sheet: Sheet,
    taped_call: Option<TapedCall>,
    reservation: Reservation,
}

pub(crate) enum Begun {
    Call(Box<Ticket>),
    /// The answer is on tape; its ticket is settled.
    Taped(Box<Told>),
}

/// Looks on tape, then reserves. What is replayed from a cassette is charged as it was then, so that a replayed run
/// ends where the recorded one did; what comes from the cache costs nothing.
pub(crate) async fn begin(
    gateway: &Arc<Gateway>,
    model: &Arc<Model>,
    caller: &Caller,
    question: &Question<'_>,
    deadline: Deadline,
) -> Result<Begun, NoAnswer> {
    let sheet = Sheet::begin(caller, question.wanted, question.body);
    let tapes = gateway.tapes();
    let taped_call = tapes.is_on().then(|| {
        let mut wanted = format!("{} of {}", question.wanted.name(), model.spec.model);
        if caller.sample > 1 {
            wanted = format!("{wanted}, sample {}", caller.sample);
        }
        tapes.call(&caller.name, model.spec.provider.name(), &wanted, &sheet.request)
    });
    let refuse = |no_answer: NoAnswer| {
        let error = Some(AskError::from(no_answer.clone()).to_string());
        // What was never sent cost nothing, which is known.
        let cost = Some(UsdMicros(0));
        sheet.end(caller, &model.name, Entry { cost, error, ..Entry::empty(CallSource::Provider) });
        no_answer
    };
    // A call that is missing is missed only if it could be paid: the recorded run was stopped by its budget too.
    let (found, missing) = match taped_call.as_ref().map(|call| tapes.find(call)) {
        Some(Ok(found)) => (found, None),
        Some(Err(missing)) => (None, Some(missing)),
        None => (None, None),
    };
    let found = found.and_then(|(taped, source)| Some((replayed(question, taped)?, source)));
    if let Some((delivered, CallSource::Cache)) = found {
        return Ok(Begun::Taped(Box::new(from_cache(delivered, &sheet, caller, model))));
    }
    let estimate = Spent::of_call(&sheet.most, sheet.most_money(model.price));
    let reservation = Reservation::make(&caller.budgets, estimate, deadline).await.map_err(|refused| {
        refuse(match refused {
            Refused::Spent(lack) => NoAnswer::Budget(lack),
            Refused::Deadline => NoAnswer::Call(CallError::Deadline),
        })
    })?;
    let ticket = Ticket {
        gateway: Arc::clone(gateway),
        model: Arc::clone(model),
        caller: caller.clone(),
        sheet,
        taped_call,
        reservation,
    };
    match (found, missing) {
        (Some((delivered, source)), _) => Ok(Begun::Taped(Box::new(ticket.settle(delivered, source, 0)))),
        (None, Some(missing)) => Err(ticket.fail(NoAnswer::NotOnCassette(missing.0), 0)),
        (None, None) if tapes.never_calls() => {
            Err(ticket.fail(NoAnswer::NotOnCassette("its recorded answer cannot be read".to_owned()), 0))
        }
        (None, None) => Ok(Begun::Call(Box::new(ticket))),
    }
}

fn replayed(question: &Question<'_>, taped: Taped) -> Option<Delivered> {
    let body = Bytes::from(taped.body);
    let answer = read_answer(question.wanted, &body).ok()?;
    Some(Delivered { content_type: taped.content_type, body, answer })
}

fn from_cache(delivered: Delivered, sheet: &Sheet, caller: &Caller, model: &Model) -> Told {
    let (usage, cost) = (delivered.answer.usage, Some(UsdMicros(0)));
    let reply = Some((&delivered.body[..], media_of(&delivered.content_type)));
    sheet.end(caller, &model.name, Entry { reply, usage, cost, ..Entry::empty(CallSource::Cache) });
    Told { delivered, usage, cost }
}

/// Makes a call and waits for the whole answer.
pub(crate) async fn whole(
    gateway: &Arc<Gateway>,
    model: &Arc<Model>,
    caller: &Caller,
    question: &Question<'_>,
    deadline: Deadline,
) -> Result<Told, NoAnswer> {
    let ticket = match begin(gateway, model, caller, question, deadline).await? {
        Begun::Taped(told) => return Ok(*told),
        Begun::Call(ticket) => ticket,
    };
    let Some(line) = model.line() else {
        return Err(ticket.fail(NoAnswer::NotOnCassette("the call".to_owned()), 0));
    };
    let outgoing = line.outgoing(question.wanted, &question.headers, question.body);
    let Tried { outcome, tries, .. } = line.whole(question.wanted, &outgoing, deadline).await;
    match outcome {
        Ok(delivered) => Ok(ticket.settle(delivered, CallSource::Provider, tries)),
        Err(error) => Err(ticket.fail(NoAnswer::Call(error), tries)),
    }
}

impl Ticket {
    pub(crate) fn settle(self, delivered: Delivered, source: CallSource, tries: u32) -> Told {
        let is_complete = delivered.answer.finish == Finish::Complete;
        let usage = delivered.answer.usage;
        let cost =
            self.close(&delivered.content_type, &delivered.body, usage, is_complete, source, tries, None);
        Told { delivered, usage, cost }
    }

    /// Pays, keeps and records. An answer that does not say what it took is charged the most it can have taken, and
    /// shown as unknown.
    #[expect(clippy::too_many_arguments, reason = "the parts of one record")]
    pub(crate) fn close(
        self,
        content_type: &str,
        body: &[u8],
        usage: Option<Usage>,
        is_complete: bool,
        source: CallSource,
        tries: u32,
        error: Option<String>,
    ) -> Option<UsdMicros> {
        let cost = usage.and_then(|usage| Some(self.model.price?.cost(&usage)));
        match usage {
            Some(usage) => self.reservation.settle(Spent::of_call(&usage, cost)),
            None => self.reservation.settle_at_estimate(),
        }
        if let (Some(call), CallSource::Provider, None) = (&self.taped_call, source, &error) {
            self.gateway.tapes().keep(call, content_type, body, is_complete);
        }
        let reply = Some((body, media_of(content_type)));
        self.sheet.end(&self.caller, &self.model.name, Entry { reply, usage, cost, source, tries, error });
        cost
    }

    /// A call that was not answered costs nothing but its place among the calls.
    pub(crate) fn fail(self, no_answer: NoAnswer, tries: u32) -> NoAnswer {
        let calls = u64::from(tries > 0);
        self.reservation.settle(Spent { calls, ..Spent::default() });
        let error = Some(AskError::from(no_answer.clone()).to_string());
        let cost = (tries == 0).then_some(UsdMicros(0));
        self.sheet.end(
            &self.caller,
            &self.model.name,
            Entry { cost, tries, error, ..Entry::empty(CallSource::Provider) },
        );
        no_answer
    }
}
