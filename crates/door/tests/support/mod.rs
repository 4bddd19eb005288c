//! A reception whose attempts are played by a loop of the tests' own, on a page that never changes.

// Each test file uses its part of this.
#![allow(dead_code)]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::{Method, Request, StatusCode};
use hyper::body::Bytes;
use serde_json::Value;
use tokio::sync::oneshot;
use umpire_agents::{
    Agent as _, Decision, Memory, NoDecision, NoMemory, Recalled, Recalling, Remote, Turn, remote, unseen,
};
use umpire_browser::{Element, ElementState, NodeRef, Observation};
use umpire_door::{Ending, Reception, Refusal, Session, Visit, Wish};
use umpire_model::{
    Action, AttemptId, Deadline, HistoryAccess, HistoryHit, Limits, Outcome, Rect, TaskBrief, TaskKind,
};

/// Actions an attempt may take before it ends as `budget`.
const ACTIONS: u32 = 6;

#[derive(Default)]
pub struct FakeDesk {
    /// What was decided in all attempts, in order.
    pub decided: Arc<Mutex<Vec<String>>>,
    /// The history of whoever the task is for.
    pub memory: Option<Arc<Shelf>>,
}

/// A history of one entry that may be asked so often.
#[derive(Debug)]
pub struct Shelf {
    pub left: AtomicU32,
    pub accesses: Mutex<Vec<HistoryAccess>>,
}

pub const ENTRY: &str = "[2025-03-04 18:20:11] purchase: Oat milk, fennelrye.localhost";

impl Shelf {
    pub fn asked_at_most(times: u32) -> Arc<Self> {
        Arc::new(Self { left: AtomicU32::new(times), accesses: Mutex::default() })
    }

    /// Query, reason, number of hits and error of every access.
    pub fn told(&self) -> Vec<(String, Option<String>, usize, Option<String>)> {
        let told = |access: &HistoryAccess| {
            (access.query.clone(), access.reason.clone(), access.hits.len(), access.error.clone())
        };
        self.accesses.lock().expect("not poisoned").iter().map(told).collect()
    }
}

impl Memory for Shelf {
    fn recall<'a>(&'a self, query: &'a str) -> Recalling<'a> {
        Box::pin(async move {
            let left = self.left.load(Ordering::Relaxed).checked_sub(1).ok_or(NoMemory::Spent(2))?;
            self.left.store(left, Ordering::Relaxed);
            let hit = HistoryHit { id: 3, score: 0.7, text: Some(ENTRY.to_owned()) };
            let hits = if query.contains("milk") { vec![hit] } else { Vec::new() };
            Ok(Recalled { method: "lexical".to_owned(), hits })
        })
    }

    fn accessed(&self, access: HistoryAccess) {
        self.accesses.lock().expect("not poisoned").push(access);
    }

    fn profile(&self) -> String {
        String::new()
    }
}

impl FakeDesk {
    pub fn decided(&self) -> Vec<String> {
        self.decided.lock().expect("not poisoned").clone()
    }
}

impl Reception for FakeDesk {
    fn begin(&self, wish: &Wish) -> Result<Session, Refusal> {
        match wish.instance.as_deref() {
            Some("full") => return Err(Refusal::Full("4 are under way".to_owned())),
            Some("done") => return Err(Refusal::NothingLeft("nothing is left".to_owned())),
            Some("lamp") | None => {}
            Some(other) => return Err(Refusal::Unknown(format!("there is no instance `{other}`"))),
        }
        let (agent, wheel) = remote();
        let agent = agent.with_memory(self.memory.clone().map(|memory| memory as Arc<dyn Memory>));
        let (ended, ending) = oneshot::channel();
        let id = AttemptId::new("remote", "lamp", wish.trial.unwrap_or(1)).expect("a name");
        tokio::spawn(play(agent, ended, Arc::clone(&self.decided)));
        Ok(Session::new(id, wheel, ending))
    }
}

async fn play(mut agent: Remote, ended: oneshot::Sender<Ending>, decided: Arc<Mutex<Vec<String>>>) {
    let note = |said: String| decided.lock().expect("not poisoned").push(said);
    let (task, seen) = (task(), page());
    let deadline = Deadline::after(Duration::from_mins(1));
    let mut last_error: Option<String> = None;
    let mut outcome = Outcome::Budget;
    for step in 1..=ACTIONS {
        let turn = Turn {
            task: &task,
            seen: &seen,
            step,
            last_error: last_error.as_deref(),
            learned: None,
            deadline,
        };
        match agent.decide(turn).await {
            Ok(Decision { action: Action::Answer(response), .. }) => {
                note(format!("answered {response}"));
                outcome = if response.contains("24.99") { Outcome::Pass } else { Outcome::Fail };
                break;
            }
            Ok(Decision { action, thought }) => {
                note(format!("{action}{}", thought.map(|why| format!(" because {why}")).unwrap_or_default()));
                last_error = (action == Action::Back).then(|| "there is no page to go back to".to_owned());
            }
            Err(NoDecision::Lost(reason)) => {
                note("lost".to_owned());
                last_error = Some(reason);
            }
            Err(stopped) => {
                note(stopped.to_string());
                outcome = Outcome::Fail;
                break;
            }
        }
    }
    drop(agent);
    let _ = ended.send(Ending::judged(outcome));
}

fn task() -> TaskBrief {
    TaskBrief {
        id: "lamp".to_owned(),
        kind: TaskKind::Retrieve,
        intent: "What does the lamp cost?".to_owned(),
        sites: vec!["shop".to_owned()],
        start_urls: vec!["http://shop.localhost/".to_owned()],
        limits: Limits { actions: ACTIONS, seconds: 60 },
    }
}

fn page() -> Observation {
    let element = |mark: u32, role: &str, name: &str| Element {
        mark,
        role: role.to_owned(),
        name: name.to_owned(),
        tag: String::new(),
        value: None,
        state: ElementState::default(),
        options: Vec::new(),
        href: None,
        rect: Rect { x: 10.0, y: 20.0, width: 80.0, height: 18.0 },
        visible: true,
        node: NodeRef { session: "session".into(), backend_node_id: i64::from(mark) },
    };
    Observation {
        url: "http://shop.localhost/".to_owned(),
        title: "Shop".to_owned(),
        elements: vec![element(1, "link", "Lamp"), element(2, "textbox", "Search")],
        outline: "- link \"Lamp\"\n- textbox \"Search\"\n- text \"24.99 EUR\"\n".to_owned(),
        outline_marks: vec![(0, 1), (1, 2)],
        screenshot: b"jpeg".to_vec(),
        ..unseen()
    }
}

/// Status, body and headers of the answer to a request.
pub async fn ask(
    visit: &dyn Visit,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> (StatusCode, Value, http::HeaderMap) {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = visit.answer(request.body(body.into()).expect("a request")).await;
    let (head, body) = response.into_parts();
    (head.status, serde_json::from_slice(&body).unwrap_or(Value::Null), head.headers)
}
