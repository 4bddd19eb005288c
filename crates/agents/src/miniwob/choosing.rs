//! Choosing among what is offered: check boxes, options, lists, dates of a calendar.

use umpire_browser::Element;
use umpire_model::Action;

use super::page::{Page, at, click};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) fn rule(page: &Page<'_>) -> Option<Action> {
    let sentence = page.sentence;
    if let Some(name) = sentence.between("Select ", " from the scroll list") {
        return from_scroll_list(page, name);
    }
    if let Some(name) = sentence.between("Select ", " from the list") {
        return from_list(page, name).or_else(|| page.submit());
    }
    if let Some(date) = sentence.between("Select ", " as the date") {
        return on_calendar(page, date);
    }
    if let Some(name) = sentence.between("Choose ", " from the dropdown") {
        let button = sentence.quoted().first().and_then(|name| page.button(name));
        return from_list(page, name).or(button);
    }
    if let Some(number) = sentence.between("Select ", " with the spinner") {
        return with_spinner(page, number.parse().ok()?);
    }
    if let Some(names) = sentence.between("Select ", " and click Submit") {
        return ticked(page, names);
    }
    None
}

/// Exactly the named boxes ticked. Names have no commas in them.
fn ticked(page: &Page<'_>, names: &str) -> Option<Action> {
    let wanted: Vec<&str> = names.split(", ").collect();
    let boxes: Vec<&Element> = page.of_role("checkbox").chain(page.of_role("radio")).collect();
    let known = |name: &str| boxes.iter().any(|one| one.name == name);
    if names != "nothing" && !wanted.iter().all(|name| known(name)) {
        return None;
    }
    let wrong = |one: &&&Element| one.state.checked.unwrap_or(false) != wanted.contains(&one.name.as_str());
    let is_radio = |one: &Element| one.role == "radio";
    let next = boxes.iter().find(|one| wrong(one) && (!is_radio(one) || wanted.contains(&one.name.as_str())));
    next.map(|one| click(one)).or_else(|| page.submit())
}

fn from_list(page: &Page<'_>, name: &str) -> Option<Action> {
    let list = page.of_role("combobox").chain(page.of_role("listbox")).find(|list| !list.options.is_empty());
    match list {
        Some(list) if list.value.as_deref() == Some(name) => None,
        Some(list) => page.once(Action::Select(at(list), name.to_owned())),
        // A list that the page built itself opens on a click and shows its options as plain things.
        None => built_list(page, name),
    }
}

fn built_list(page: &Page<'_>, name: &str) -> Option<Action> {
    let option = page.elements.iter().find(|element| element.visible && element.name == name);
    match option {
        Some(option) => page.once(click(option)),
        None => page.elements.iter().find(|element| element.visible && element.role != "button").map(click),
    }
}

/// A list that takes several choices.
fn from_scroll_list(page: &Page<'_>, names: &str) -> Option<Action> {
    let list = page.of_role("listbox").next()?;
    // Names of countries may hold commas, so they are looked for, not split.
    let wanted = list.options.iter().filter(|option| is_listed(names, option));
    let next = wanted.map(|option| Action::Select(at(list), option.clone())).find(|action| !page.did(action));
    next.or_else(|| page.submit())
}

fn is_listed(names: &str, option: &str) -> bool {
    names == option || names.starts_with(&format!("{option}, ")) || names.ends_with(&format!(", {option}"))
}

fn with_spinner(page: &Page<'_>, wanted: i64) -> Option<Action> {
    let shown: i64 = page.of_role("spinbutton").next()?.value.as_deref()?.parse().ok()?;
    // jQuery UI draws its two arrows as nameless controls, the upper one first.
    let mut arrows = page.elements.iter().filter(|element| element.tag == "a" || element.role == "button");
    let (up, down) = (arrows.next()?, arrows.next()?);
    match wanted - shown {
        0 => page.submit(),
        1.. => Some(click(up)),
        _ => Some(click(down)),
    }
}

/// A calendar that opens at its field, and is paged by the month.
fn on_calendar(page: &Page<'_>, date: &str) -> Option<Action> {
    let mut parts = date.split('/').map(|part| part.parse::<usize>().ok());
    let (month, day, year) = (parts.next()??, parts.next()??, parts.next()??);
    let field = *page.fields().first()?;
    if field.value.as_deref() == Some(date) {
        return page.submit();
    }
    let place = |text: &str| MONTHS.iter().position(|name| *name == text);
    let heading = page.texts().find_map(|text| {
        let (name, year) = text.split_once(' ')?;
        Some((place(name)? + 1, year.trim().parse::<usize>().ok()?))
    });
    let Some((shown_month, shown_year)) = heading else { return Some(click(field)) };
    match (shown_year, shown_month).cmp(&(year, month)) {
        std::cmp::Ordering::Equal => page.named(&day.to_string()).map(click),
        std::cmp::Ordering::Greater => page.button("Prev").or_else(|| page.button("Previous")),
        std::cmp::Ordering::Less => page.button("Next"),
    }
}
