//! What can be said of an element besides its role and name: checked, chosen, open, disabled, its value.

use super::dom::{Dom, NodeId};
use super::names::{Names, tidy};
use super::roles::{is_editing_host, is_password};
use crate::ElementState;

pub(super) fn state_of(dom: &Dom<'_>, id: NodeId, role: &str) -> ElementState {
    let node = dom.node(id);
    let written = |name: &str| {
        node.attribute(name).and_then(|value| match value {
            "true" => Some(true),
            // Partly on is not on.
            "false" | "mixed" => Some(false),
            _ => None,
        })
    };
    let checked = match role {
        "checkbox" | "radio" | "switch" if node.tag == "INPUT" => Some(node.checked),
        "checkbox" | "radio" | "switch" | "menuitemcheckbox" | "menuitemradio" => {
            Some(written("aria-checked").unwrap_or(false))
        }
        "button" => written("aria-pressed"),
        "option" => written("aria-checked"),
        _ => None,
    };
    let selected = match role {
        "option" if node.tag == "OPTION" => Some(node.option_selected),
        "option" | "tab" | "treeitem" | "row" | "gridcell" => written("aria-selected"),
        _ => None,
    };
    let expanded = if node.tag == "SUMMARY" {
        node.parent.map(|details| dom.node(details).has("open"))
    } else {
        written("aria-expanded")
    };
    ElementState {
        checked,
        selected,
        expanded,
        disabled: is_disabled(dom, id),
        focused: false,
        password: is_password(node),
    }
}

fn is_disabled(dom: &Dom<'_>, id: NodeId) -> bool {
    let node = dom.node(id);
    if node.is_true("aria-disabled") {
        return true;
    }
    let is_control = node.is(&["BUTTON", "INPUT", "SELECT", "TEXTAREA", "OPTION", "OPTGROUP", "FIELDSET"]);
    if is_control && node.has("disabled") {
        return true;
    }
    let mut below = id;
    for above in dom.ancestors(id) {
        let node = dom.node(above);
        // The first legend of a disabled fieldset stays usable: it often holds the switch that enables the rest.
        let in_legend = || {
            dom.node(below).tag == "LEGEND"
                && dom.children(above).find(|&child| dom.node(child).tag == "LEGEND") == Some(below)
        };
        if node.is_true("aria-disabled")
            || is_control && node.tag == "FIELDSET" && node.has("disabled") && !in_legend()
        {
            return true;
        }
        below = above;
    }
    false
}

/// The current value of something that holds one; a password's is never told.
pub(super) fn value_of(names: &Names<'_, '_>, dom: &Dom<'_>, id: NodeId, role: &str) -> Option<String> {
    let node = dom.node(id);
    if is_password(node) {
        return None;
    }
    let numeric = || {
        let written = node.attribute("aria-valuetext").or(node.attribute("aria-valuenow"));
        node.value.or(written).map(str::to_owned)
    };
    match role {
        "combobox" | "listbox" if node.tag == "SELECT" => names.chosen_option(id),
        "textbox" | "searchbox" | "combobox" => match node.value {
            Some(value) => Some(value.to_owned()),
            None if is_editing_host(node) => Some(names.text_of(id)),
            None => None,
        },
        "slider" | "spinbutton" | "progressbar" | "meter" => numeric(),
        "button" if node.tag == "INPUT" && super::roles::input_type(node) == "file" => {
            node.value.map(|value| tidy(value.rsplit(['\\', '/']).next().unwrap_or(value)))
        }
        _ => None,
    }
    .filter(|value| !value.is_empty())
}
