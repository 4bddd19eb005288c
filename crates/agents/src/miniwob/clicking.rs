//! Clicking what the sentence names.

use umpire_browser::Element;
use umpire_model::Action;

use super::page::{Page, click};

pub(super) fn rule(page: &Page<'_>) -> Option<Action> {
    let sentence = page.sentence;
    let quoted = sentence.quoted();
    if sentence.begins("Click the button.") {
        return page.of_role("button").next().map(click);
    }
    if sentence.begins("Click button ONE, then click button TWO") {
        let one = page.button("ONE")?;
        return if page.did(&one) { page.button("TWO") } else { Some(one) };
    }
    if let Some(name) = sentence.between("Click button ", ".") {
        return page.button(name);
    }
    if let Some(name) = sentence.between("Click on Tab ", ".") {
        return page.named(&format!("Tab {name}")).map(click);
    }
    if sentence.has("dialog box") {
        // The cross of a dialog is a picture; its name is what it does.
        let name = *quoted.first()?;
        return if name == "x" { page.button("Close") } else { page.named(name).map(click) };
    }
    if sentence.begins("Click on a \"") && sentence.has("\" widget") {
        return page.elements.iter().find(|element| is_widget(element, quoted.first())).map(click);
    }
    if sentence.begins("Click on the \"") || sentence.begins("Click on the link \"") {
        return page.named(quoted.first()?).map(click);
    }
    None
}

fn is_widget(element: &Element, kind: Option<&&str>) -> bool {
    match kind {
        Some(&"text") => element.tag == "input" && element.role == "textbox",
        Some(&"textarea") => element.tag == "textarea",
        Some(&kind) => element.role == kind,
        None => false,
    }
}
