//! The step API: `POST /reset`, `POST /step`, `POST /history`, `GET /observe`, `GET /state`, `POST /close`.
//!
//! An answer has the shape that environments for reinforcement learning agree on (`observation`, `reward`, `terminated`,
//! `truncated`, `done`), so that clients of OpenEnv, which sends `{"action": {"action_str": "…"}}` and no session, are
//! served too: without a name, the only session that is open is meant.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{Method, Request, StatusCode};
use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::dialect::moves_of;
use crate::http::{Answering, No, Visit, answer, read};
use crate::session::StillBusy;
use crate::view_json::{Picture, observation};
use crate::{Ending, Reception, Refusal, Session, Wish};

/// Sessions that are kept, those that are over included: a client may ask again how one ended.
const MOST_KEPT: usize = 64;

const USAGE: &str = "POST /reset, POST /step, POST /history, GET /observe, GET /state, POST /close";

type Shared = Arc<tokio::sync::Mutex<Session>>;

/// Answers the step API with the attempts of a reception.
pub struct Steps {
    reception: Arc<dyn Reception>,
    sessions: Mutex<Sessions>,
}

#[derive(Default)]
struct Sessions {
    open: BTreeMap<u64, Shared>,
    latest: u64,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ResetBody {
    instance: Option<String>,
    trial: Option<u32>,
    seed: Option<u64>,
    screenshot: Picture,
    /// OpenEnv sends one; it names nothing here.
    #[serde(rename = "episode_id")]
    _episode_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepBody {
    session: Option<String>,
    action: Asked,
    /// The agent's reason, for the trajectory.
    thought: Option<String>,
    #[serde(default)]
    screenshot: Picture,
    /// Of OpenEnv; the attempt has limits of its own.
    #[serde(rename = "timeout_s")]
    _timeout: Option<f64>,
    #[serde(rename = "request_id")]
    _request: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Asked {
    Plain(String),
    OpenEnv { action_str: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HistoryBody {
    session: Option<String>,
    query: String,
    reason: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CloseBody {
    session: Option<String>,
}

impl From<StillBusy> for No {
    fn from(busy: StillBusy) -> Self {
        Self(StatusCode::GATEWAY_TIMEOUT, busy.to_string())
    }
}

impl From<Refusal> for No {
    fn from(refusal: Refusal) -> Self {
        let status = match &refusal {
            Refusal::Unknown(_) => StatusCode::NOT_FOUND,
            Refusal::Full(_) => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::NothingLeft(_) => StatusCode::CONFLICT,
            Refusal::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, refusal.to_string())
    }
}

impl Visit for Steps {
    fn answer(&self, request: Request<Bytes>) -> Answering<'_> {
        Box::pin(async move {
            match self.dispatch(&request).await {
                Ok(body) => answer(StatusCode::OK, &body),
                Err(no) => no.into_response(),
            }
        })
    }
}

impl Steps {
    pub fn new(reception: Arc<dyn Reception>) -> Self {
        Self { reception, sessions: Mutex::default() }
    }

    async fn dispatch(&self, request: &Request<Bytes>) -> Result<Value, No> {
        let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
        match (request.method(), path) {
            (&Method::POST, "/reset") => self.reset(read(request.body())?).await,
            (&Method::POST, "/step") => self.step(read(request.body())?).await,
            (&Method::POST, "/history") => self.history(read(request.body())?).await,
            (&Method::POST, "/close") => self.close(read(request.body())?).await,
            (&Method::GET, "/observe") => self.observe(query).await,
            (&Method::GET, "/state") => self.state(query).await,
            (&Method::GET, "/health") => Ok(json!({ "status": "healthy" })),
            (_, "/reset" | "/step" | "/history" | "/close" | "/observe" | "/state") => {
                Err(No(StatusCode::METHOD_NOT_ALLOWED, USAGE.to_owned()))
            }
            _ => Err(No(StatusCode::NOT_FOUND, USAGE.to_owned())),
        }
    }

    async fn reset(&self, body: ResetBody) -> Result<Value, No> {
        let wish = Wish { instance: body.instance, trial: body.trial, seed: body.seed };
        let session = Arc::new(tokio::sync::Mutex::new(self.reception.begin(&wish)?));
        let id = self.sessions().keep(Arc::clone(&session));
        let mut session = session.lock().await;
        session.catch_up().await?;
        let mut told = report(id, &session, body.screenshot);
        // Told once, and apart from what the agent is shown.
        told["models"] = json!(session.view().map(|view| &*view.models));
        Ok(told)
    }

    async fn step(&self, body: StepBody) -> Result<Value, No> {
        let (id, session) = self.find(body.session.as_deref())?;
        let mut session = session.lock().await;
        session.catch_up().await?;
        let kind = session.view().map(|view| view.task.kind);
        if let Some(kind) = kind.filter(|_| session.over().is_none()) {
            let (Asked::Plain(asked) | Asked::OpenEnv { action_str: asked }) = body.action;
            match moves_of(&asked, kind) {
                Ok(moves) => session.play(&asked, body.thought, &moves).await?,
                Err(reason) => session.refuse(&asked, reason).await?,
            }
        }
        Ok(report(id, &session, body.screenshot))
    }

    /// What the user did before, as far as it may be asked; no turn of the attempt.
    async fn history(&self, body: HistoryBody) -> Result<Value, No> {
        let (id, session) = self.find(body.session.as_deref())?;
        let mut session = session.lock().await;
        session.catch_up().await?;
        let entries = session.recall(&body.query, body.reason.as_deref()).await?;
        Ok(json!({ "session": id.to_string(), "entries": entries }))
    }

    async fn observe(&self, query: &str) -> Result<Value, No> {
        let (id, session) = self.find(parameter(query, "session"))?;
        let picture = match parameter(query, "screenshot") {
            None | Some("plain") => Picture::Plain,
            Some("marks") => Picture::Marks,
            Some("none") => Picture::None,
            Some(other) => {
                return Err(No(
                    StatusCode::BAD_REQUEST,
                    format!("screenshot is plain, marks or none, not `{other}`"),
                ));
            }
        };
        let mut session = session.lock().await;
        session.catch_up().await?;
        Ok(report(id, &session, picture))
    }

    /// How far a session is. What the world's state is, only the rules know.
    async fn state(&self, query: &str) -> Result<Value, No> {
        let (id, session) = self.find(parameter(query, "session"))?;
        let mut session = session.lock().await;
        session.catch_up().await?;
        let steps = session.view().map_or(0, |view| view.step);
        let mut told = about(id, &session);
        told["step_count"] = json!(steps);
        told["elapsed"] = json!(session.elapsed().as_secs_f64());
        Ok(told)
    }

    async fn close(&self, body: CloseBody) -> Result<Value, No> {
        let (id, session) = self.find(body.session.as_deref())?;
        let mut session = session.lock().await;
        session.leave("the client closed the session").await?;
        self.sessions().open.remove(&id);
        Ok(about(id, &session))
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, named: Option<&str>) -> Result<(u64, Shared), No> {
        let sessions = self.sessions();
        let unknown = |name: &str| {
            No(StatusCode::NOT_FOUND, format!("there is no session `{name}`; POST /reset begins one"))
        };
        if let Some(name) = named {
            let id = name.parse().map_err(|_| unknown(name))?;
            return sessions
                .open
                .get(&id)
                .map(|session| (id, Arc::clone(session)))
                .ok_or_else(|| unknown(name));
        }
        let under_way: Vec<_> = sessions.open.iter().filter(|(_, session)| is_under_way(session)).collect();
        match under_way.as_slice() {
            [(id, session)] => Ok((**id, Arc::clone(session))),
            // How the last one ended may be asked for without its name as well.
            [] => {
                let last = sessions.open.get_key_value(&sessions.latest);
                last.map(|(id, session)| (*id, Arc::clone(session))).ok_or_else(|| unknown(""))
            }
            several => {
                Err(No(StatusCode::CONFLICT, format!("{} sessions are open; name yours", several.len())))
            }
        }
    }
}

impl Sessions {
    /// Takes a session in; the oldest of those that are over make room.
    fn keep(&mut self, session: Shared) -> u64 {
        while self.open.len() >= MOST_KEPT {
            let Some(oldest) =
                self.open.iter().find(|(_, session)| !is_under_way(session)).map(|(id, _)| *id)
            else {
                break;
            };
            self.open.remove(&oldest);
        }
        self.latest += 1;
        self.open.insert(self.latest, session);
        self.latest
    }
}

/// One that is just being asked is.
fn is_under_way(session: &Shared) -> bool {
    session.try_lock().map_or(true, |session| session.over().is_none())
}

fn parameter<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

fn about(id: u64, session: &Session) -> Value {
    let attempt = session.attempt();
    let over = session.over();
    json!({
        "session": id.to_string(),
        "episode_id": id.to_string(),
        "attempt": attempt,
        "instance": attempt.instance,
        "trial": attempt.trial,
        "reward": over.map_or(Some(0.0), Ending::reward),
        "done": over.is_some(),
        "terminated": over.is_some_and(|ending| !ending.is_truncated()),
        "truncated": over.is_some_and(Ending::is_truncated),
        "outcome": over.and_then(|ending| ending.outcome),
        "reason": over.map(|ending| &ending.detail),
    })
}

fn report(id: u64, session: &Session, picture: Picture) -> Value {
    let mut told = about(id, session);
    told["observation"] = observation(session, picture);
    told
}
