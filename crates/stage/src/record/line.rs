//! A step in one line, for a person to read.

use crate::session::{ControlState, Deed, Dialogue, Entry, Portrait, Step};

const LONGEST: usize = 60;

pub fn line(step: &Step) -> String {
    let mut text = match &step.deed {
        Deed::Type { text } => format!("type {}", entry(text)),
        Deed::Select { options } => format!("select {}", list(options)),
        Deed::Press { key } => format!("press {key}"),
        Deed::Scroll { x, y } => format!("scroll to {x}, {y}"),
        Deed::Upload { files } => format!("upload {}", list(files)),
        Deed::Drag { to } => format!("drag to {}", element(to)),
        Deed::Goto { url } => format!("go to {}", short(url)),
        Deed::OpenTab { url } => format!("open tab {} at {}", step.tab, short(url)),
        Deed::TabOpened { by, url } => format!("tab {by} opened tab {} at {}", step.tab, short(url)),
        Deed::Dialog(Dialogue { kind, message, accepted, text }) => {
            let answer = match (accepted, text) {
                (true, Some(text)) => entry(text),
                (true, None) => "accepted".to_owned(),
                (false, _) => "dismissed".to_owned(),
            };
            format!("{kind} {}: {answer}", quoted(message))
        }
        Deed::Click { double: true } => "double-click".to_owned(),
        other => other.name().to_owned(),
    };
    if let Some(portrait) = &step.element {
        let link = if matches!(step.deed, Deed::Click { .. } | Deed::Drag { .. }) { "" } else { "in " };
        text = format!("{text} {link}{}", element(portrait));
    }
    if let (Some(before), Some(after)) = (&step.before, &step.after)
        && before != after
        && !matches!(step.deed, Deed::Type { .. })
    {
        text = format!("{text}: {} → {}", state(before), state(after));
    }
    text
}

fn element(portrait: &Portrait) -> String {
    let what = if portrait.role.is_empty() { &portrait.tag } else { &portrait.role };
    let words =
        [Some(portrait.name.as_str()), portrait.words.text.as_deref(), portrait.words.label.as_deref()];
    match words.into_iter().flatten().find(|words| !words.is_empty()) {
        Some(words) => format!("{what} {}", quoted(words)),
        None => what.clone(),
    }
}

fn entry(entry: &Entry) -> String {
    match entry {
        Entry::Text(text) => quoted(text),
        Entry::Secret(reference) => format!("the secret {reference}"),
    }
}

fn state(state: &ControlState) -> String {
    match state {
        ControlState::On => "on".to_owned(),
        ControlState::Off => "off".to_owned(),
        ControlState::Mixed => "mixed".to_owned(),
        ControlState::Chosen(labels) => list(labels),
        ControlState::Text(text) => quoted(text),
        ControlState::Marks(marks) => short(&marks.join(" ")),
    }
}

fn list(texts: &[String]) -> String {
    texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    format!("“{}”", short(text))
}

/// One line of it; pages may write control characters, which a terminal would obey.
fn short(text: &str) -> String {
    let mut clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let head: String = clean.by_ref().take(LONGEST).collect();
    if clean.next().is_some() { format!("{head}…") } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Purpose;

    fn step(deed: Deed, element: Option<Portrait>) -> Step {
        Step {
            at_ms: 0,
            tab: 2,
            url: String::new(),
            frames: Vec::new(),
            deed,
            purpose: Purpose::Way,
            element,
            before: Some(ControlState::Off),
            after: Some(ControlState::On),
            screenshot: None,
        }
    }

    #[test]
    fn steps_read_as_sentences() {
        let named = |role: &str, name: &str| {
            Some(Portrait { role: role.to_owned(), name: name.to_owned(), ..Portrait::default() })
        };
        let secret = Entry::Secret("accounts/hub/password".to_owned());
        let long = "x".repeat(70);
        for (deed, element, expected) in [
            (Deed::Click { double: false }, named("switch", "Ads"), "click switch “Ads”: off → on"),
            (
                Deed::Type { text: secret },
                named("textbox", "Password"),
                "type the secret accounts/hub/password in textbox “Password”",
            ),
            (
                Deed::TabOpened { by: 1, url: "http://a/\u{1b}[2J".to_owned() },
                None,
                "tab 1 opened tab 2 at http://a/ [2J: off → on",
            ),
            (Deed::Goto { url: long.clone() }, None, &format!("go to {}…: off → on", &long[..60])),
        ] {
            assert_eq!(line(&step(deed, element)), expected);
        }
    }
}
