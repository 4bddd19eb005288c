//! One client's conversation: the handshake, the tools, and the attempt behind them.

use std::fmt::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use umpire_agents::View;
use umpire_model::{Action, Target};

use super::arguments::Arguments;
use super::rpc::{INVALID_PARAMS, Incoming, METHOD_NOT_FOUND, failure, read, success};
use super::tools;
use crate::moves::Move;
use crate::session::StillBusy;
use crate::snapshot::aria;
use crate::{Reception, Session, Wish};

/// Versions of the protocol that differ in nothing used here; the newest comes first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// Between two looks for a text, and how many there are.
const LOOK_EVERY_MILLIS: u64 = 1000;
const LOOKS: u32 = 10;
/// Longest wait a tool can ask for.
const LONGEST_WAIT_SECONDS: f64 = 60.0;

/// What is known of a conversation's attempt before it begins.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// What is to be done, where it is the same whichever attempt it will be.
    pub intent: Option<String>,
    /// Whether the user has a history that can be searched.
    pub history: bool,
}

pub(crate) struct Conversation {
    reception: Arc<dyn Reception>,
    wish: Wish,
    about: About,
    session: Option<Session>,
    /// What was clicked last: a file field, if files follow.
    clicked: Option<Target>,
}

/// What a tool gives back.
struct Outcome {
    content: Vec<Value>,
    is_error: bool,
}

impl Outcome {
    fn text(text: impl Into<String>) -> Self {
        Self { content: vec![json!({ "type": "text", "text": text.into() })], is_error: false }
    }

    fn error(reason: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(format!("### Error\n{}", reason.into())) }
    }
}

impl From<StillBusy> for Outcome {
    fn from(busy: StillBusy) -> Self {
        Self::error(busy.to_string())
    }
}

impl Conversation {
    pub fn new(reception: Arc<dyn Reception>, wish: Wish, about: About) -> Self {
        Self { reception, wish, about, session: None, clicked: None }
    }

    /// Whether it has an attempt, be it over.
    pub fn has_begun(&self) -> bool {
        self.session.is_some()
    }

