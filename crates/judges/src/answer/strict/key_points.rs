use std::sync::LazyLock;

use regex::Regex;

use crate::answer::Unread;

/// The key points of a task: the items of the answer's list. Headings, introductions and afterthoughts are none.
///
/// What is indented under an item belongs to it.
pub fn key_points(answer: &str) -> Result<Vec<String>, Unread> {
    static ITEM: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?P<indent>[ \t]*)(?:[0-9]{1,3}[.)]|[-*+•])[ \t]+(?P<text>\S.*)$").expect("a pattern")
    });
    static HEADING: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)^[\s*_#]*key\s+points[\s*_]*[:：]?[\s*_]*$").expect("a pattern"));
    if answer.trim().is_empty() {
        return Err(Unread::Empty);
    }
    let mut points: Vec<String> = Vec::new();
    // How far the items of the list itself are indented; under a heading that is an item, they are all indented.
    let mut outer: Option<usize> = None;
    let mut within_item = false;
    for line in answer.lines() {
        let item = ITEM.captures(line);
        let text = item.as_ref().map_or(line.trim(), |item| item["text"].trim());
        if text.is_empty() {
            continue;
        }
        if HEADING.is_match(text) {
            within_item = false;
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        match (item.is_some(), points.last_mut()) {
            (true, Some(point)) if within_item && outer.is_some_and(|outer| indent > outer) => {
                append(point, text);
            }
            (true, _) => {
                outer = Some(indent);
                within_item = true;
                points.push(text.to_owned());
            }
            (false, Some(point)) if within_item && indent > outer.unwrap_or(0) => append(point, text),
            (false, _) => within_item = false,
        }
    }
    if points.is_empty() { Err(Unread::Missing("list of key points")) } else { Ok(points) }
}

fn append(point: &mut String, text: &str) {
    point.push(' ');
    point.push_str(text);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn items_and_nothing_else() {
        for (answer, points) in [
            ("**Key Points**:\n1. A\n2. B", vec!["A", "B"]),
            ("**Key Points:**\n\n1. A\n\n2. B\n", vec!["A", "B"]),
            ("- **Key Points**:\n  1. A\n  2. B", vec!["A", "B"]),
            ("Here you are:\n\n* A\n* B\n\nAll of them are explicit.", vec!["A", "B"]),
            ("1. A\n   - on the left\n   and the right\n2) B", vec!["A on the left and the right", "B"]),
            ("1. Price under 2.50\n10. Ten", vec!["Price under 2.50", "Ten"]),
        ] {
            assert_eq!(key_points(answer), Ok(points.into_iter().map(str::to_owned).collect()), "{answer}");
        }
        for answer in ["", "The task is impossible.", "**Key Points**:\nnone", "2.50 dollars"] {
            assert!(key_points(answer).is_err(), "{answer}");
        }
    }

    proptest! {
        #[test]
        fn no_text_upsets_it(text in r"(\PC|[ \n*.-]|1\. )*") {
            let _ = key_points(&text);
        }

        #[test]
        fn a_printed_list_is_read_back(points in prop::collection::vec("[a-z][a-z0-9 ]{0,20}[a-z]", 1..8)) {
            let list: Vec<String> = (1..).zip(&points).map(|(number, point)| format!("{number}. {point}")).collect();
            prop_assert_eq!(key_points(&format!("**Key Points**:\n{}", list.join("\n"))), Ok(points));
        }
    }
}
