//! What a rule sees: the sentence, the page, and what was done so far.

use umpire_browser::{Element, Observation};
use umpire_model::{Action, Target};

use super::sentence::Sentence;
use crate::heuristic::{Line, lines};

/// Where the package's own display begins, below the task.
const END_OF_TASK: &str = "Last reward:";

pub(super) struct Page<'a> {
    pub sentence: Sentence<'a>,
    pub elements: &'a [Element],
    /// Of the outline: those of the task itself, without the sentence.
    lines: Vec<Line<'a>>,
    done: &'a [Action],
}

impl<'a> Page<'a> {
    pub fn new(utterance: &'a str, seen: &'a Observation, done: &'a [Action]) -> Self {
        Self {
            sentence: Sentence(utterance),
            elements: &seen.elements,
            lines: task_lines(utterance, seen),
            done,
        }
    }

    /// The texts of the task, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|line| !is_field(line.role)).map(|line| line.text.as_str())
    }

    pub fn of_role(&self, role: &'a str) -> impl Iterator<Item = &'a Element> {
        self.elements.iter().filter(move |element| element.role == role)
    }

    /// Fields to type into, in order.
    pub fn fields(&self) -> Vec<&'a Element> {
        self.elements.iter().filter(|element| is_field(&element.role) && element.tag == "input").collect()
    }

    /// What can be seen under this name, whatever it is.
    pub fn named(&self, name: &str) -> Option<&'a Element> {
        self.elements.iter().find(|element| element.visible && element.name == name)
    }

    pub fn button(&self, name: &str) -> Option<Action> {
        let same = |element: &&Element| element.visible && element.name.eq_ignore_ascii_case(name);
        self.elements.iter().find(same).map(click)
    }

    /// Whatever sends the form.
    pub fn submit(&self) -> Option<Action> {
        ["Submit", "Login", "Search", "Go!", "OK"].iter().find_map(|name| self.button(name))
    }

    pub fn did(&self, action: &Action) -> bool {
        self.done.contains(action)
    }

    /// What was typed so far, in order.
    pub fn typed(&self) -> impl Iterator<Item = &str> {
        self.done.iter().filter_map(|action| match action {
            Action::Type(_, text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The action, unless it was done already.
    pub fn once(&self, action: Action) -> Option<Action> {
        (!self.did(&action)).then_some(action)
    }

    /// Brings a text into a field; nothing, if it is there. What a password field holds cannot be seen.
    pub fn fill(&self, field: &Element, text: &str) -> Option<Action> {
        if field.value.as_deref() == Some(text) {
            return None;
        }
        self.once(Action::Type(at(field), text.to_owned()))
    }
}

pub(super) fn at(element: &Element) -> Target {
    Target::Mark(element.mark)
}

pub(super) fn click(element: &Element) -> Action {
    Action::Click(at(element))
}

pub(super) fn is_field(role: &str) -> bool {
    matches!(role, "textbox" | "searchbox" | "spinbutton" | "combobox" | "Date" | "InputTime")
}

fn task_lines<'a>(utterance: &str, seen: &'a Observation) -> Vec<Line<'a>> {
    let all = lines(&seen.outline);
    let start = all.iter().position(|line| line.text == utterance).map_or(0, |at| at + 1);
    let end = all.iter().position(|line| line.text.starts_with(END_OF_TASK)).unwrap_or(all.len());
    all.into_iter().take(end).skip(start).collect()
}
