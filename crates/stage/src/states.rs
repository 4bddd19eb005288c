//! How a control stands: read from what the page declares, never from a word that merely looks like it.
//!
//! `inactive` contains `active` and `button` contains `on`; so classes count only as a whole, and only those that the
//! recording saw change. What nothing declares and no recording explains is unknown.

use umpire_browser::observe::inventory::{Inventory, Item};

use crate::session::{ControlKind, ControlState};

/// What kind of state an element declares, if it declares one.
pub fn kind_of(item: &Item) -> Option<ControlKind> {
    let input_type = item.attribute("type").unwrap_or_default().to_ascii_lowercase();
    match (item.tag.as_str(), input_type.as_str()) {
        ("input", "checkbox") => return Some(ControlKind::Checkbox),
        ("input", "radio") => return Some(ControlKind::Radio),
        ("input", "button" | "submit" | "reset" | "image" | "file" | "hidden") => return None,
        ("select", _) => return Some(ControlKind::Select),
        _ => {}
    }
    if item.attribute("aria-checked").is_some() {
        return Some(ControlKind::AriaChecked);
    }
    if item.attribute("aria-pressed").is_some() {
        return Some(ControlKind::AriaPressed);
    }
    if item.role == "option" && item.attribute("aria-selected").is_some() {
        return Some(ControlKind::AriaSelected);
    }
    matches!(item.role.as_str(), "textbox" | "searchbox" | "spinbutton" | "combobox" | "slider")
        .then_some(ControlKind::Text)
}

/// How the element stands now. `recorded` is its kind in the recording: what was inferred there is inferred here.
pub fn read(page: &Inventory, at: usize, recorded: Option<ControlKind>) -> Option<ControlState> {
    let item = page.items.get(at)?;
    let kind = match recorded {
        Some(ControlKind::Inferred) => ControlKind::Inferred,
        recorded => kind_of(item).or(recorded)?,
    };
    match kind {
        ControlKind::Checkbox => item.state.checked.map(on_or_off),
        ControlKind::Radio | ControlKind::AriaSelected => Some(chosen_of(page, at)),
        ControlKind::Select => Some(ControlState::Chosen(item.chosen.clone())),
        ControlKind::Text if item.state.password => None,
        ControlKind::Text => Some(ControlState::Text(item.value.clone().unwrap_or_default())),
        ControlKind::AriaChecked if is_choice(item) => Some(chosen_of(page, at)),
        ControlKind::AriaChecked => declared(item, "aria-checked"),
        ControlKind::AriaPressed => declared(item, "aria-pressed"),
        ControlKind::Inferred => Some(ControlState::Marks(marks_of(item))),
    }
}

fn on_or_off(on: bool) -> ControlState {
    if on { ControlState::On } else { ControlState::Off }
}

fn declared(item: &Item, attribute: &str) -> Option<ControlState> {
    match item.attribute(attribute)? {
        "true" => Some(ControlState::On),
        "false" => Some(ControlState::Off),
        "mixed" => Some(ControlState::Mixed),
        _ => None,
    }
}

/// Whether the element is one of several of which one is chosen.
pub fn is_choice(item: &Item) -> bool {
    matches!(item.role.as_str(), "radio" | "menuitemradio" | "option")
}

/// The element and the others of which one is chosen with it, in document order.
pub fn choices(page: &Inventory, at: usize) -> Vec<usize> {
    let Some(item) = page.items.get(at) else { return Vec::new() };
    let same = |other: &Item| other.role == item.role && other.frame == item.frame;
    if item.tag == "input" {
        let name = item.attribute("name").filter(|name| !name.is_empty());
        let form = enclosing(page, at, &["form"], &[]);
        return (0..page.items.len())
            .filter(|&other| {
                let is = &page.items[other];
                other == at
                    || same(is)
                        && is.tag == "input"
                        && name.is_some()
                        && is.attribute("name") == name
                        && enclosing(page, other, &["form"], &[]) == form
            })
            .collect();
    }
    let group = |at| enclosing(page, at, &[], &["radiogroup", "listbox", "menu", "group"]);
    let Some(own) = group(at) else { return vec![at] };
    (0..page.items.len()).filter(|&other| same(&page.items[other]) && group(other) == Some(own)).collect()
}

