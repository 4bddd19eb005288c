use std::fmt;

use super::super::asking::{first_line, lengths};
use super::super::brackets::unbracketed;

/// Longest line and text of a reply.
const LONGEST: usize = 200;

/// The reply as a grammar in llama.cpp's notation.
pub(super) fn grammar(thought_chars: Option<usize>) -> String {
    let (line, text) = lengths(thought_chars, LONGEST);
    format!(
        r#"root ::= "Summary: " line "\nReason: " line "\nHighlight: " ("none" | number (", " number){{0,5}}) "\nAction: " action
line ::= [^\n]{{1,{line}}}
text ::= [^\n\]]{{1,{text}}}
number ::= [0-9]{{1,4}}
action ::= "click [" number "]" | "type [" number "] [" text "] [" [01] "]" | "select [" number "] [" text "]" | "scroll [" ("up" | "down") "]" | "go_back" | "go_home" | "note [" text "]" | "branch [" number "] [" text "]" | "prune [" number "] [" text "]" | "stop [" text "]"
"#
    )
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub summary: String,
    pub reason: String,
    pub highlight: Vec<u32>,
    pub step: Step,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    Click(u32),
    Type { mark: u32, text: String, enter: bool },
    Select(u32, String),
    Scroll(bool),
    Back,
    Home,
    Note(String),
    Branch(usize, String),
    Prune(usize, String),
    Stop(String),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Click(mark) => write!(f, "click [{mark}]"),
            Self::Type { mark, text, enter } => write!(f, "type [{mark}] [{text}] [{}]", u8::from(*enter)),
            Self::Select(mark, option) => write!(f, "select [{mark}] [{option}]"),
            Self::Scroll(down) => write!(f, "scroll [{}]", if *down { "down" } else { "up" }),
            Self::Back => f.write_str("go_back"),
            Self::Home => f.write_str("go_home"),
            Self::Note(text) => write!(f, "note [{text}]"),
            Self::Branch(node, goal) => write!(f, "branch [{node}] [{goal}]"),
            Self::Prune(node, reason) => write!(f, "prune [{node}] [{reason}]"),
            Self::Stop(answer) => write!(f, "stop [{answer}]"),
        }
    }
}

/// What the reply says, or what is wrong with it, in words for the model. The first action counts.
pub(super) fn parse(reply: &str) -> Result<Said, String> {
    let section = |name: &str| {
        let start = reply.find(&format!("{name}:"))? + name.len() + 1;
        let rest = &reply[start..];
        let end = ["Summary:", "Reason:", "Highlight:", "Action:"]
            .iter()
            .filter_map(|next| rest.find(&format!("\n{next}")))
            .min()
            .unwrap_or(rest.len());
        Some(rest[..end].trim())
    };
    let action = section("Action").filter(|action| !action.is_empty()).ok_or(
        "the reply has no line that begins with `Action:`; write Summary, Reason, Highlight and Action",
    )?;
    let highlight = section("Highlight").unwrap_or_default();
    Ok(Said {
        summary: section("Summary").unwrap_or_default().to_owned(),
        reason: section("Reason").unwrap_or_default().to_owned(),
        highlight: highlight
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect(),
        step: step(action)?,
    })
}

