//! A request of a foreign agent from its first byte to its answer.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::header::HeaderMap;
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;
use umpire_model::Deadline;

use super::guests::{Guest, Guests};
use super::refusal::Refusal;
use super::relay::{Relay, Shown, without_count};
use super::route::{Astray, Route, key};
use super::unseen::unseen_input;
use crate::ask::AskError;
use crate::call::{CallError, Tried, Wanted};
use crate::exchange::{Begun, NoAnswer, Question, Told, begin, whole};
use crate::gateway::{Gateway, Model};
use crate::serve::{Body, full, response};
use crate::spec::{ModelSpec, Provider};
use crate::wire::{Conversation, SseEvent, StreamWriter, WireFormat};

/// Enough for a long history of screenshots.
const LARGEST_REQUEST: usize = 64 << 20;
const SENDING_LIMIT: Duration = Duration::from_mins(1);
/// Headers by which clients ask for what their own vendor is trying out.
const PASSED_ON: [&str; 3] = ["anthropic-version", "anthropic-beta", "openai-beta"];

pub(super) async fn answer(
    request: Request<Incoming>,
    gateway: &Arc<Gateway>,
    guests: &Guests,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let route = match Route::of(&parts) {
        Ok(route) => route,
        Err(Astray::NotFound) => {
            let message = format!("there is no {} {} at this gateway", parts.method, parts.uri.path());
            return Refusal::new(404, "not_found_error", message).response(WireFormat::Chat);
        }
        Err(Astray::NotSse) => {
            return Refusal::bad_request("a stream has to be asked for with alt=sse")
                .response(WireFormat::Gemini);
        }
    };
    let format = route.format();
    let Some(guest) = key(&parts).and_then(|key| guests.find(&key)) else {
        let message = "no attempt that is under way has this key";
        return Refusal::new(401, "authentication_error", message).response(format);
    };
    if route == Route::Models {
        return models(&guest);
    }
    let asking = Asking { gateway: Arc::clone(gateway), guest, headers: passed_on(&parts) };
    let body = match asking.read(body).await {
        Ok(body) => body,
        Err(refusal) => return refusal.response(format),
    };
    // A client that leaves does not end the call with it: it was made, it costs, and it has to be recorded.
    let answering = tokio::spawn(async move { asking.answer(route, body).await });
    let answered =
        answering.await.unwrap_or_else(|error| Err(Refusal::new(500, "api_error", error.to_string())));
    answered.unwrap_or_else(|refusal| refusal.response(format))
}

/// A request that the provider does not understand is the agent's own; one it does not want from us is not.
fn is_own_fault(no_answer: &NoAnswer) -> bool {
    match no_answer {
        NoAnswer::Call(CallError::TooLong(_)) => true,
        NoAnswer::Call(CallError::Rejected(rejection)) => matches!(rejection.status, 400 | 405 | 415 | 422),
        _ => false,
    }
}

fn passed_on(parts: &Parts) -> HeaderMap {
    let passed = PASSED_ON.into_iter().filter_map(|name| {
        let value = parts.headers.get(name)?.clone();
        Some((hyper::header::HeaderName::from_static(name), value))
    });
    passed.collect()
}

/// In the shape of all vendors at once: each reads its own part.
fn models(guest: &Guest) -> Response<Body> {
    let listed = guest.models.iter().map(|name| {
        json!({
            "id": name, "object": "model", "type": "model", "display_name": name, "created": 0,
            "created_at": "1970-01-01T00:00:00Z", "owned_by": "umpire",
        })
    });
    let named =
        guest.models.iter().map(|name| json!({"name": format!("models/{name}"), "displayName": name}));
    let body = json!({
        "object": "list", "data": listed.collect::<Vec<_>>(), "has_more": false, "models": named.collect::<Vec<_>>(),
    });
    response(StatusCode::OK, "application/json", full(body.to_string()))
}

struct Asking {
    gateway: Arc<Gateway>,
    guest: Arc<Guest>,
    /// Of the client, for a request that is passed on.
    headers: HeaderMap,
}

