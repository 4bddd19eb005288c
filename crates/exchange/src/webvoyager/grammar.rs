//! `Thought: … Action: …`, and the actions: `Click [5]`, `Type [5]; [text]`, `Scroll [WINDOW]; [down]`, `ANSWER; [text]`.

use std::sync::LazyLock;

use regex::Regex;
use umpire_model::{Action, Direction, ScrollArea, Target};

use crate::finished::Act;

#[derive(Debug, PartialEq)]
pub(super) struct Read {
    pub act: Act,
    pub answer: Option<String>,
}

/// The task and the start page out of the first message.
pub(super) fn task(message: &str) -> Option<(String, Option<String>)> {
    let (_, rest) = message.split_once("Now given a task:")?;
    let (intent, rest) = rest.split_once("Please interact with").unwrap_or((rest, ""));
    let url = rest.split_whitespace().next().filter(|word| word.contains("://")).map(str::to_owned);
    Some((intent.trim().to_owned(), url))
}

/// Thought and action of a reply. A reply without an action is all thought.
pub(super) fn split(reply: &str) -> (Option<String>, Option<String>) {
    let (before, action) = match reply.split_once("Action:") {
        Some((before, action)) => (before, Some(action.trim().to_owned())),
        None => (reply, None),
    };
    let thought = before.split_once("Thought:").map_or(before, |(_, thought)| thought).trim();
    ((!thought.is_empty()).then(|| thought.to_owned()), action)
}

/// Only what says the same as one of ours is read as such. WebVoyager's own typing presses Enter as well, which ours
/// does not; how long `Wait` waits is not told.
pub(super) fn read(text: &str, types_press_enter: bool) -> Read {
    let ours = ours(text, types_press_enter);
    let answer = match &ours {
        Some(Action::Answer(answer)) => Some(answer.clone()),
        _ => None,
    };
    let act = ours.map_or_else(
        || {
            let verb = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
            Act::foreign(text, !["scroll", "wait"].iter().any(|free| verb.eq_ignore_ascii_case(free)))
        },
        Act::ours,
    );
    Read { act, answer }
}

fn ours(text: &str, types_press_enter: bool) -> Option<Action> {
    static ANSWER: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?s)^ANSWER;?\s*(?:\[(.*)\]|(.*))$").ok());
    static AIMED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?s)^(\w+)\s*\[(\w+)\](?:;\s*\[(.*)\])?$").ok());
    let text = text.trim();
    if let Some(found) = ANSWER.as_ref()?.captures(text) {
        let answer = found.get(1).or(found.get(2))?.as_str().trim();
        return Some(Action::Answer(answer.to_owned()));
    }
    if text.eq_ignore_ascii_case("goback") {
        return Some(Action::Back);
    }
    let found = AIMED.as_ref()?.captures(text)?;
    let (verb, aim) = (found.get(1)?.as_str().to_lowercase(), found.get(2)?.as_str());
    let words = found.get(3).map(|words| words.as_str());
    let mark = || aim.parse().ok().map(Target::Mark);
    match (verb.as_str(), words) {
        ("click", None) => Some(Action::Click(mark()?)),
        ("hover", None) => Some(Action::Hover(mark()?)),
        ("type", Some(words)) if !types_press_enter => Some(Action::Type(mark()?, words.to_owned())),
        ("scroll", Some(words)) => {
            let direction = match words.trim().to_lowercase().as_str() {
                "up" => Direction::Up,
                "down" => Direction::Down,
                _ => return None,
            };
            let area = if aim.eq_ignore_ascii_case("window") {
                ScrollArea::Window
            } else {
                ScrollArea::Element(mark()?)
            };
            Some(Action::Scroll(area, direction))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finished::What;

    #[test]
    fn actions_of_the_released_prompt_are_read() {
        // As WebVoyager's prompt lists them; the second column is ours, or none where ours says less.
        for (text, ours) in [
            ("Click [5]", Some("click [5]")),
            ("Hover [12]", Some("hover [12]")),
            ("Type [3]; [red lamp]", None),
            ("Scroll [WINDOW]; [down]", Some("scroll window down")),
            ("Scroll [7]; [up]", Some("scroll [7] up")),
            ("Wait", None),
            ("GoBack", Some("back")),
            ("Google", None),
            ("ANSWER; [It costs $5 [net].]", Some("answer \"It costs $5 [net].\"")),
            ("ANSWER; It costs $5.", Some("answer \"It costs $5.\"")),
            ("Click [99999999999]", None),
            ("", None),
        ] {
            let read = read(text, true);
            match ours {
                Some(ours) => assert_eq!(read.act.what, What::Ours(ours.parse().expect(ours)), "{text}"),
                None => assert!(
                    matches!(&read.act.what, What::Foreign { text: kept, .. } if kept == text),
                    "{text}"
                ),
            }
        }
        assert_eq!(
            read("Type [3]; [a]", false).act.what,
            What::Ours("type [3] \"a\"".parse().expect("one of ours"))
        );
        assert!(!read("Wait", true).act.is_counted() && read("Google", true).act.is_counted());
    }

    #[test]
    fn replies_and_first_messages_are_taken_apart() {
        assert_eq!(
            split("Thought: look at it.\nAction: Click [5]"),
            (Some("look at it.".to_owned()), Some("Click [5]".to_owned()))
        );
        assert_eq!(split("I am lost"), (Some("I am lost".to_owned()), None));
        assert_eq!(
            task(
                "Now given a task: Find a lamp.  Please interact with https://shop.example/ and get the answer. \n"
            ),
            Some(("Find a lamp.".to_owned(), Some("https://shop.example/".to_owned())))
        );
        assert_eq!(task("Observation: nothing"), None);
    }
}
