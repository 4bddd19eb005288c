//! Accessible names, after the W3C's "Accessible Name and Description Computation", as Chromium computes them.

use std::collections::HashMap;

use super::dom::{Dom, Kind, NodeId};
use super::roles::{input_type, is_editing_host, role_of};

/// Names beyond this are text, not names.
const LONGEST: usize = 1_000;
/// Deeper trees than this do not come from people.
const DEEPEST: u32 = 200;
/// Never part of what a page says; a field's own content is what somebody typed.
const SILENT: [&str; 17] = [
    "SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "INPUT", "TEXTAREA", "SELECT", "DATALIST", "IFRAME", "FRAME",
    "svg", "VIDEO", "AUDIO", "CANVAS", "OBJECT", "METER", "PROGRESS",
];

/// Computes names over one page; ids and labels are looked up once.
pub(super) struct Names<'d, 's> {
    dom: &'d Dom<'s>,
    by_id: HashMap<(NodeId, bool, &'s str), Vec<NodeId>>,
    labels: HashMap<NodeId, Vec<NodeId>>,
}

/// How a node came to be asked for its name.
#[derive(Clone, Copy)]
struct Asked {
    /// It is pointed at by `aria-labelledby` (or lies below such a node): hidden text counts.
    referenced: bool,
    /// It stands inside something whose name is its content.
    within: bool,
    /// It is, or lies in, a label: the control it labels must not name itself.
    labelling: Option<NodeId>,
    depth: u32,
}

impl<'d, 's> Names<'d, 's> {
    pub fn new(dom: &'d Dom<'s>, root: NodeId) -> Self {
        let mut by_id: HashMap<_, Vec<NodeId>> = HashMap::new();
        let mut written = Vec::new();
        for id in dom.walk(root) {
            let node = dom.node(id);
            if node.kind != Kind::Element {
                continue;
            }
            if let Some(name) = node.attribute("id").filter(|name| !name.is_empty()) {
                by_id.entry((node.document, node.in_shadow, name)).or_default().push(id);
            }
            if node.tag == "LABEL" {
                written.push(id);
            }
        }
        let mut names = Self { dom, by_id, labels: HashMap::new() };
        for label in written {
            if let Some(control) = names.labelled_control(label) {
                names.labels.entry(control).or_default().push(label);
            }
        }
        names
    }

    pub fn labels_of(&self, control: NodeId) -> &[NodeId] {
        self.labels.get(&control).map_or(&[], Vec::as_slice)
    }

    fn labelled_control(&self, label: NodeId) -> Option<NodeId> {
        match self.dom.node(label).attribute("for") {
            Some(target) => self.referenced(label, target).filter(|&control| self.is_labelable(control)),
            None => self.dom.walk(label).skip(1).find(|&inner| self.is_labelable(inner)),
        }
    }

    fn is_labelable(&self, id: NodeId) -> bool {
        let node = self.dom.node(id);
        node.is(&["BUTTON", "INPUT", "METER", "OUTPUT", "PROGRESS", "SELECT", "TEXTAREA"])
            && !(node.tag == "INPUT" && input_type(node) == "hidden")
            || node.tag.contains('-')
    }

    /// The element with this id in the same tree as `from`: the document's first, or the one in its own shadow root.
    fn referenced(&self, from: NodeId, id: &'s str) -> Option<NodeId> {
        let node = self.dom.node(from);
        let candidates = self.by_id.get(&(node.document, node.in_shadow, id))?;
        if !node.in_shadow {
            return candidates.first().copied();
        }
        // The snapshot does not say which shadow root a node is in. The nearest node with that id shares the most
        // ancestors, and in document order it stands right before or right after.
        let after = candidates.partition_point(|&candidate| candidate < from);
        let closeness = |candidate: &NodeId| {
            let shared = self.dom.ancestors(from).find(|&above| self.dom.contains(above, *candidate));
            shared.map_or(0, |shared| self.dom.ancestors(shared).count() + 1)
        };
        let neighbours = candidates[after.saturating_sub(1)..].iter().take(2);
        neighbours.max_by_key(|candidate| closeness(candidate)).copied()
    }

    pub fn name_of(&self, id: NodeId) -> String {
        let asked = Asked { referenced: false, within: false, labelling: None, depth: 0 };
        tidy(&self.compute(id, asked))
    }

    /// The text in an element, as one would read it, whatever its role.
    pub fn text_of(&self, id: NodeId) -> String {
        let asked = Asked { referenced: false, within: true, labelling: None, depth: 0 };
        tidy(&self.content(id, asked))
    }

