//! Looking for something behind tabs, sections, folders and pages of results.

use umpire_browser::Element;
use umpire_model::Action;

use super::page::{Page, click};

/// Results on one page of the search engine.
const RESULTS: usize = 3;

pub(super) fn rule(page: &Page<'_>) -> Option<Action> {
    let sentence = page.sentence;
    let quoted = sentence.quoted();
    if sentence.begins("Expand the section below and click submit") {
        return next_unopened(page, |element| element.role == "tab").or_else(|| page.submit());
    }
    if sentence.begins("Expand the sections below, to find") {
        return linked(page, quoted.first()?)
            .or_else(|| next_unopened(page, |element| element.role == "tab"));
    }
    if sentence.begins("Switch between the tabs") {
        let is_number = |name: &str| name.trim_start_matches("Tab #").parse::<u32>().is_ok();
        let tab = |element: &Element| is_number(&element.name);
        return linked(page, quoted.first()?).or_else(|| next_unopened(page, tab));
    }
    if sentence.begins("Navigate through the file tree") {
        return in_tree(page, quoted.first()?);
    }
    if sentence.begins("Use the textbox to enter ") && sentence.has("search result") {
        return search_result(page, quoted.first()?, *sentence.ordinals().last()?);
    }
    if sentence.begins("Click the \"Menu\" button") {
        return in_menu(page, quoted.get(1)?);
    }
    None
}

fn linked(page: &Page<'_>, name: &str) -> Option<Action> {
    page.named(name).map(click)
}

fn next_unopened(page: &Page<'_>, is_one: impl Fn(&Element) -> bool) -> Option<Action> {
    page.elements
        .iter()
        .filter(|element| element.visible && is_one(element))
        .find_map(|one| page.once(click(one)))
}

fn in_tree(page: &Page<'_>, name: &str) -> Option<Action> {
    linked(page, name).or_else(|| next_unopened(page, |element| element.name.is_empty()))
}

fn search_result(page: &Page<'_>, query: &str, place: usize) -> Option<Action> {
    let field = *page.fields().first()?;
    if let Some(typing) = page.fill(field, query) {
        return Some(typing);
    }
    let search = page.button("Search")?;
    if !page.did(&search) {
        return Some(search);
    }
    let number = ((place - 1) / RESULTS + 1).to_string();
    let turn = page.elements.iter().find(|element| element.name == number).map(click);
    if number != "1" && turn.as_ref().is_some_and(|turn| !page.did(turn)) {
        return turn;
    }
    let results = page.elements.iter().filter(|element| element.role == "link" && is_title(&element.name));
    results.into_iter().nth((place - 1) % RESULTS).map(click)
}

/// Titles are words; the links to other pages are numbers and arrows.
fn is_title(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_alphabetic)
}

fn in_menu(page: &Page<'_>, name: &str) -> Option<Action> {
    if let Some(found) = linked(page, name) {
        return Some(found);
    }
    match page.named("Menu") {
        Some(menu) if !page.did(&click(menu)) => Some(click(menu)),
        _ => page.named("Playback").map(|item| Action::Hover(super::page::at(item))),
    }
}
