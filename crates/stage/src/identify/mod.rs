//! Finding a recorded element again on a page that has changed, or saying that it cannot be told.
//!
//! Locators propose, the whole portrait decides. An element is accepted only if it has an *anchor* (something that says
//! it is this one and no other: an identifier, its own words, or, on a page in another language, its exact place), if
//! enough of the rest holds, and if no other element comes near. A wrong click is worse than none: when in doubt, the
//! answer is [`Identified::Ambiguous`] or [`Identified::NotFound`], with what was considered.

mod anchor;
mod cascade;
mod generated;
mod likeness;
mod path;
mod portrait;
mod score;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::Serialize;
use umpire_browser::observe::inventory::Inventory;

use self::cascade::{candidates, is_recorded, points_at};
use crate::session::{Frame, Portrait};

pub use self::anchor::words_of;
pub use self::cascade::Locator;
pub use self::generated::looks_generated;
pub use self::path::css_path;
pub use self::portrait::{TEST_IDS, frames_of, portrait_of};

/// Less than this of a portrait is not the element.
const ENOUGH: f64 = 0.5;
/// What leads by less than this could be the other.
const LEAD: f64 = 0.05;
/// Candidates told in an answer.
const TOLD: usize = 5;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    pub portrait: &'a Portrait,
    pub frames: &'a [Frame],
    /// Address of the page it was recorded on; empty if that is not known.
    pub url: &'a str,
    /// Elements that the page's own resolution of recorded selectors pointed at.
    pub proposed: &'a [usize],
    /// Words of the whole recording, by which its language is known where the element itself says little.
    pub spoken: &'a HashSet<String>,
}

/// An element of the inventory that could be the one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    #[serde(skip)]
    pub at: usize,
    /// Role and name.
    pub element: String,
    /// From 0 to 1.
    pub score: f64,
    /// The best locator that points at it, if one does.
    pub by: Option<Locator>,
    /// Better ones that were recorded and point at it no more.
    pub lost: Vec<Locator>,
    /// What is written around it is something else than was recorded.
    #[serde(skip)]
    pub is_out_of_context: bool,
}

/// What came of looking.
#[derive(Clone, Debug, PartialEq)]
pub enum Identified {
    Found(Candidate),
    /// It is in the page but cannot be seen or used now.
    Hidden(Candidate),
    /// Several could be meant, best first.
    Ambiguous(Vec<Candidate>),
    /// None is near enough; the nearest, best first.
    NotFound(Vec<Candidate>),
}

impl Identified {
    pub fn found(&self) -> Option<&Candidate> {
        match self {
            Self::Found(candidate) => Some(candidate),
            _ => None,
        }
    }

    /// Everything that was considered and is worth telling.
    pub fn candidates(&self) -> &[Candidate] {
        match self {
            Self::Found(one) | Self::Hidden(one) => std::slice::from_ref(one),
            Self::Ambiguous(several) | Self::NotFound(several) => several,
        }
    }
}

pub fn identify(sought: &Sought<'_>, page: &Inventory) -> Identified {
    let all = candidates(sought, page);
    let foreign = anchor::is_foreign(sought, page);
    let mut ranked: Vec<(usize, f64)> =
        all.iter().map(|&at| (at, score::score(sought, page, at, foreign))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let tell = |(at, score): &(usize, f64)| candidate(sought, page, *at, *score, foreign);
    let nearest = || ranked.iter().take(TOLD).map(tell).collect::<Vec<_>>();
    let holds =
        |(at, score): &(usize, f64)| *score >= ENOUGH && anchor::holds(sought, page, *at, &all, foreign);
    let shown: Vec<(usize, f64)> =
        ranked.iter().copied().filter(|(at, _)| page.items[*at].is_shown()).collect();
    if let Some(unseen) = ranked.first().filter(|(at, _)| !page.items[*at].is_shown() && holds(&ranked[0]))
        && shown.first().is_none_or(|(_, best)| unseen.1 - best >= LEAD)
    {
        return Identified::Hidden(tell(unseen));
    }
    let Some(best) = shown.first().filter(|best| holds(best)) else {
        return match shown.as_slice() {
            [best, second, ..] if best.1 >= ENOUGH && best.1 - second.1 < LEAD => {
                Identified::Ambiguous(nearest())
            }
            _ => Identified::NotFound(nearest()),
        };
    };
    let rival = shown.iter().skip(1).find(|(at, _)| !is_same_thing(page, best.0, *at));
    match rival {
        Some(rival) if best.1 - rival.1 < LEAD => Identified::Ambiguous(nearest()),
        _ => Identified::Found(tell(best)),
    }
}

/// One inside the other with the same words: a click on either is a click on both.
fn is_same_thing(page: &Inventory, one: usize, other: usize) -> bool {
    let contains = |outer: usize, inner: usize| page.ancestors(inner).any(|above| above == outer);
    let (a, b) = (&page.items[one], &page.items[other]);
    a.role == b.role
        && a.role.is_empty()
        && a.text == b.text
        && (contains(one, other) || contains(other, one))
}

fn candidate(sought: &Sought<'_>, page: &Inventory, at: usize, score: f64, foreign: bool) -> Candidate {
    let recorded = Locator::ALL.into_iter().filter(|&locator| is_recorded(locator, sought.portrait));
    let mut by = None;
    let mut lost = Vec::new();
    for locator in recorded {
        if points_at(locator, sought, page, at) {
            by = Some(locator);
            break;
        }
        lost.push(locator);
    }
    let element = page.items.get(at).map(umpire_browser::observe::inventory::Item::describe);
    let around = cascade::around_likeness(sought.portrait, page, at);
    Candidate {
        at,
        element: element.unwrap_or_default(),
        score: (score * 1000.0).round() / 1000.0,
        by,
        lost,
        is_out_of_context: !foreign && around.is_some_and(|around| !around.same),
    }
}
