//! What the selectors of a `DevTools` recording tell about an element. The selectors stay as they are for the page to
//! resolve; beside them the portrait gets what can be read off them.

use serde_json::Value;

use crate::import::portray::{native_control, words};
use crate::session::{Locators, Portrait, Words};

pub(super) struct Found {
    pub portrait: Portrait,
    /// Selectors that are no selectors.
    pub not_understood: usize,
}

/// Parts of one selector lead through shadow roots from host to host; they are joined by this.
const INTO_SHADOW: &str = " >>> ";

pub(super) fn portrait(selectors: &[Value], test_attribute: Option<&str>) -> Found {
    let mut portrait = Portrait::default();
    let mut not_understood = 0;
    for selector in selectors {
        let parts: Option<Vec<&str>> = match selector {
            Value::String(one) => Some(vec![one.as_str()]),
            Value::Array(parts) => parts.iter().map(Value::as_str).collect(),
            _ => None,
        };
        let Some(parts) = parts.filter(|parts| !parts.is_empty()) else {
            not_understood += 1;
            continue;
        };
        portrait.locators.selectors.push(parts.join(INTO_SHADOW));
        learn(&mut portrait, &parts, test_attribute);
    }
    if portrait.name.is_empty() {
        portrait.name = portrait.words.text.clone().unwrap_or_default();
    }
    if portrait.role.is_empty() {
        let address = portrait.tag == "a";
        crate::import::portray::implied_role(&portrait.tag, portrait.input_type.as_deref(), address)
            .clone_into(&mut portrait.role);
    }
    portrait.control = native_control(&portrait).filter(|_| portrait.tag == "select");
    Found { portrait, not_understood }
}

fn learn(portrait: &mut Portrait, parts: &[&str], test_attribute: Option<&str>) {
    let Some(last) = parts.last() else { return };
    let Portrait { tag, role, name, locators, words: texts, .. } = portrait;
    if let Some(aria) = last.strip_prefix("aria/") {
        let (label, stated_role) = aria_selector(aria);
        if let (Some(label), true) = (words(label).0, name.is_empty()) {
            *name = label;
        }
        if let Some(stated_role) = stated_role {
            stated_role.clone_into(role);
        }
    } else if let Some(text) = last.strip_prefix("text/") {
        *texts = Words { text: words(text).0, ..std::mem::take(texts) };
    } else if let Some(path) = last.strip_prefix("xpath/") {
        locators.xpath = Some(path.to_owned()).filter(|path| path.starts_with('/'));
        learn_tag(tag, path.rsplit('/').next().unwrap_or_default());
    } else {
        learn_css(tag, locators, last.strip_prefix("pierce/").unwrap_or(last), parts, test_attribute);
    }
}

/// `Save[role="button"]` is the label and the role.
fn aria_selector(text: &str) -> (&str, Option<&str>) {
    let Some((label, rest)) = text.rsplit_once("[role=\"") else { return (text, None) };
    match rest.strip_suffix("\"]") {
        Some(role) => (label, Some(role)),
        None => (text, None),
    }
}

fn learn_css(
    tag: &mut String,
    locators: &mut Locators,
    selector: &str,
    parts: &[&str],
    test_attribute: Option<&str>,
) {
    let simple = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || "-_:".contains(letter));
    if let Some(id) = selector.strip_prefix('#')
        && simple(id)
        && !id.contains(':')
    {
        locators.id = Some(id.to_owned());
        return;
    }
    if let Some(inner) = selector.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
        && let Some((attribute, value)) = inner.split_once('=')
    {
        let value = value.trim_matches(['"', '\'']);
        if test_attribute == Some(attribute) || attribute.starts_with("data-") {
            locators.test_ids.push((attribute.to_owned(), value.to_owned()));
            return;
        }
        if attribute == "name" {
            locators.field_name = Some(value.to_owned());
            return;
        }
    }
    if locators.css.is_none() && parts.iter().all(|part| !part.contains('/')) {
        locators.css = Some(parts.join(" > ::shadow > "));
    }
    learn_tag(tag, selector.rsplit([' ', '>']).next().unwrap_or_default());
}

/// The tag a last step of a path begins with, if it names one.
fn learn_tag(tag: &mut String, step: &str) {
    let end =
        step.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-')).unwrap_or(step.len());
    let word = &step[..end];
    if tag.is_empty() && word.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        *tag = word.to_ascii_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn selectors_tell_what_they_can() {
        let selectors = json!([
            ["aria/Save changes[role=\"button\"]"],
            ["my-form", "pierce/button.primary"],
            ["xpath///*[@id=\"form\"]/button[2]"],
            "text/Save",
            ["#save"],
            ["[data-testid='save']"],
        ]);
        let found = portrait(selectors.as_array().expect("a list"), None);
        let element = found.portrait;
        assert_eq!(found.not_understood, 0);
        assert_eq!(
            (element.role.as_str(), element.name.as_str(), element.tag.as_str()),
            ("button", "Save changes", "button")
        );
        assert_eq!(element.locators.id.as_deref(), Some("save"));
        assert_eq!(element.locators.xpath.as_deref(), Some("//*[@id=\"form\"]/button[2]"));
        assert_eq!(element.locators.test_ids, [("data-testid".to_owned(), "save".to_owned())]);
        assert_eq!(element.words.text.as_deref(), Some("Save"));
        assert_eq!(element.locators.selectors.len(), 6);
        assert_eq!(element.locators.selectors[1], "my-form >>> pierce/button.primary");
    }

    #[test]
    fn what_is_no_selector_is_counted() {
        let found = portrait(&[json!(3), json!([]), json!(["a", 1]), json!("a")], None);
        assert_eq!((found.not_understood, found.portrait.locators.selectors), (3, vec!["a".to_owned()]));
    }
}