impl Asking {
    async fn read(&self, body: Incoming) -> Result<Value, Refusal> {
        if self.guest.deadline.passed() {
            return Err(Refusal::of(NoAnswer::Call(CallError::Deadline), false));
        }
        let limit = self.guest.deadline.left().min(SENDING_LIMIT);
        let body = match timeout(limit, Limited::new(body, LARGEST_REQUEST).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(_)) => {
                let message =
                    format!("the request is longer than {} MiB or broke off", LARGEST_REQUEST >> 20);
                return Err(Refusal::new(413, "request_too_large", message));
            }
            Err(_) => return Err(Refusal::new(408, "request_timeout", "the request did not come in time")),
        };
        let value: Value = serde_json::from_slice(&body)
            .map_err(|error| Refusal::bad_request(format!("the request is no JSON: {error}")))?;
        if value.is_object() { Ok(value) } else { Err(Refusal::bad_request("the request is no JSON object")) }
    }

    async fn answer(&self, route: Route, mut body: Value) -> Result<Response<Body>, Refusal> {
        let (wanted, name) = match route {
            Route::Talk(format) => {
                let streams = body["stream"] == true;
                (Wanted::Reply { format, streams }, body["model"].as_str().map(str::to_owned))
            }
            Route::TalkTo { model, streams } => {
                (Wanted::Reply { format: WireFormat::Gemini, streams }, Some(model))
            }
            Route::Embeddings | Route::Models => {
                (Wanted::Embeddings, body["model"].as_str().map(str::to_owned))
            }
        };
        let model = self.model(name.as_deref().unwrap_or_default())?;
        let answered = match wanted {
            Wanted::Reply { format, streams } if model.spec.provider.speaks(format) => {
                self.bounded(&body)?;
                let hides_usage = prepare(&mut body, format, streams, &model.spec);
                if streams {
                    self.stream(&model, wanted, &body, hides_usage).await
                } else {
                    self.pass(&model, wanted, &body).await
                }
            }
            Wanted::Reply { format, streams } => {
                return self.translate(&model, format, streams, &body).await;
            }
            Wanted::Embeddings => {
                if matches!(model.spec.provider, Provider::Anthropic | Provider::Gemini) {
                    let message = "this model's provider has no embeddings of OpenAI's format";
                    return Err(Refusal::bad_request(message));
                }
                body["model"] = json!(model.spec.model);
                self.pass(&model, wanted, &body).await
            }
        };
        answered.map_err(|no_answer| Refusal::of(no_answer, true))
    }

    fn model(&self, name: &str) -> Result<Arc<Model>, Refusal> {
        let bare = name.strip_prefix("models/").unwrap_or(name);
        let allowed = self.guest.models.iter().find(|allowed| *allowed == name || *allowed == bare);
        let Some(allowed) = allowed else {
            let known = self.guest.models.join(", ");
            let message = format!("this agent may not ask a model `{name}`; it may ask: {known}");
            return Err(Refusal::new(404, "not_found_error", message));
        };
        let in_money = self.guest.caller.is_limited_in_money();
        self.gateway
            .usable(allowed, in_money)
            .map_err(|error| Refusal::new(500, "api_error", error.to_string()))
    }

    /// Where money is limited, all that will be read has to be in the request.
    fn bounded(&self, body: &Value) -> Result<(), Refusal> {
        let unseen = unseen_input(body).filter(|_| self.guest.caller.is_limited_in_money());
        unseen.map_or(Ok(()), |field| {
            Err(Refusal::bad_request(format!(
                "`{field}` names what is not in the request, so a budget in money cannot bind; \
                 send the content itself"
            )))
        })
    }

    /// Tells the attempt how it went.
    fn noted<T>(&self, outcome: Result<T, NoAnswer>) -> Result<T, NoAnswer> {
        let error = outcome.as_ref().err().filter(|no_answer| !is_own_fault(no_answer));
        self.guest.note(error.cloned().map(AskError::from));
        outcome
    }

    fn deadline(&self) -> Deadline {
        self.guest.deadline
    }

    async fn pass(
        &self,
        model: &Arc<Model>,
        wanted: Wanted,
        body: &Value,
    ) -> Result<Response<Body>, NoAnswer> {
        let question = Question { wanted, body, headers: self.headers.clone() };
        let told = whole(&self.gateway, model, &self.guest.caller, &question, self.deadline()).await;
        let delivered = self.noted(told)?.delivered;
        Ok(response(StatusCode::OK, &delivered.content_type, full(delivered.body)))
    }

    async fn stream(
        &self,
        model: &Arc<Model>,
        wanted: Wanted,
        body: &Value,
        hides_usage: bool,
    ) -> Result<Response<Body>, NoAnswer> {
        let question = Question { wanted, body, headers: self.headers.clone() };
        match self.open(model, &question).await? {
            Opened::Taped(told) => {
                let delivered = told.delivered;
                let body = if hides_usage { without_count(&delivered.body) } else { delivered.body };
                Ok(response(StatusCode::OK, &delivered.content_type, full(body)))
            }
            Opened::Live(relay) => Ok(relay.response(Shown::uncounted(hides_usage))),
        }
    }

    /// Begins a call whose answer comes in pieces.
    async fn open(&self, model: &Arc<Model>, question: &Question<'_>) -> Result<Opened, NoAnswer> {
        let caller = &self.guest.caller;
        let ticket = match self.noted(begin(&self.gateway, model, caller, question, self.deadline()).await)? {
            Begun::Taped(told) => return Ok(Opened::Taped(told)),
            Begun::Call(ticket) => ticket,
        };
        let Some(line) = model.line() else {
            let missing = NoAnswer::NotOnCassette("the call".to_owned());
            return self.noted(Err(ticket.fail(missing, 0)));
        };
        let outgoing = line.outgoing(question.wanted, &question.headers, question.body);
        let Tried { outcome, tries, slot } = line.live(&outgoing, self.deadline()).await;
        match outcome {
            Err(error) => self.noted(Err(ticket.fail(NoAnswer::Call(error), tries))),
            Ok(begun) => {
                self.guest.note(None);
                let limit = model.spec.timeout();
                let guest = Arc::clone(&self.guest);
                let relay = Relay::new(begun, *ticket, question.wanted, tries, slot, guest, limit);
                Ok(Opened::Live(Box::new(relay)))
            }
        }
    }

    /// The call is made in the provider's own format and its answer told in the client's, in pieces if it wants them.
    async fn translate(
        &self,
        model: &Arc<Model>,
        format: WireFormat,
        streams: bool,
        body: &Value,
    ) -> Result<Response<Body>, Refusal> {
        let spec = &model.spec;
        let target = spec.provider.format();
        let conversation =
            format.read_request(body).map_err(|error| Refusal::bad_request(error.to_string()))?;
        let mut conversation = fitted(conversation, streams, spec)?;
        self.guest.signatures().restore(&mut conversation);
        if let Some(field) = target.cannot_say(&conversation) {
            let message =
                format!("{field} cannot be translated for this model's provider ({})", target.name());
            return Err(Refusal::bad_request(message));
        }
        let counts = format.counts_in_streams(body);
        let body = target.request(&conversation, spec);
        let wanted = Wanted::Reply { format: target, streams };
        let question = Question { wanted, body: &body, headers: HeaderMap::new() };
        let id = format!("umpire-{:016x}", fastrand::u64(..));
        let refused = |no_answer| Refusal::of(no_answer, false);
        if !streams {
            let told = whole(&self.gateway, model, &self.guest.caller, &question, self.deadline()).await;
            let answer = self.noted(told).map_err(refused)?.delivered.answer;
            self.guest.signatures().keep(&answer);
            let content = format.answer(&answer, &model.name, &id).to_string();
            return Ok(response(StatusCode::OK, "application/json", full(content)));
        }
        match self.open(model, &question).await.map_err(refused)? {
            Opened::Live(relay) => {
                let writer = StreamWriter::new(format, &model.name, &id);
                Ok(relay.response(Shown::translated(writer, counts)))
            }
            Opened::Taped(told) => {
                let mut answer = told.delivered.answer;
                self.guest.signatures().keep(&answer);
                answer.usage = answer.usage.filter(|_| counts);
                let events = format.stream(&answer, &model.name, &id);
                let content = events.iter().map(SseEvent::to_text).collect::<String>();
                Ok(response(StatusCode::OK, "text/event-stream", full(content)))
            }
        }
    }
}

