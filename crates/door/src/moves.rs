//! What a client asks for, where that is more or less than one action of ours.

use std::sync::Arc;

use umpire_agents::View;
use umpire_browser::Element;
use umpire_model::{Action, ScrollArea, Target};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Move {
    Do(Action),
    /// Types behind what the field with the focus holds.
    TypeOn(String),
    /// A key for one element.
    PressIn(Target, String),
    Focus(Target),
    /// Makes a checkbox, radio button or switch stand as wanted.
    Switch(Target, bool),
}

impl Move {
    /// The actions that make the move, none if there is nothing to do. Its marks are those of `shown`; the actions' are
    /// those of `now`.
    pub fn actions(&self, shown: &Arc<View>, now: &Arc<View>) -> Result<Vec<Action>, String> {
        let marks = Marks { shown, now };
        Ok(match self {
            Self::Do(action) => vec![marks.action(action)?],
            Self::TypeOn(text) => {
                let focused = now.seen.elements.iter().find(|element| element.state.focused);
                let field = focused.ok_or("no field has the focus; click one first")?;
                let before = field.value.as_deref().unwrap_or_default();
                vec![Action::Type(Target::Mark(field.mark), format!("{before}{text}"))]
            }
            Self::Focus(target) => marks.focus(target)?.into_iter().collect(),
            Self::PressIn(target, keys) => {
                let element = marks.element(target)?;
                let activates = matches!(keys.as_str(), "Enter" | "Space" | " ");
                if activates && !element.state.focused && !takes_text(element) {
                    // To click a button to give it the focus, and then to press Enter, would be to use it twice.
                    return Ok(vec![Action::Click(Target::Mark(element.mark))]);
                }
                let focus = marks.focus(target)?;
                focus.into_iter().chain([Action::Press(keys.clone())]).collect()
            }
            Self::Switch(target, on) => {
                let element = marks.element(target)?;
                match element.state.checked {
                    Some(checked) if checked == *on => Vec::new(),
                    Some(_) => vec![Action::Click(Target::Mark(element.mark))],
                    None => return Err(format!("{} {:?} cannot be checked", element.role, element.name)),
                }
            }
        })
    }
}

fn takes_text(element: &Element) -> bool {
    matches!(element.role.as_str(), "textbox" | "searchbox" | "combobox" | "spinbutton")
}

/// Marks of one view, told in those of a later one.
struct Marks<'v> {
    shown: &'v Arc<View>,
    now: &'v Arc<View>,
}

impl<'v> Marks<'v> {
    fn element(&self, target: &Target) -> Result<&'v Element, String> {
        match umpire_browser::act::resolve(&self.target(target)?, &self.now.seen) {
            Ok(umpire_browser::act::Aim::Element(element)) => Ok(element),
            Ok(umpire_browser::act::Aim::Point { .. }) => {
                Err("this needs an element, not a point".to_owned())
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn focus(&self, target: &Target) -> Result<Option<Action>, String> {
        let element = self.element(target)?;
        if element.state.focused {
            return Ok(None);
        }
        if takes_text(element) {
            return Ok(Some(Action::Click(Target::Mark(element.mark))));
        }
        Err(format!("only fields can be given the focus; {} {:?} is none", element.role, element.name))
    }

    fn target(&self, target: &Target) -> Result<Target, String> {
        let Target::Mark(mark) = target else { return Ok(target.clone()) };
        if Arc::ptr_eq(self.shown, self.now) {
            return Ok(target.clone());
        }
        let Some(meant) = self.shown.seen.element(*mark) else { return Ok(target.clone()) };
        let same = self.now.seen.elements.iter().find(|element| element.node == meant.node);
        let gone = || format!("{} {:?} is no longer on the page", meant.role, meant.name);
        same.map(|element| Target::Mark(element.mark)).ok_or_else(gone)
    }

    fn action(&self, action: &Action) -> Result<Action, String> {
        Ok(match action {
            Action::Click(target) => Action::Click(self.target(target)?),
            Action::Hover(target) => Action::Hover(self.target(target)?),
            Action::Type(target, text) => Action::Type(self.target(target)?, text.clone()),
            Action::Select(target, option) => Action::Select(self.target(target)?, option.clone()),
            Action::Upload(target, files) => Action::Upload(self.target(target)?, files.clone()),
            Action::Drag(from, to) => Action::Drag(self.target(from)?, self.target(to)?),
            Action::Scroll(ScrollArea::Element(target), direction) => {
                Action::Scroll(ScrollArea::Element(self.target(target)?), *direction)
            }
            other => other.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::view;

    fn mark(mark: u32) -> Target {
        Target::Mark(mark)
    }

    #[test]
    fn moves_become_the_actions_that_are_needed() {
        let now = view(
            &[("button", "Go"), ("textbox", "Name"), ("checkbox", "News"), ("slider", "Size")],
            |elements| {
                elements[1].state.focused = true;
                elements[1].value = Some("Zo".to_owned());
                elements[2].state.checked = Some(true);
            },
        );
        for (one, expected) in [
            (Move::Do(Action::Click(mark(1))), vec!["click [1]"]),
            (Move::TypeOn("ë".to_owned()), vec!["type [2] \"Zoë\""]),
            (Move::PressIn(mark(2), "Enter".to_owned()), vec!["press \"Enter\""]),
            (Move::PressIn(mark(1), "Enter".to_owned()), vec!["click [1]"]),
            (Move::Focus(mark(2)), vec![]),
            (Move::Switch(mark(3), true), vec![]),
            (Move::Switch(mark(3), false), vec!["click [3]"]),
        ] {
            let actions = one.actions(&now, &now).expect("possible");
            let told: Vec<String> = actions.iter().map(Action::to_string).collect();
            assert_eq!(told, expected, "{one:?}");
        }
        for (one, reason) in [
            (Move::Switch(mark(1), true), "cannot be checked"),
            (Move::Focus(mark(4)), "only fields"),
            (Move::PressIn(mark(9), "a".to_owned()), "marks go from [1] to [4]"),
            (Move::Focus(Target::Point { x: 1.0, y: 2.0 }), "not a point"),
        ] {
            let refused = one.actions(&now, &now).expect_err("impossible");
            assert!(refused.contains(reason), "{one:?}: {refused}");
        }
    }

    #[test]
    fn a_mark_goes_on_meaning_the_element_it_was_given_for() {
        let shown = view(&[("button", "Close"), ("textbox", "Name"), ("button", "Save")], |_| {});
        let now = view(&[("textbox", "Name"), ("button", "Save")], |elements| {
            elements[0].node.backend_node_id = 2;
            elements[1].node.backend_node_id = 3;
        });
        let click = |number| Move::Do(Action::Click(mark(number)));
        assert_eq!(click(3).actions(&shown, &now), Ok(vec![Action::Click(mark(2))]));
        let refused = click(1).actions(&shown, &now).expect_err("it is gone");
        assert_eq!(refused, "button \"Close\" is no longer on the page");
    }
}
