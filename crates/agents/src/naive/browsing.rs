use std::collections::HashSet;

use umpire_browser::{Element, Observation};
use umpire_model::{Action, Random, Target};

use crate::agent::{Agent, Deciding, Turn, decided};
use crate::response::Response;

/// Enough to leave the start page and do some damage, few enough to stay cheap.
const STEPS: u32 = 5;

/// What a browsing baseline may remember and draw from.
pub(super) struct Memory {
    random: Random,
    /// Actions so far.
    step: u32,
    filled: HashSet<(String, String)>,
}

/// Decides one action without regard to the task; `None` ends the browsing.
type Choose = fn(&Observation, &mut Memory) -> Option<Action>;

/// Does a few things by a blind rule, then claims success.
pub(super) struct Browsing {
    memory: Memory,
    steps: u32,
    choose: Choose,
}

impl Browsing {
    pub fn new(random: Random, choose: Choose) -> Self {
        Self { memory: Memory { random, step: 0, filled: HashSet::new() }, steps: STEPS, choose }
    }

    pub fn only_looking(random: Random) -> Self {
        Self { steps: 0, ..Self::new(random, |_, _| None) }
    }
}

impl Agent for Browsing {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        let chosen =
            if self.memory.step < self.steps { (self.choose)(turn.seen, &mut self.memory) } else { None };
        self.memory.step += 1;
        let action = chosen.unwrap_or_else(|| {
            self.memory.step = self.steps;
            Response::success(turn.task.kind, None).into_answer()
        });
        decided(Ok(action.into()))
    }
}

fn usable(seen: &Observation, is_wanted: impl Fn(&Element) -> bool) -> Vec<&Element> {
    seen.elements.iter().filter(|element| !element.state.disabled && is_wanted(element)).collect()
}

fn click(element: &Element) -> Action {
    Action::Click(Target::Mark(element.mark))
}

pub(super) fn click_anything(seen: &Observation, memory: &mut Memory) -> Option<Action> {
    memory.random.pick(&usable(seen, |element| element.visible)).map(|element| click(element))
}

pub(super) fn follow_any_link(seen: &Observation, memory: &mut Memory) -> Option<Action> {
    memory.random.pick(&usable(seen, |element| element.role == "link")).map(|element| click(element))
}

/// The first link of the first page, the second of the second, …: the same path in every attempt.
pub(super) fn follow_link_of_same_rank(seen: &Observation, memory: &mut Memory) -> Option<Action> {
    usable(seen, |element| element.role == "link").get(memory.step as usize).map(|element| click(element))
}

/// Fills the fields from top to bottom, then presses Enter in the last one, which submits most forms.
pub(super) fn fill_next_field(seen: &Observation, memory: &mut Memory) -> Option<Action> {
    let key = |element: &Element| (element.role.clone(), element.name.clone());
    let fields = usable(seen, |element| {
        matches!(
            element.role.as_str(),
            "textbox" | "searchbox" | "spinbutton" | "combobox" | "checkbox" | "radio"
        ) && !memory.filled.contains(&key(element))
    });
    let is_last_step = memory.step + 1 == STEPS;
    let field = match fields.first() {
        Some(field) if !is_last_step => *field,
        _ if memory.filled.is_empty() => return None,
        _ => {
            memory.step = STEPS;
            return Some(Action::Press("Enter".to_owned()));
        }
    };
    memory.filled.insert(key(field));
    let target = Target::Mark(field.mark);
    Some(match field.role.as_str() {
        "checkbox" | "radio" => Action::Click(target),
        "spinbutton" => Action::Type(target, memory.random.between(1, 99).to_string()),
        "combobox" if !field.options.is_empty() => {
            Action::Select(target, memory.random.pick(&field.options).cloned().unwrap_or_default())
        }
        _ => Action::Type(target, "test".to_owned()),
    })
}