/// An answer in pieces: on tape, or on its way.
enum Opened {
    Taped(Box<Told>),
    Live(Box<Relay>),
}

/// Puts the provider's name of the model in, asks a stream to count, and sets the configured limit where the request
/// has none. True if the client did not ask for the count and shall not see it.
fn prepare(body: &mut Value, format: WireFormat, streams: bool, spec: &ModelSpec) -> bool {
    if format != WireFormat::Gemini {
        body["model"] = json!(spec.model);
    }
    if let Some(limit) = spec.max_tokens {
        set_limit(body, format, limit, spec);
    }
    if !streams || format.counts_in_streams(body) {
        return false;
    }
    if !body["stream_options"].is_object() {
        body["stream_options"] = json!({});
    }
    body["stream_options"]["include_usage"] = json!(true);
    true
}

fn set_limit(body: &mut Value, format: WireFormat, limit: u32, spec: &ModelSpec) {
    let (place, field) = match format {
        WireFormat::Chat if body["max_tokens"].is_null() && body["max_completion_tokens"].is_null() => {
            (body, spec.max_tokens_field().name())
        }
        WireFormat::Responses => (body, "max_output_tokens"),
        WireFormat::Gemini if body["generation_config"].is_object() => {
            (&mut body["generation_config"], "max_output_tokens")
        }
        WireFormat::Gemini => (&mut body["generationConfig"], "maxOutputTokens"),
        // The messages format does not go without.
        WireFormat::Chat | WireFormat::Messages => return,
    };
    // A request that is wrong in shape is the provider's to refuse.
    let is_open = place.is_null() || place.is_object();
    if is_open && place[field].is_null() {
        place[field] = json!(limit);
    }
}

/// The conversation with the model's peculiarities seen to; what it cannot take is refused rather than left out.
fn fitted(mut conversation: Conversation, streams: bool, spec: &ModelSpec) -> Result<Conversation, Refusal> {
    if !spec.images && conversation.images() > 0 {
        return Err(Refusal::bad_request("this model takes no images"));
    }
    if !spec.system_role {
        conversation.fold_system();
    }
    conversation.stream = streams;
    conversation.max_tokens = conversation.max_tokens.or(spec.limit_of_reply());
    conversation.temperature = conversation.temperature.or(spec.temperature);
    conversation.reasoning_effort = conversation.reasoning_effort.or_else(|| spec.reasoning_effort.clone());
    Ok(conversation)
}
