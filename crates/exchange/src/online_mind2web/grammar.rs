//! Actions as this benchmark writes them: `target -> VERB -> description | STATUS`.
//!
//! Our own actions go out with their text form as the description, so that they come back as they were. Everybody
//! else's stay in their own words; only where they landed is read out of them.

use std::sync::LazyLock;

use regex::Regex;
use umpire_model::{Action, Rect, ScrollArea, Target};

use crate::finished::{Act, What};

const COMPLETE: &str = "TASK_COMPLETE";
const ANSWER: &str = "TASK_COMPLETE -> ANSWER:";

/// One entry of the action history.
#[derive(Debug, PartialEq)]
pub(super) struct Read {
    pub act: Act,
    /// Whether the agent said that it is done.
    pub completes: bool,
    pub answer: Option<String>,
    /// `SUCCESS` or `FAILED`, as the text ends.
    pub status: Option<&'static str>,
}

pub(super) fn read(text: &str) -> Read {
    let (plain, status) = without_status(text);
    if plain.starts_with(COMPLETE) {
        let answer = plain.strip_prefix(ANSWER).map(|answer| answer.trim().to_owned());
        let act = match &answer {
            Some(answer) => Act::ours(Action::Answer(answer.clone())),
            None => Act::foreign(text, false),
        };
        return Read { act, completes: true, answer, status };
    }
    // Names and texts in an action may hold arrows of their own: the one that gives the same line again is the action.
    let own = plain.match_indices(" -> ").find_map(|(at, arrow)| {
        let action = plain[at + arrow.len()..].parse::<Action>().ok()?;
        (written(&action) == plain).then_some(action)
    });
    let what = match own {
        Some(action) => What::Ours(action),
        None => What::Foreign { text: text.to_owned(), counted: is_counted(plain) },
    };
    let error = (status == Some("FAILED")).then(|| "FAILED".to_owned());
    let act = Act { what, at: place(plain), error, took_ms: 0 };
    Read { act, completes: false, answer: None, status }
}

/// An action of ours, without its status.
pub(super) fn written(action: &Action) -> String {
    let at = |target: &Target| match target {
        Target::Point { x, y } => format!("coords({x}, {y})"),
        other => other.to_string(),
    };
    let page = || "page".to_owned();
    // What the grammar has no verb for goes under the nearest one; the description says what it was.
    let (target, verb) = match action {
        Action::Answer(answer) => return format!("{ANSWER} {answer}"),
        Action::Click(target) | Action::Drag(target, _) => (at(target), "CLICK"),
        Action::Hover(target) => (at(target), "HOVER"),
        Action::Type(target, _) => (at(target), "TYPE"),
        Action::Select(target, _) | Action::Upload(target, _) => (at(target), "SELECT"),
        Action::Scroll(ScrollArea::Element(target), _) => (at(target), "SCROLL"),
        Action::Scroll(..) | Action::ScrollBy { .. } | Action::ScrollToText(_) | Action::ScrollToEnd => {
            (page(), "SCROLL")
        }
        Action::Press(_) => (page(), "PRESS_KEY"),
        Action::GoTo(_) | Action::OpenTab(_) | Action::SwitchTab(_) | Action::CloseTab => {
            (page(), "NAVIGATE")
        }
        Action::Back => (page(), "GO_BACK"),
        Action::Forward => (page(), "GO_FORWARD"),
        Action::WaitFor { target, .. } => (at(target), "WAIT"),
        Action::Wait { .. } | Action::Save(_) => (page(), "WAIT"),
    };
    format!("{target} -> {verb} -> {action}")
}

/// The last entry of an attempt that gave no answer.
pub(super) fn completed_without_answer(why: &str) -> String {
    format!("{COMPLETE} -> no answer: {why}")
}

pub(super) fn with_status(text: &str, failed: bool) -> String {
    format!("{text} | {}", if failed { "FAILED" } else { "SUCCESS" })
}

pub(super) fn without_status(text: &str) -> (&str, Option<&'static str>) {
    for status in ["SUCCESS", "FAILED"] {
        if let Some(plain) = text.trim_end().strip_suffix(status)
            && let Some(plain) = plain.trim_end().strip_suffix('|')
        {
            return (plain.trim_end(), Some(status));
        }
    }
    (text.trim_end(), None)
}

/// Scrolling and waiting are free, in either of the benchmark's grammars.
fn is_counted(text: &str) -> bool {
    let words = || text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_call = text.starts_with("scroll(") || text.starts_with("wait(");
    let verb = words().find(|word| VERBS.contains(word));
    !is_call && !matches!(verb, Some("SCROLL" | "WAIT"))
}

