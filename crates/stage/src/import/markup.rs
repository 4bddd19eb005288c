//! The few facts worth having from an element's recorded markup. The markup itself is never kept: it carries hidden
//! fields, tokens and whatever else the page had at hand.

use scraper::{ElementRef, Html, Node};

use crate::identify::TEST_IDS;

/// Recorders cut markup at 5,000 characters; longer input is not from one of them.
const MAX_MARKUP: usize = 20_000;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Facts {
    pub test_ids: Vec<(String, String)>,
    /// `aria-checked`, where it says true or false.
    pub aria_checked: Option<bool>,
    pub aria_pressed: Option<bool>,
    pub alt: Option<String>,
    /// Options of a select: value and label.
    pub options: Vec<(String, String)>,
    pub has_popup: bool,
}

pub(super) fn facts(markup: &str) -> Facts {
    if markup.len() > MAX_MARKUP {
        return Facts::default();
    }
    let page = Html::parse_fragment(markup);
    let Some(element) = page.root_element().child_elements().next() else { return Facts::default() };
    let flag = |name: &str| match element.attr(name) {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    };
    Facts {
        test_ids: TEST_IDS
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), element.attr(name)?.to_owned())))
            .collect(),
        aria_checked: flag("aria-checked"),
        aria_pressed: flag("aria-pressed"),
        alt: element.attr("alt").map(str::to_owned),
        options: options(element),
        has_popup: element.attr("aria-haspopup").is_some_and(|kind| kind != "false"),
    }
}

fn options(element: ElementRef<'_>) -> Vec<(String, String)> {
    if element.value().name() != "select" {
        return Vec::new();
    }
    element
        .descendants()
        .filter_map(ElementRef::wrap)
        .filter(|inner| inner.value().name() == "option")
        .map(|option| {
            let text: String = option
                .children()
                .filter_map(|child| match child.value() {
                    Node::Text(text) => Some(&**text),
                    _ => None,
                })
                .collect();
            let label = option.attr("label").map_or(text, str::to_owned);
            let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
            (option.attr("value").map_or_else(|| label.clone(), str::to_owned), label)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_test_attributes_are_read_and_nothing_else() {
        let markup = r#"<button aria-pressed="false" data-test="ads" data-token="SECRET"><input type="hidden"
            name="csrf" value="SECRET"></button>"#;
        let found = facts(markup);
        assert_eq!(found.test_ids, [("data-test".to_owned(), "ads".to_owned())]);
        assert_eq!((found.aria_pressed, found.aria_checked), (Some(false), None));
        assert!(!format!("{found:?}").contains("SECRET"));
    }

    #[test]
    fn options_are_known_by_value_and_label_even_if_the_markup_was_cut() {
        let markup = r#"<select name="who"><option value="0">Every
            one</option><option>Friends</option><option value="9" label="No one">x</option><option va"#;
        let found = facts(markup).options;
        let pairs: Vec<(&str, &str)> = found.iter().map(|(v, l)| (v.as_str(), l.as_str())).collect();
        assert_eq!(pairs, [("0", "Every one"), ("Friends", "Friends"), ("9", "No one")]);
    }

    #[test]
    fn what_is_no_markup_has_no_facts() {
        for text in ["", "plain", "<", "<!--", "</div>"] {
            assert_eq!(facts(text), Facts::default(), "{text}");
        }
    }
}
