//! Which state a session is replayed for, and what that means for each of its controls.

use std::collections::BTreeMap;
use std::fmt;

use crate::session::{ControlKind, ControlState, Deed, Entry, Step};
use crate::states::{Side, on_side};

/// The state that a session's controls are to be in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    On,
    Off,
    /// An option by its label, or what a field is to hold.
    Option(String),
    /// As the recording left them.
    Recorded,
    /// Some controls apart, by the number of their step or by their name; all others as the second says.
    Mixed(BTreeMap<String, Wanted>, Box<Wanted>),
}

impl Wanted {
    /// `on`, `off`, `recorded`, or the label of an option.
    pub fn named(written: &str) -> Self {
        match written {
            "on" => Self::On,
            "off" => Self::Off,
            "recorded" => Self::Recorded,
            option => Self::Option(option.to_owned()),
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On => f.write_str("on"),
            Self::Off => f.write_str("off"),
            Self::Option(label) => write!(f, "{label:?}"),
            Self::Recorded => f.write_str("recorded"),
            Self::Mixed(apart, others) => {
                for (control, wanted) in apart {
                    write!(f, "{control}={wanted}, ")?;
                }
                write!(f, "others {others}")
            }
        }
    }
}

/// What one control is to be brought to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    On,
    Off,
    /// The element itself is to be the chosen one of its group.
    ChooseIt,
    /// These options, by label.
    Choose(Vec<String>),
    Hold(Entry),
    /// A state that nothing declares, as the recording saw it before or after.
    Marked(Side),
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On => f.write_str("on"),
            Self::Off => f.write_str("off"),
            Self::ChooseIt => f.write_str("chosen"),
            Self::Choose(labels) => write!(f, "{}", labels.join(", ")),
            Self::Hold(Entry::Text(text)) => write!(f, "{text:?}"),
            Self::Hold(Entry::Secret(reference)) => write!(f, "the secret {reference}"),
            Self::Marked(Side::Before) => f.write_str("as before the recorded change"),
            Self::Marked(Side::After) => f.write_str("as after the recorded change"),
        }
    }
}

/// What the step's control is to be brought to, or why that cannot be said. `number` counts from 1.
pub(super) fn goal_of(step: &Step, number: usize, wanted: &Wanted) -> Result<Goal, String> {
    let name = step.element.as_ref().map(|element| element.name.as_str()).unwrap_or_default();
    let wanted = match wanted {
        Wanted::Mixed(apart, others) => {
            apart.get(&number.to_string()).or_else(|| apart.get(name)).unwrap_or(others)
        }
        one => one,
    };
    let kind = step.element.as_ref().and_then(|element| element.control);
    let role = step.element.as_ref().map(|element| element.role.as_str()).unwrap_or_default();
    let is_choice = matches!(kind, Some(ControlKind::Radio | ControlKind::AriaSelected))
        || matches!(role, "radio" | "menuitemradio" | "option");
    match (&step.deed, kind) {
        (Deed::Type { text }, _) => text_goal(text, step, wanted),
        (Deed::Select { options }, _) => choice_goal(options.clone(), step, wanted),
        (_, Some(ControlKind::Inferred)) => marked_goal(step, wanted),
        (Deed::Click { .. }, _) if is_choice => match wanted {
            Wanted::On | Wanted::Recorded => Ok(Goal::ChooseIt),
            other => choice_goal(vec![name.to_owned()], step, other),
        },
        (_, Some(ControlKind::Text)) => Err("what the field is to hold was not recorded".to_owned()),
        _ => toggle_goal(step, wanted),
    }
}

fn toggle_goal(step: &Step, wanted: &Wanted) -> Result<Goal, String> {
    match wanted {
        Wanted::On => Ok(Goal::On),
        Wanted::Off => Ok(Goal::Off),
        Wanted::Recorded => match (&step.after, &step.before) {
            // One click turns what has two states.
            (Some(ControlState::On), _) | (None, Some(ControlState::Off)) => Ok(Goal::On),
            (Some(ControlState::Off), _) | (None, Some(ControlState::On)) => Ok(Goal::Off),
            _ => Err("the recording does not say how the control stood; ask for `on` or `off`".to_owned()),
        },
        Wanted::Option(label) => Err(format!("it has no option {label:?}; it can be `on` or `off`")),
        Wanted::Mixed(..) => Err("a mixed state cannot hold another".to_owned()),
    }
}

