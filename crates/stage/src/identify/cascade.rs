//! The ways to point at an element, best first. They propose; the whole portrait decides.

use std::fmt;

use serde::Serialize;
use umpire_browser::observe::inventory::{Inventory, Item};

use super::Sought;
use super::generated::looks_generated;
use super::likeness::{Likeness, likeness};
use super::path::{along_css, along_xpath};
use crate::session::Portrait;

/// A way to point at an element, in the order in which they are trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Locator {
    TestId,
    /// A selector of another recorder, resolved by the page.
    Selector,
    Id,
    FieldName,
    RoleAndName,
    /// Its own words, whatever holds them: a label, a text, a title, …
    Words,
    Href,
    Css,
    XPath,
    Index,
    /// The words around it and the heading above.
    Around,
}

impl Locator {
    pub const ALL: [Self; 11] = [
        Self::TestId,
        Self::Selector,
        Self::Id,
        Self::FieldName,
        Self::RoleAndName,
        Self::Words,
        Self::Href,
        Self::Css,
        Self::XPath,
        Self::Index,
        Self::Around,
    ];
}

impl fmt::Display for Locator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TestId => "test id",
            Self::Selector => "selector",
            Self::Id => "id",
            Self::FieldName => "name attribute",
            Self::RoleAndName => "role and name",
            Self::Words => "words",
            Self::Href => "link target",
            Self::Css => "CSS path",
            Self::XPath => "XPath",
            Self::Index => "index",
            Self::Around => "words around",
        })
    }
}

/// Whether a locator was recorded at all.
pub fn is_recorded(locator: Locator, portrait: &Portrait) -> bool {
    let locators = &portrait.locators;
    let words = &portrait.words;
    match locator {
        Locator::TestId => !locators.test_ids.is_empty(),
        Locator::Selector => !locators.selectors.is_empty(),
        Locator::Id => stable_id(portrait).is_some(),
        Locator::FieldName => locators.field_name.is_some(),
        Locator::RoleAndName => !portrait.role.is_empty() && !portrait.name.is_empty(),
        Locator::Words => own_words(portrait).next().is_some(),
        Locator::Href => useful_href(portrait).is_some(),
        Locator::Css => locators.css.is_some(),
        Locator::XPath => locators.xpath.is_some(),
        Locator::Index => portrait.position.index.is_some(),
        Locator::Around => words.parent.is_some() || words.previous.is_some() || words.next.is_some(),
    }
}

/// Whether a locator points at this element, perhaps at others too.
pub fn points_at(locator: Locator, sought: &Sought<'_>, page: &Inventory, at: usize) -> bool {
    let portrait = sought.portrait;
    let locators = &portrait.locators;
    let Some(item) = page.items.get(at) else { return false };
    match locator {
        Locator::TestId => has_test_id(portrait, item),
        Locator::Selector => sought.proposed.contains(&at),
        Locator::Id => stable_id(portrait).is_some_and(|id| item.attribute("id") == Some(id)),
        Locator::FieldName => {
            locators.field_name.as_deref().is_some_and(|name| item.attribute("name") == Some(name))
        }
        Locator::RoleAndName => {
            !portrait.role.is_empty()
                && portrait.role == item.role
                && likeness(&portrait.name, &item.name, may_turn(portrait)).same
        }
        Locator::Words => own_likeness(portrait, item).same,
        Locator::Href => useful_href(portrait)
            .is_some_and(|href| item.attribute("href").is_some_and(|is| same_href(href, is))),
        Locator::Css => locators.css.as_deref().is_some_and(|path| is_whole(along_css(path, page, at))),
        Locator::XPath => locators.xpath.as_deref().is_some_and(|path| is_whole(along_xpath(path, page, at))),
        Locator::Index => portrait.position.index.is_some() && portrait.position.index == item.focus_index,
        Locator::Around => around_likeness(portrait, page, at).is_some_and(|around| around.same),
    }
}

fn is_whole(share: f64) -> bool {
    share >= 1.0
}

/// Elements that some locator points at, in document order. Everything of the same kind is a candidate too: what is
/// meant must stand out among all that it could be taken for.
pub fn candidates(sought: &Sought<'_>, page: &Inventory) -> Vec<usize> {
    let strong = [Locator::TestId, Locator::Selector, Locator::Id, Locator::FieldName, Locator::Href];
    let is_candidate = |at: usize, item: &Item| {
        super::score::kinship(sought.portrait, item) > 0.0
            || strong.iter().any(|&locator| points_at(locator, sought, page, at))
    };
    (0..page.items.len()).filter(|&at| is_candidate(at, &page.items[at])).collect()
}

