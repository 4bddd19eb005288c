//! One client connection: messages in, decisions, messages out.
//!
//! The client has a browser-level session of its own, nested in our connection; what it sends without a session goes
//! there, and its own sessions are attached under it, so Chromium itself keeps it apart from the recorder's.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use umpire_model::Deadline;

use super::GateSeat;
use super::inputs::Inputs;
use super::policy::{Bounds, Decision, Objection, decide, is_blank};
use super::shared::{keep_to_context, names_files};
use super::view::{Seen, TargetInfo};
use crate::cdp::{CdpError, CdpEvent, ErrorBody, Incoming, Route, SessionId};
use crate::netgate::NetworkPolicy;
use crate::seat::warm::{NewSession, NewTarget};

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Longest a client waits to be let in, and a new tab for its recorder.
const ENTRY_LIMIT: Duration = Duration::from_secs(10);
/// Messages waiting for a client that does not read; beyond this it is disconnected before it fills the memory.
const BACKLOG: usize = 50_000;

/// Where a client came in.
pub(super) enum Entrance {
    Browser,
    /// The endpoint of one page, which is what its messages without a session are for.
    Page(String),
}

#[derive(Deserialize)]
struct Ask {
    id: i64,
    method: String,
    #[serde(default)]
    params: Option<Value>,
    #[serde(rename = "sessionId", default)]
    session: Option<String>,
}

#[derive(Serialize)]
struct Answer<'a> {
    id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a ErrorBody>,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
}

#[derive(Serialize)]
struct Told<'a> {
    method: &'a str,
    params: &'a RawValue,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
}

/// A message that was passed on and has no answer yet.
struct Waiting {
    id: i64,
    session: Option<String>,
    method: String,
    /// Where a tab that was opened blank is to go.
    then_go_to: Option<String>,
}

struct Client {
    seat: Arc<GateSeat>,
    route: Route,
    /// The client's browser-level session.
    home: SessionId,
    /// Where messages without a session go.
    front: SessionId,
    /// Sessions the client may use, with their targets.
    sessions: HashMap<SessionId, String>,
    seen: Seen,
    made_contexts: HashSet<String>,
    waiting: HashMap<u64, Waiting>,
    next_token: u64,
    inputs: Inputs,
}

pub(super) async fn run(mut socket: Socket, entrance: Entrance, seat: Arc<GateSeat>) {
    let (route, mut incoming) = mpsc::unbounded_channel();
    let Ok(mut client) = Client::enter(entrance, seat, route).await else {
        let _ = socket.close(None).await;
        return;
    };
    loop {
        let outgoing = tokio::select! {
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => client.asked(text.as_str()),
                Some(Ok(Message::Binary(bytes))) => client.asked(&String::from_utf8_lossy(&bytes)),
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => None,
            },
            event = incoming.recv() => match event {
                Some(Incoming::Event(event)) => client.told(&event),
                Some(Incoming::Reply { token, result }) => client.answered(token, result).await,
                Some(Incoming::Closed) | None => break,
            },
        };
        if incoming.len() > BACKLOG {
            client.seat.note(
                "the connection",
                "refused",
                &Objection { reason: "the client did not read its messages".to_owned(), suspicious: false },
            );
            break;
        }
        if let Some(text) = outgoing
            && socket.send(Message::text(text)).await.is_err()
        {
            break;
        }
    }
    let leaving = json!({ "sessionId": &*client.home });
    client.seat.connection.root().post("Target.detachFromTarget", leaving);
    let _ = socket.close(None).await;
}

impl Client {
    async fn enter(entrance: Entrance, seat: Arc<GateSeat>, route: Route) -> Result<Self, CdpError> {
        let deadline = Deadline::after(ENTRY_LIMIT);
        let connection = seat.connection.clone();
        let browser: NewSession =
            connection.root().call("Target.attachToBrowserTarget", json!({}), deadline).await?;
        let home: SessionId = browser.session_id.into();
        connection.route_session(home.clone(), route.clone());
        let mut client = Self {
            seat,
            route,
            front: home.clone(),
            sessions: HashMap::from([(home.clone(), String::new())]),
            home: home.clone(),
            seen: Seen::default(),
            made_contexts: HashSet::new(),
            waiting: HashMap::new(),
            next_token: 0,
            inputs: Inputs::default(),
        };
        if let Entrance::Page(id) = entrance {
            let attach = json!({ "targetId": id, "flatten": true });
            let page: NewSession =
                connection.session(home).call("Target.attachToTarget", attach, deadline).await?;
            client.front = page.session_id.into();
            client.sessions.insert(client.front.clone(), id.clone());
            client.seen.insert(id);
        }
        Ok(client)
    }

