//! An agent without a model: it matches the words of the intent to what is on the page.
//!
//! It knows sentence patterns and how pages are usually built, and nothing of any suite. It solves what a search or
//! a look through the menus brings up under the words of the task, which makes it the floor a real agent has to beat.

mod goal;
mod outline;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashSet;

use serde_json::{Value, json};
use umpire_browser::{Element, Observation};
use umpire_model::{Action, Target, TaskBrief};

use crate::agent::{Agent, Deciding, Decision, Turn, decided};
use crate::response::Response;
use goal::{Asks, Goal, Reading, is_negative};
pub(crate) use outline::{Line, lines};
use words::{stem, words};

/// Beyond this it only wanders.
const MAX_ACTIONS: u32 = 24;
const MAX_BACKS: u32 = 2;
/// Share of the subject's words a label must have to be taken for the subject, and to be taken without a doubt.
const LIKELY: f64 = 0.5;
const SURE: f64 = 0.75;

pub(crate) struct Heuristic {
    reading: Reading,
    limit: u32,
    used: u32,
    backs: u32,
    /// Page, role and name of what was clicked already.
    tried: HashSet<(String, String, String)>,
    /// How many of the queries were used.
    searches: usize,
    /// Links that were there before the search that waits for Enter, or for a look at its results.
    before_search: Option<HashSet<String>>,
    waits_for_enter: bool,
    /// What was asked for has been done, or was so already.
    done: bool,
    changed: bool,
    /// Best value read so far, with its certainty.
    best: Option<(f64, Value)>,
}

impl Heuristic {
    pub fn new(task: &TaskBrief) -> Self {
        Self {
            reading: Reading::of(task),
            limit: task.limits.actions.min(MAX_ACTIONS),
            used: 0,
            backs: 0,
            tried: HashSet::new(),
            searches: 0,
            before_search: None,
            waits_for_enter: false,
            done: false,
            changed: false,
            best: None,
        }
    }

    fn step(&mut self, turn: &Turn<'_>) -> Decision {
        let seen = turn.seen;
        if self.used >= self.limit {
            return self.conclude(turn.task);
        }
        if std::mem::take(&mut self.waits_for_enter) && turn.last_error.is_none() {
            return self.spend("start the search", Action::Press("Enter".to_owned()));
        }
        if turn.last_error.is_some() {
            // What did not work is not done.
            (self.done, self.changed) = (false, false);
        }
        let lines = outline::lines(&seen.outline);
        let next = if turn.last_error.is_some() { self.dismiss(seen) } else { None };
        let next = next.or_else(|| if self.done { self.finish(seen) } else { self.pursue(seen, &lines) });
        if self.done && next.is_none() {
            return self.conclude(turn.task);
        }
        let next = next
            .or_else(|| self.open_result(seen))
            .or_else(|| self.search(seen))
            .or_else(|| self.explore(seen))
            .or_else(|| self.wander(seen))
            .or_else(|| self.go_back());
        next.unwrap_or_else(|| self.conclude(turn.task))
    }

