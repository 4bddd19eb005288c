//! The page as text, in the manners that foreign agents know, with the marks they act by.

use std::collections::HashSet;
use std::fmt::Write as _;

use umpire_browser::{Element, Observation};

use crate::outline::{Line, lines};

/// The accessibility tree as BrowserGym flattens it: a tab a level, `[12] button 'Save', disabled`.
pub(crate) fn axtree(seen: &Observation) -> String {
    let mut text = format!("RootWebArea {}\n", python_text(&seen.title));
    for line in lines(seen) {
        text.extend(std::iter::repeat_n('\t', line.depth + 1));
        if let Some(mark) = line.mark {
            let _ = write!(text, "[{mark}] ");
        }
        let role = if line.role == "text" { "StaticText" } else { line.role };
        let said = if line.name.is_empty() { line.text.as_deref().unwrap_or_default() } else { &line.name };
        let _ = write!(text, "{role} {}", python_text(said));
        if let Some(value) = &line.value {
            let _ = write!(text, ", value={}", python_text(value));
        }
        for state in line.states.iter().filter_map(|state| python_state(state)) {
            let _ = write!(text, ", {state}");
        }
        text.push('\n');
    }
    for element in unlisted(seen) {
        let _ =
            writeln!(text, "\t[{}] {} {}, clickable", element.mark, element.role, python_text(&element.name));
    }
    text
}

fn python_state(state: &str) -> Option<String> {
    Some(match state {
        "checked" => "checked='true'".to_owned(),
        "unchecked" => "checked='false'".to_owned(),
        "selected" => "selected=True".to_owned(),
        "unselected" => "selected=False".to_owned(),
        "expanded" => "expanded=True".to_owned(),
        "collapsed" => "expanded=False".to_owned(),
        "disabled" => "disabled=True".to_owned(),
        "focused" => "focused".to_owned(),
        other => format!("level={}", other.strip_prefix("level ")?),
    })
}

/// In the quotes of Python's `repr`.
fn python_text(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    quoted.push(quote);
    for c in text.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\\' => quoted.push_str("\\\\"),
            c if c == quote => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\x{:02x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push(quote);
    quoted
}

/// The page in the manner of Playwright's aria snapshot: `- button "Save" [disabled] [ref=e12]`.
pub(crate) fn aria(seen: &Observation) -> String {
    let mut text = String::new();
    let lines = lines(seen);
    for (place, line) in lines.iter().enumerate() {
        let has_children = lines.get(place + 1).is_some_and(|next| next.depth > line.depth);
        text.extend(std::iter::repeat_n("  ", line.depth));
        aria_line(&mut text, line, has_children);
    }
    for element in unlisted(seen) {
        let role = if element.role.is_empty() { "generic" } else { &element.role };
        let _ = writeln!(text, "- {role} {} [ref=e{}]", yaml_text(&element.name, true), element.mark);
    }
    text
}

fn aria_line(text: &mut String, line: &Line<'_>, has_children: bool) {
    if line.role == "text" {
        let _ = writeln!(text, "- text: {}", yaml_text(&line.name, false));
        return;
    }
    let _ = write!(text, "- {}", line.role);
    if !line.name.is_empty() {
        let _ = write!(text, " {}", yaml_text(&line.name, true));
    }
    for state in line.states.iter().filter_map(|state| aria_state(state)) {
        let _ = write!(text, " [{state}]");
    }
    if let Some(mark) = line.mark {
        let _ = write!(text, " [ref=e{mark}]");
    }
    match line.value.as_ref().or(line.text.as_ref()) {
        Some(content) => {
            let _ = write!(text, ": {}", yaml_text(content, false));
        }
        None if has_children => text.push(':'),
        None => {}
    }
    text.push('\n');
}

/// A state that stands in a snapshot; what is off is not told there.
fn aria_state(state: &str) -> Option<String> {
    match state {
        "checked" | "selected" | "expanded" | "disabled" => Some(state.to_owned()),
        "focused" => Some("active".to_owned()),
        other => other.strip_prefix("level ").map(|level| format!("level={level}")),
    }
}

/// A scalar that no reader of YAML takes for anything else. Names are always quoted.
fn yaml_text(text: &str, always_quoted: bool) -> String {
    let is_plain = text.starts_with(|c: char| c.is_alphanumeric())
        && text.chars().all(|c| c.is_alphanumeric() || " .,;!?$€£%/()+-'".contains(c))
        && !text.ends_with(' ')
        && text.parse::<f64>().is_err();
    if is_plain && !always_quoted { text.to_owned() } else { serde_json::to_string(text).unwrap_or_default() }
}

/// Elements that no line of the outline stands for, such as a box that only listens for clicks.
fn unlisted(seen: &Observation) -> impl Iterator<Item = &Element> {
    let listed: HashSet<u32> = seen.outline_marks.iter().map(|(_, mark)| *mark).collect();
    seen.elements.iter().filter(move |element| !listed.contains(&element.mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::page;

    fn seen() -> Observation {
        let elements =
            [("link", "Desk \"lamp\""), ("textbox", "Search"), ("checkbox", "It's new"), ("generic", "Card")];
        let outline = r#"- heading "Lamps" (level 1)
- list
  - listitem: "24.99 EUR"
- text "3.5"
- link "Desk \"lamp\""
- textbox "Search" = "a: b" (focused)
- checkbox "It's new" (checked) (disabled)
… the rest of the page is left out
"#;
        Observation {
            outline: outline.to_owned(),
            // The card is clickable, but no line stands for it.
            outline_marks: vec![(4, 1), (5, 2), (6, 3)],
            ..page(&elements, |_| {})
        }
    }

    /// The manner of Playwright 1.5x's `ariaSnapshot` with refs: attributes in brackets, content after a colon.
    #[test]
    fn snapshots_read_as_playwrights_do() {
        let expected = r#"- heading "Lamps" [level=1]
- list:
  - listitem: 24.99 EUR
- text: "3.5"
- link "Desk \"lamp\"" [ref=e1]
- textbox "Search" [active] [ref=e2]: "a: b"
- checkbox "It's new" [checked] [disabled] [ref=e3]
- text: "… the rest of the page is left out"
- generic "Card" [ref=e4]
"#;
        assert_eq!(aria(&seen()), expected);
    }

    #[test]
    fn trees_read_as_browsergyms_do() {
        let expected = "RootWebArea 'Shop'
\theading 'Lamps', level=1
\tlist ''
\t\tlistitem '24.99 EUR'
\tStaticText '3.5'
\t[1] link 'Desk \"lamp\"'
\t[2] textbox 'Search', value='a: b', focused
\t[3] checkbox \"It's new\", checked='true', disabled=True
\tStaticText '… the rest of the page is left out'
\t[4] generic 'Card', clickable
";
        assert_eq!(axtree(&seen()), expected);
    }
}
