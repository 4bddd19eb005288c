//! Choosing an option by its label: in a native select, or in a list a page built itself.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use umpire_model::{Deadline, Rect};

use super::keyboard::{CONTROL, press, press_times, type_into};
use super::pointer::{Reach, click, click_with};
use super::target::{Aim, describe};
use super::{ActError, ActError as E};
use crate::observation::quoted;
use crate::observe::elements_now;
use crate::settle::next_frame;
use crate::{Element, Observation, TabHandle};

/// How long a list may take to appear after its box was clicked.
const OPENING: Duration = Duration::from_secs(2);
const SUGGESTIONS: usize = 12;

pub(super) async fn select(
    tab: &TabHandle,
    aim: &Aim<'_>,
    option: &str,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Rect, ActError> {
    match *aim {
        Aim::Point { .. } => Err(no_option("a point", option, &[])),
        Aim::Element(element) if element.tag == "select" => {
            native(tab, element, option, seen, deadline).await
        }
        Aim::Element(element) => built(tab, element, option, seen, deadline).await,
    }
}

fn no_option(what: &str, wanted: &str, there: &[String]) -> ActError {
    let listed: Vec<String> = there.iter().take(SUGGESTIONS).map(|label| quoted(label)).collect();
    let found = match (listed.len(), there.len()) {
        (0, _) => String::new(),
        (shown, all) if shown < all => format!("; it has {} and {} more", listed.join(", "), all - shown),
        _ => format!("; it has {}", listed.join(", ")),
    };
    E::NoOption { what: what.to_owned(), wanted: wanted.to_owned(), found }
}

/// The place of the label: as written, else whatever its case.
fn place_of<'l>(labels: impl Iterator<Item = &'l str> + Clone, wanted: &str) -> Option<usize> {
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = tidy(wanted);
    let mut folded = labels.clone();
    labels
        .map(tidy)
        .position(|label| label == wanted)
        .or_else(|| folded.position(|label| tidy(label).to_lowercase() == wanted.to_lowercase()))
}

#[derive(Deserialize)]
struct NativeSelect {
    options: Vec<NativeOption>,
    multiple: bool,
    /// It shows several lines instead of opening a list.
    open: bool,
}

#[derive(Deserialize)]
struct NativeOption {
    label: String,
    selected: bool,
    disabled: bool,
}

const READ: &str = "function () {
    return {
        multiple: this.multiple,
        open: this.multiple || this.size > 1,
        options: [...this.options].map(option => ({
            label: option.label,
            selected: option.selected,
            disabled: option.disabled || !!option.closest('optgroup[disabled]'),
        })),
    };
}";

/// A native select is worked by the keys a person would use, so the page sees one trusted change.
async fn native(
    tab: &TabHandle,
    element: &Element,
    wanted: &str,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Rect, ActError> {
    let what = describe(element);
    let select = Reach::new(tab, element, seen)?;
    let spot = select.patiently(deadline).await?;
    let read: NativeSelect = select.ask(READ, deadline).await?;
    let labels = read.options.iter().map(|option| option.label.as_str());
    let Some(place) = place_of(labels, wanted) else {
        let labels: Vec<String> = read.options.into_iter().map(|option| option.label).collect();
        return Err(no_option(&what, wanted, &labels));
    };
    if read.options[place].disabled {
        return Err(E::Disabled { what: format!("option {}", quoted(wanted)) });
    }
    if read.options[place].selected {
        return Ok(spot.rect);
    }
    if read.open {
        const OPTION: &str = "function (place) { return this.options[place] }";
        let world = select.world(deadline).await?;
        if let Some(option) =
            world.call_on_to_node(select.node(), OPTION, Value::from(place), deadline).await?
        {
            let name = format!("option {}", quoted(wanted));
            let option = Reach::of_node(tab, name, &element.node.session, option, seen)?;
            let line = option.patiently(deadline).await?;
            click_with(tab, &line, if read.multiple { CONTROL } else { 0 }, deadline).await?;
        }
    } else {
        click(tab, &spot, deadline).await?;
        let usable: Vec<usize> = (0..read.options.len()).filter(|&at| !read.options[at].disabled).collect();
        let now = read.options.iter().position(|option| option.selected);
        let position = |option: usize| usable.iter().position(|&at| at == option).unwrap_or_default();
        let (from, to) = (now.map_or(0, position), position(place));
        let key = if to > from { "ArrowDown" } else { "ArrowUp" };
        press_times(tab, key, to.abs_diff(from), deadline).await?;
        press(tab, "Enter", deadline).await?;
    }
    let after: NativeSelect = match select.ask(READ, deadline).await {
        Ok(after) => after,
        // The change took the page away, as menus that navigate do.
        Err(E::Cdp(crate::cdp::CdpError::Refused { .. })) => return Ok(spot.rect),
        Err(other) => return Err(other),
    };
    if !after.options.get(place).is_some_and(|option| option.selected) {
        choose_by_script(&select, place, deadline).await?;
    }
    Ok(spot.rect)
}

/// Some pages restyle the list so that its keys differ (hidden options, a list of their own); then the option is chosen
/// from the isolated world, and the page is told by the two events it expects.
async fn choose_by_script(select: &Reach<'_>, place: usize, deadline: Deadline) -> Result<(), ActError> {
    const SCRIPT: &str = "function (place) {
        this.options[place].selected = true;
        this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
        this.dispatchEvent(new Event('change', { bubbles: true }));
        return null;
    }";
    let world = select.world(deadline).await?;
    world.call_on::<()>(select.node(), SCRIPT, &[], Value::from(place), deadline).await?;
    Ok(())
}