    /// What is written in an element and can be seen, fields and pictures left out. The recorder's `plainText`
    /// (`extension/src/page/names.ts`) gives the same words, or an unchanged page would look changed.
    pub fn words_in(&self, id: NodeId) -> String {
        let mut text = String::new();
        self.add_words(id, 0, &mut text);
        tidy(&text)
    }

    fn add_words(&self, id: NodeId, depth: u32, text: &mut String) {
        let node = self.dom.node(id);
        if text.len() > LONGEST || depth > DEEPEST {
            return;
        }
        match node.kind {
            Kind::Text if self.dom.is_rendered(id) => {
                text.push(' ');
                text.push_str(node.text);
            }
            Kind::Element if !node.is(&SILENT) && !is_editing_host(node) => {
                self.dom.children(id).for_each(|child| self.add_words(child, depth + 1, text));
            }
            _ => {}
        }
    }

    fn compute(&self, id: NodeId, asked: Asked) -> String {
        let node = self.dom.node(id);
        if asked.depth > DEEPEST {
            return String::new();
        }
        if let Some(written) = self.written(id, asked) {
            return written;
        }
        if (asked.within || asked.referenced)
            && let Some(value) = self.embedded_value(id, asked)
        {
            return value;
        }
        if let Some(native) = self.native(id, asked) {
            return native;
        }
        let role = role_of(self.dom, id);
        if asked.within || asked.referenced || is_named_by_content(role) || node.tag == "LEGEND" {
            let content = self.content(id, asked);
            if !content.trim().is_empty() {
                return content;
            }
        }
        let spare = ["title", "placeholder", "aria-placeholder"];
        let spare = spare.iter().filter(|&&name| {
            name == "title" || matches!(role, "textbox" | "searchbox" | "combobox" | "spinbutton")
        });
        spare.into_iter().find_map(|name| filled(node.attribute(name))).unwrap_or_default().to_owned()
    }

    /// `aria-labelledby` and `aria-label`.
    fn written(&self, id: NodeId, asked: Asked) -> Option<String> {
        let node = self.dom.node(id);
        if !asked.referenced
            && let Some(references) = node.attribute("aria-labelledby")
        {
            let referenced =
                Asked { referenced: true, within: false, labelling: None, depth: asked.depth + 1 };
            let parts = references.split_ascii_whitespace().filter_map(|name| self.referenced(id, name));
            let name: Vec<String> = parts
                .map(|part| tidy(&self.compute(part, referenced)))
                .filter(|part| !part.is_empty())
                .collect();
            if !name.is_empty() {
                return Some(name.join(" "));
            }
        }
        filled(node.attribute("aria-label")).map(str::to_owned)
    }

    /// A control in the middle of a label stands there with its value.
    fn embedded_value(&self, id: NodeId, asked: Asked) -> Option<String> {
        let node = self.dom.node(id);
        if asked.labelling == Some(id) {
            return Some(String::new());
        }
        match role_of(self.dom, id) {
            "textbox" | "searchbox" if input_type(node) != "password" => node.value.map(str::to_owned),
            "combobox" | "listbox" if node.tag == "SELECT" => {
                Some(self.chosen_option(id).unwrap_or_default())
            }
            "combobox" if node.tag == "INPUT" => node.value.map(str::to_owned),
            "slider" | "spinbutton" | "progressbar" | "meter" => {
                let written = node.attribute("aria-valuetext").or(node.attribute("aria-valuenow"));
                written.or(node.value).or(node.attribute("value")).map(str::to_owned)
            }
            _ => None,
        }
    }

    pub fn chosen_option(&self, select: NodeId) -> Option<String> {
        let options = self.dom.walk(select).filter(|&id| self.dom.node(id).tag == "OPTION");
        let chosen: Vec<String> =
            options.filter(|&id| self.dom.node(id).option_selected).map(|id| self.option_label(id)).collect();
        (!chosen.is_empty()).then(|| chosen.join(", "))
    }

    pub fn option_label(&self, option: NodeId) -> String {
        match filled(self.dom.node(option).attribute("label")) {
            Some(label) => tidy(label),
            None => tidy(&self.hidden_text(option)),
        }
    }

