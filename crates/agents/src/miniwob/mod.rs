//! An agent of ours for `MiniWoB++`: rules, one for each family of its tasks.
//!
//! It reads what the page wants done and what is on the page, like any agent, and acts by the same input. A rule knows a
//! pattern of sentences and how to go about it; none knows a seed or an answer. What no rule covers is given up at once.

mod choosing;
mod clicking;
mod entering;
mod page;
mod reading;
mod sentence;
#[cfg(test)]
mod tests;
mod wandering;

use umpire_browser::Observation;
use umpire_model::{Action, Target, TaskBrief};

use crate::agent::{Agent, Deciding, Decision, Turn, decided};
use crate::response::Response;
use page::Page;

/// The first rule that knows what to do next has its way.
const RULES: [fn(&Page<'_>) -> Option<Action>; 5] =
    [choosing::rule, entering::rule, reading::rule, wandering::rule, clicking::rule];

/// Waits for an episode to end that should have; pages may take their time over an animation.
const PATIENCE: u32 = 3;

#[derive(Default)]
pub(crate) struct Scripted {
    /// What was done so far and had its effect.
    done: Vec<Action>,
    last: Option<Action>,
    waited: u32,
}

impl Scripted {
    fn step(&mut self, turn: &Turn<'_>) -> Result<Decision, String> {
        let last = self.last.take();
        if turn.last_error.is_none() {
            self.done.extend(last.filter(|action| !was_lost(action, turn.seen)));
        }
        let page = Page::new(&turn.task.intent, turn.seen, &self.done);
        if let Some(action) = RULES.iter().find_map(|rule| rule(&page)) {
            self.last = Some(action.clone());
            return Ok(action.into());
        }
        if self.done.is_empty() {
            return Err("no rule knows such a task".to_owned());
        }
        self.waited += 1;
        if self.waited <= PATIENCE {
            return Ok(Action::Wait { millis: 300 }.into());
        }
        Ok(give_up(turn.task))
    }
}

/// What was typed into a field that something closed meanwhile did not arrive.
fn was_lost(action: &Action, seen: &Observation) -> bool {
    let Action::Type(Target::Mark(mark), _) = action else { return false };
    seen.element(*mark).is_some_and(|field| field.state.disabled)
}

fn give_up(task: &TaskBrief) -> Decision {
    Decision::because("the page did not end the episode", Response::success(task.kind, None).into_answer())
}

impl Agent for Scripted {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        decided(self.step(&turn))
    }
}
