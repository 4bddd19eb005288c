use umpire_browser::{Element, Observation};
use umpire_model::{Action, ScrollArea, Target};

use crate::agent::{Agent, Deciding, Decision, Turn, decided};
use crate::names::nearest;

/// Looks at a page again this often for an element that is not there yet: with the pause between looks, about five
/// seconds, which no page of a sane suite needs.
const PATIENCE: u32 = 20;
const PAUSE_MILLIS: u64 = 250;
/// An element may be replaced between look and click; a second failure is a fault of the reference.
const RETRIES: u32 = 2;

/// Performs the reference actions in order. A suite whose oracle fails is wrong, so its errors are written for the
/// suite's author.
pub(crate) struct Oracle {
    actions: Vec<Action>,
    next: usize,
    /// The action at `next` has been handed out; its result comes with the next turn.
    tried: bool,
    waits: u32,
    retries: u32,
}

impl Oracle {
    pub fn new(actions: Vec<Action>) -> Self {
        Self { actions, next: 0, tried: false, waits: 0, retries: 0 }
    }

    fn step(&mut self, seen: &Observation, last_error: Option<&str>) -> Result<Decision, String> {
        if self.tried {
            self.tried = false;
            match last_error {
                None => {
                    self.next += 1;
                    self.waits = 0;
                    self.retries = 0;
                }
                Some(error) if self.retries == RETRIES => {
                    return Err(format!("reference action {} failed: {error}", self.place()));
                }
                Some(error) => {
                    self.retries += 1;
                    return Ok(pause(format!("will try again: {error}")));
                }
            }
        }
        let Some(action) = self.actions.get(self.next) else {
            return Err(match self.actions.len() {
                0 => "the task has no reference actions".to_owned(),
                _ => "the reference actions end without an `answer`".to_owned(),
            });
        };
        let missing = targets(action).into_iter().find(|target| !is_on_page(target, seen));
        if let Some(target) = missing {
            if self.waits == PATIENCE {
                let where_it_stands = self.place();
                return Err(format!("reference action {where_it_stands}: {}", absence(target, seen)));
            }
            self.waits += 1;
            return Ok(pause(format!("{target} is not there yet")));
        }
        self.tried = true;
        Ok(action.clone().into())
    }

    fn place(&self) -> String {
        let action = self.actions.get(self.next).map(ToString::to_string).unwrap_or_default();
        format!("{} of {}, `{action}`", self.next + 1, self.actions.len())
    }
}

impl Agent for Oracle {
    fn decide<'a>(&'a mut self, turn: Turn<'a>) -> Deciding<'a> {
        decided(self.step(turn.seen, turn.last_error))
    }
}

fn pause(thought: String) -> Decision {
    Decision::because(thought, Action::Wait { millis: PAUSE_MILLIS })
}

fn targets(action: &Action) -> Vec<&Target> {
    match action {
        Action::Click(target)
        | Action::Hover(target)
        | Action::Type(target, _)
        | Action::Select(target, _)
        | Action::Upload(target, _)
        | Action::Scroll(ScrollArea::Element(target), _) => vec![target],
        Action::Drag(from, to) => vec![from, to],
        _ => Vec::new(),
    }
}

fn is_on_page(target: &Target, seen: &Observation) -> bool {
    match target {
        Target::Mark(mark) => seen.element(*mark).is_some(),
        Target::Named { role, name, nth } => {
            let equals =
                seen.elements.iter().filter(|element| element.role == *role && same_name(element, name));
            equals.count() >= *nth as usize
        }
        Target::Point { .. } => true,
    }
}

fn same_name(element: &Element, name: &str) -> bool {
    element.name.split_whitespace().eq(name.split_whitespace())
}

fn absence(target: &Target, seen: &Observation) -> String {
    let Target::Named { role, name, .. } = target else {
        return format!("{target} did not appear on {}", seen.url);
    };
    let of_role =
        seen.elements.iter().filter(|element| element.role == *role).map(|element| element.name.as_str());
    let found = match nearest(name, of_role).as_slice() {
        [] => format!("there is no {role} of a similar name"),
        near => format!("similar: {}", near.join(", ")),
    };
    format!("{target} did not appear on {} ({found})", seen.url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Page;

    fn oracle(actions: &[&str]) -> Oracle {
        Oracle::new(actions.iter().map(|text| text.parse().expect("action")).collect())
    }

    #[test]
    fn performs_the_reference_in_order() {
        let reference = ["click link \"Lamps\"", "press \"Enter\"", "answer \"{}\""];
        let mut oracle = oracle(&reference);
        let page = Page::at("http://shop.localhost/").with("link", "Lamps").seen();
        for expected in reference {
            let decision = oracle.step(&page, None).expect("goes on");
            assert_eq!(decision.action.to_string(), expected);
        }
        assert!(oracle.step(&page, None).expect_err("nothing is left").contains("without an `answer`"));
    }

    #[test]
    fn waits_for_an_element_that_comes_late() {
        let mut oracle = oracle(&["click button \"Pay\"", "answer \"\""]);
        let bare = Page::at("http://shop.localhost/").seen();
        for _ in 0..3 {
            assert_eq!(
                oracle.step(&bare, None).expect("waits").action,
                Action::Wait { millis: PAUSE_MILLIS }
            );
        }
        let full = Page::at("http://shop.localhost/").with("button", "Pay").seen();
        assert_eq!(oracle.step(&full, None).expect("acts").action.to_string(), "click button \"Pay\"");
    }

    #[test]
    fn gives_up_on_an_element_that_never_comes_and_says_what_is_there() {
        let mut oracle = oracle(&["click button \"Pay\""]);
        let page = Page::at("http://shop.localhost/cart").with("button", "Pay now").seen();
        for _ in 0..PATIENCE {
            oracle.step(&page, None).expect("waits");
        }
        let error = oracle.step(&page, None).expect_err("patience has an end");
        assert!(error.contains("1 of 1") && error.contains("/cart") && error.contains("Pay now"), "{error}");
    }

    #[test]
    fn the_second_of_two_equals_must_be_there_too() {
        let mut oracle = oracle(&["click button \"Delete\" #2"]);
        let one = Page::at("http://x.localhost/").with("button", "Delete").seen();
        assert!(!oracle.step(&one, None).expect("waits").action.is_counted());
        let two = Page::at("http://x.localhost/").with("button", "Delete").with("button", "Delete").seen();
        assert!(oracle.step(&two, None).expect("acts").action.is_counted());
    }

    #[test]
    fn tries_a_failed_action_again_and_then_reports_it() {
        let mut oracle = oracle(&["click button \"Pay\"", "answer \"\""]);
        let page = Page::at("http://shop.localhost/").with("button", "Pay").seen();
        oracle.step(&page, None).expect("first try");
        for _ in 0..RETRIES {
            let pause = oracle.step(&page, Some("covered by a dialog")).expect("pauses");
            assert!(!pause.action.is_counted());
            assert_eq!(oracle.step(&page, None).expect("again").action.to_string(), "click button \"Pay\"");
        }
        let error = oracle.step(&page, Some("covered by a dialog")).expect_err("gives up");
        assert!(error.contains("covered by a dialog") && error.contains("click button"), "{error}");
    }
}