    pub fn is_over(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_past)
    }

    /// The answer to a message, if it wants one.
    pub async fn hear(&mut self, message: &[u8]) -> Option<Value> {
        match read(message) {
            Ok(Incoming::Request { id, method, params }) => Some(self.request(&id, &method, &params).await),
            Ok(Incoming::NothingToAnswer) => None,
            Err(refused) => Some(refused),
        }
    }

    /// Nobody is offered a history that is not there.
    fn tools(&self) -> Vec<Value> {
        let mut tools = tools::list();
        tools.retain(|tool| self.about.history || tool["name"] != tools::SEARCH_HISTORY);
        tools
    }

    async fn request(&mut self, id: &Value, method: &str, params: &Value) -> Value {
        match method {
            "initialize" => success(id, &self.handshake(params)),
            "ping" => success(id, &json!({})),
            "tools/list" => success(id, &json!({ "tools": self.tools() })),
            "tools/call" => {
                let Some(name) = params.get("name").and_then(Value::as_str) else {
                    return failure(id, INVALID_PARAMS, "`name` is missing");
                };
                let none = Map::new();
                let arguments = match params.get("arguments") {
                    None | Some(Value::Null) => &none,
                    Some(Value::Object(arguments)) => arguments,
                    Some(_) => return failure(id, INVALID_PARAMS, "`arguments` must be an object"),
                };
                if self.tools().iter().all(|tool| tool["name"] != name) {
                    return failure(id, INVALID_PARAMS, &format!("there is no tool `{name}`"));
                }
                let Outcome { content, is_error } = self.call(name, &Arguments(arguments)).await;
                success(id, &json!({ "content": content, "isError": is_error }))
            }
            other => failure(id, METHOD_NOT_FOUND, &format!("there is no method `{other}`")),
        }
    }

    fn handshake(&self, params: &Value) -> Value {
        let asked = params.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
        let version = VERSIONS.into_iter().find(|known| *known == asked).unwrap_or(VERSIONS[0]);
        json!({
            "protocolVersion": version,
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "umpire", "version": env!("CARGO_PKG_VERSION") },
            "instructions": instructions(self.about.intent.as_deref()),
        })
    }

    async fn call(&mut self, tool: &str, arguments: &Arguments<'_>) -> Outcome {
        let session = match self.begun() {
            Ok(session) => session,
            Err(refused) => return Outcome::error(refused),
        };
        if let Err(busy) = session.catch_up().await {
            return busy.into();
        }
        let Some(view) = session.view().cloned().filter(|_| session.over().is_none()) else {
            return over(session);
        };
        let done = match arguments.moves(tool) {
            Err(problem) => session.refuse(tool, problem).await.map(|()| told(session)),
            Ok(Some(moves)) => {
                if tool == "browser_click" {
                    self.clicked = arguments.optional_ref().ok().flatten();
                }
                self.play(tool, arguments, &moves).await
            }
            Ok(None) => self.other(tool, arguments, &view).await,
        };
        done.unwrap_or_else(Outcome::from)
    }

    fn begun(&mut self) -> Result<&mut Session, String> {
        if self.session.is_none() {
            self.session = Some(self.reception.begin(&self.wish).map_err(|refused| refused.to_string())?);
        }
        self.session.as_mut().ok_or_else(|| "there is no attempt".to_owned())
    }

    async fn play(
        &mut self,
        tool: &str,
        arguments: &Arguments<'_>,
        moves: &[Move],
    ) -> Result<Outcome, StillBusy> {
        let Some(session) = self.session.as_mut() else { return Ok(Outcome::error("there is no attempt")) };
        // What the agent calls the thing it acts on is the nearest there is to its reason.
        let thought = arguments.optional_text("element").ok().flatten().map(str::to_owned);
        session.play(tool, thought, moves).await?;
        Ok(told(session))
    }

    /// Tools that are more, or less, than actions.
    async fn other(
        &mut self,
        tool: &str,
        arguments: &Arguments<'_>,
        view: &View,
    ) -> Result<Outcome, StillBusy> {
        let look = [Move::Do(Action::Wait { millis: 0 })];
        match tool {
            "get_task" => {
                let mut outcome = Outcome::text(task(view));
                if !view.models.is_empty() {
                    let told = json!({ "models": &*view.models }).to_string();
                    outcome.content.push(json!({ "type": "text", "text": told }));
                }
                Ok(outcome)
            }
            "browser_snapshot" => self.play(tool, arguments, &look).await,
            "browser_take_screenshot" => {
                let mut outcome = self.play(tool, arguments, &look).await?;
                let now = self.session.as_ref().and_then(Session::view);
                if let Some(now) = now.filter(|_| !outcome.is_error) {
                    let data = STANDARD.encode(&now.seen.screenshot);
                    outcome.content =
                        vec![json!({ "type": "image", "data": data, "mimeType": "image/jpeg" })];
                }
                Ok(outcome)
            }
            "browser_wait_for" => self.wait_for(arguments).await,
            "browser_tabs" => self.tabs(arguments, view).await,
            "browser_file_upload" => {
                let (paths, named) = match (arguments.texts("paths"), arguments.optional_ref()) {
                    (Ok(paths), Ok(named)) => (paths, named),
                    (Err(problem), _) | (_, Err(problem)) => return Ok(Outcome::error(problem)),
                };
                let Some(field) = named.or_else(|| self.clicked.clone()) else {
                    return Ok(Outcome::error("click the file field first, or give its `ref`"));
                };
                self.play(tool, arguments, &[Move::Do(Action::Upload(field, paths))]).await
            }
            "browser_handle_dialog" => {
                let said = if view.seen.dialogs.is_empty() {
                    "No dialog opened since the last step.".to_owned()
                } else {
                    view.seen.dialogs.join("\n")
                };
                Ok(Outcome::text(format!("Dialogs are answered as they open; none is waiting.\n{said}")))
            }
            tools::SEARCH_HISTORY => {
                let asked = (arguments.text("query"), arguments.optional_text("reason"));
                let (query, reason) = match asked {
                    (Ok(query), Ok(reason)) => (query, reason),
                    (Err(problem), _) | (_, Err(problem)) => return Ok(Outcome::error(problem)),
                };
                let Some(session) = &self.session else { return Ok(Outcome::error("there is no attempt")) };
                Ok(match session.recall(query, reason).await {
                    Ok(entries) if entries.is_empty() => {
                        Outcome::text("Nothing in the history is like that.")
                    }
                    Ok(entries) => Outcome::text(entries.join("\n")),
                    Err(none) => Outcome::error(none.to_string()),
                })
            }
            "submit_answer" => match arguments.answer(view.task.kind) {
                Ok(response) => self.play(tool, arguments, &[Move::Do(Action::Answer(response))]).await,
                Err(problem) => Ok(Outcome::error(problem)),
            },
            _ => Ok(Outcome::text("The browser stays until `submit_answer` is called.")),
        }
    }

    async fn wait_for(&mut self, arguments: &Arguments<'_>) -> Result<Outcome, StillBusy> {
        let asked =
            (arguments.number("time"), arguments.optional_text("text"), arguments.optional_text("textGone"));
        let (Ok(time), Ok(text), Ok(gone)) = asked else {
            return Ok(Outcome::error("`time` is a number; `text` and `textGone` are texts"));
        };
        let (text, gone) = (text.map(str::to_owned), gone.map(str::to_owned));
        if time.is_none() && text.is_none() && gone.is_none() {
            return Ok(Outcome::error("say what to wait for: `time`, `text` or `textGone`"));
        }
        let seconds = time.unwrap_or(0.0).clamp(0.0, LONGEST_WAIT_SECONDS);
        let wait = |millis| [Move::Do(Action::Wait { millis })];
        let mut outcome = self.play("browser_wait_for", arguments, &wait((seconds * 1000.0) as u64)).await?;
        for _ in 0..LOOKS {
            let has = |wanted: &str| {
                let now = self.session.as_ref().and_then(Session::view);
                now.is_some_and(|now| now.seen.outline.contains(wanted))
            };
            let is_there = text.as_deref().is_none_or(has) && !gone.as_deref().is_some_and(has);
            if is_there || outcome.is_error {
                return Ok(outcome);
            }
            outcome = self.play("browser_wait_for", arguments, &wait(LOOK_EVERY_MILLIS)).await?;
        }
        Ok(Outcome::error("it did not come about in time"))
    }

    async fn tabs(&mut self, arguments: &Arguments<'_>, view: &View) -> Result<Outcome, StillBusy> {
        let index = match arguments.number("index") {
            Ok(index) => index.filter(|index| (0.0..1000.0).contains(index)).map(|index| index as u32 + 1),
            Err(problem) => return Ok(Outcome::error(problem)),
        };
        let choose = index.map(|number| Move::Do(Action::SwitchTab(number)));
        let moves: Vec<Move> = match arguments.text("action") {
            Ok("list") => return Ok(Outcome::text(page(view))),
            Ok("new") => {
                let url = arguments.optional_text("url").ok().flatten().unwrap_or("about:blank");
                vec![Move::Do(Action::OpenTab(url.to_owned()))]
            }
            Ok("close") => choose.into_iter().chain([Move::Do(Action::CloseTab)]).collect(),
            Ok("select") => match choose {
                Some(choose) => vec![choose],
                None => return Ok(Outcome::error("`index` says which tab, from 0")),
            },
            Ok(other) => return Ok(Outcome::error(format!("`{other}` is not list, new, close or select"))),
            Err(problem) => return Ok(Outcome::error(problem)),
        };
        self.play("browser_tabs", arguments, &moves).await
    }
}