    /// Deals with a message of the client's; returns what to answer at once.
    fn asked(&mut self, text: &str) -> Option<String> {
        let Ask { id, method, params, session } = match serde_json::from_str(text) {
            Ok(ask) => ask,
            Err(error) => {
                let error =
                    ErrorBody { code: -32700, message: format!("Message must be a valid JSON: {error}") };
                return Some(json!({ "error": error }).to_string());
            }
        };
        let params = params.unwrap_or_else(|| json!({}));
        let to: SessionId = session.as_deref().map_or_else(|| self.front.clone(), Into::into);
        let Some(target) = self.sessions.get(&to).cloned() else {
            return refusal(id, session.as_deref(), -32001, "Session with given id not found.");
        };
        let action = self.inputs.follow(&method, &params);
        let asked = || describe(&method, &params);
        let mut then_go_to = None;
        let files = self.seat.connection.is_remote().then(|| names_files(&method, &params)).flatten();
        let kept = match (files, &self.seat.shared_context) {
            (Some(objection), _) => Err(objection),
            // Sessions of the browser itself have no target.
            (None, Some(context)) => keep_to_context(&method, &params, context, target.is_empty()),
            (None, None) => Ok(None),
        };
        let params = match kept {
            Ok(kept) => kept.unwrap_or_else(|| params.clone()),
            Err(objection) => {
                self.seat.note(&asked(), "refused", &objection);
                return refusal(id, session.as_deref(), -32000, &objection.reason);
            }
        };
        let asked = || describe(&method, &params);
        let params = match decide(&method, &params, self) {
            Decision::Pass => params,
            Decision::Note(objection) => {
                self.seat.note(&asked(), "noted", &objection);
                params
            }
            Decision::Rewrite(rewritten, objection) => {
                if !objection.reason.is_empty() {
                    self.seat.note(&asked(), "rewritten", &objection);
                }
                if method == "Target.createTarget" {
                    then_go_to = params.get("url").and_then(Value::as_str).map(str::to_owned);
                }
                rewritten
            }
            Decision::Pretend(objection) => {
                self.seat.note(&asked(), "noted", &objection);
                return answer(id, session.as_deref(), Ok(&to_raw_value(&json!({})).unwrap_or_default()));
            }
            Decision::Refuse(objection) => {
                self.seat.note(&asked(), "refused", &objection);
                return refusal(id, session.as_deref(), -32000, &objection.reason);
            }
        };
        let Ok(raw) = to_raw_value(&params) else {
            return refusal(id, session.as_deref(), -32602, "Invalid parameters");
        };
        if let Some(action) = action {
            self.seat.tabs.activate(&target);
            self.seat.acted(action);
        }
        self.seat.watch_script(&method, &params);
        self.next_token += 1;
        self.seat.connection.forward(Some(&to), &method, &raw, self.next_token, &self.route);
        self.waiting.insert(self.next_token, Waiting { id, session, method, then_go_to });
        None
    }

    /// Deals with Chromium's answer to a message that was passed on.
    async fn answered(&mut self, token: u64, result: Result<Box<RawValue>, ErrorBody>) -> Option<String> {
        let Waiting { id, session, method, then_go_to } = self.waiting.remove(&token)?;
        let mut result = result;
        if let Ok(raw) = &result {
            match method.as_str() {
                "Target.createTarget" => self.tab_created(raw, then_go_to).await,
                "Target.createBrowserContext" => {
                    if let Some(context) = field(raw, "browserContextId") {
                        self.seat.adoption.adopt(&context);
                        self.made_contexts.insert(context);
                    }
                }
                "Target.attachToTarget" | "Target.attachToBrowserTarget" => {
                    if let Some(new) = field(raw, "sessionId") {
                        self.sessions.entry(new.into()).or_default();
                    }
                }
                "Target.getTargets" | "Target.getTargetInfo" | "Target.getBrowserContexts" => {
                    if let Ok(mut value) = serde_json::from_str::<Value>(raw.get()) {
                        self.seen.filter_answer(&method, &mut value, self.seat.adoption.contexts());
                        result = Ok(to_raw_value(&value).unwrap_or_default());
                    }
                }
                _ => {}
            }
        }
        answer(id, session.as_deref(), result.as_deref())
    }