pub fn stable_id(portrait: &Portrait) -> Option<&str> {
    portrait.locators.id.as_deref().filter(|id| !id.is_empty() && !looks_generated(id))
}

pub fn has_test_id(portrait: &Portrait, item: &Item) -> bool {
    portrait.locators.test_ids.iter().any(|(name, value)| item.attribute(name) == Some(value))
}

/// A link's target, if it says where the link leads.
pub fn useful_href(portrait: &Portrait) -> Option<&str> {
    let href = portrait.locators.href.as_deref()?;
    (!href.is_empty() && !href.starts_with('#') && !href.starts_with("javascript:")).then_some(href)
}

/// The same place on the same site, whatever the host is called today and whatever the query carries.
pub fn same_href(recorded: &str, found: &str) -> bool {
    fn place(href: &str) -> &str {
        let path = match href.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("/", |start| &rest[start..]),
            None => href,
        };
        super::portrait::without_query(path)
    }
    recorded == found || place(recorded) == place(found) && query_agrees(recorded, found)
}

/// A query may have been left out of the recording; if both have one, it is part of where the link leads.
fn query_agrees(recorded: &str, found: &str) -> bool {
    match (recorded.split_once('?'), found.split_once('?')) {
        (Some((_, was)), Some((_, is))) => was == is,
        _ => true,
    }
}

/// Only what holds a state wears words that turn with it.
pub fn may_turn(portrait: &Portrait) -> bool {
    portrait.control.is_some()
}

fn own_words(portrait: &Portrait) -> impl Iterator<Item = &str> {
    let words = &portrait.words;
    let kept = [&words.aria_label, &words.label, &words.placeholder, &words.title, &words.alt, &words.text];
    let name = Some(portrait.name.as_str()).filter(|name| !name.is_empty());
    name.into_iter().chain(kept.into_iter().flatten().map(String::as_str))
}

/// How alike the words on the element are, wherever they stand: a label may have become an `aria-label`.
pub fn own_likeness(portrait: &Portrait, item: &Item) -> Likeness {
    let attribute = |name: &str| item.attribute(name).unwrap_or_default();
    let turns = may_turn(portrait);
    let names = [item.name.as_str(), item.label.as_deref().unwrap_or_default()];
    let mut best = Likeness::NONE;
    // The name comes first: what it says, the other words only repeat or add to.
    let leading =
        [Some(portrait.name.as_str()), portrait.words.aria_label.as_deref(), portrait.words.label.as_deref()];
    for said in leading.into_iter().flatten().filter(|said| !said.is_empty()) {
        for found in names {
            best = best.better(likeness(said, found, turns));
        }
        if item.name.is_empty() {
            best = best.better(likeness(said, &item.text, turns));
        }
    }
    if !portrait.name.is_empty() {
        return best;
    }
    let words = &portrait.words;
    let alike = [
        (&words.placeholder, attribute("placeholder")),
        (&words.title, attribute("title")),
        (&words.alt, attribute("alt")),
        (&words.text, item.text.as_str()),
    ];
    for (said, found) in alike {
        if let Some(said) = said {
            best = best.better(likeness(said, found, turns));
        }
    }
    best
}

pub fn has_own_words(portrait: &Portrait) -> bool {
    own_words(portrait).next().is_some()
}

/// How alike the words around are: those of the parent, or of the neighbours if the parent says nothing.
pub fn around_likeness(portrait: &Portrait, page: &Inventory, at: usize) -> Option<Likeness> {
    let words = &portrait.words;
    if let Some(said) = &words.parent {
        return Some(page.text_around(at).map_or(Likeness::NONE, |found| likeness(said, &found, false)));
    }
    let neighbours = [(&words.previous, page.previous_text(at)), (&words.next, page.next_text(at))];
    let alike = neighbours
        .into_iter()
        .filter_map(|(said, found)| Some(likeness(said.as_deref()?, found.unwrap_or_default(), false)));
    alike.reduce(|a, b| Likeness { score: f64::midpoint(a.score, b.score), same: a.same && b.same })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_the_same_place_on_whatever_host() {
        for (recorded, found, same) in [
            ("/settings/privacy", "/settings/privacy", true),
            ("http://hub.localhost/privacy", "/privacy", true),
            ("http://hub.localhost/privacy", "http://hub.localhost:7770/privacy", true),
            ("/item", "/item?ref=nav", true),
            ("/item?id=4", "/item?id=5", false),
            ("/settings/privacy", "/settings/security", false),
            ("http://hub.localhost", "/", true),
        ] {
            assert_eq!(same_href(recorded, found), same, "{recorded} {found}");
        }
    }
}