fn instructions(intent: Option<&str>) -> String {
    let task = intent.map(|intent| format!("The task: {intent}\n\n")).unwrap_or_default();
    format!(
        "{task}These tools show one browser, in which one task is to be done; `get_task` tells it. Look with \
         `browser_snapshot`, act on elements by the refs of the latest snapshot, which every tool returns anew, and end \
         with `submit_answer`, also where the task turns out to be impossible."
    )
}

/// What became of the session's last move, and the page as it is now.
fn told(session: &Session) -> Outcome {
    let Some(view) = session.view().filter(|_| session.over().is_none()) else { return over(session) };
    let mut text = String::new();
    if let Some(error) = session.last_error() {
        let _ = writeln!(text, "### Error\n{error}\n");
    }
    for dialog in &view.seen.dialogs {
        let _ = writeln!(text, "### Dialog\n{dialog}\n");
    }
    let _ = write!(text, "{}### Snapshot\n```yaml\n{}```", page(view), aria(&view.seen));
    Outcome { is_error: session.last_error().is_some(), ..Outcome::text(text) }
}

fn page(view: &View) -> String {
    let seen = &view.seen;
    let mut text = format!("### Page\n- Page URL: {}\n- Page Title: {}\n", seen.url, seen.title);
    if seen.tabs.len() > 1 {
        text.push_str("### Open tabs\n");
        for (index, tab) in seen.tabs.iter().enumerate() {
            let current = if tab.active { "(current) " } else { "" };
            let _ = writeln!(text, "- {index}: {current}[{}] ({})", tab.title, tab.url);
        }
    }
    text
}

fn task(view: &View) -> String {
    let limits = view.task.limits;
    format!(
        "{}\n\nKind: {}. Limits: {} actions (looking, scrolling and waiting are free), {} seconds, of which {} are left.",
        view.task.intent,
        view.task.kind.as_str(),
        limits.actions,
        limits.seconds,
        view.deadline.left().as_secs(),
    )
}

/// Whether it was right is not the agent's to know.
fn over(session: &Session) -> Outcome {
    let why = session.over().map(|ending| ending.detail.as_str()).unwrap_or_default();
    match why {
        _ if session.last_action() == "submit_answer" => Outcome::text("The attempt is over."),
        "" => Outcome::error("The attempt is over."),
        why => Outcome::error(format!("The attempt is over: {why}.")),
    }
}
