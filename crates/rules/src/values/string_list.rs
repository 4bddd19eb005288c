//! Lists in one text: `red, green and blue`. Commas, semicolons and line ends part them; order does not count, how often
//! an item comes does. An agent may also give a JSON list of strings.

use serde_json::Value;

use super::string;

/// In bytes. Longer lists are given as JSON lists.
const LONGEST: usize = 16 * 1024;

/// Sorted; never empty.
pub(super) fn read(value: &Value) -> Option<Vec<String>> {
    let mut items = match value {
        Value::String(text) if text.len() <= LONGEST => split(text),
        Value::String(_) => return None,
        Value::Array(items) => items.iter().map(string::read).collect::<Option<Vec<_>>>()?,
        other => vec![string::read(other)?],
    };
    items.retain(|item| !item.is_empty());
    items.sort_unstable();
    (!items.is_empty()).then_some(items)
}

fn split(text: &str) -> Vec<String> {
    let parts: Vec<&str> =
        text.split([',', ';', '\n']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let last = parts.len().saturating_sub(1);
    parts
        .iter()
        .enumerate()
        .flat_map(|(at, part)| match part.strip_prefix("and ") {
            // `a, b, and c`
            Some(rest) if at == last && at > 0 => vec![rest],
            // `a, b and c`; a lone `Salt and Pepper` stays one item.
            None if at == last && at > 0 => part.rsplit(" and ").collect(),
            _ => vec![*part],
        })
        .filter_map(|item| string::read(&Value::from(item)))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_that_are_the_same() {
        for (a, b) in [
            (json!("632,64,86"), json!("86, 632, 64,")),
            (json!("Red, green, blue"), json!("blue, RED and green")),
            (json!("a, b, and c"), json!("c; b; a")),
            (json!("a, b"), json!(["b", "A"])),
            (json!("5"), json!(5)),
            (json!("a\nb"), json!("b, a")),
        ] {
            assert!(read(&a).is_some());
            assert_eq!(read(&a), read(&b), "{a} and {b}");
        }
    }

    #[test]
    fn lists_that_differ() {
        for (a, b) in [
            (json!("a, b"), json!("a")),
            (json!("a, b"), json!("a, b, b")),
            (json!("a, b"), json!("a, c")),
            (json!("Salt and Pepper"), json!("Salt, Pepper")),
            (json!("a, b"), json!("^.*$")),
            (json!("1, 2"), json!([[1, 2]])),
        ] {
            assert_ne!(read(&a), read(&b), "{a} and {b}");
        }
        for nothing in
            [json!(""), json!(" , ,"), json!(null), json!([]), json!([null]), json!({"a": 1}), json!(true)]
        {
            assert_eq!(read(&nothing), None, "{nothing}");
        }
    }

    proptest! {
        #[test]
        fn order_does_not_count(mut items in prop::collection::vec("[a-d]{1,3}", 1..6)) {
            let joined = read(&json!(items.join(", ")));
            items.reverse();
            prop_assert_eq!(&joined, &read(&json!(items.join(";"))));
            prop_assert_eq!(joined, read(&json!(items)));
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>()) {
            read(&json!(text));
        }
    }
}
