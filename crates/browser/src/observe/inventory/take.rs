//! From the joined page to the list of its elements.

use std::collections::HashMap;

use umpire_model::Viewport;

use super::words::shortened;
use super::{FramePlace, Inventory, Item};
use crate::NodeRef;
use crate::cdp::SessionId;
use crate::observe::dom::{Dom, Kind, Node, NodeId};
use crate::observe::geometry::NOWHERE;
use crate::observe::interactive::handle_of;
use crate::observe::names::Names;
use crate::observe::roles::{is_focusable, is_password, role_of};
use crate::observe::state::{state_of, value_of};

/// A page of more elements than this is cut there; no person made it.
const MOST_ITEMS: usize = 50_000;
const MOST_ATTRIBUTES: usize = 40;
const LONGEST_ATTRIBUTE: usize = 500;
const MOST_OPTIONS: usize = 500;

pub(in crate::observe) fn take(
    dom: &Dom<'_>,
    names: &Names<'_, '_>,
    sessions: &[Option<SessionId>],
    viewport: Viewport,
) -> Inventory {
    let mut taking = Taking {
        dom,
        names,
        sessions,
        items: Vec::new(),
        frames: Vec::new(),
        focusable: Vec::new(),
        places: HashMap::new(),
        frame_of: HashMap::new(),
    };
    for id in dom.walk(0) {
        match dom.node(id).kind {
            Kind::Document => taking.enter_document(id),
            Kind::Element if taking.items.len() < MOST_ITEMS => taking.add(id),
            _ => {}
        }
    }
    let Taking { mut items, frames, .. } = taking;
    count_siblings(&mut items);
    count_equals(&mut items);
    let url = frames.first().map(|frame: &FramePlace| frame.url.clone()).unwrap_or_default();
    Inventory { url, viewport, items, frames }
}

struct Taking<'d, 's> {
    dom: &'d Dom<'s>,
    names: &'d Names<'d, 's>,
    sessions: &'d [Option<SessionId>],
    items: Vec<Item>,
    frames: Vec<FramePlace>,
    /// How many elements of each frame take the focus, so far.
    focusable: Vec<u32>,
    /// Items by node.
    places: HashMap<NodeId, usize>,
    /// Frames by the root of their document.
    frame_of: HashMap<NodeId, usize>,
}

impl Taking<'_, '_> {
    fn enter_document(&mut self, root: NodeId) {
        let owner = self.dom.node(root).parent.and_then(|owner| self.places.get(&owner).copied());
        let around = owner.map(|owner| self.items[owner].frame);
        let siblings = self.frames.iter().filter(|frame| {
            frame.owner.is_some() && frame.owner.map(|other| self.items[other].frame) == around
        });
        let index = siblings.count() as u32 + 1;
        let url = self.dom.documents().iter().find(|document| document.root == root);
        let url = url.map(|document| document.url.to_owned()).unwrap_or_default();
        self.frame_of.insert(root, self.frames.len());
        self.frames.push(FramePlace { owner, url, index });
        self.focusable.push(0);
    }