fn step(action: &str) -> Result<Step, String> {
    let end = action.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(action.len());
    let (word, rest) = action.split_at(end);
    let unknown =
        || format!("`{}` is not one of the actions, or not written as they are", first_line(action));
    let rest = rest.trim();
    match word.to_ascii_lowercase().as_str() {
        // What was found out may have brackets of its own.
        "stop" => return Ok(Step::Stop(unbracketed(rest).to_owned())),
        "note" if !rest.is_empty() => return Ok(Step::Note(unbracketed(rest).to_owned())),
        "go_back" => return Ok(Step::Back),
        "go_home" => return Ok(Step::Home),
        _ => {}
    }
    let (first, rest) = bracketed(rest).ok_or_else(unknown)?;
    let number = || first.parse::<u32>().map_err(|_| format!("`{first}` is not the number of an element"));
    let node = || first.parse::<usize>().map_err(|_| format!("`{first}` is not the number of a plan"));
    Ok(match word.to_ascii_lowercase().as_str() {
        "click" => Step::Click(number()?),
        "type" => {
            let (text, enter) = match rest.trim().strip_suffix("[1]").map(|text| (text, true)) {
                Some(entered) => entered,
                None => (rest.trim().strip_suffix("[0]").unwrap_or(rest), false),
            };
            Step::Type { mark: number()?, text: unbracketed(text).to_owned(), enter }
        }
        "select" => Step::Select(number()?, unbracketed(rest).to_owned()),
        "scroll" => Step::Scroll(match first.to_ascii_lowercase().as_str() {
            "down" => true,
            "up" => false,
            other => return Err(format!("`{other}` is not up or down")),
        }),
        "branch" => Step::Branch(node()?, unbracketed(rest).to_owned()),
        "prune" => Step::Prune(node()?, unbracketed(rest).to_owned()),
        _ => return Err(unknown()),
    })
}

/// The content of the first brackets, and what follows; a single word needs none.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix('[') {
        Some(inside) => inside.split_once(']').map(|(first, rest)| (first.trim(), rest)),
        None if text.is_empty() => None,
        None => Some(text.split_once(char::is_whitespace).unwrap_or((text, ""))),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_whole_reply_is_read() {
        let reply = "Summary: on the shop\nReason: the lamp\nis there\nHighlight: 3, [12]\nAction: type [12] [desk [red] lamp] [1]\nAction: click [3]";
        let said = parse(reply).expect("readable");
        assert_eq!(said.highlight, [3, 12]);
        assert_eq!((said.summary.as_str(), said.reason.as_str()), ("on the shop", "the lamp\nis there"));
        assert_eq!(said.step, Step::Type { mark: 12, text: "desk [red] lamp".to_owned(), enter: true });
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (action, reason) in [
            ("", "no line that begins with `Action:`"),
            ("fly [3]", "not one of the actions"),
            ("click", "not one of the actions"),
            ("click [the button]", "not the number of an element"),
            ("branch [x] [y]", "not the number of a plan"),
            ("scroll [sideways]", "not up or down"),
        ] {
            let error = parse(&format!("Reason: r\nAction: {action}")).expect_err(action);
            assert!(error.contains(reason), "{action}: {error}");
        }
        for (action, step) in [
            ("click 3", Step::Click(3)),
            (
                "stop [{\"status\": \"SUCCESS\", \"results\": [1]}]",
                Step::Stop("{\"status\": \"SUCCESS\", \"results\": [1]}".to_owned()),
            ),
            ("stop", Step::Stop(String::new())),
            ("GO_BACK", Step::Back),
            ("type [2] [] [0]", Step::Type { mark: 2, text: String::new(), enter: false }),
        ] {
            assert_eq!(parse(&format!("Action: {action}")).expect(action).step, step);
        }
    }

    fn plain() -> impl Strategy<Value = String> {
        "[a-z]([a-z ]{0,18}[a-z])?"
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(number in 0..9999_u32, text in plain(), enter: bool, kind in 0..9_u8) {
            let step = match kind {
                0 => Step::Click(number),
                1 => Step::Type { mark: number, text, enter },
                2 => Step::Select(number, text),
                3 => Step::Scroll(enter),
                4 => Step::Back,
                5 => Step::Note(text),
                6 => Step::Branch(number as usize, text),
                7 => Step::Prune(number as usize, text),
                _ => Step::Stop(text),
            };
            prop_assert_eq!(parse(&format!("Action: {step}")).expect("readable").step, step);
        }

        #[test]
        fn no_reply_makes_it_panic(reply in "(Action:|Highlight:|\\[|\\]|[a-z0-9]| |\n){0,40}") {
            let _ = parse(&reply);
        }
    }
}
