//! What follows about an element from its tag, type and words, as browsers decide it.

use crate::session::{ControlKind, Portrait, Words};

/// Texts of a portrait are at most this long.
const MAX_WORDS: usize = 200;

/// Whitespace collapsed and cut; whether something was cut off.
pub(super) fn words(text: &str) -> (Option<String>, bool) {
    let mut collapsed = String::new();
    let mut letters = 0;
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
            letters += 1;
        }
        for letter in word.chars() {
            if letters >= MAX_WORDS {
                return (Some(collapsed.trim_end().to_owned()), true);
            }
            collapsed.push(letter);
            letters += 1;
        }
    }
    ((!collapsed.is_empty()).then_some(collapsed), false)
}

/// The role that HTML gives an element of this tag and type; empty if none.
pub(super) fn implied_role(tag: &str, input_type: Option<&str>, has_address: bool) -> &'static str {
    match (tag, input_type) {
        ("a" | "area", _) if has_address => "link",
        ("button" | "summary", _) | ("input", Some("button" | "submit" | "reset" | "image")) => "button",
        ("input", Some("checkbox")) => "checkbox",
        ("input", Some("radio")) => "radio",
        ("input", Some("range")) => "slider",
        ("input", Some("number")) => "spinbutton",
        ("input", Some("search")) => "searchbox",
        // A password has no role by the book; browsers tell it as a text box.
        ("input", Some("text" | "email" | "tel" | "url" | "password") | None) | ("textarea", _) => "textbox",
        ("select", Some("select-multiple")) => "listbox",
        ("select", _) => "combobox",
        ("option", _) => "option",
        ("img", _) => "img",
        _ => "",
    }
}

/// The accessible name, as far as the recorded words give it: label before contents before hints.
pub(super) fn accessible_name(role: &str, words: &Words) -> String {
    let contents = match role {
        "button" | "link" | "switch" | "checkbox" | "radio" | "tab" | "option" | "menuitem"
        | "menuitemcheckbox" | "menuitemradio" | "treeitem" => words.text.as_ref(),
        _ => None,
    };
    let name = words
        .aria_label
        .as_ref()
        .or(words.label.as_ref())
        .or(words.alt.as_ref())
        .or(contents)
        .or(words.title.as_ref())
        .or(words.placeholder.as_ref());
    name.cloned().unwrap_or_default()
}

/// The kind of state a native element holds.
pub(super) fn native_control(portrait: &Portrait) -> Option<ControlKind> {
    match (portrait.tag.as_str(), portrait.input_type.as_deref()) {
        ("input", Some("checkbox")) => Some(ControlKind::Checkbox),
        ("input", Some("radio")) => Some(ControlKind::Radio),
        ("select", _) => Some(ControlKind::Select),
        ("input", Some("button" | "submit" | "reset" | "image" | "file" | "hidden")) => None,
        ("input" | "textarea", _) => Some(ControlKind::Text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_collapsed_and_cut_at_a_letter() {
        assert_eq!(words("  a\n b "), (Some("a b".to_owned()), false));
        assert_eq!(words(" \n"), (None, false));
        let (cut, was_cut) = words(&"ä".repeat(201));
        assert_eq!((cut.map(|text| text.chars().count()), was_cut), (Some(200), true));
        assert!(!words(&"b".repeat(200)).1);
    }

    #[test]
    fn names_follow_the_order_of_the_accessible_name_computation() {
        let words = Words {
            label: Some("Label".to_owned()),
            text: Some("Text".to_owned()),
            placeholder: Some("Hint".to_owned()),
            ..Words::default()
        };
        assert_eq!(accessible_name("button", &words), "Label");
        let unlabelled = Words { label: None, ..words };
        assert_eq!(accessible_name("button", &unlabelled), "Text");
        assert_eq!(accessible_name("textbox", &unlabelled), "Hint", "contents do not name a field");
    }
}