    /// Holds the answer back until the recorder listens to the new tab, and then sends the tab to its URL: so its first
    /// request is recorded too.
    async fn tab_created(&mut self, raw: &RawValue, then_go_to: Option<String>) {
        let Ok(NewTarget { target_id }) = serde_json::from_str(raw.get()) else { return };
        let deadline = Deadline::after(ENTRY_LIMIT);
        self.seat.tabs.attached(&target_id, deadline).await;
        self.seen.insert(target_id.clone());
        if let Some(url) = then_go_to.filter(|url| !is_blank(url)) {
            let tabs = Arc::clone(&self.seat.tabs);
            // Not waited for: the tab may be paused until the client, who waits for this answer, lets it run.
            tokio::spawn(async move {
                if let Some(tab) = tabs.ready(&target_id, deadline).await {
                    tab.session.post("Page.navigate", json!({ "url": url }));
                }
            });
        }
    }

    /// Deals with an event of the client's sessions; returns what it may see of it.
    fn told(&mut self, event: &CdpEvent) -> Option<String> {
        let from = event.session.clone()?;
        // Only a hidden target's session is unknown here.
        self.sessions.get(&from)?;
        if event.method.starts_with("Target.") {
            let params: Value = serde_json::from_str(event.params.get()).ok()?;
            let shown = match event.method.as_str() {
                "Target.attachedToTarget" => self.attached(&from, &params),
                "Target.detachedFromTarget" => {
                    let session = params.get("sessionId").and_then(Value::as_str)?;
                    self.sessions.remove(session).is_some()
                }
                method => self.seen.may_show(method, &params, self.seat.adoption.contexts()),
            };
            if !shown {
                return None;
            }
        }
        let session = if from == self.front {
            None
        } else if from == self.home {
            // At a page's endpoint there is no browser to speak of.
            return None;
        } else {
            Some(&*from)
        };
        serde_json::to_string(&Told { method: &event.method, params: &event.params, session }).ok()
    }

    /// Takes a new session in, or lets go of one that is not the client's.
    fn attached(&mut self, parent: &SessionId, params: &Value) -> bool {
        let Some(session) = params.get("sessionId").and_then(Value::as_str) else { return false };
        let session: SessionId = session.into();
        let info = params.get("targetInfo").and_then(TargetInfo::of);
        if let Some(info) = info.filter(|info| info.is_visible(self.seat.adoption.contexts())) {
            self.seen.insert(info.target_id.clone());
            self.sessions.insert(session, info.target_id);
            return true;
        }
        let connection = &self.seat.connection;
        connection.session(session.clone()).post("Runtime.runIfWaitingForDebugger", json!({}));
        connection.session(parent.clone()).post("Target.detachFromTarget", json!({ "sessionId": &*session }));
        false
    }
}

impl Bounds for Client {
    fn network(&self) -> &NetworkPolicy {
        &self.seat.network
    }

    fn proxy(&self) -> &str {
        &self.seat.proxy
    }

    fn downloads(&self) -> &Path {
        self.seat.adoption.downloads()
    }

    fn has_context(&self, id: &str) -> bool {
        self.seat.adoption.contexts().contains(id)
    }

    fn made_context(&self, id: &str) -> bool {
        self.made_contexts.contains(id)
    }

    fn has_target(&self, id: &str) -> bool {
        self.seen.contains(id) || self.seat.tabs.handle(id).is_some()
    }

    fn may_upload(&self, path: &str) -> bool {
        self.seat.may_upload(path)
    }
}

fn field(raw: &RawValue, name: &str) -> Option<String> {
    let value: Value = serde_json::from_str(raw.get()).ok()?;
    value.get(name)?.as_str().map(str::to_owned)
}

fn answer(id: i64, session: Option<&str>, result: Result<&RawValue, &ErrorBody>) -> Option<String> {
    let (result, error) = match result {
        Ok(result) => (Some(result), None),
        Err(error) => (None, Some(error)),
    };
    serde_json::to_string(&Answer { id, result, error, session }).ok()
}

fn refusal(id: i64, session: Option<&str>, code: i64, reason: &str) -> Option<String> {
    answer(id, session, Err(&ErrorBody { code, message: reason.to_owned() }))
}

/// A message in few words: its method, and what it was aimed at.
fn describe(method: &str, params: &Value) -> String {
    let aims = ["url", "proxyServer", "targetId", "browserContextId", "downloadPath", "files"];
    let aim = aims.iter().find_map(|name| params.get(*name)).filter(|value| !value.is_null());
    let aim = aim.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let text = aim.map_or_else(|| method.to_owned(), |aim| format!("{method} {aim}"));
    text.chars().take(300).collect()
}
