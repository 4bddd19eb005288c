//! Rules as examples: a sentence, a page, and what is done next.

use umpire_browser::Observation;
use umpire_model::TaskKind;

use super::Scripted;
use crate::sample::{Page, decide, task};

/// What the agent does, look after look.
fn actions(sentence: &str, pages: &[Observation]) -> Vec<String> {
    let task = task(TaskKind::Mutate, sentence);
    let mut agent = Scripted::default();
    let decided =
        |(seen, step)| decide(&mut agent, &task, seen, step, None).expect("a rule").action.to_string();
    pages.iter().zip(1..).map(decided).collect()
}

fn page() -> Page {
    Page::at("http://miniwob.localhost/miniwob/any.html")
}

#[test]
fn a_named_button_is_clicked_whatever_else_there_is() {
    let seen = page().with("button", "ok").with("button", "Ok").seen();
    assert_eq!(actions("Click on the \"Ok\" button.", &[seen]), ["click [2]"]);
}

#[test]
fn boxes_are_ticked_until_they_are_as_said_and_then_sent() {
    let form = |first: bool, third: bool| {
        let tick = |checked: bool| {
            move |element: &mut umpire_browser::Element| element.state.checked = Some(checked)
        };
        page()
            .with_element("checkbox", "ab", tick(first))
            .with_element("checkbox", "cd", tick(false))
            .with_element("checkbox", "ef", tick(third))
            .with("button", "Submit")
            .seen()
    };
    let pages = [form(false, false), form(true, false), form(true, true)];
    assert_eq!(actions("Select ab, ef and click Submit.", &pages), ["click [1]", "click [3]", "click [4]"]);
}

#[test]
fn what_a_password_field_holds_is_remembered() {
    let form = || {
        let field = |element: &mut umpire_browser::Element| "input".clone_into(&mut element.tag);
        page()
            .with_element("textbox", "", field)
            .with_element("textbox", "", field)
            .with("button", "Submit")
            .seen()
    };
    let said = actions(
        "Enter the password \"u7\" into both text fields and press submit.",
        &[form(), form(), form()],
    );
    assert_eq!(said, ["type [1] \"u7\"", "type [2] \"u7\"", "click [3]"]);
}

#[test]
fn links_are_looked_for_behind_tabs() {
    let first = page().with("tab", "Tab #1").with("tab", "Tab #2").seen();
    let second = page().with("tab", "Tab #1").with("tab", "Tab #2").with("generic", "amet").seen();
    let said = actions(
        "Switch between the tabs to find and click on the link \"amet\".",
        &[first.clone(), first, second],
    );
    assert_eq!(said, ["click [1]", "click [2]", "click [3]"]);
}

#[test]
fn sums_are_worked_out_from_what_is_shown() {
    let field = |element: &mut umpire_browser::Element| "input".clone_into(&mut element.tag);
    for (problem, answer) in
        [("3 x 4 =", "12"), ("2 - 9 =", "-7"), ("x - 3 = 10", "13"), ("5 - x = 40", "-35")]
    {
        let outline = format!("- text \"Solve it.\"\n- text \"{problem}\"\n- text \"Last reward: -\"\n");
        let seen = page().with_element("textbox", "", field).outline(&outline).seen();
        assert_eq!(actions("Solve it.", &[seen]), [format!("type [1] \"{answer}\"")]);
    }
}

#[test]
fn guesses_halve_what_is_left() {
    let form = |value: &str, told: &str| {
        let filled = |element: &mut umpire_browser::Element| {
            "input".clone_into(&mut element.tag);
            element.value = Some(value.to_owned());
        };
        page()
            .with_element("spinbutton", "", filled)
            .with("button", "Submit")
            .outline(&format!("- text \"{told}\"\n"))
            .seen()
    };
    let pages = [
        form("", "Waiting for your guess..."),
        form("5", "Waiting for your guess..."),
        form("5", "The number is higher than 5."),
        form("8", "The number is higher than 5."),
        form("8", "The number is lower than 8."),
    ];
    let said = actions("Guess the number between 0-9 and press Submit.", &pages);
    assert_eq!(said, ["type [1] \"5\"", "click [2]", "type [1] \"8\"", "click [2]", "type [1] \"7\""]);
}

#[test]
fn a_task_of_another_kind_is_given_up() {
    let task = task(TaskKind::Mutate, "Drag the cube until its third face shows.");
    let seen = page().with("button", "Submit").seen();
    let mut agent = Scripted::default();
    assert!(decide(&mut agent, &task, &seen, 1, None).is_err());
}