const VERBS: [&str; 11] = [
    "NAVIGATE",
    "CLICK",
    "TYPE",
    "SCROLL",
    "HOVER",
    "WAIT",
    "PRESS_KEY",
    "SELECT",
    "GO_BACK",
    "GO_FORWARD",
    "REFRESH",
];

/// Where an action landed, if its text says so.
fn place(text: &str) -> Option<Rect> {
    static COORDINATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?:\bcoords\(|_at\(x=)\s*(-?\d{1,6}(?:\.\d{1,6})?)\s*,\s*(?:y=)?\s*(-?\d{1,6}(?:\.\d{1,6})?)",
        )
        .ok()
    });
    let found = COORDINATES.as_ref()?.captures(text)?;
    let number = |index: usize| found.get(index)?.as_str().parse::<f64>().ok();
    Some(Rect { x: number(1)?, y: number(2)?, width: 0.0, height: 0.0 })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_of_the_benchmarks_grammars_are_understood() {
        // The forms are those of the released schema's description and example.
        let at = |x: f64, y: f64| Some(Rect { x, y, width: 0.0, height: 0.0 });
        for (text, place, status, counted) in [
            ("coords(902, 204) -> CLICK -> open the menu | SUCCESS", at(902.0, 204.0), Some("SUCCESS"), true),
            ("CLICK coords(502, 345) -> retry | FAILED", at(502.0, 345.0), Some("FAILED"), true),
            ("page -> SCROLL -> further down | SUCCESS", None, Some("SUCCESS"), false),
            ("page -> WAIT -> for the list", None, None, false),
            ("page -> NAVIGATE -> Initial navigation to the provided URL", None, None, true),
            ("TYPE [data-blink-ref='00000v'] -> search | SUCCESS", None, Some("SUCCESS"), true),
            ("click_at(x=10, y=20.5)", at(10.0, 20.5), None, true),
            ("scroll(direction=down, amount=3)", None, None, false),
            ("wait(ms=500)", None, None, false),
            ("<button> -> CLICK", None, None, true),
        ] {
            let read = read(text);
            assert_eq!((read.act.at, read.status, read.act.is_counted()), (place, status, counted), "{text}");
            assert_eq!(read.act.what, What::Foreign { text: text.to_owned(), counted }, "{text}");
            assert_eq!(read.act.error.is_some(), status == Some("FAILED"), "{text}");
        }
    }

    #[test]
    fn completion_carries_the_answer() {
        let read = read("TASK_COMPLETE -> ANSWER:  42 | of them ");
        assert_eq!((read.completes, read.answer.as_deref()), (true, Some("42 | of them")));
        let silent = super::read("TASK_COMPLETE");
        assert_eq!((silent.completes, silent.answer), (true, None));
    }

    #[test]
    fn our_actions_come_back_as_they_were() {
        for text in [
            "click [12]",
            "type textbox \"Search\" \"a -> b | FAILED\"",
            "drag (1,2.5) to [3]",
            "upload [3] \"cv.pdf\" \"b.pdf\"",
            "scroll popup down",
            "scroll [7] left",
            "goto \"http://shop.localhost/\"",
            "tab 2",
            "back",
            "wait 1500ms",
            "press \"Control+a\"",
        ] {
            let action: Action = text.parse().expect(text);
            for failed in [false, true] {
                let read = read(&with_status(&written(&action), failed));
                assert_eq!(read.act.what, What::Ours(action.clone()), "{text}");
                assert_eq!(read.act.error.is_some(), failed, "{text}");
            }
        }
        // A description that only looks like one of ours says something else than its verb.
        assert!(matches!(read("page -> CLICK -> back").act.what, What::Foreign { .. }));
    }

    proptest! {
        #[test]
        fn every_action_is_kept(text in "\\PC*( -> |coords\\(|\\| FAILED|TASK_COMPLETE)?\\PC*") {
            let read = read(&text);
            if let What::Foreign { text: kept, .. } = &read.act.what {
                prop_assert_eq!(kept, &text);
            }
        }

        #[test]
        fn texts_of_our_actions_come_back(name in any::<String>(), typed in any::<String>(), failed in any::<bool>()) {
            let action = Action::Type(Target::named("textbox", &name), typed);
            let read = read(&with_status(&written(&action), failed));
            prop_assert_eq!(read.act.what, What::Ours(action));
        }
    }
}