    /// What the language itself says the name is.
    fn native(&self, id: NodeId, asked: Asked) -> Option<String> {
        let node = self.dom.node(id);
        if asked.labelling.is_none()
            && let Some(labels) = self.labels.get(&id)
        {
            let below = Asked { labelling: Some(id), within: true, depth: asked.depth + 1, ..asked };
            let parts =
                labels.iter().map(|&label| tidy(&self.compute(label, below))).filter(|part| !part.is_empty());
            let name = parts.collect::<Vec<_>>().join(" ");
            if !name.is_empty() {
                return Some(name);
            }
        }
        let attribute = |name: &str| filled(node.attribute(name)).map(str::to_owned);
        match node.tag {
            "INPUT" => match input_type(node).as_str() {
                "button" => attribute("value"),
                "submit" => attribute("value").or_else(|| attribute("title")).or(Some("Submit".to_owned())),
                "reset" => attribute("value").or_else(|| attribute("title")).or(Some("Reset".to_owned())),
                "image" => attribute("alt")
                    .or_else(|| attribute("value"))
                    .or_else(|| attribute("title"))
                    .or(Some("Submit".to_owned())),
                _ => None,
            },
            "IMG" | "AREA" => attribute("alt"),
            "OPTGROUP" => attribute("label"),
            "OPTION" => Some(self.option_label(id)),
            "FIELDSET" => self.first_child_text(id, "LEGEND", asked),
            "TABLE" => self.first_child_text(id, "CAPTION", asked),
            "FIGURE" => self.first_child_text(id, "FIGCAPTION", asked),
            "svg" => {
                let title = self.dom.children(id).find(|&child| self.dom.node(child).tag == "title")?;
                Some(self.hidden_text(title))
            }
            _ => None,
        }
    }

    fn first_child_text(&self, id: NodeId, tag: &str, asked: Asked) -> Option<String> {
        let child = self.dom.children(id).find(|&child| self.dom.node(child).tag == tag)?;
        let below = Asked { within: true, depth: asked.depth + 1, ..asked };
        Some(self.content(child, below)).filter(|text| !text.trim().is_empty())
    }

    /// The names of what is inside, in order; a block stands apart from its neighbours.
    fn content(&self, id: NodeId, asked: Asked) -> String {
        let below = Asked { within: true, depth: asked.depth + 1, ..asked };
        let mut text = String::new();
        for child in self.dom.children(id) {
            if text.len() > LONGEST * 2 {
                break;
            }
            let node = self.dom.node(child);
            match node.kind {
                Kind::Text => {
                    let counts_unseen =
                        || asked.referenced && (self.dom.layout(child).is_some() || self.is_hidden(id));
                    if self.dom.is_rendered(child) || counts_unseen() {
                        text.push_str(node.text);
                    }
                }
                Kind::Pseudo if node.tag != "::marker" => text.push_str(node.text),
                Kind::Element => {
                    let left_out = node.is_true("aria-hidden") || !asked.referenced && self.is_hidden(child);
                    if left_out || node.is(&["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT"]) {
                        continue;
                    }
                    let apart =
                        node.tag == "BR" || self.dom.layout(child).is_some_and(|layout| !layout.style.inline);
                    let part = if role_of(self.dom, child) == "none" && !node.has("alt") {
                        self.content(child, below)
                    } else {
                        self.compute(child, below)
                    };
                    if apart {
                        text.push(' ');
                        text.push_str(&part);
                        text.push(' ');
                    } else {
                        text.push_str(&part);
                    }
                }
                _ => {}
            }
        }
        text
    }

    /// Not drawn, and nothing in it is either.
    fn is_hidden(&self, id: NodeId) -> bool {
        match self.dom.layout(id) {
            Some(layout) => {
                layout.style.hidden && !self.dom.walk(id).any(|below| self.dom.is_rendered(below))
            }
            None => !self.dom.walk(id).any(|below| self.dom.is_rendered(below)),
        }
    }

    /// Text of a subtree that is not drawn, such as the options of a closed select.
    fn hidden_text(&self, id: NodeId) -> String {
        let texts =
            self.dom.walk(id).map(|below| self.dom.node(below)).filter(|node| node.kind == Kind::Text);
        texts.map(|node| node.text).collect()
    }
}

fn is_named_by_content(role: &str) -> bool {
    matches!(
        role,
        "button"
            | "cell"
            | "checkbox"
            | "columnheader"
            | "gridcell"
            | "heading"
            | "link"
            | "menuitem"
            | "menuitemcheckbox"
            | "menuitemradio"
            | "option"
            | "radio"
            | "row"
            | "rowheader"
            | "switch"
            | "tab"
            | "tooltip"
            | "treeitem"
    )
}

fn filled(value: Option<&str>) -> Option<&str> {
    value.filter(|value| !value.trim().is_empty())
}

/// White space collapsed, ends trimmed, length bounded.
pub(super) fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len().min(LONGEST));
    for word in text.split_whitespace() {
        if !tidied.is_empty() {
            tidied.push(' ');
        }
        tidied.push_str(word);
        if tidied.len() > LONGEST {
            tidied.truncate(tidied.floor_char_boundary(LONGEST));
            break;
        }
    }
    tidied
}