/// A list built of ARIA roles: opened if it is closed, and its option clicked.
async fn built(
    tab: &TabHandle,
    element: &Element,
    wanted: &str,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Rect, ActError> {
    let what = describe(element);
    if let Some(option) = option_in(&seen.elements, wanted).filter(|option| option.visible) {
        let spot = Reach::new(tab, option, seen)?.patiently(deadline).await?;
        click(tab, &spot, deadline).await?;
        return Ok(spot.rect);
    }
    let spot = Reach::new(tab, element, seen)?.patiently(deadline).await?;
    click(tab, &spot, deadline).await?;
    let mut there = match appeared(tab, wanted, seen, deadline).await? {
        Ok(option) => return take(tab, &option, seen, deadline).await,
        Err(there) => there,
    };
    // A box one can write in may list only what fits what is written.
    if matches!(element.role.as_str(), "combobox" | "textbox" | "searchbox")
        && matches!(element.tag.as_str(), "input" | "textarea")
    {
        type_into(tab, &Aim::Element(element), wanted, seen, deadline).await?;
        there = match appeared(tab, wanted, seen, deadline).await? {
            Ok(option) => return take(tab, &option, seen, deadline).await,
            Err(there) => there,
        };
    }
    Err(no_option(&what, wanted, &there))
}

async fn take(
    tab: &TabHandle,
    option: &Element,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Rect, ActError> {
    let spot = Reach::new(tab, option, seen)?.patiently(deadline).await?;
    click(tab, &spot, deadline).await?;
    Ok(spot.rect)
}

fn is_option(element: &Element) -> bool {
    matches!(
        element.role.as_str(),
        "option" | "menuitemradio" | "menuitem" | "menuitemcheckbox" | "treeitem" | "radio"
    )
}

fn option_in<'e>(elements: &'e [Element], wanted: &str) -> Option<&'e Element> {
    let options: Vec<&Element> = elements.iter().filter(|element| is_option(element)).collect();
    place_of(options.iter().map(|option| option.name.as_str()), wanted).map(|place| options[place])
}

/// The option once it is on the page, or the names of those that are there instead.
async fn appeared(
    tab: &TabHandle,
    wanted: &str,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Result<Element, Vec<String>>, ActError> {
    let limit = deadline.within(OPENING);
    loop {
        let elements = elements_now(tab, seen.viewport, deadline).await?;
        if let Some(option) = option_in(&elements, wanted) {
            return Ok(Ok(option.clone()));
        }
        if limit.passed() {
            let there = elements.into_iter().filter(is_option).map(|option| option.name);
            return Ok(Err(there.collect()));
        }
        next_frame(tab, deadline).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_match_as_written_before_they_match_folded() {
        let labels = ["medium", "Medium", " Extra  large "];
        assert_eq!(place_of(labels.iter().copied(), "Medium"), Some(1));
        assert_eq!(place_of(labels.iter().copied(), "MEDIUM"), Some(0));
        assert_eq!(place_of(labels.iter().copied(), "Extra large"), Some(2));
        assert_eq!(place_of(labels.iter().copied(), "Small"), None);
    }
}