    fn add(&mut self, id: NodeId) {
        let node = self.dom.node(id);
        let is_for_reading =
            !node.is(&["HEAD", "SCRIPT", "STYLE", "META", "LINK", "TITLE", "NOSCRIPT", "TEMPLATE", "BASE"]);
        let (Some(Some(session)), Some(&frame)) =
            (self.sessions.get(node.process), self.frame_of.get(&node.document))
        else {
            return;
        };
        if !is_for_reading {
            return;
        }
        let refer = |id: NodeId| NodeRef {
            session: SessionId::clone(session),
            backend_node_id: self.dom.node(id).backend_id,
        };
        let role = role_of(self.dom, id);
        let labels: Vec<String> =
            self.names.labels_of(id).iter().map(|&label| self.names.words_in(label)).collect();
        let in_window = self.dom.outer_box(id).map_or(NOWHERE, |layout| layout.rect);
        let moved = self.dom.documents().iter().find(|document| document.root == node.document);
        let (dx, dy) = moved.map(|document| document.moved).unwrap_or_default();
        let (parent, enters_shadow) = self.author_parent(id);
        let is_select = node.tag == "SELECT";
        let options = || self.dom.walk(id).filter(|&below| is_select && self.dom.node(below).tag == "OPTION");
        let label_of = |option| self.names.option_label(option);
        let item = Item {
            tag: node.tag.to_ascii_lowercase(),
            role: if matches!(role, "generic" | "none") { String::new() } else { role.to_owned() },
            name: shortened(self.names.name_of(id)),
            text: shortened(self.names.words_in(id)),
            label: (!labels.is_empty()).then(|| shortened(labels.join(" "))),
            value: value_of(self.names, self.dom, id, role),
            state: state_of(self.dom, id, role),
            chosen: options().filter(|&option| self.dom.node(option).option_selected).map(label_of).collect(),
            options: options().take(MOST_OPTIONS).map(label_of).collect(),
            frame,
            parent,
            enters_shadow,
            previous: None,
            next: None,
            among_siblings: (1, 1),
            among_equals: (1, 1),
            focus_index: None,
            rect: umpire_model::Rect { x: in_window.x - dx, y: in_window.y - dy, ..in_window },
            in_window,
            handle: handle_of(self.dom, self.names, id).map(|(handle, _)| refer(handle)),
            node: refer(id),
            attributes: attributes_of(node),
        };
        // By attributes alone, so that the place does not depend on what the window shows.
        let focus_index = is_focusable(node).then(|| {
            self.focusable[frame] += 1;
            self.focusable[frame]
        });
        self.places.insert(id, self.items.len());
        self.items.push(Item { focus_index, ..item });
    }

    /// The parent its author gave it. The snapshot shows what a slot shows below the slot; the author wrote it below the
    /// host. Whether an element inside a shadow root has one of its own is told by its name: only the page knows for sure.
    fn author_parent(&self, id: NodeId) -> (Option<usize>, bool) {
        let node = self.dom.node(id);
        let Some(parent) = node.parent.filter(|&parent| self.dom.node(parent).kind == Kind::Element) else {
            return (None, false);
        };
        let above = self.dom.node(parent);
        let place = |id: NodeId| self.places.get(&id).copied();
        if above.in_page_shadow && !node.in_page_shadow {
            let host = self.dom.ancestors(id).find(|&above| !self.dom.node(above).in_page_shadow);
            return (host.and_then(place), false);
        }
        let enters = node.in_page_shadow && (!above.in_page_shadow || above.tag.contains('-'));
        (place(parent), enters)
    }
}

fn attributes_of(node: &Node<'_>) -> Vec<(String, String)> {
    let is_secret = |name: &str| name == "value" && is_password(node);
    let kept = node.attributes().filter(|(name, _)| !is_secret(name)).take(MOST_ATTRIBUTES);
    kept.map(|(name, value)| {
        (name.to_owned(), value[..value.floor_char_boundary(LONGEST_ATTRIBUTE)].to_owned())
    })
    .collect()
}

/// Neighbours, and places among siblings of the same tag.
fn count_siblings(items: &mut [Item]) {
    let mut last: HashMap<(usize, Option<usize>, bool), usize> = HashMap::new();
    let mut of_tag: HashMap<(usize, Option<usize>, bool, String), Vec<usize>> = HashMap::new();
    for at in 0..items.len() {
        let family = (items[at].frame, items[at].parent, items[at].enters_shadow);
        if let Some(before) = last.insert(family, at) {
            items[at].previous = Some(before);
            items[before].next = Some(at);
        }
        of_tag.entry((family.0, family.1, family.2, items[at].tag.clone())).or_default().push(at);
    }
    for family in of_tag.into_values() {
        for (place, &at) in family.iter().enumerate() {
            items[at].among_siblings = (place as u32 + 1, family.len() as u32);
        }
    }
}

/// Places among elements of the same role and name that are shown; how a name is capitalised may be the style's doing.
fn count_equals(items: &mut [Item]) {
    let mut equals: HashMap<(usize, &str, String), Vec<usize>> = HashMap::new();
    for (at, item) in items.iter().enumerate().filter(|(_, item)| item.is_shown()) {
        equals.entry((item.frame, &item.role, item.name.to_lowercase())).or_default().push(at);
    }
    let counted: Vec<(usize, (u32, u32))> = equals
        .into_values()
        .flat_map(|family| {
            let all = family.len() as u32;
            family.into_iter().zip(1..).map(move |(at, place)| (at, (place, all)))
        })
        .collect();
    for (at, place) in counted {
        items[at].among_equals = place;
    }
}
