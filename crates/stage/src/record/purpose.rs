//! What a step was for, told from what it did.

use std::collections::BTreeSet;

use crate::session::{ControlKind, ControlState, Deed, Entry, Portrait, Purpose};

/// Classes that come and go with every click.
const PASSING: [&str; 11] = [
    "focus",
    "hover",
    "ripple",
    "press",
    "loading",
    "busy",
    "animat",
    "transition",
    "wait",
    "down",
    "touched",
];
/// Buttons that finish something; that they say so afterwards is no state of theirs.
const FINISHING: [&str; 12] = [
    "save", "submit", "apply", "confirm", "continue", "next", "update", "send", "done", "ok", "close",
    "cancel",
];

/// How a step's control stood before and after, and the kind of it if only the change shows that it is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Change {
    pub before: Option<ControlState>,
    pub after: Option<ControlState>,
    pub inferred: bool,
}

/// The states of a control that declares them, or the marks of one that does not but changed all the same.
pub(super) fn change(
    element: Option<&Portrait>,
    declared: (Option<ControlState>, Option<ControlState>),
    marks: (Option<&[String]>, Option<&[String]>),
) -> Change {
    let (before, after) = declared;
    if before.is_some() || after.is_some() {
        return Change { before, after, inferred: false };
    }
    let (Some(element), Some(was), Some(is)) = (element, marks.0, marks.1) else { return Change::default() };
    if !may_hold_state(element) || !tells_states_apart(was, is) {
        return Change::default();
    }
    let state = |marks: &[String]| Some(ControlState::Marks(marks.to_vec()));
    Change { before: state(was), after: state(is), inferred: true }
}

fn may_hold_state(element: &Portrait) -> bool {
    let leads_elsewhere = matches!(
        element.role.as_str(),
        "link" | "tab" | "menuitem" | "treeitem" | "combobox" | "option" | "row" | "cell" | "gridcell"
    );
    let name = element.name.to_lowercase();
    let finishes = name.split(|c: char| !c.is_alphanumeric()).any(|word| FINISHING.contains(&word));
    let is_field = matches!(element.control, Some(ControlKind::Text | ControlKind::Select));
    !leads_elsewhere && !finishes && !is_field && element.input_type.as_deref() != Some("submit")
}

fn tells_states_apart(was: &[String], is: &[String]) -> bool {
    let (was, is): (BTreeSet<_>, BTreeSet<_>) = (was.iter().collect(), is.iter().collect());
    was.symmetric_difference(&is).any(|mark| {
        let mark = mark.to_lowercase();
        !PASSING.iter().any(|passing| mark.starts_with("class:") && mark.contains(passing))
    })
}

/// A step that set a control is for a state, any other for the way. What was typed into an empty field is the way too: a
/// search, a name to log in with; only the change of what a field already held is a setting.
pub(super) fn purpose(deed: &Deed, element: Option<&Portrait>, change: &Change) -> Purpose {
    let is_search = element.is_some_and(|element| element.role == "searchbox");
    let has_changed = change.after.is_some() && change.before != change.after;
    // The page was left, or drawn anew without the control, right after it.
    let may_have_changed = change.before.is_some() && change.after.is_none();
    let sets = match deed {
        Deed::Type { text: Entry::Secret(_) } => false,
        Deed::Type { .. } => {
            !is_search
                && has_changed
                && matches!(&change.before, Some(ControlState::Text(text)) if !text.is_empty())
        }
        Deed::Click { .. } | Deed::Press { .. } => {
            let is_text = element.is_some_and(|element| element.control == Some(ControlKind::Text));
            !is_text && (has_changed || may_have_changed)
        }
        Deed::Select { .. } => true,
        _ => false,
    };
    if sets { Purpose::State } else { Purpose::Way }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn button(role: &str, name: &str) -> Portrait {
        Portrait {
            tag: "div".to_owned(),
            role: role.to_owned(),
            name: name.to_owned(),
            ..Portrait::default()
        }
    }

    fn marks(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn undeclared_states_are_told_by_what_stays_changed() {
        for (element, was, is, inferred) in [
            (button("button", "Follow"), "class:b text:Follow", "class:b text:Following", true),
            (button("", "Ads"), "class:toggle", "class:on class:toggle", true),
            (button("", "Ads"), "data-state=off", "data-state=on", true),
            (button("button", "Ads"), "class:b", "class:b class:focus-ring", false),
            (button("button", "Ads"), "class:b", "class:b", false),
            (button("button", "Save changes"), "text:Save", "text:Saved", false),
            (button("tab", "Privacy"), "class:tab", "class:active class:tab", false),
            (button("link", "Privacy"), "class:a", "class:active", false),
        ] {
            let (was, is) = (marks(was), marks(is));
            let found = change(Some(&element), (None, None), (Some(&was), Some(&is)));
            assert_eq!(found.inferred, inferred, "{} {was:?} {is:?}", element.name);
            let purpose = purpose(&Deed::Click { double: false }, Some(&element), &found);
            assert_eq!(purpose == Purpose::State, inferred, "{}", element.name);
        }
    }

    #[test]
    fn controls_that_changed_are_for_a_state() {
        let (on, off) = (Some(ControlState::On), Some(ControlState::Off));
        let text = |text: &str| Some(ControlState::Text(text.to_owned()));
        let click = Deed::Click { double: false };
        let typed = Deed::Type { text: Entry::Text("new".to_owned()) };
        let secret = Deed::Type { text: Entry::Secret("password".to_owned()) };
        for (deed, role, before, after, is_state) in [
            (&click, "switch", off.clone(), on.clone(), true),
            (&click, "switch", on.clone(), on.clone(), false),
            (&click, "checkbox", off.clone(), None, true),
            (&click, "button", None, None, false),
            (&typed, "textbox", text("old"), text("new"), true),
            (&typed, "textbox", text(""), text("new"), false),
            (&typed, "searchbox", text("old"), text("new"), false),
            (&secret, "textbox", None, None, false),
            (&Deed::Select { options: vec!["A".to_owned()] }, "combobox", None, None, true),
            (&Deed::Back, "", None, None, false),
        ] {
            let change = Change { before, after, inferred: false };
            let found = purpose(deed, Some(&button(role, "x")), &change);
            assert_eq!(found == Purpose::State, is_state, "{deed:?} on {role}");
        }
    }
}
