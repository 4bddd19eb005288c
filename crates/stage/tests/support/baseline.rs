//! The cascade that WebSP-Eval published (`specs/websp-eval.md` §3.4), to compare with: the first lookup that finds
//! anything wins, nothing is scored, nothing has to be unique. It is asked on pages that are ready, without the time-outs
//! its own driver could run into.

use umpire_browser::observe::inventory::{Inventory, Item};
use umpire_stage::session::{Portrait, Step};

/// What the cascade does with a step on this page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    Element(usize),
    /// The words of what was found differ, and the step is passed over in silence.
    PassedOver,
    Nothing,
}

pub fn pick(step: &Step, page: &Inventory) -> Pick {
    let Some(portrait) = &step.element else { return Pick::Nothing };
    let frame = frame_for(step, page);
    let Some(at) = find(portrait, page, frame) else { return Pick::Nothing };
    let is_click = matches!(step.deed, umpire_stage::session::Deed::Click { .. });
    let is_field = matches!(portrait.input_type.as_deref(), Some("checkbox" | "radio"));
    let start = |text: &str| text.chars().take(100).collect::<String>();
    let said = portrait.words.text.as_deref().unwrap_or_default();
    if is_click && !is_field && start(said) != page.items[at].text {
        return Pick::PassedOver;
    }
    Pick::Element(at)
}

/// The first frame whose host is, or contains, the recorded one and whose path contains the recorded path; else the page.
fn frame_for(step: &Step, page: &Inventory) -> usize {
    let site = step.frames.last().map_or(step.url.as_str(), |frame| frame.url.as_str());
    let parts = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest).to_owned();
        let slash = rest.find('/').unwrap_or(rest.len());
        let path = rest[slash..].split(['?', '#']).next().unwrap_or_default().to_owned();
        (rest[..slash].to_owned(), path)
    };
    let (host, path) = parts(site);
    let matches = |frame: &umpire_browser::observe::inventory::FramePlace| {
        let (its_host, its_path) = parts(&frame.url);
        (its_host.contains(&host) || host.contains(&its_host)) && its_path.contains(&path)
    };
    (1..page.frames.len()).find(|&frame| matches(&page.frames[frame])).unwrap_or(0)
}

fn find(portrait: &Portrait, page: &Inventory, frame: usize) -> Option<usize> {
    let in_shadow = |at: usize| {
        std::iter::once(at).chain(page.ancestors(at)).any(|above| page.items[above].enters_shadow)
    };
    let all = |matches: &dyn Fn(&Item) -> bool, shadows: bool| {
        (0..page.items.len()).find(|&at| {
            let item = &page.items[at];
            item.frame == frame && matches(item) && (shadows || !in_shadow(at))
        })
    };
    let first = |matches: &dyn Fn(&Item) -> bool| all(matches, false);
    let locators = &portrait.locators;
    let words = &portrait.words;
    let css = locators.css.as_deref().unwrap_or_default();
    if css.contains("::shadow") {
        let labelled = words.aria_label.as_deref().and_then(|label| {
            all(&|item| item.attribute("aria-label") == Some(label) && item.tag == portrait.tag, true)
        });
        let walked = || (0..page.items.len()).find(|&at| umpire_stage::identify::css_path(page, at) == css);
        if let Some(found) = labelled.or_else(walked) {
            return Some(found);
        }
    }
    let by_attribute = |name: &str, value: &str| first(&|item| item.attribute(name) == Some(value));
    if let Some(found) = locators.id.as_deref().and_then(|id| by_attribute("id", id)) {
        return Some(found);
    }
    for (name, value) in &locators.test_ids {
        if let Some(found) = by_attribute(name, value) {
            return Some(found);
        }
    }
    if let Some(found) = words.aria_label.as_deref().and_then(|label| by_attribute("aria-label", label)) {
        return Some(found);
    }
    let by_path = (0..page.items.len()).find(|&at| {
        page.items[at].frame == frame && !in_shadow(at) && umpire_stage::identify::css_path(page, at) == css
    });
    if by_path.is_some() {
        return by_path;
    }
    if let Some(found) =
        portrait.position.index.and_then(|index| all(&|item| item.focus_index == Some(index), true))
    {
        return Some(found);
    }
    if let Some(label) = words.label.as_deref()
        && let Some(found) = first(&|item| item.label.as_deref() == Some(label))
            .or_else(|| first(&|item| item.label.as_deref().is_some_and(|text| text.contains(label))))
    {
        return Some(found);
    }
    if let Some(text) = words.text.as_deref() {
        let lookups: [&dyn Fn(&Item) -> bool; 3] = [
            &|item| item.role == "option" && item.text == text,
            &|item| item.tag == "button" && item.text == text,
            &|item| item.tag == "button" && item.text.contains(text),
        ];
        if let Some(found) = lookups.into_iter().find_map(first) {
            return Some(found);
        }
    }
    let beside = words.previous.as_deref().or(words.next.as_deref())?;
    let beside: String = beside.chars().take(50).collect();
    let near = first(&|item| item.text.starts_with(&beside))?;
    let parent = page.items[near].parent?;
    (0..page.items.len())
        .find(|&at| page.items[at].tag == portrait.tag && page.ancestors(at).any(|above| above == parent))
}
