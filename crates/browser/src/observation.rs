use umpire_model::{Rect, Tab, Viewport};

use crate::cdp::SessionId;

/// One look at the active tab: what is there, where, and what it looks like.
#[derive(Clone, Debug)]
pub struct Observation {
    pub url: String,
    pub title: String,
    pub tabs: Vec<Tab>,
    pub viewport: Viewport,
    /// Interactive elements over all frames and shadow roots, in document order; marks count from 1.
    pub elements: Vec<Element>,
    /// Accessibility outline of the whole page as indented text, capped in size.
    pub outline: String,
    /// JPEG of the viewport, without marks.
    pub screenshot: Vec<u8>,
    /// Dialogs that opened and were answered since the last look, oldest first.
    pub dialogs: Vec<String>,
}

impl Observation {
    pub fn element(&self, mark: u32) -> Option<&Element> {
        self.elements.iter().find(|element| element.mark == mark)
    }
}

/// An element an agent could act on.
#[derive(Clone, Debug)]
pub struct Element {
    pub mark: u32,
    /// ARIA role, computed: `button`, `link`, `textbox`, `combobox`, `checkbox`, `switch`, …
    pub role: String,
    /// Accessible name, whitespace collapsed.
    pub name: String,
    pub tag: String,
    /// Current value of a field or chosen option of a select; never of a password field.
    pub value: Option<String>,
    pub state: ElementState,
    /// Options of a select, in order.
    pub options: Vec<String>,
    pub href: Option<String>,
    /// Relative to the viewport of the tab; may lie outside it.
    pub rect: Rect,
    /// Wholly or partly inside the viewport and not covered.
    pub visible: bool,
    pub node: NodeRef,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ElementState {
    /// `checked`, `aria-checked` or `aria-pressed`; `None` if the element has no such state.
    pub checked: Option<bool>,
    pub selected: Option<bool>,
    pub expanded: Option<bool>,
    pub disabled: bool,
    pub focused: bool,
    pub password: bool,
}

/// Where an element lives: valid until its document is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRef {
    /// Session of the process that renders its frame.
    pub session: SessionId,
    pub backend_node_id: i64,
}
