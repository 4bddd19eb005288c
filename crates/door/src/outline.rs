//! The outline read back, so that it can be written in other manners.

use umpire_browser::Observation;

/// A line of the outline: `  - textbox "Search" = "lamp" (focused)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line<'o> {
    pub depth: usize,
    /// `text` where a text stands by itself.
    pub role: &'o str,
    pub name: String,
    pub value: Option<String>,
    /// As they are written, without their brackets.
    pub states: Vec<&'o str>,
    /// The text of a line that holds nothing else.
    pub text: Option<String>,
    pub mark: Option<u32>,
}

pub(crate) fn lines(seen: &Observation) -> Vec<Line<'_>> {
    let mut marks = seen.outline_marks.iter().peekable();
    let numbered = seen.outline.lines().enumerate();
    numbered
        .map(|(number, written)| {
            let mark = marks.next_if(|(at, _)| *at == number).map(|(_, mark)| *mark);
            Line { mark, ..read(written) }
        })
        .collect()
}

fn read(written: &str) -> Line<'_> {
    let inner = written.trim_start_matches(' ');
    let depth = (written.len() - inner.len()) / 2;
    // The remark at the end of an outline that was cut is told as a text.
    let Some(mut rest) = inner.strip_prefix("- ") else {
        return Line { depth, role: "text", name: inner.to_owned(), ..Line::default() };
    };
    let end = rest.find([' ', ':']).unwrap_or(rest.len());
    let mut line = Line { depth, role: &rest[..end], ..Line::default() };
    rest = &rest[end..];
    while !rest.is_empty() {
        if let Some((text, behind)) = rest.strip_prefix(": ").and_then(quoted) {
            line.text = Some(text);
            rest = behind;
        } else if let Some((value, behind)) = rest.strip_prefix(" = ").and_then(quoted) {
            line.value = Some(value);
            rest = behind;
        } else if let Some((state, behind)) = rest.strip_prefix(" (").and_then(|rest| rest.split_once(')')) {
            line.states.push(state);
            rest = behind;
        } else if let Some((name, behind)) = rest.strip_prefix(' ').and_then(quoted) {
            line.name = name;
            rest = behind;
        } else {
            break;
        }
    }
    line
}

/// The JSON string at the beginning, and what is behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let value = values.next()?.ok()?;
    Some((value, &text[values.byte_offset()..]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_are_read_as_they_were_meant() {
        let full = read(r#"    - textbox "Se (x) arch" = "a = \"b\"" (focused) (level 2): "t""#);
        let expected = Line {
            depth: 2,
            role: "textbox",
            name: "Se (x) arch".to_owned(),
            value: Some("a = \"b\"".to_owned()),
            states: vec!["focused", "level 2"],
            text: Some("t".to_owned()),
            mark: None,
        };
        assert_eq!(full, expected);
        assert_eq!(read("- list"), Line { role: "list", ..Line::default() });
        let item = Line { role: "listitem", text: Some("24.99".to_owned()), ..Line::default() };
        assert_eq!(read("- listitem: \"24.99\""), item);
    }

    proptest! {
        #[test]
        fn names_and_values_survive_and_nothing_breaks(name in ".{1,40}", value in ".{0,40}", noise in ".{0,60}") {
            let json = |text: &str| serde_json::to_string(text).expect("JSON");
            let written = format!("- button {} = {} (disabled)", json(&name), json(&value));
            let line = read(&written);
            prop_assert_eq!((line.name, line.value, line.states), (name, Some(value), vec!["disabled"]));
            let _ = read(&noise);
        }
    }
}
