//! A step while it is still being told.

use super::report::{DocumentName, Settled};
use super::secrets::reference;
use crate::session::{ControlState, Deed, Dialogue, Entry, Frame, Portrait};

/// What identifies a step before it has a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StepKey {
    /// By a page: its document, and the deed's number there.
    Page(DocumentName, u64),
    /// By the browser, in the order they happened.
    Browser(u64),
}

/// A step as far as it is known.
pub(super) struct Noted {
    pub key: StepKey,
    pub at: u64,
    pub tab: u32,
    pub url: String,
    pub frames: Vec<Frame>,
    pub deed: Deed,
    pub element: Option<Portrait>,
    pub before: Option<ControlState>,
    pub marks: Option<Vec<String>>,
    pub is_interactive: bool,
    pub rest: Option<Settled>,
    /// Its page was left before it came to rest.
    pub is_left: bool,
    pub picture: Option<String>,
    pub picture_number: Option<u32>,
    pub is_shown: bool,
}

impl Noted {
    pub fn new(key: StepKey, at: u64, tab: u32, url: String, deed: Deed) -> Self {
        Self {
            key,
            at,
            tab,
            url,
            frames: Vec::new(),
            deed,
            element: None,
            before: None,
            marks: None,
            is_interactive: true,
            rest: None,
            is_left: false,
            picture: None,
            picture_number: None,
            is_shown: false,
        }
    }

    /// Done to nothing that could be operated, and nothing came of it so far.
    pub fn is_noise(&self) -> bool {
        let has_effect = self.is_left || self.rest.as_ref().is_some_and(|rest| rest.effect);
        !self.is_interactive && !has_effect
    }

    pub fn is_same_place(&self, other: &Self) -> bool {
        let css = |noted: &Self| noted.element.as_ref().and_then(|element| element.locators.css.clone());
        self.tab == other.tab && self.frames == other.frames && css(self).is_some() && css(self) == css(other)
    }
}

/// The page names the kind of a secret; the vault's name for it has the site, too.
pub(super) fn with_references(deed: Deed, url: &str) -> Deed {
    let full = |entry: Entry| match entry {
        Entry::Secret(kind) => Entry::Secret(reference(url, &kind)),
        text @ Entry::Text(_) => text,
    };
    match deed {
        Deed::Type { text } => Deed::Type { text: full(text) },
        Deed::Dialog(dialogue) => Deed::Dialog(Dialogue { text: dialogue.text.map(full), ..dialogue }),
        other => other,
    }
}