    /// The step that the goal itself calls for, if this page allows it. May set `done` without a step.
    fn pursue(&mut self, seen: &Observation, lines: &[Line<'_>]) -> Option<Decision> {
        match self.reading.goal.clone() {
            Goal::Switch { wanted } => self.switch(seen, lines, wanted),
            Goal::Set { value } => self.set(seen, &value),
            Goal::Do { verb } => self.press(seen, lines, &verb),
            Goal::Read(asks) => {
                self.read(&outline::told(lines, &self.reading.queries[..self.searches]), asks);
                None
            }
            Goal::Visit => {
                self.done = self.place_matches(seen, lines, SURE);
                None
            }
        }
    }

    fn switch(&mut self, seen: &Observation, lines: &[Line<'_>], wanted: bool) -> Option<Decision> {
        let score = |element: &Element| {
            let explained = outline::explained(lines, &element.role, &element.name);
            self.reading.subject.coverage(&explained) + self.quoted_bonus(&element.name)
        };
        let toggle = best(seen, |element| element.state.checked.is_some(), score)?;
        self.done = true;
        // "Hide X" has to be on for X not to be seen.
        let wanted = wanted != is_negative(&toggle.name);
        if toggle.state.checked == Some(wanted) {
            return None;
        }
        self.changed = true;
        Some(self.click(seen, toggle, "is not as wanted"))
    }

    fn set(&mut self, seen: &Observation, value: &str) -> Option<Decision> {
        let same = |text: &str| text.trim().eq_ignore_ascii_case(value.trim());
        let choice = |element: &Element| element.options.iter().find(|option| same(option)).cloned();
        let select = self.best_named(seen, |element| choice(element).is_some());
        let radio = seen.elements.iter().find(|element| element.role == "radio" && same(&element.name));
        let field =
            || self.best_named(seen, |element| matches!(element.role.as_str(), "textbox" | "spinbutton"));
        let element = select.or(radio).or_else(field)?;
        self.done = true;
        if element.value.as_deref().is_some_and(same) || element.state.checked == Some(true) {
            return None;
        }
        self.changed = true;
        let target = Target::Mark(element.mark);
        let action = match choice(element) {
            Some(option) => Action::Select(target, option),
            None if element.role == "radio" => Action::Click(target),
            None => Action::Type(target, value.to_owned()),
        };
        Some(self.spend(format!("\"{}\" is to be {value}", element.name), action))
    }

    /// Presses the button that carries the verb: one that names the subject, or the first one after the subject.
    fn press(&mut self, seen: &Observation, lines: &[Line<'_>], verb: &str) -> Option<Decision> {
        let carries_verb = |element: &Element| {
            matches!(element.role.as_str(), "button" | "menuitem" | "link")
                && words(&element.name).next().is_some_and(|word| stem(word) == verb)
        };
        let subject = self.best_named(seen, |element| !carries_verb(element)).map(|element| element.mark);
        let on_its_page = self.place_matches(seen, lines, LIKELY);
        let button = self.best_named(seen, |element| carries_verb(element)).or_else(|| {
            let from = subject.or(on_its_page.then_some(0))?;
            seen.elements
                .iter()
                .find(|element| element.mark > from && carries_verb(element) && !element.state.disabled)
        })?;
        self.done = true;
        self.changed = true;
        Some(self.click(seen, button, "carries the verb"))
    }

    fn read(&mut self, lines: &[Line<'_>], asks: Asks) {
        if let Some((score, value)) = outline::value_near(lines, &self.reading.subject, asks) {
            self.done = score >= SURE;
            if self.best.as_ref().is_none_or(|(best, _)| score > *best) {
                self.best = Some((score, value));
            }
        }
    }

    /// Many changes count only after a button further down; many deletions only after a second "yes".
    fn finish(&mut self, seen: &Observation) -> Option<Decision> {
        const FINISHERS: [&str; 9] =
            ["save", "apply", "update", "submit", "confirm", "done", "yes", "ok", "continue"];
        if !self.changed {
            return None;
        }
        let button = self.first_button(seen, &FINISHERS)?;
        Some(self.click(seen, button, "finishes the change"))
    }

    fn dismiss(&mut self, seen: &Observation) -> Option<Decision> {
        const DISMISSERS: [&str; 5] = ["close", "dismiss", "no", "not", "reject"];
        let button = self.first_button(seen, &DISMISSERS)?;
        Some(self.click(seen, button, "may be in the way"))
    }

    fn search(&mut self, seen: &Observation) -> Option<Decision> {
        let is_box = |element: &&Element| {
            element.role == "searchbox"
                || (element.role == "textbox" && words(&element.name).any(|w| stem(w) == "search"))
        };
        let obvious =
            self.candidates(seen).any(|(element, _)| self.reading.subject.coverage(&element.name) >= LIKELY);
        let query = self.reading.queries.get(self.searches).filter(|query| !obvious && !query.is_empty())?;
        let search_box = seen.elements.iter().find(is_box)?;
        let action = Action::Type(Target::Mark(search_box.mark), query.clone());
        self.searches += 1;
        self.waits_for_enter = true;
        self.before_search = Some(links(seen).map(|link| link.name.clone()).collect());
        Some(self.spend("no link speaks of it, so search for it", action))
    }

    /// Results of a search are the links that were not there before it; they need not share words with the task.
    fn open_result(&mut self, seen: &Observation) -> Option<Decision> {
        let before = self.before_search.take()?;
        let (mut best, mut most) = (None, -1.0);
        for link in links(seen).filter(|link| !before.contains(&link.name)) {
            let relevance = self.reading.clues.relevance(&link.name);
            if relevance > most && !self.tried.contains(&key(seen, link)) {
                (best, most) = (Some(link), relevance);
            }
        }
        Some(self.click(seen, best?, "was found by the search"))
    }

    /// With no word to go by, settings and facts are looked for page by page through the menus.
    fn wander(&mut self, seen: &Observation) -> Option<Decision> {
        const PLACES: [&str; 5] = ["account", "settings", "preferences", "profile", "privacy"];
        const EXITS: [&str; 4] = ["out", "delete", "logout", "home"];
        if matches!(self.reading.goal, Goal::Do { .. } | Goal::Visit) {
            return None;
        }
        let in_menu = outline::menu_links(&seen.outline);
        let has =
            |name: &str, any: &[&str]| words(name).any(|word| any.contains(&word.to_lowercase().as_str()));
        let opens = |element: &&Element| match element.role.as_str() {
            "link" | "menuitem" => in_menu.contains(&element.name) || has(&element.name, &PLACES),
            "button" => element.state.expanded == Some(false) && has(&element.name, &PLACES),
            _ => false,
        };
        let mut doors: Vec<&Element> = seen.elements.iter().filter(opens).collect();
        doors.retain(|door| !has(&door.name, &EXITS) && !self.tried.contains(&key(seen, door)));
        let door = doors.iter().find(|door| has(&door.name, &PLACES)).or(doors.first())?;
        Some(self.click(seen, door, "may lead there"))
    }

    fn explore(&mut self, seen: &Observation) -> Option<Decision> {
        let (element, _) =
            self.candidates(seen).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.mark.cmp(&a.0.mark)))?;
        Some(self.click(seen, element, "shares words with the task"))
    }

    fn go_back(&mut self) -> Option<Decision> {
        if self.used == 0 || self.backs == MAX_BACKS || self.best.is_some() {
            return None;
        }
        self.backs += 1;
        Some(self.spend("nothing here speaks of it", Action::Back))
    }

    /// Untried things to click that share words with the subject, with their scores.
    fn candidates<'a>(&self, seen: &'a Observation) -> impl Iterator<Item = (&'a Element, f64)> {
        const FAINT: f64 = 0.4;
        let asks = matches!(self.reading.goal, Goal::Read(_));
        seen.elements.iter().filter_map(move |element| {
            let prior = match element.role.as_str() {
                "link" => 0.3,
                "tab" | "menuitem" => 0.2,
                // A question changes nothing; a button might, unless it only unfolds something.
                "button" if !asks || element.state.expanded.is_some() => 0.0,
                _ => return None,
            };
            let relevance = self.reading.clues.relevance(&element.name);
            let is_new = !element.state.disabled && !self.tried.contains(&key(seen, element));
            (is_new && relevance >= FAINT)
                .then(|| (element, relevance + prior + self.quoted_bonus(&element.name)))
        })
    }

    fn best_named<'a>(&self, seen: &'a Observation, fits: impl Fn(&Element) -> bool) -> Option<&'a Element> {
        let score = |element: &Element| {
            self.reading.subject.coverage(&element.name) + self.quoted_bonus(&element.name)
        };
        best(seen, fits, score)
    }

    fn quoted_bonus(&self, name: &str) -> f64 {
        let name = name.to_lowercase();
        let is_in_name = |phrase: &String| name.contains(&phrase.to_lowercase());
        if self.reading.quoted.iter().any(is_in_name) { 2.0 } else { 0.0 }
    }

    fn place_matches(&self, seen: &Observation, lines: &[Line<'_>], enough: f64) -> bool {
        let headings = lines.iter().filter(|line| line.role == "heading").map(|line| line.text.as_str());
        headings.chain([seen.title.as_str()]).any(|text| self.reading.subject.coverage(text) >= enough)
    }

    fn first_button<'a>(&self, seen: &'a Observation, first_words: &[&str]) -> Option<&'a Element> {
        seen.elements.iter().find(|element| {
            let first = words(&element.name).next().unwrap_or_default().to_lowercase();
            // A "Save" that stays pressed is a bookmark, not the end of a form.
            element.role == "button"
                && element.state.checked.is_none()
                && !element.state.disabled
                && first_words.contains(&first.as_str())
                && !self.tried.contains(&key(seen, element))
        })
    }

    fn click(&mut self, seen: &Observation, element: &Element, reason: &str) -> Decision {
        self.tried.insert(key(seen, element));
        let thought = format!("{} \"{}\" {reason}", element.role, element.name);
        self.spend(thought, Action::Click(Target::Mark(element.mark)))
    }

    fn spend(&mut self, thought: impl Into<String>, action: Action) -> Decision {
        self.used += 1;
        Decision::because(thought, action)
    }

    fn conclude(&self, task: &TaskBrief) -> Decision {
        let moved = self.used > self.backs;
        let response = match (&self.reading.goal, &self.best) {
            (Goal::Read(_), Some((_, value))) => Response::success(task.kind, Some(vec![value.clone()])),
            (Goal::Visit, _) if self.done || moved => Response::success(task.kind, None),
            (Goal::Switch { .. } | Goal::Set { .. } | Goal::Do { .. }, _) if self.done => {
                Response::success(task.kind, self.reading.wants_report.then(|| vec![json!(self.changed)]))
            }
            _ => Response::not_found(task.kind, format!("found nothing about: {}", self.reading.queries[0])),
        };
        Decision::because("that is all the words lead to", response.into_answer())
    }
}

impl Agent for Heuristic {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        decided(Ok(self.step(&turn)))
    }
}

fn links(seen: &Observation) -> impl Iterator<Item = &Element> {
    seen.elements.iter().filter(|element| element.role == "link")
}

fn best(
    seen: &Observation,
    fits: impl Fn(&Element) -> bool,
    score: impl Fn(&Element) -> f64,
) -> Option<&Element> {
    seen.elements
        .iter()
        .filter(|element| !element.state.disabled && fits(element))
        .map(|element| (score(element), element))
        .filter(|(score, _)| *score >= LIKELY)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.mark.cmp(&a.1.mark)))
        .map(|(_, element)| element)
}

/// A link of the same name leads to the same place from every page.
fn key(seen: &Observation, element: &Element) -> (String, String, String) {
    let page = if element.role == "link" { String::new() } else { seen.url.clone() };
    (page, element.role.clone(), element.name.clone())
}