fn choice_goal(recorded: Vec<String>, step: &Step, wanted: &Wanted) -> Result<Goal, String> {
    match wanted {
        Wanted::On | Wanted::Recorded => Ok(Goal::Choose(recorded)),
        Wanted::Option(label) => Ok(Goal::Choose(vec![label.clone()])),
        Wanted::Off => match &step.before {
            Some(ControlState::Chosen(labels)) if !labels.is_empty() && *labels != recorded => {
                Ok(Goal::Choose(labels.clone()))
            }
            _ => Err("what `off` would be is not recorded for a choice; name the option".to_owned()),
        },
        Wanted::Mixed(..) => Err("a mixed state cannot hold another".to_owned()),
    }
}

fn text_goal(recorded: &Entry, step: &Step, wanted: &Wanted) -> Result<Goal, String> {
    match wanted {
        Wanted::On | Wanted::Recorded => Ok(Goal::Hold(recorded.clone())),
        Wanted::Option(text) => Ok(Goal::Hold(Entry::Text(text.clone()))),
        Wanted::Off => match &step.before {
            Some(ControlState::Text(before)) => Ok(Goal::Hold(Entry::Text(before.clone()))),
            _ => Err("what the field held before is not recorded; give the text".to_owned()),
        },
        Wanted::Mixed(..) => Err("a mixed state cannot hold another".to_owned()),
    }
}

fn marked_goal(step: &Step, wanted: &Wanted) -> Result<Goal, String> {
    let (Some(ControlState::Marks(before)), Some(ControlState::Marks(after))) = (&step.before, &step.after)
    else {
        return Err("the recording does not say how its two states look".to_owned());
    };
    let on =
        || on_side(before, after).ok_or("which of its two states is on cannot be told; ask for `recorded`");
    match wanted {
        Wanted::Recorded => Ok(Goal::Marked(Side::After)),
        Wanted::On => Ok(Goal::Marked(on()?)),
        Wanted::Off => Ok(Goal::Marked(match on()? {
            Side::Before => Side::After,
            Side::After => Side::Before,
        })),
        Wanted::Option(label) => Err(format!("it has no option {label:?}; it can be `on` or `off`")),
        Wanted::Mixed(..) => Err("a mixed state cannot hold another".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Portrait, Purpose};

    fn step(
        deed: Deed,
        kind: Option<ControlKind>,
        before: Option<ControlState>,
        after: Option<ControlState>,
    ) -> Step {
        let element = Portrait { name: "Alerts".to_owned(), control: kind, ..Portrait::default() };
        Step {
            at_ms: 0,
            tab: 1,
            url: String::new(),
            frames: Vec::new(),
            deed,
            purpose: Purpose::State,
            element: Some(element),
            before,
            after,
            screenshot: None,
        }
    }

    #[test]
    fn what_a_state_means_depends_on_the_control() {
        let click = || Deed::Click { double: false };
        let chosen = |label: &str| Some(ControlState::Chosen(vec![label.to_owned()]));
        let toggle =
            step(click(), Some(ControlKind::Checkbox), Some(ControlState::On), Some(ControlState::Off));
        let radio = step(click(), Some(ControlKind::Radio), chosen("Daily"), chosen("Alerts"));
        let select =
            step(Deed::Select { options: vec!["Never".to_owned()] }, Some(ControlKind::Select), None, None);
        let option = Wanted::Option("Weekly".to_owned());
        for (step, wanted, goal) in [
            (&toggle, &Wanted::On, Ok(Goal::On)),
            (&toggle, &Wanted::Off, Ok(Goal::Off)),
            (&toggle, &Wanted::Recorded, Ok(Goal::Off)),
            (&toggle, &option, Err("it has no option \"Weekly\"; it can be `on` or `off`")),
            (&radio, &Wanted::On, Ok(Goal::ChooseIt)),
            (&radio, &Wanted::Off, Ok(Goal::Choose(vec!["Daily".to_owned()]))),
            (&radio, &option, Ok(Goal::Choose(vec!["Weekly".to_owned()]))),
            (&select, &Wanted::Recorded, Ok(Goal::Choose(vec!["Never".to_owned()]))),
            (&select, &Wanted::Off, Err("what `off` would be is not recorded for a choice; name the option")),
        ] {
            assert_eq!(goal_of(step, 1, wanted), goal.map_err(str::to_owned), "{wanted}");
        }
    }

    #[test]
    fn mixed_states_go_by_number_then_by_name() {
        let toggle = step(Deed::Click { double: false }, Some(ControlKind::Checkbox), None, None);
        let apart = BTreeMap::from([("4".to_owned(), Wanted::On), ("Alerts".to_owned(), Wanted::Off)]);
        let mixed = Wanted::Mixed(apart, Box::new(Wanted::On));
        assert_eq!(goal_of(&toggle, 4, &mixed), Ok(Goal::On));
        assert_eq!(goal_of(&toggle, 5, &mixed), Ok(Goal::Off));
    }
}
