//! The accessibility outline: what a screen reader would read, as indented lines.
//!
//! ```text
//! - heading "All products" (level 1)
//! - list
//!   - listitem
//!     - link "Desk lamp"
//!     - text "24.99 EUR"
//! ```

use std::fmt::Write;

use super::dom::{Dom, Kind, NodeId};
use super::names::{Names, tidy};
use super::roles::{is_widget, role_of};
use super::state::{state_of, value_of};
use crate::observation::quoted;

const LARGEST: usize = 60_000;
/// Scripts can nest elements without end; people do not.
const DEEPEST: usize = 500;

/// The outline, and what its lines are about: line number, node.
pub(super) fn outline_of(
    dom: &Dom<'_>,
    names: &Names<'_, '_>,
    focused: Option<NodeId>,
) -> (String, Vec<(usize, NodeId)>) {
    let mut writer = Writer {
        dom,
        names,
        focused,
        lines: Vec::new(),
        size: 0,
        is_full: false,
        pending: String::new(),
        nesting: 0,
    };
    writer.children(0, 0, false);
    writer.flush(0);
    let mut outline = String::with_capacity(writer.size + 64);
    let mut nodes = Vec::new();
    for (number, line) in writer.lines.iter().enumerate() {
        nodes.extend(line.node.map(|node| (number, node)));
        outline.extend(std::iter::repeat_n("  ", line.depth));
        outline.push_str(if line.node.is_none() { "- text " } else { "- " });
        outline.push_str(&line.text);
        outline.push('\n');
    }
    if writer.is_full {
        outline.push_str("… the rest of the page is left out\n");
    }
    (outline, nodes)
}

struct Line {
    depth: usize,
    text: String,
    /// None for a text, which is nobody's alone.
    node: Option<NodeId>,
}

struct Writer<'d, 's> {
    dom: &'d Dom<'s>,
    names: &'d Names<'d, 's>,
    focused: Option<NodeId>,
    lines: Vec<Line>,
    size: usize,
    /// The rest of the page is left out.
    is_full: bool,
    /// Text of inline neighbours, until something else follows.
    pending: String,
    nesting: usize,
}

impl Writer<'_, '_> {
    fn push(&mut self, depth: usize, text: String, node: Option<NodeId>) {
        if self.size + text.len() > LARGEST {
            self.is_full = true;
            return;
        }
        self.size += text.len() + depth * 2 + 3;
        self.lines.push(Line { depth, text, node });
    }

    fn flush(&mut self, depth: usize) {
        let text = tidy(&std::mem::take(&mut self.pending));
        if !text.is_empty() {
            self.push(depth, quoted(&text), None);
        }
    }

    /// `silent`: the texts are already told as a name.
    fn children(&mut self, id: NodeId, depth: usize, silent: bool) {
        if self.nesting >= DEEPEST {
            return;
        }
        self.nesting += 1;
        for child in self.dom.children(id) {
            if self.is_full {
                break;
            }
            self.node(child, depth, silent);
        }
        self.nesting -= 1;
    }

    fn node(&mut self, id: NodeId, depth: usize, silent: bool) {
        let node = self.dom.node(id);
        match node.kind {
            Kind::Text => {
                if !silent && self.dom.is_rendered(id) {
                    self.pending.push_str(node.text);
                }
                return;
            }
            Kind::Document => return self.children(id, depth, silent),
            Kind::Pseudo if node.tag != "::marker" && !silent => return self.pending.push_str(node.text),
            Kind::Pseudo | Kind::Other => return,
            Kind::Element => {}
        }
        if node.is_true("aria-hidden") || node.is(&["HEAD", "SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT"]) {
            return;
        }
        if self.dom.layout(id).is_some_and(|layout| layout.style.hidden)
            && node.is(&["SELECT", "INPUT", "TEXTAREA"])
        {
            return;
        }
        let role = role_of(self.dom, id);
        if matches!(role, "generic" | "none") {
            let apart = self.dom.layout(id).is_some_and(|layout| !layout.style.inline) || node.tag == "BR";
            if apart {
                self.flush(depth);
            }
            self.children(id, depth, silent);
            if apart {
                self.flush(depth);
            }
            return;
        }
        if !self.dom.walk(id).any(|below| self.dom.is_rendered(below)) {
            return;
        }
        self.flush(depth);
        let place = self.lines.len();
        let name = self.names.name_of(id);
        let told = !name.is_empty()
            && (is_widget(role)
                || matches!(
                    role,
                    "heading" | "cell" | "columnheader" | "rowheader" | "gridcell" | "caption"
                ));
        let is_closed = node.is(&["SELECT", "TEXTAREA", "svg", "IMG"]) || is_text_field(role);
        self.push(depth, self.describe(id, role, &name), Some(id));
        if is_closed {
            return;
        }
        let before = self.lines.len();
        self.children(id, depth + 1, silent || told);
        self.flush(depth + 1);
        // A line that holds nothing but one text carries it itself.
        if before == place + 1
            && self.lines.len() == before + 1
            && self.lines[before].node.is_none()
            && let Some(only) = self.lines.pop()
        {
            let line = &mut self.lines[place].text;
            line.push_str(": ");
            line.push_str(&only.text);
        }
    }

    fn describe(&self, id: NodeId, role: &str, name: &str) -> String {
        let mut line = String::with_capacity(role.len() + name.len() + 16);
        line.push_str(role);
        if !name.is_empty() {
            line.push(' ');
            line.push_str(&quoted(name));
        }
        let node = self.dom.node(id);
        if role == "heading" {
            let level = node.attribute("aria-level").or_else(|| node.tag.strip_prefix('H'));
            if let Some(level) = level {
                let _ = write!(line, " (level {level})");
            }
        }
        if let Some(value) = value_of(self.names, self.dom, id, role) {
            let _ = write!(line, " = {}", quoted(&value));
        }
        let mut state = state_of(self.dom, id, role);
        state.focused = self.focused == Some(id);
        let _ = write!(line, "{state}");
        line
    }
}

fn is_text_field(role: &str) -> bool {
    matches!(role, "textbox" | "searchbox" | "spinbutton" | "slider")
}
