//! The history of the person a task is for, over HTTP and alone: for agents that drive their browser by themselves and need
//! no other door.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use http::{Method, Request, StatusCode};
use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};
use umpire_agents::{Memory, NoMemory};
use umpire_model::Deadline;

use crate::http::{Answering, No, Visit, answer, read};
use crate::session::{NoRecall, recall};

const PATH: &str = "/history";

/// Answers `POST /history` as the step API does, without a session.
pub struct History {
    memory: Arc<dyn Memory>,
    step: Arc<AtomicU32>,
    deadline: Deadline,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    query: String,
    reason: Option<String>,
}

impl History {
    /// `step` is where the attempt is, for the record; nothing is answered after its `deadline`.
    pub fn new(memory: Arc<dyn Memory>, step: Arc<AtomicU32>, deadline: Deadline) -> Self {
        Self { memory, step, deadline }
    }

    /// The address to ask at, behind the one of a server.
    pub fn address(server: &str) -> String {
        format!("{server}{PATH}")
    }

    async fn ask(&self, request: &Request<Bytes>) -> Result<Value, No> {
        if request.uri().path() != PATH {
            return Err(No(StatusCode::NOT_FOUND, format!("POST {PATH}")));
        }
        if request.method() != Method::POST {
            return Err(No(StatusCode::METHOD_NOT_ALLOWED, format!("POST {PATH}")));
        }
        let Question { query, reason } = read(request.body())?;
        let step = self.step.load(Ordering::Relaxed);
        let entries = recall(self.memory.as_ref(), step, &query, reason.as_deref(), self.deadline).await?;
        Ok(json!({ "entries": entries }))
    }
}

impl From<NoRecall> for No {
    fn from(none: NoRecall) -> Self {
        let status = match &none {
            NoRecall::Nobody => StatusCode::NOT_FOUND,
            NoRecall::TooLate => StatusCode::CONFLICT,
            NoRecall::Keeper(NoMemory::Spent(_)) => StatusCode::TOO_MANY_REQUESTS,
            NoRecall::Keeper(NoMemory::Broken(_)) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, none.to_string())
    }
}

impl Visit for History {
    fn answer(&self, request: Request<Bytes>) -> Answering<'_> {
        Box::pin(async move {
            match self.ask(&request).await {
                Ok(body) => answer(StatusCode::OK, &body),
                Err(no) => no.into_response(),
            }
        })
    }
}
