use serde_json::{Value, json};
use umpire_model::{Action, TaskBrief};

use super::Naive;
use crate::agent::{Agent, Deciding, Turn, decided};
use crate::response::Response;

/// Answers at once, the same whatever the page holds.
pub(super) struct Answering {
    response: String,
}

impl Answering {
    pub fn new(which: Naive, task: &TaskBrief) -> Self {
        let success = |results: Vec<Value>| Response::success(task.kind, Some(results)).into_text();
        let response = match which {
            Naive::Yes => success(vec![json!("yes")]),
            Naive::No => success(vec![json!("no")]),
            Naive::NotApplicable => Response::not_found(task.kind, "n/a").into_text(),
            Naive::Zero => success(vec![json!(0)]),
            Naive::Echo => success(vec![json!(task.intent)]),
            Naive::Numbers => success((1..=10).map(Value::from).collect()),
            _ => String::new(),
        };
        Self { response }
    }
}

impl Agent for Answering {
    fn decide<'a>(&'a mut self, _turn: Turn<'a>) -> Deciding<'a> {
        decided(Ok(Action::Answer(self.response.clone()).into()))
    }

    fn needs_page(&self) -> bool {
        false
    }
}