fn enclosing(page: &Inventory, at: usize, tags: &[&str], roles: &[&str]) -> Option<usize> {
    page.ancestors(at).find(|&above| {
        let item = &page.items[above];
        tags.contains(&item.tag.as_str()) || roles.contains(&item.role.as_str())
    })
}

/// Whether a choice is the chosen one, as far as it says.
pub fn is_chosen(item: &Item) -> Option<bool> {
    if item.tag == "input" {
        return item.state.checked;
    }
    let declared = item.attribute("aria-checked").or(item.attribute("aria-selected"))?;
    match declared {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn chosen_of(page: &Inventory, at: usize) -> ControlState {
    let chosen = choices(page, at).into_iter().filter(|&one| is_chosen(&page.items[one]) == Some(true));
    ControlState::Chosen(chosen.map(|one| page.items[one].name.clone()).collect())
}

/// What could tell the states of an undeclared control apart, as sessions write it.
pub fn marks_of(item: &Item) -> Vec<String> {
    let classes = item.attribute("class").unwrap_or_default().split_whitespace();
    let mut marks: Vec<String> = classes.map(|class| format!("class:{class}")).collect();
    let data = item.attributes.iter().filter(|(name, _)| name.starts_with("data-"));
    marks.extend(data.map(|(name, value)| format!("{name}={value}")));
    if !item.text.is_empty() {
        marks.push(format!("text:{}", item.text));
    }
    marks.sort();
    marks.dedup();
    marks
}

/// One of the two states that a recording saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}

/// On which side of the recorded change these marks are. Only marks that changed count; all of one side must be there and
/// none of the other.
pub fn side_of(now: &[String], before: &[String], after: &[String]) -> Option<Side> {
    let [now, before, after] = [now, before, after].map(|marks| {
        let folded = marks.iter().map(|mark| fold(mark));
        folded.collect::<Vec<String>>()
    });
    let (now, before, after) = (&now, &before, &after);
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        these.iter().filter(|mark| !those.contains(mark)).cloned().collect()
    };
    let (left, came) = (only(before, after), only(after, before));
    if left.is_empty() && came.is_empty() {
        return None;
    }
    let all = |marks: &[String]| marks.iter().all(|mark| now.contains(mark));
    // A state shown by the absence of a mark can be told only while the marks beside it are still the same.
    let kept = before.iter().filter(|mark| after.contains(mark) && !mark.starts_with("text:"));
    let only_absence = |side: &[String]| side.is_empty() && !kept.clone().all(|mark| now.contains(mark));
    let none = |marks: &[String]| !marks.iter().any(|mark| now.contains(mark));
    let is_before = all(&left) && none(&came) && !only_absence(&left);
    let is_after = all(&came) && none(&left) && !only_absence(&came);
    match (is_before, is_after) {
        (true, false) => Some(Side::Before),
        (false, true) => Some(Side::After),
        _ => None,
    }
}

/// Words may be drawn in capitals that are not written so; recorders and replayer see one or the other.
fn fold(mark: &str) -> String {
    if mark.starts_with("text:") { mark.to_lowercase() } else { mark.to_owned() }
}

/// Which side of a recorded change is the control switched on, if the marks say so in whole words.
pub fn on_side(before: &[String], after: &[String]) -> Option<Side> {
    let says = |these: &[String], those: &[String]| -> Option<bool> {
        let changed = these.iter().filter(|mark| !those.contains(mark));
        let mut said: Vec<bool> = changed.filter_map(|mark| says_on(mark)).collect();
        said.dedup();
        if let [only] = said.as_slice() { Some(*only) } else { None }
    };
    match (says(before, after), says(after, before)) {
        (Some(true), Some(false) | None) | (None, Some(false)) => Some(Side::Before),
        (Some(false), Some(true) | None) | (None, Some(true)) => Some(Side::After),
        _ => None,
    }
}

/// Whether a mark says that the control is on. A button that offers to turn something off belongs to what is on.
fn says_on(mark: &str) -> Option<bool> {
    const ON: [&str; 7] = ["on", "active", "checked", "selected", "enabled", "true", "pressed"];
    const OFF: [&str; 8] =
        ["off", "inactive", "unchecked", "unselected", "disabled", "false", "unpressed", "deactivated"];
    const OFFERS_OFF: [&str; 4] = ["disable", "deactivate", "limit", "turn off"];
    const OFFERS_ON: [&str; 4] = ["enable", "activate", "allow", "turn on"];
    if let Some(text) = mark.strip_prefix("text:") {
        let text = text.to_lowercase();
        let begins = |offers: &[&str]| {
            offers.iter().any(|offer| text == *offer || text.starts_with(&format!("{offer} ")))
        };
        let last = text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        return match (begins(&OFFERS_OFF), begins(&OFFERS_ON), last) {
            (true, false, _) | (false, false, "on") => Some(true),
            (false, true, _) | (false, false, "off") => Some(false),
            _ => None,
        };
    }
    let value = mark.strip_prefix("class:").or_else(|| mark.split_once('=').map(|(_, value)| value))?;
    let parts: Vec<String> = value.split(['-', '_']).map(str::to_ascii_lowercase).collect();
    let has = |words: &[&str]| parts.iter().any(|part| words.contains(&part.as_str()));
    let negated = parts.iter().any(|part| matches!(part.as_str(), "not" | "un" | "no"));
    match (has(&ON), has(&OFF)) {
        (true, false) => Some(!negated),
        (false, true) => Some(negated),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(written: &[&str]) -> Vec<String> {
        written.iter().map(|mark| (*mark).to_owned()).collect()
    }

    #[test]
    fn a_class_counts_only_as_a_whole_word() {
        for (mark, on) in [
            ("class:on", Some(true)),
            ("class:is-active", Some(true)),
            ("class:toggle--checked", Some(true)),
            ("class:inactive", Some(false)),
            ("class:unchecked", Some(false)),
            ("class:not-selected", Some(false)),
            ("class:button", None),
            ("class:icon", None),
            ("class:radioactive", None),
            ("data-state=checked", Some(true)),
            ("data-state=off", Some(false)),
            ("text:Turn off alerts", Some(true)),
            ("text:Enable alerts", Some(false)),
            ("text:Alerts: On", Some(true)),
            ("text:Come on in", None),
        ] {
            assert_eq!(says_on(mark), on, "{mark}");
        }
    }

    #[test]
    fn only_marks_that_changed_tell_the_side() {
        let before = marks(&["class:active-page", "class:toggle"]);
        let after = marks(&["class:active-page", "class:is-on", "class:toggle"]);
        assert_eq!(side_of(&before, &before, &after), Some(Side::Before));
        assert_eq!(side_of(&after, &before, &after), Some(Side::After));
        let redesigned = marks(&["class:css-1x2y", "class:is-on"]);
        assert_eq!(side_of(&redesigned, &before, &after), Some(Side::After));
        // What was to be absent is absent, but so is everything else.
        assert_eq!(side_of(&marks(&["class:css-1x2y"]), &before, &after), None);
        let (hashed_before, hashed_after) = (marks(&["class:a1"]), marks(&["class:b2"]));
        assert_eq!(side_of(&marks(&["class:c3"]), &hashed_before, &hashed_after), None);
        assert_eq!(side_of(&after, &after, &after), None);
    }

    #[test]
    fn which_side_is_on_is_said_or_unknown() {
        let (plain, on) = (marks(&["class:toggle"]), marks(&["class:is-on", "class:toggle"]));
        assert_eq!(on_side(&plain, &on), Some(Side::After));
        assert_eq!(on_side(&on, &plain), Some(Side::Before));
        assert_eq!(on_side(&marks(&["class:a1"]), &marks(&["class:b2"])), None);
        assert_eq!(on_side(&marks(&["class:inactive"]), &marks(&["class:x"])), Some(Side::After));
        assert_eq!(on_side(&on, &on), None);
        assert_eq!(on_side(&marks(&["text:Turn on"]), &marks(&["text:Turn off"])), Some(Side::After));
    }
}
