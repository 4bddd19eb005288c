//! What makes an element this one and no other. A high score alone does not: the neighbour of a control that has gone
//! agrees with it in nearly everything but its identity.

use std::collections::HashSet;

use umpire_browser::observe::inventory::Inventory;

use super::Sought;
use super::cascade::{
    Locator, around_likeness, has_own_words, is_recorded, own_likeness, points_at, useful_href,
};
use super::likeness::{likeness, words};
use super::portrait::without_query;
use super::score::kinship;
use crate::session::Portrait;

/// Fewer recorded words than this do not show a language.
const FEWEST_WORDS: usize = 4;
/// Pages in one language share their small words; pages in two share names and numbers.
const SHARED_WORDS: f64 = 0.25;
/// Of a whole recording, a page shows but a part; in another language it shows next to nothing.
const SHARED_WITH_RECORDING: f64 = 0.12;
const FEWEST_OF_RECORDING: usize = 12;

/// The words of a portrait that belong to a language.
pub fn words_of(portrait: &Portrait) -> HashSet<String> {
    let said = &portrait.words;
    let kept = [
        Some(&portrait.name),
        said.label.as_ref(),
        said.text.as_ref(),
        said.previous.as_ref(),
        said.next.as_ref(),
        said.parent.as_ref(),
        said.heading.as_ref(),
    ];
    let words = kept.into_iter().flatten().flat_map(|text| words(text));
    words.filter(|word| !word.chars().any(|c| c.is_ascii_digit())).collect()
}

/// Whether the page speaks another language than the recording: hardly any recorded word is anywhere on it.
pub fn is_foreign(sought: &Sought<'_>, page: &Inventory) -> bool {
    let own = words_of(sought.portrait);
    if own.len() >= FEWEST_WORDS {
        return is_missing(&own, SHARED_WORDS, page);
    }
    sought.spoken.len() >= FEWEST_OF_RECORDING && is_missing(sought.spoken, SHARED_WITH_RECORDING, page)
}

/// Whether less than this share of the words is on the page.
fn is_missing(words_sought: &HashSet<String>, share: f64, page: &Inventory) -> bool {
    let enough = (share * words_sought.len() as f64).ceil() as usize;
    let mut found: HashSet<&str> = HashSet::new();
    for item in &page.items {
        // A text is told again by every element around it; names add what is written nowhere.
        for word in words(&item.text).into_iter().chain(words(&item.name)) {
            found.extend(words_sought.get(&word).map(String::as_str));
        }
        if found.len() >= enough {
            return false;
        }
    }
    true
}

/// Whether something says that this element is the one.
pub fn holds(sought: &Sought<'_>, page: &Inventory, at: usize, candidates: &[usize], foreign: bool) -> bool {
    let item = &page.items[at];
    let portrait = sought.portrait;
    let kin = kinship(portrait, item);
    if kin == 0.0 {
        return false;
    }
    let points = |locator: Locator| is_recorded(locator, portrait) && points_at(locator, sought, page, at);
    let alone = |locator: Locator| {
        points(locator)
            && !candidates.iter().any(|&other| other != at && points_at(locator, sought, page, other))
    };
    if [Locator::TestId, Locator::Selector, Locator::Id, Locator::FieldName, Locator::Href]
        .into_iter()
        .any(alone)
    {
        return true;
    }
    let in_its_place = || kin >= 1.0 && points(Locator::Css) && same_page(sought.url, &page.url);
    if foreign {
        return in_its_place();
    }
    if !has_own_words(portrait) {
        let said = &portrait.words;
        let heading = said
            .heading
            .as_ref()
            .is_none_or(|heading| likeness(heading, page.heading_of(at).unwrap_or_default(), false).same);
        let around = around_likeness(portrait, page, at).is_none_or(|around| around.same);
        return in_its_place() && heading && around;
    }
    own_likeness(portrait, item).same && stands_alone(sought, page, at, candidates)
}

/// Whether the words on it single it out: nothing else says the same, or what surrounds it does.
fn stands_alone(sought: &Sought<'_>, page: &Inventory, at: usize, candidates: &[usize]) -> bool {
    let portrait = sought.portrait;
    let item = &page.items[at];
    let around = around_likeness(portrait, page, at);
    // A link of that name to that address is the one, or leads to the same place.
    if useful_href(portrait).is_some() && points_at(Locator::Href, sought, page, at) {
        return true;
    }
    let leads_elsewhere = useful_href(portrait).is_some();
    let equals =
        |other: usize| own_likeness(portrait, &page.items[other]).same && page.items[other].is_shown();
    let had_equals = portrait.position.among_equals.is_some_and(|(_, all)| all > 1);
    let equals_now = candidates.iter().any(|&other| other != at && equals(other));
    if !had_equals && !equals_now && !leads_elsewhere {
        return true;
    }
    let agrees = around.is_some_and(|around| around.same);
    let contradicts = around.is_some_and(|around| !around.same && around.score < 0.3);
    let same_rank = portrait.position.among_equals == Some(item.among_equals);
    agrees || same_rank && !contradicts && !leads_elsewhere
}

/// The same page of the same site, whatever its host is called and whatever the query carries.
fn same_page(recorded: &str, now: &str) -> bool {
    let path = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        without_query(rest.find('/').map_or("/", |start| &rest[start..])).trim_end_matches('/').to_owned()
    };
    recorded.is_empty() || path(recorded) == path(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_known_by_its_path() {
        assert!(same_page("http://hub.localhost/privacy", "http://hub.localhost:7770/privacy?saved=1"));
        assert!(same_page("http://hub.localhost", "http://hub.localhost/"));
        assert!(!same_page("http://hub.localhost/privacy", "http://hub.localhost/security"));
        assert!(same_page("", "http://hub.localhost/security"));
    }
}
