//! Hand-made observations for tests.

use std::time::Duration;

use umpire_browser::{Element, ElementState, NodeRef, Observation};
use umpire_model::{Action, Deadline, Limits, Rect, TaskBrief, TaskKind};

use crate::{Agent, BuiltIn, Decision, NoDecision, Turn, unseen};

pub struct Page(Observation);

impl Page {
    pub fn at(url: &str) -> Self {
        Self(Observation { url: url.to_owned(), ..unseen() })
    }

    pub fn titled(mut self, title: &str) -> Self {
        title.clone_into(&mut self.0.title);
        self
    }

    pub fn with(self, role: &str, name: &str) -> Self {
        self.with_element(role, name, |_| {})
    }

    pub fn with_element(mut self, role: &str, name: &str, adjust: impl FnOnce(&mut Element)) -> Self {
        let mark = self.0.elements.len() as u32 + 1;
        let mut element = Element {
            mark,
            role: role.to_owned(),
            name: name.to_owned(),
            tag: String::new(),
            value: None,
            state: ElementState::default(),
            options: Vec::new(),
            href: None,
            rect: Rect { x: 0.0, y: f64::from(mark) * 20.0, width: 80.0, height: 18.0 },
            visible: true,
            node: NodeRef { session: "session".into(), backend_node_id: i64::from(mark) },
        };
        adjust(&mut element);
        self.0.elements.push(element);
        self
    }

    pub fn outline(mut self, outline: &str) -> Self {
        outline.clone_into(&mut self.0.outline);
        self
    }

    pub fn seen(self) -> Observation {
        self.0
    }
}

pub fn task(kind: TaskKind, intent: &str) -> TaskBrief {
    TaskBrief {
        id: "sample".to_owned(),
        kind,
        intent: intent.to_owned(),
        sites: vec!["shop".to_owned()],
        start_urls: vec!["http://shop.localhost/".to_owned()],
        limits: Limits::default(),
    }
}

/// One turn of an agent, by a runtime of its own.
pub fn decide(
    agent: &mut dyn Agent,
    task: &TaskBrief,
    seen: &Observation,
    step: u32,
    last_error: Option<&str>,
) -> Result<Decision, NoDecision> {
    let deadline = Deadline::after(Duration::from_secs(5));
    let turn = Turn { task, seen, step, last_error, learned: None, deadline };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("runtime");
    runtime.block_on(agent.decide(turn))
}

/// What an agent does on pages that come one after the other (the last one stays) until it answers.
pub fn play(kind: &str, task: &TaskBrief, pages: &[Observation]) -> Vec<Action> {
    let mut agent = kind.parse::<BuiltIn>().expect("kind").create(task, 7, None, None);
    let mut done = Vec::new();
    while !matches!(done.last(), Some(Action::Answer(_))) {
        assert!(done.len() < 40, "{kind} does not end: {done:?}");
        let page = &pages[done.len().min(pages.len() - 1)];
        let decision = decide(agent.as_mut(), task, page, done.len() as u32 + 1, None).expect("a decision");
        done.push(decision.action);
    }
    done
}
