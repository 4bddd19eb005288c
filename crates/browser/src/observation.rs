use std::collections::HashSet;
use std::fmt;
use std::fmt::Write;

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
    /// Which lines of the outline, from 0, are elements of the list: line and mark, in order.
    pub outline_marks: Vec<(usize, u32)>,
    /// JPEG of the viewport, without marks.
    pub screenshot: Vec<u8>,
    /// Dialogs that opened and were answered since the last look, oldest first.
    pub dialogs: Vec<String>,
}

/// Longer lists of elements are cut, what is off the screen first.
const LARGEST_LIST: usize = 40_000;
const LONGEST_TEXT: usize = 300;
const MOST_OPTIONS_LISTED: usize = 30;

impl Observation {
    pub fn element(&self, mark: u32) -> Option<&Element> {
        self.elements.iter().find(|element| element.mark == mark)
    }

    /// Lines of the outline that went (`-`) and came (`+`) since an earlier look; empty if it reads the same.
    pub fn outline_changes(&self, earlier: &Self) -> String {
        crate::observe::changes::changes(&earlier.outline, &self.outline)
    }

    /// The outline with the marks of its elements, such as `- link [12] "Desk lamp"`. What can be acted on but has no
    /// line of its own follows at the end.
    pub fn marked_outline(&self) -> String {
        let mut text = String::with_capacity(self.outline.len() + self.outline_marks.len() * 6);
        let mut marks = self.outline_marks.iter().peekable();
        for (number, line) in self.outline.lines().enumerate() {
            match marks.next_if(|(at, _)| *at == number) {
                Some((_, mark)) => {
                    let start = line.find("- ").map_or(0, |dash| dash + 2);
                    let role = line[start..].find(' ').map_or(line.len(), |space| start + space);
                    let _ = writeln!(text, "{} [{mark}]{}", &line[..role], &line[role..]);
                }
                None => {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
        let told: HashSet<u32> = self.outline_marks.iter().map(|(_, mark)| *mark).collect();
        for element in self.elements.iter().filter(|element| !told.contains(&element.mark)) {
            let _ = writeln!(text, "- {} [{}] {}", element.role, element.mark, quoted(&element.name));
        }
        text
    }

    /// One line an element, such as `[12] button "Add to cart" (disabled)`; what is off the screen or covered follows
    /// under a heading of its own.
    pub fn element_list(&self) -> String {
        self.element_list_within(LARGEST_LIST)
    }

    /// The same in at most so many bytes; what is off the screen is cut first.
    pub fn element_list_within(&self, most: usize) -> String {
        let mut list = String::new();
        let (on_screen, elsewhere): (Vec<_>, Vec<_>) =
            self.elements.iter().partition(|element| element.visible);
        let mut left_out = 0;
        for (heading, elements) in [("", on_screen), ("Off the screen or covered:\n", elsewhere)] {
            for (place, element) in elements.into_iter().enumerate() {
                let line = element.to_string();
                if list.len() + line.len() > most {
                    left_out += 1;
                    continue;
                }
                if place == 0 {
                    list.push_str(heading);
                }
                list.push_str(&line);
                list.push('\n');
            }
        }
        if left_out > 0 {
            let _ = writeln!(list, "… {left_out} more elements");
        }
        list
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
    /// As written in the page.
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

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.mark, self.role)?;
        if !self.name.is_empty() {
            write!(f, " {}", quoted(&self.name))?;
        }
        if let Some(value) = &self.value {
            write!(f, " = {}", quoted(value))?;
        }
        write!(f, "{}", self.state)?;
        if !self.options.is_empty() {
            let shown: Vec<String> =
                self.options.iter().take(MOST_OPTIONS_LISTED).map(|option| quoted(option)).collect();
            write!(f, " options: {}", shown.join(", "))?;
            if self.options.len() > MOST_OPTIONS_LISTED {
                write!(f, " … {} more", self.options.len() - MOST_OPTIONS_LISTED)?;
            }
        }
        Ok(())
    }
}

/// Each state in brackets after a space; nothing for an element in its plain state.
impl fmt::Display for ElementState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let either = |state: Option<bool>, on, off| state.map(|state| if state { on } else { off });
        let said = [
            either(self.checked, "checked", "unchecked"),
            either(self.selected, "selected", "unselected"),
            either(self.expanded, "expanded", "collapsed"),
            self.disabled.then_some("disabled"),
            self.focused.then_some("focused"),
            self.password.then_some("password"),
        ];
        said.into_iter().flatten().try_for_each(|state| write!(f, " ({state})"))
    }
}

/// In quotes as in the text form of actions, shortened at a word if long.
pub(crate) fn quoted(text: &str) -> String {
    let json = |text: &str| serde_json::to_string(text).unwrap_or_default();
    if text.len() <= LONGEST_TEXT {
        return json(text);
    }
    let cut = &text[..text.floor_char_boundary(LONGEST_TEXT)];
    let cut = cut.rsplit_once(' ').map_or(cut, |(head, _)| head);
    json(&format!("{cut}…"))
}
