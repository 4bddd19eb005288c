//! MCP over HTTP: each message is posted and answered by plain JSON. A stream of the server's own is not offered, which
//! the protocol leaves open: this server has nothing to say unasked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use http::{HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::Bytes;
use serde_json::Value;

use super::{About, Conversation};
use crate::http::{Answering, No, Visit, answer, refusal};
use crate::{Reception, Wish};

/// Name of the header that says whose conversation a message belongs to.
const SESSION: &str = "mcp-session-id";
/// Conversations at a time. Each has at most one attempt, and those are bounded by the reception.
const MOST: usize = 64;

type Shared = Arc<tokio::sync::Mutex<Conversation>>;

struct Place {
    conversation: Shared,
    /// When its client last said something.
    heard: Instant,
}

/// Answers at `/mcp`; a conversation begins with `initialize`.
pub struct Mcp {
    reception: Arc<dyn Reception>,
    wish: Wish,
    about: About,
    conversations: Mutex<BTreeMap<String, Place>>,
}

impl Mcp {
    pub fn new(reception: Arc<dyn Reception>, wish: Wish, about: About) -> Self {
        Self { reception, wish, about, conversations: Mutex::default() }
    }

    fn conversations(&self) -> MutexGuard<'_, BTreeMap<String, Place>> {
        self.conversations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, name: &str) -> Option<Shared> {
        let mut conversations = self.conversations();
        let place = conversations.get_mut(name)?;
        place.heard = Instant::now();
        Some(Arc::clone(&place.conversation))
    }

    /// The conversation a message belongs to, and its name.
    fn of(&self, request: &Request<Bytes>) -> Result<(String, Shared), No> {
        let no = |status, reason: &str| No(status, reason.to_owned());
        if let Some(named) = request.headers().get(SESSION) {
            let name = named.to_str().unwrap_or_default().to_owned();
            let known = self.known(&name);
            let unknown = || no(StatusCode::NOT_FOUND, "there is no such session; begin with `initialize`");
            return known.map(|conversation| (name, conversation)).ok_or_else(unknown);
        }
        let message: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        if message.get("method").and_then(Value::as_str) != Some("initialize") {
            let missing = "the session's header is missing; begin with `initialize`";
            return Err(no(StatusCode::BAD_REQUEST, missing));
        }
        let mut conversations = self.conversations();
        make_room(&mut conversations);
        if conversations.len() >= MOST {
            return Err(no(StatusCode::SERVICE_UNAVAILABLE, "too many sessions are open"));
        }
        let name = umpire_process::random_token()
            .map_err(|error| no(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()))?;
        let conversation =
            Conversation::new(Arc::clone(&self.reception), self.wish.clone(), self.about.clone());
        let conversation = Arc::new(tokio::sync::Mutex::new(conversation));
        let place = Place { conversation: Arc::clone(&conversation), heard: Instant::now() };
        conversations.insert(name.clone(), place);
        Ok((name, conversation))
    }

    async fn post(&self, request: &Request<Bytes>) -> Result<Response<Bytes>, No> {
        let (name, conversation) = self.of(request)?;
        let heard = conversation.lock().await.hear(request.body()).await;
        let mut response = if let Some(message) = heard {
            answer(StatusCode::OK, &message)
        } else {
            let mut accepted = Response::new(Bytes::new());
            *accepted.status_mut() = StatusCode::ACCEPTED;
            accepted
        };
        if let Ok(name) = HeaderValue::from_str(&name) {
            response.headers_mut().insert(SESSION, name);
        }
        Ok(response)
    }

    /// A client that is done; its attempt, if it is not over, ends with it.
    fn delete(&self, request: &Request<Bytes>) -> Response<Bytes> {
        let name = request.headers().get(SESSION).and_then(|name| name.to_str().ok()).unwrap_or_default();
        match self.conversations().remove(name) {
            Some(_) => Response::new(Bytes::new()),
            None => refusal(StatusCode::NOT_FOUND, "there is no such session"),
        }
    }
}

/// Few clients say that they are done. Where all places are taken, those go whose attempt is over, and if there is none,
/// of those that began no attempt the one that has been silent longest.
fn make_room(conversations: &mut BTreeMap<String, Place>) {
    if conversations.len() < MOST {
        return;
    }
    conversations.retain(|_, place| !place.conversation.try_lock().is_ok_and(|one| one.is_over()));
    if conversations.len() < MOST {
        return;
    }
    let idle = conversations
        .iter()
        .filter(|(_, place)| place.conversation.try_lock().is_ok_and(|one| !one.has_begun()));
    let silent = idle.min_by_key(|(_, place)| place.heard).map(|(name, _)| name.clone());
    if let Some(name) = silent {
        conversations.remove(&name);
    }
}

impl Visit for Mcp {
    fn answer(&self, request: Request<Bytes>) -> Answering<'_> {
        Box::pin(async move {
            match (request.method(), request.uri().path()) {
                (&Method::POST, "/mcp") => self.post(&request).await.unwrap_or_else(No::into_response),
                (&Method::DELETE, "/mcp") => self.delete(&request),
                (_, "/mcp") => {
                    let mut refused =
                        refusal(StatusCode::METHOD_NOT_ALLOWED, "messages are posted; there is no stream");
                    refused
                        .headers_mut()
                        .insert(http::header::ALLOW, HeaderValue::from_static("POST, DELETE"));
                    refused
                }
                _ => refusal(StatusCode::NOT_FOUND, "the server is at /mcp"),
            }
        })
    }
}
