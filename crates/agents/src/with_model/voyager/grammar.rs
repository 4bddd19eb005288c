//! `Thought: … Action: …`, as the released agents write it: brackets are optional, `;` separates.
//!
//! The first action of a reply counts: a model that goes on to imagine the next page has not seen it. The action is read
//! from its first word, never searched for, so that an answer may speak of clicking.

use umpire_model::{Action, Direction, ScrollArea, Target};

use super::super::asking::first_line;
use super::super::brackets::unbracketed;

/// The reply as a grammar in llama.cpp's notation, for servers that hold a model to one.
pub(super) const GRAMMAR: &str = r#"root ::= "Thought: " line "\nAction: " action
line ::= [^\n]{1,300}
text ::= [^\n\]]{0,200}
number ::= [0-9]{1,4}
way ::= "up" | "down" | "left" | "right"
action ::= "Click [" number "]" | "Hover [" number "]" | "Type [" number "]; [" text "]" | "Select [" number "]; [" text "]" | "Scroll [" (number | "WINDOW") "]; [" way "]" | "Scroll_to_end" | "Scroll_within_popup; [" way "]" | "Switch_tab [" text "]" | "Wait" | "GoBack" | "Google" | "ANSWER; " line
"#;

#[derive(Debug, PartialEq)]
pub(super) struct Parsed {
    pub thought: Option<String>,
    pub step: Step,
}

#[derive(Debug, PartialEq)]
pub(super) enum Step {
    Act(Action),
    Wait,
    Search,
    SwitchTab(String),
    Answer(String),
}

/// What the reply says, or what is wrong with it, in words for the model.
pub(super) fn parse(reply: &str) -> Result<Parsed, String> {
    let (before, after) = reply
        .split_once("Action:")
        .ok_or("the reply has no line that begins with `Action:`; write `Thought: …`, then `Action: …`")?;
    let thought = before.split_once("Thought:").map_or(before, |(_, thought)| thought).trim();
    let written = ["Observation:", "Thought:", "Action:"]
        .iter()
        .filter_map(|word| after.find(&format!("\n{word}")))
        .min()
        .map_or(after, |end| &after[..end])
        .trim();
    let step = step(written)?;
    Ok(Parsed { thought: (!thought.is_empty()).then(|| thought.to_owned()), step })
}

fn step(written: &str) -> Result<Step, String> {
    let end = written.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(written.len());
    let (word, rest) = written.split_at(end);
    let rest = rest.trim_start_matches([' ', ':', ';']).trim();
    let act = |action| Ok(Step::Act(action));
    match word.to_ascii_lowercase().as_str() {
        "click" => act(Action::Click(only_number(rest)?)),
        "hover" => act(Action::Hover(only_number(rest)?)),
        "type" => number_and_text(rest).and_then(|(target, text)| act(Action::Type(target, text))),
        "select" => number_and_text(rest).and_then(|(target, text)| act(Action::Select(target, text))),
        "scroll" => {
            let (area, way) = split(rest).ok_or("`Scroll` is written `Scroll [number or WINDOW]; [down]`")?;
            let area = if area.eq_ignore_ascii_case("window") {
                ScrollArea::Window
            } else {
                ScrollArea::Element(number(area)?)
            };
            act(Action::Scroll(area, direction(way)?))
        }
        "scroll_to_end" => act(Action::ScrollToEnd),
        "scroll_within_popup" => act(Action::Scroll(ScrollArea::Popup, direction(rest)?)),
        "switch_tab" if !rest.is_empty() => Ok(Step::SwitchTab(unbracketed(rest).to_owned())),
        "wait" => Ok(Step::Wait),
        "goback" => act(Action::Back),
        "google" => Ok(Step::Search),
        "answer" => Ok(Step::Answer(answer(rest).to_owned())),
        _ => Err(format!("`{}` is not one of the actions, or not written as they are", first_line(written))),
    }
}

/// An answer that is a JSON list keeps its brackets.
fn answer(text: &str) -> &str {
    let is_list = serde_json::from_str::<Vec<serde_json::Value>>(text)
        .is_ok_and(|items| !items.iter().all(serde_json::Value::is_object));
    if is_list { text } else { unbracketed(text) }
}

/// The two halves around the first `;` outside of the first brackets, or around a space.
fn split(text: &str) -> Option<(&str, &str)> {
    let (first, second) = text.split_once(';').or_else(|| text.split_once(char::is_whitespace))?;
    Some((unbracketed(first), second.trim()))
}

fn number(text: &str) -> Result<Target, String> {
    let digits = unbracketed(text);
    digits.parse().map(Target::Mark).map_err(|_| format!("`{digits}` is not the number of an element"))
}

/// A number that stands alone; words after it are the model's own.
fn only_number(text: &str) -> Result<Target, String> {
    let start = text.trim_start_matches('[');
    let end = start.find(|c: char| !c.is_ascii_digit()).unwrap_or(start.len());
    number(&start[..end])
}

