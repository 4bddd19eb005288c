//! The element list of an observation.

use std::collections::HashMap;

use umpire_model::Rect;

use super::cover::Covers;
use super::dom::{Dom, Kind, NodeId};
use super::interactive::{Candidate, interactive_elements};
use super::names::Names;
use super::state::{state_of, value_of};
use crate::cdp::SessionId;
use crate::{Element, NodeRef};

/// More than this is not a list anybody reads; what can be seen is kept first.
const MOST: usize = 1_000;
const MOST_OPTIONS: usize = 500;
/// A container that happens to be clickable is known by the beginning of its text.
const LONGEST_GENERIC_NAME: usize = 120;

/// The elements, and which node each mark is on.
pub(super) fn list(
    dom: &Dom<'_>,
    names: &Names<'_, '_>,
    window: Rect,
    sessions: &[Option<SessionId>],
    focused: Option<NodeId>,
) -> (Vec<Element>, HashMap<NodeId, u32>) {
    let covers = Covers::of(dom);
    let candidates = interactive_elements(dom, names, window);
    let visible: Vec<bool> = candidates
        .iter()
        .map(|candidate| covers.is_visible(dom, candidate.handle, candidate.layout.shown))
        .collect();
    let seen = visible.iter().filter(|&&visible| visible).count();
    let mut room_for_others = MOST.saturating_sub(seen);
    let mut elements = Vec::with_capacity(candidates.len().min(MOST));
    let mut marks = HashMap::new();
    for (candidate, visible) in candidates.iter().zip(visible) {
        if !visible {
            if room_for_others == 0 {
                continue;
            }
            room_for_others -= 1;
        }
        let Some(Some(session)) = sessions.get(dom.node(candidate.handle).process) else { continue };
        let mark = elements.len() as u32 + 1;
        elements.push(element(dom, names, candidate, mark, visible, session, focused));
        marks.insert(candidate.node, mark);
        if elements.len() == MOST {
            break;
        }
    }
    (elements, marks)
}

fn element(
    dom: &Dom<'_>,
    names: &Names<'_, '_>,
    candidate: &Candidate<'_>,
    mark: u32,
    visible: bool,
    session: &SessionId,
    focused: Option<NodeId>,
) -> Element {
    let node = dom.node(candidate.node);
    let mut name = names.name_of(candidate.node);
    if name.is_empty() && !super::roles::is_widget(candidate.role) {
        name = names.text_of(candidate.node);
        name.truncate(name.floor_char_boundary(LONGEST_GENERIC_NAME));
    }
    let mut state = state_of(dom, candidate.node, candidate.role);
    state.focused = focused.is_some_and(|focused| focused == candidate.node);
    let options = if node.tag == "SELECT" {
        let options = dom.walk(candidate.node).filter(|&id| dom.node(id).tag == "OPTION");
        options.take(MOST_OPTIONS).map(|option| names.option_label(option)).collect()
    } else {
        Vec::new()
    };
    Element {
        mark,
        role: candidate.role.to_owned(),
        name,
        tag: node.tag.to_ascii_lowercase(),
        value: value_of(names, dom, candidate.node, candidate.role),
        state,
        options,
        href: node.attribute("href").filter(|_| candidate.role == "link").map(str::to_owned),
        rect: candidate.layout.rect,
        visible,
        node: NodeRef {
            session: SessionId::clone(session),
            backend_node_id: dom.node(candidate.handle).backend_id,
        },
    }
}

/// The node with the focus, given what each process says: the innermost frame that has one.
pub(super) fn focused_node(dom: &Dom<'_>, by_process: &[Option<i64>]) -> Option<NodeId> {
    if by_process.iter().all(Option::is_none) {
        return None;
    }
    let mut found = None;
    for id in dom.walk(0) {
        let node = dom.node(id);
        let is_focused = by_process.get(node.process).copied().flatten() == Some(node.backend_id);
        if node.kind == Kind::Element && is_focused {
            // A focused frame hands the focus on to what is focused in it.
            found = match found {
                Some(outer) if !dom.contains(outer, id) => Some(outer),
                _ => Some(id),
            };
        }
    }
    found
}
