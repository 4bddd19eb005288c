//! Telling before from after. The recorder read `checked` at once when a pointer went down, and a moment later when a
//! control reported a change, and wrote both into one field.

use std::collections::BTreeMap;

use crate::import::ImportError;
use crate::import::markup::Facts;
use crate::import::remarks::Remarks;
use crate::import::source::{RawFields, Source};
use crate::session::{ControlKind, ControlState, Portrait};

/// How the controls of the first page stood when the recording began, by their CSS path.
pub(super) struct InitialStates {
    checked: BTreeMap<String, bool>,
}

impl InitialStates {
    pub fn read<'t>(
        source: &Source<'t>,
        fields: &mut RawFields<'t>,
        remarks: &mut Remarks,
    ) -> Result<Self, ImportError> {
        let mut checked = BTreeMap::new();
        let Some(raw) = fields.take("initialFormStates") else { return Ok(Self { checked }) };
        let states: indexmap::IndexMap<String, serde_json::Value> = serde_json::from_str(raw.get())
            .map_err(|_| source.wrong(raw, "`initialFormStates` is no JSON object"))?;
        for (path, state) in &states {
            if let Some(flag) = state.get("checked").and_then(serde_json::Value::as_bool) {
                checked.insert(path.clone(), flag);
            }
        }
        if !states.is_empty() {
            let why = format!(
                "{} fields as they stood at the start: used to tell before from after, not kept (their values may be secret)",
                states.len()
            );
            remarks.add(None, "initialFormStates", &why);
        }
        Ok(Self { checked })
    }

    fn of(&self, path: &str) -> Option<bool> {
        self.checked.get(path).copied()
    }
}

/// How a control stood before and after a step, as far as it can be told.
pub(super) type BeforeAndAfter = (Option<ControlState>, Option<ControlState>);

/// What the recorder knew about one change.
pub(super) struct Reading<'a> {
    pub checked: bool,
    pub portrait: &'a Portrait,
    pub input_type: Option<&'a str>,
    pub facts: &'a Facts,
    /// A class of an enclosing label may have overruled the control itself.
    pub overruled_by_label: bool,
    /// Nothing was done before it, so that what was read at the start still held.
    pub is_first: bool,
}

impl InitialStates {
    /// Decides what `checked` was.
    pub fn tell(&self, reading: &Reading<'_>) -> Result<BeforeAndAfter, &'static str> {
        let Reading { checked, portrait, facts, .. } = *reading;
        let state = |on: bool| state(portrait, on);
        if reading.overruled_by_label {
            return Err("`checked` may be a guess from the label's classes; before and after are left open");
        }
        // A native control whose own type is named reported a change: it was read afterwards.
        let native = matches!(portrait.control, Some(ControlKind::Checkbox | ControlKind::Radio));
        if native && reading.input_type == portrait.input_type.as_deref() {
            return Ok((state(!checked), state(checked)));
        }
        // The markup was taken at once; where it contradicts, `checked` is younger.
        if let Some(was) = facts.aria_checked
            && was != checked
        {
            return Ok((state(was), state(checked)));
        }
        let path = portrait.locators.css.as_deref().unwrap_or_default();
        match self.of(path).filter(|_| reading.is_first) {
            Some(was) if was != checked => Ok((state(was), state(checked))),
            // It had not changed yet when it was read. What a dialog made of it afterwards is not known.
            Some(was) => Ok((state(was), None)),
            None => Err("`checked` may be from before or from after the step; both are left open"),
        }
    }
}

/// A radio that is on is the chosen one of its group; one that is off says nothing about which is.
fn state(portrait: &Portrait, on: bool) -> Option<ControlState> {
    match (portrait.control, on) {
        (Some(ControlKind::Radio), true) if !portrait.name.is_empty() => {
            Some(ControlState::Chosen(vec![portrait.name.clone()]))
        }
        (Some(ControlKind::Radio), _) => None,
        (_, true) => Some(ControlState::On),
        (_, false) => Some(ControlState::Off),
    }
}
