//! Hand-made views and sessions for tests.

use std::sync::Arc;
use std::time::Duration;

use umpire_agents::{View, unseen};
use umpire_browser::{Element, ElementState, NodeRef, Observation};
use umpire_model::{Deadline, Limits, Rect, TaskBrief, TaskKind};

pub fn task(kind: TaskKind) -> TaskBrief {
    TaskBrief {
        id: "sample".to_owned(),
        kind,
        intent: "Find the lamp".to_owned(),
        sites: vec!["shop".to_owned()],
        start_urls: vec!["http://shop.localhost/".to_owned()],
        limits: Limits::default(),
    }
}

/// A page with these elements.
pub fn page(elements: &[(&str, &str)], adjust: impl FnOnce(&mut Vec<Element>)) -> Observation {
    let mut list: Vec<Element> = elements
        .iter()
        .zip(1..)
        .map(|((role, name), mark)| Element {
            mark,
            role: (*role).to_owned(),
            name: (*name).to_owned(),
            tag: String::new(),
            value: None,
            state: ElementState::default(),
            options: Vec::new(),
            href: None,
            rect: Rect { x: 0.0, y: f64::from(mark) * 20.0, width: 80.0, height: 18.0 },
            visible: true,
            node: NodeRef { session: "session".into(), backend_node_id: i64::from(mark) },
        })
        .collect();
    adjust(&mut list);
    Observation {
        url: "http://shop.localhost/".to_owned(),
        title: "Shop".to_owned(),
        elements: list,
        ..unseen()
    }
}

pub fn view(elements: &[(&str, &str)], adjust: impl FnOnce(&mut Vec<Element>)) -> Arc<View> {
    Arc::new(View {
        task: task(TaskKind::Retrieve),
        seen: page(elements, adjust),
        step: 1,
        last_error: None,
        memory: None,
        deadline: Deadline::after(Duration::from_mins(1)),
        models: Arc::default(),
    })
}
