use umpire_browser::{Element, Observation};
use umpire_model::{Action, ScrollArea, Target};

use crate::agent::{Agent, Deciding, Decision, Turn, decided};
use crate::blanks::fill_result;
use crate::detours::{Detours, Reference};
use crate::names::nearest;

/// Looks at a page again this often for an element that is not there yet: with the pause between looks, about five
/// seconds, which no page of a sane suite needs.
const PATIENCE: u32 = 20;
const PAUSE_MILLIS: u64 = 250;
/// After something was closed, the last action is done again if what it led to does not come back by itself.
const AFTER_A_DETOUR: u32 = 4;
/// An element may be replaced between look and click; a second failure is a fault of the reference.
const RETRIES: u32 = 2;

/// Performs the reference actions in order. A suite whose oracle fails is wrong, so its errors are written for the
/// suite's author.
pub(crate) struct Oracle {
    actions: Vec<Action>,
    detours: Detours,
    next: usize,
    /// The action at `next` has been handed out; its result comes with the next turn.
    tried: bool,
    waits: u32,
    retries: u32,
    /// Something was closed since the last action: a menu may have closed with it.
    went_around: bool,
}

impl Oracle {
    pub fn new(Reference { actions, detours, .. }: Reference) -> Self {
        Self { actions, detours, next: 0, tried: false, waits: 0, retries: 0, went_around: false }
    }

    fn step(&mut self, seen: &Observation, last_error: Option<&str>) -> Result<Decision, String> {
        if self.tried {
            self.tried = false;
            match last_error {
                None => {
                    self.next += 1;
                    self.went_around = false;
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
        if let Some(url) = self.detours.failed_page(seen) {
            return Ok(Decision::because("the page failed and is asked for again", Action::GoTo(url)));
        }
        if let Some(name) = self.detours.way_out(seen) {
            self.went_around = true;
            let button = Target::Named { role: "button".to_owned(), name: name.to_owned(), nth: 1 };
            return Ok(Decision::because("something lies over the page", Action::Click(button)));
        }
        fill_result(self.actions.get_mut(self.next..).unwrap_or_default(), seen);
        let Some(action) = self.actions.get(self.next) else {
            return Err(match self.actions.len() {
                0 => "the task has no reference actions".to_owned(),
                _ => "the reference actions end without an `answer`".to_owned(),
            });
        };
        let (action, missing) = self.as_on_page(action, seen);
        if let Some(target) = missing {
            if self.went_around && self.waits == AFTER_A_DETOUR && self.next > 0 {
                self.next -= 1;
                self.went_around = false;
                self.waits = 0;
                return Ok(pause(format!("{target} went away with what was closed")));
            }
            if self.waits == PATIENCE {
                let where_it_stands = self.place();
                return Err(format!("reference action {where_it_stands}: {}", absence(&target, seen)));
            }
            self.waits += 1;
            return Ok(pause(format!("{target} is not there yet")));
        }
        self.tried = true;
        Ok(action.into())
    }

    /// The action with its targets called as they are on this page, and a target that is not there.
    fn as_on_page(&self, action: &Action, seen: &Observation) -> (Action, Option<Target>) {
        let mut action = action.clone();
        let mut missing = None;
        for target in targets(&mut action) {
            let called = match &*target {
                Target::Named { role, name, nth } => {
                    let called = |name| Target::Named { role: role.clone(), name, nth: *nth };
                    let names = (self.detours.names_of)(role, name);
                    names.into_iter().map(called).find(|called| is_on_page(called, seen))
                }
                _ => is_on_page(target, seen).then(|| target.clone()),
            };
            match called {
                Some(called) => *target = called,
                None => missing = Some(target.clone()),
            }
        }
        (action, missing)
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

fn targets(action: &mut Action) -> Vec<&mut Target> {
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
        // Nobody but the page itself knows.
        Target::Point { .. } | Target::Css(_) | Target::XPath(_) => true,
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
    use std::sync::Arc;

    use super::*;
    use crate::sample::Page;

    fn oracle(actions: &[&str]) -> Oracle {
        let actions = actions.iter().map(|text| text.parse().expect("action")).collect();
        Oracle::new(Reference { actions, ..Reference::default() })
    }

    #[test]
    fn finds_its_way_around_a_perturbation() {
        let mut oracle = oracle(&["click button \"Save\"", "answer \"\""]);
        oracle.detours = Detours {
            names_of: Arc::new(|_, name| vec![name.replace("Save", "Keep"), name.to_owned()]),
            way_out: vec!["Not now".to_owned()],
            fault_title: Some("Broken".to_owned()),
        };
        let failed = Page::at("http://shop.localhost/a").titled("Broken").seen();
        let covered =
            Page::at("http://shop.localhost/a").with("button", "Keep").with("button", "Not now").seen();
        let other_words = Page::at("http://shop.localhost/a").with("button", "Keep").seen();
        let own_words = Page::at("http://shop.localhost/a").with("button", "Save").seen();
        for (page, expected) in [
            (&failed, "goto \"http://shop.localhost/a\""),
            (&covered, "click button \"Not now\""),
            (&other_words, "click button \"Keep\""),
        ] {
            assert_eq!(oracle.step(page, None).expect("goes on").action.to_string(), expected);
        }
        let again = oracle.step(&own_words, Some("it was replaced")).expect("pauses");
        assert!(!again.action.is_counted());
        let own = oracle.step(&own_words, None).expect("goes on").action;
        assert_eq!(own.to_string(), "click button \"Save\"");
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
    fn opens_a_menu_again_that_closed_with_a_popup() {
        let mut oracle = oracle(&["click button \"Menu\"", "click menuitem \"Orders\"", "answer \"\""]);
        oracle.detours.way_out = vec!["Not now".to_owned()];
        let closed = Page::at("http://shop.localhost/").with("button", "Menu").seen();
        let covered =
            Page::at("http://shop.localhost/").with("button", "Menu").with("button", "Not now").seen();
        let open =
            Page::at("http://shop.localhost/").with("button", "Menu").with("menuitem", "Orders").seen();
        oracle.step(&closed, None).expect("opens the menu");
        let way_out = oracle.step(&covered, None).expect("closes the pop-up").action;
        assert_eq!(way_out.to_string(), "click button \"Not now\"");
        let again =
            (0..=AFTER_A_DETOUR + 1).map(|_| oracle.step(&closed, None).expect("goes on").action).last();
        assert_eq!(again.map(|action| action.to_string()).as_deref(), Some("click button \"Menu\""));
        assert_eq!(
            oracle.step(&open, None).expect("goes on").action.to_string(),
            "click menuitem \"Orders\""
        );
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