fn number_and_text(text: &str) -> Result<(Target, String), String> {
    let (target, content) = split(text).ok_or("write the number, `;`, and the text: `Type [3]; [lamp]`")?;
    let content =
        content.strip_prefix('[').map_or(content, |inside| inside.strip_suffix(']').unwrap_or(inside));
    Ok((number(target)?, content.to_owned()))
}

fn direction(text: &str) -> Result<Direction, String> {
    match unbracketed(text).to_ascii_lowercase().as_str() {
        "up" => Ok(Direction::Up),
        "down" => Ok(Direction::Down),
        "left" => Ok(Direction::Left),
        "right" => Ok(Direction::Right),
        other => Err(format!("`{other}` is not up, down, left or right")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(reply: &str) -> Result<String, String> {
        parse(&format!("Thought: t\nAction: {reply}")).map(|parsed| match parsed.step {
            Step::Act(action) => action.to_string(),
            Step::Wait => "wait".to_owned(),
            Step::Search => "search".to_owned(),
            Step::SwitchTab(url) => format!("tab {url}"),
            Step::Answer(text) => format!("answer {text}"),
        })
    }

    #[test]
    fn actions_in_the_spellings_that_models_use() {
        for (written, read) in [
            ("Click [3]", "click [3]"),
            ("click 3", "click [3]"),
            ("Click [3] to open the menu", "click [3]"),
            ("Hover [12]", "hover [12]"),
            ("Type [4]; [desk lamp]", r#"type [4] "desk lamp""#),
            ("Type [4]; []", r#"type [4] """#),
            ("Type [4]; a [b] c", r#"type [4] "a [b] c""#),
            ("Type 4 lamp", r#"type [4] "lamp""#),
            ("Type [4]; [x; y]", r#"type [4] "x; y""#),
            ("Select [5]; [Medium]", r#"select [5] "Medium""#),
            ("Scroll [WINDOW]; [down]", "scroll window down"),
            ("Scroll WINDOW; up", "scroll window up"),
            ("Scroll [7]; [left]", "scroll [7] left"),
            ("Scroll_to_end", "scroll end"),
            ("Scroll_within_popup; [down]", "scroll popup down"),
            ("Switch_tab [http://shop.localhost/]", "tab http://shop.localhost/"),
            ("Wait", "wait"),
            ("GoBack", "back"),
            ("Google", "search"),
            ("ANSWER; [Click [3] opens it]", "answer Click [3] opens it"),
            ("ANSWER; [14]", "answer [14]"),
            (r#"ANSWER; {"status": "SUCCESS"}"#, r#"answer {"status": "SUCCESS"}"#),
            (r#"ANSWER; [{"status": "SUCCESS"}]"#, r#"answer {"status": "SUCCESS"}"#),
            ("ANSWER", "answer "),
        ] {
            assert_eq!(action(written).as_deref(), Ok(read), "{written}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_how_to_write_it() {
        for (written, reason) in [
            ("Fly home", "not one of the actions"),
            ("", "not one of the actions"),
            ("Click the button", "not the number"),
            ("Click [99999999999]", "not the number"),
            ("Type [x]; [y]", "not the number"),
            ("Type [3]", "write the number"),
            ("Scroll [WINDOW]; [sideways]", "not up, down"),
            ("Klicke [3]", "not one of the actions"),
        ] {
            let error = action(written).expect_err(written);
            assert!(error.contains(reason), "{written}: {error}");
        }
        assert!(parse("I will click the button.").expect_err("no action").contains("begins with `Action:`"));
    }

    #[test]
    fn the_first_action_counts_and_what_was_imagined_after_it_does_not() {
        let reply = "Thought: see the list\nAction: Click [1]\nObservation: it opened\nThought: good\nAction: ANSWER; [yes]";
        let parsed = parse(reply).expect("readable");
        assert_eq!(parsed.step, Step::Act(Action::Click(Target::Mark(1))));
        assert_eq!(parsed.thought.as_deref(), Some("see the list"));
    }

    #[test]
    fn a_tab_is_found_by_its_url_or_its_place() {
        use super::super::tab_with;
        let mut seen = crate::unseen();
        for url in ["http://a.localhost/x/y", "http://www.b.localhost/list?q=1", "http://a.localhost/x"] {
            let (id, title) = (String::new(), String::new());
            seen.tabs.push(umpire_model::Tab { id, url: url.to_owned(), title, active: false });
        }
        for (url, number) in [
            ("http://a.localhost/x", Some(3)),
            ("https://a.localhost/x/y/z", Some(1)),
            ("b.localhost/list", Some(2)),
            ("http://c.localhost/", None),
        ] {
            assert_eq!(tab_with(&seen, url), number, "{url}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_reply_makes_it_panic(reply in ".{0,200}") {
            let _ = parse(&reply);
            let _ = parse(&format!("Action: {reply}"));
        }
    }
}
