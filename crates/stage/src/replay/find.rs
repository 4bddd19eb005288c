//! Waiting for a step's element: until it is identified, without doubt and for more than a moment.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use umpire_browser::act::{PageSelector, locate_by_selector};
use umpire_browser::observe::inventory::{Inventory, Item};
use umpire_browser::{NodeRef, SeatError};
use umpire_model::Deadline;

use super::report::Found;
use super::{ReplayEvent, Run, Trouble};
use crate::identify::{Candidate, Identified, Locator, Sought, frames_of, identify, portrait_of};
use crate::session::{Frame, Portrait, Step};

/// Between two looks.
const RETRY: Duration = Duration::from_millis(100);
/// What was found by less than everything must still be the same after this.
const SECOND_LOOK: Duration = Duration::from_millis(250);
/// So much of a portrait needs no second look.
const BEYOND_DOUBT: f64 = 0.9;
/// What fits less than this may be a namesake of something that is still to come.
const NAMESAKE: f64 = 0.75;
/// How long a page that has arrived may still be bringing its content.
pub(super) const STILL_TO_COME: Duration = Duration::from_millis(4_500);

/// An element that was found, and the page it stands on.
pub(super) struct Sighting {
    pub page: Inventory,
    pub at: usize,
    pub candidate: Candidate,
}

impl Sighting {
    pub fn item(&self) -> &Item {
        &self.page.items[self.at]
    }

    pub fn node(&self) -> NodeRef {
        self.item().node.clone()
    }

    pub fn found(&self) -> Found {
        Found {
            by: self.candidate.by,
            score: self.candidate.score,
            lost: self.candidate.lost.clone(),
            portrait: portrait_of(&self.page, self.at).unwrap_or_default(),
            frames: frames_of(&self.page, self.at),
        }
    }
}

/// What is looked for, from a step or from the far end of a drag.
#[derive(Clone, Copy)]
pub(super) struct Wish<'a> {
    pub portrait: &'a Portrait,
    pub frames: &'a [Frame],
    pub url: &'a str,
}

impl<'a> Wish<'a> {
    pub fn of(step: &'a Step) -> Option<Self> {
        let portrait = step.element.as_ref()?;
        Some(Self { portrait, frames: &step.frames, url: &step.url })
    }
}

