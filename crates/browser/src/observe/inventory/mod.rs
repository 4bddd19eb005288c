//! Every element of a tab, to find one again that was seen before, on whatever page it stands now.
//!
//! An [`Observation`](crate::Observation) lists what an agent could act on; an [`Inventory`] lists everything, each
//! element with its place in the tree its author wrote: what a slot shows stands below its host, as it does in the
//! page's source. What only a few elements are ever asked for (the words around, the heading above) is worked out when it
//! is asked for.

mod take;
mod words;

use umpire_model::{Rect, Viewport};

use crate::{Element, ElementState, NodeRef, Observation};

pub(super) use take::take;

/// Longest text that is kept of an element, in characters.
pub const LONGEST_WORDS: usize = 200;

/// One look at everything in a tab.
#[derive(Clone, Debug)]
pub struct Inventory {
    pub url: String,
    pub viewport: Viewport,
    /// In document order; what a frame shows follows the element that shows it.
    pub items: Vec<Item>,
    /// The page itself first.
    pub frames: Vec<FramePlace>,
}

/// A document, as seen from the one that holds it.
#[derive(Clone, Debug, Default)]
pub struct FramePlace {
    /// The element that shows it; none for the page itself.
    pub owner: Option<usize>,
    pub url: String,
    /// Place among the frames of the document around it, from 1.
    pub index: u32,
}

/// An element.
#[derive(Clone, Debug)]
pub struct Item {
    /// Lower case.
    pub tag: String,
    /// Empty if it has none.
    pub role: String,
    /// Accessible name.
    pub name: String,
    /// The text in it, as one would read it.
    pub text: String,
    /// What its labels say.
    pub label: Option<String>,
    /// Current value of what holds one; never of a password.
    pub value: Option<String>,
    pub state: ElementState,
    /// Chosen options of a select, and all of them, by label.
    pub chosen: Vec<String>,
    pub options: Vec<String>,
    /// Place in [`Inventory::frames`].
    pub frame: usize,
    /// In the tree its author wrote; a shadow root's content stands below the host.
    pub parent: Option<usize>,
    /// Its parent is the host of the shadow root it stands in.
    pub enters_shadow: bool,
    pub previous: Option<usize>,
    pub next: Option<usize>,
    /// Place among siblings of its tag, from 1, and how many there are.
    pub among_siblings: (u32, u32),
    /// Place among the shown elements of its role and name in its frame, from 1, and how many there are.
    pub among_equals: (u32, u32),
    /// Place among what takes the focus in its frame, from 1.
    pub focus_index: Option<u32>,
    /// In pixels of its own document.
    pub rect: Rect,
    /// In pixels of the tab's window.
    pub in_window: Rect,
    /// Where to act on it: itself, or the label that stands for a control nobody can see. None if it is not shown.
    pub handle: Option<NodeRef>,
    pub node: NodeRef,
    /// As written in the page; the value of a password field is left out.
    pub attributes: Vec<(String, String)>,
}

impl Item {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(written, _)| written == name).map(|(_, value)| value.as_str())
    }

    pub fn is_shown(&self) -> bool {
        self.handle.is_some()
    }

    /// Its role and name, as errors call it.
    pub fn describe(&self) -> String {
        let kind = if self.role.is_empty() { &self.tag } else { &self.role };
        let said = if self.name.is_empty() { &self.text } else { &self.name };
        format!("{kind} {}", crate::observation::quoted(said))
    }
}

impl Inventory {
    /// An observation in which these elements alone are marked, from 1 in this order: what acting on them needs.
    pub fn marking(&self, items: &[usize]) -> Observation {
        let elements = items.iter().filter_map(|&at| self.items.get(at)).zip(1..);
        Observation {
            url: self.url.clone(),
            title: String::new(),
            tabs: Vec::new(),
            viewport: self.viewport,
            elements: elements.map(|(item, mark)| element(item, mark)).collect(),
            outline: String::new(),
            outline_marks: Vec::new(),
            screenshot: Vec::new(),
            dialogs: Vec::new(),
        }
    }

    /// The place of a node that something else found.
    pub fn position_of(&self, node: &NodeRef) -> Option<usize> {
        self.items.iter().position(|item| item.node == *node)
    }

    /// Its parents in the tree its author wrote, nearest first, up to the root of its frame.
    pub fn ancestors(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let parent = |at: &usize| self.items.get(*at).and_then(|item| item.parent);
        std::iter::successors(self.items.get(at).and_then(|item| item.parent), parent)
    }

    /// The frames an element stands in, outermost first, the page itself left out.
    pub fn frames_of(&self, at: usize) -> Vec<&FramePlace> {
        let mut chain = Vec::new();
        let mut frame = self.items.get(at).map_or(0, |item| item.frame);
        // Frames form a tree; the bound only guards against an answer that says otherwise.
        for _ in 0..self.frames.len() {
            let Some(place) = self.frames.get(frame) else { break };
            let Some(owner) = place.owner else { break };
            chain.push(place);
            frame = self.items.get(owner).map_or(0, |item| item.frame);
        }
        chain.reverse();
        chain
    }
}

fn element(item: &Item, mark: u32) -> Element {
    Element {
        mark,
        role: if item.role.is_empty() { "generic".to_owned() } else { item.role.clone() },
        name: if item.name.is_empty() { item.text.clone() } else { item.name.clone() },
        tag: item.tag.clone(),
        value: item.value.clone(),
        state: item.state,
        options: item.options.clone(),
        href: item.attribute("href").map(str::to_owned),
        rect: item.in_window,
        visible: item.is_shown(),
        node: item.handle.clone().unwrap_or_else(|| item.node.clone()),
    }
}
