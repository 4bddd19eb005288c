//! Secrets on their way into a session: references instead of values, and nothing of the values anywhere else.

use std::borrow::Cow;

use umpire_model::Redactor;

use crate::session::{ControlState, Deed, Entry, Frame, Locators, Portrait, Session, Step, Words};

/// Names that stand before the ending of a country and say nothing about whose site it is.
const GENERIC_LEVELS: [&str; 7] = ["ac", "co", "com", "edu", "gov", "net", "org"];

/// The vault's name for a secret of a site: `accounts/shop/password` at `http://shop.localhost/login`.
pub(super) fn reference(url: &str, kind: &str) -> String {
    format!("accounts/{}/{kind}", site_of(url))
}

fn site_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _port)| host).to_ascii_lowercase();
    let labels: Vec<&str> = host.split('.').filter(|label| !label.is_empty() && *label != "www").collect();
    let site = match labels.as_slice() {
        [.., site, "localhost"] => site,
        _ if host.parse::<std::net::Ipv4Addr>().is_ok() => host.as_str(),
        [.., site, generic, country] if country.len() == 2 && GENERIC_LEVELS.contains(generic) => site,
        [.., site, _ending] => site,
        [only] => only,
        [] => "site",
    };
    site.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect()
}

/// Takes secret values out of everything that quotes the page. What the format itself says stays: a password that
/// happens to be a word of the format must not break the file.
pub(super) fn redact(session: &mut Session, redactor: &Redactor) {
    text(&mut session.start_url, redactor);
    for step in &mut session.steps {
        redact_step(step, redactor);
    }
}

fn redact_step(step: &mut Step, redactor: &Redactor) {
    text(&mut step.url, redactor);
    for Frame { url, id, name, title, index: _ } in &mut step.frames {
        text(url, redactor);
        for part in [id, name, title] {
            optional(part, redactor);
        }
    }
    match &mut step.deed {
        Deed::Type { text: entry } => redact_entry(entry, redactor),
        Deed::Select { options: texts } | Deed::Upload { files: texts } => {
            texts_of(texts, redactor);
        }
        Deed::Drag { to } => redact_portrait(to, redactor),
        Deed::Goto { url } | Deed::OpenTab { url } | Deed::TabOpened { url, .. } => text(url, redactor),
        Deed::Dialog(dialogue) => {
            text(&mut dialogue.message, redactor);
            if let Some(entry) = &mut dialogue.text {
                redact_entry(entry, redactor);
            }
        }
        _ => {}
    }
    if let Some(element) = &mut step.element {
        redact_portrait(element, redactor);
    }
    for state in [&mut step.before, &mut step.after].into_iter().flatten() {
        match state {
            ControlState::Chosen(texts) | ControlState::Marks(texts) => {
                texts_of(texts, redactor);
            }
            ControlState::Text(held) => text(held, redactor),
            ControlState::On | ControlState::Off | ControlState::Mixed => {}
        }
    }
}

fn redact_entry(entry: &mut Entry, redactor: &Redactor) {
    if let Entry::Text(typed) = entry {
        text(typed, redactor);
    }
}

fn redact_portrait(portrait: &mut Portrait, redactor: &Redactor) {
    text(&mut portrait.name, redactor);
    let Locators { id, field_name, test_ids, href, css, xpath, selectors } = &mut portrait.locators;
    // A locator with a hole in it points at nothing.
    let is_clean = |written: &str| matches!(redactor.text(written), Cow::Borrowed(_));
    for locator in [id, field_name, href, css, xpath] {
        if locator.as_deref().is_some_and(|written| !is_clean(written)) {
            *locator = None;
        }
    }
    test_ids.retain(|(_, value)| is_clean(value));
    selectors.retain(|selector| is_clean(selector));
    let Words { aria_label, label, placeholder, title, alt, text, previous, next, parent, heading } =
        &mut portrait.words;
    for words in [aria_label, label, placeholder, title, alt, text, previous, next, parent, heading] {
        optional(words, redactor);
    }
}

fn text(text: &mut String, redactor: &Redactor) {
    if let Cow::Owned(clean) = redactor.text(text) {
        *text = clean;
    }
}

fn texts_of(texts: &mut [String], redactor: &Redactor) {
    for part in texts {
        text(part, redactor);
    }
}

fn optional(part: &mut Option<String>, redactor: &Redactor) {
    if let Some(part) = part {
        text(part, redactor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_named_as_people_name_them() {
        for (url, site) in [
            ("http://shop.localhost/login?next=/", "shop"),
            ("http://shop.localhost:8080/login", "shop"),
            ("https://www.example.com/a", "example"),
            ("https://accounts.example.co.uk/", "example"),
            ("https://example.de", "example"),
            ("http://127.0.0.1:8000/", "127-0-0-1"),
            ("http://intranet/", "intranet"),
            ("about:blank", "about"),
            ("", "site"),
        ] {
            assert_eq!(reference(url, "password"), format!("accounts/{site}/password"), "{url}");
        }
    }
}