impl Run<'_> {
    pub fn tell_found(&self, step: usize, sighting: &Sighting) {
        let found = ReplayEvent::Found { step: step + 1, page: &sighting.page, at: sighting.at };
        (self.options.watcher)(found);
    }

    /// Looks until the element is found or the limit came.
    pub async fn find(&self, wish: Wish<'_>, limit: Deadline) -> Result<Sighting, Trouble> {
        let mut last = None;
        // The visit is noted at its first look, so that a later one knows how old the page is.
        self.has_just_arrived().await?;
        loop {
            match self.look(wish).await {
                Ok((page, Identified::Found(candidate)))
                    if may_be_namesake(wish.portrait, &page, &candidate)
                        && self.has_just_arrived().await? =>
                {
                    last = Some(Identified::NotFound(vec![candidate]));
                }
                Ok((page, Identified::Found(candidate))) => {
                    if let Some(sighting) = self.confirmed(wish, page, candidate).await? {
                        return Ok(sighting);
                    }
                }
                Ok((_, identified)) => last = Some(identified),
                // A document that is being replaced cannot be looked at; the next one can.
                Err(error) if !limit.passed() && is_passing(&error) => {}
                Err(error) => return Err(error.into()),
            }
            if limit.passed() {
                return Err(not_found(last));
            }
            tokio::time::sleep(limit.within(RETRY).left()).await;
        }
    }

    /// Whether the page in front may still be bringing its content.
    async fn has_just_arrived(&self) -> Result<bool, Trouble> {
        let tab = self.seat.active_tab(self.deadline).await?;
        let visit = (tab.id, tab.activity.counts().navigations);
        let mut arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
        match &*arrived {
            Some((known, since)) if *known == visit => Ok(since.elapsed() < STILL_TO_COME),
            _ => {
                *arrived = Some((visit, Instant::now()));
                Ok(true)
            }
        }
    }

    /// One look, without waiting.
    pub async fn look(&self, wish: Wish<'_>) -> Result<(Inventory, Identified), SeatError> {
        let page = self.seat.inventory(self.deadline).await?;
        let proposed = self.resolve_selectors(wish.portrait, &page).await?;
        let sought = Sought {
            portrait: wish.portrait,
            frames: wish.frames,
            url: wish.url,
            proposed: &proposed,
            spoken: &self.spoken,
        };
        let identified = identify(&sought, &page);
        Ok((page, identified))
    }

    /// The element, if it is beyond doubt or still the one after a moment.
    async fn confirmed(
        &self,
        wish: Wish<'_>,
        page: Inventory,
        candidate: Candidate,
    ) -> Result<Option<Sighting>, Trouble> {
        let first = Sighting { at: candidate.at, page, candidate };
        if first.candidate.score >= BEYOND_DOUBT {
            return Ok(Some(first));
        }
        tokio::time::sleep(self.deadline.within(SECOND_LOOK).left()).await;
        let node = first.node();
        match self.look(wish).await {
            Ok((page, Identified::Found(candidate))) => {
                let again = Sighting { at: candidate.at, page, candidate };
                Ok((again.node() == node).then_some(again))
            }
            Ok(_) => Ok(None),
            Err(error) if is_passing(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Elements that another recorder's selectors point at, each at one alone.
    async fn resolve_selectors(
        &self,
        portrait: &Portrait,
        page: &Inventory,
    ) -> Result<Vec<usize>, SeatError> {
        if portrait.locators.selectors.is_empty() {
            return Ok(Vec::new());
        }
        let tab = self.seat.active_tab(self.deadline).await?;
        let mut proposed = Vec::new();
        for written in &portrait.locators.selectors {
            let selector = match written.split_once('/') {
                Some(("aria", said)) => {
                    proposed.extend(only(page, |item| item.name == aria_name(said)));
                    continue;
                }
                Some(("text", said)) => {
                    proposed.extend(only(page, |item| item.text == said.trim()));
                    continue;
                }
                Some(("pierce", css)) => PageSelector::PiercingCss(css),
                Some(("xpath", path)) => PageSelector::XPath(path),
                _ => PageSelector::Css(written),
            };
            let node = locate_by_selector(&tab, &selector, self.deadline).await;
            proposed.extend(node.and_then(|node| page.position_of(&node)));
        }
        proposed.dedup();
        Ok(proposed)
    }
}

/// Whether something else of that name may still be to come: this one fits badly, there were more of them, or it is known
/// by what namesakes share and stands among other words.
fn may_be_namesake(portrait: &Portrait, page: &Inventory, candidate: &Candidate) -> bool {
    let are = page.items[candidate.at].among_equals.1;
    let is_known_by_name = candidate.by.is_none_or(|by| by >= Locator::RoleAndName);
    candidate.score < NAMESAKE
        || portrait.position.among_equals.is_some_and(|(_, were)| were > are)
        || is_known_by_name && candidate.is_out_of_context
}

/// `aria/Save[role="button"]` means the name alone; the role is in the portrait.
fn aria_name(said: &str) -> &str {
    said.split("[role=").next().unwrap_or(said).trim()
}

/// The innermost of what matches, if what matches lies one inside the other.
fn only(page: &Inventory, matches: impl Fn(&Item) -> bool) -> Option<usize> {
    let found: Vec<usize> = (0..page.items.len()).filter(|&at| matches(&page.items[at])).collect();
    let &last = found.last()?;
    let is_around = |at: usize| page.ancestors(last).any(|above| above == at);
    found.iter().all(|&at| at == last || is_around(at)).then_some(last)
}

/// Errors of a page on its way to the next.
fn is_passing(error: &SeatError) -> bool {
    matches!(error, SeatError::Unseen(_) | SeatError::TabMissing | SeatError::Cdp(_))
}

fn not_found(last: Option<Identified>) -> Trouble {
    let Some(identified) = last else { return Trouble::because("the page could not be looked at") };
    let problem = match &identified {
        Identified::Found(_) => "it did not stay the same for a moment",
        Identified::Hidden(_) => "it is in the page but not shown",
        Identified::Ambiguous(_) => "several elements could be meant",
        Identified::NotFound(_) => "it is not on the page",
    };
    Trouble::Step { problem: problem.to_owned(), candidates: identified.candidates().to_vec() }
}
