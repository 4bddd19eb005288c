//! Which elements an agent could act on, told from the page's structure and styles alone.

use std::collections::HashSet;

use umpire_model::Rect;

use super::dom::{Dom, Kind, Layout, NodeId};
use super::geometry::{is_empty, same_box};
use super::names::Names;
use super::roles::{input_type, is_editing_host, is_structure, is_widget, role_of};

/// An element to act on, and the box to act in.
pub(super) struct Candidate<'s> {
    /// Whose role, name and state count.
    pub node: NodeId,
    /// Where to click: the node itself, or the label that stands for a control nobody can see.
    pub handle: NodeId,
    pub role: &'s str,
    pub layout: Layout,
    evidence: Evidence,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    /// Only somebody listens for clicks on it.
    Listener,
    /// The pointer turns into a hand over it.
    Cursor,
    /// It takes the focus.
    Focus,
    /// Its tag or role makes it a control.
    Control,
}

/// Below this, a control's own box is a trick to hide it behind its label.
const SMALLEST_CONTROL: f64 = 4.0;

pub(super) fn interactive_elements<'s>(
    dom: &Dom<'s>,
    names: &Names<'_, '_>,
    viewport: Rect,
) -> Vec<Candidate<'s>> {
    let unreachable = Unreachable::of(dom);
    let mut found: Vec<Candidate<'s>> = Vec::new();
    for id in dom.walk(0) {
        let node = dom.node(id);
        if node.kind != Kind::Element {
            continue;
        }
        let role = role_of(dom, id);
        let Some(evidence) = evidence_for(dom, id, role, viewport) else { continue };
        let Some((handle, layout)) = handle_of(dom, names, id) else { continue };
        if layout.style.ignores_pointer && evidence < Evidence::Control || unreachable.covers(dom, id) {
            continue;
        }
        found.push(Candidate { node: id, handle, role, layout, evidence });
    }
    drop_wrappers(dom, found)
}

fn evidence_for(dom: &Dom<'_>, id: NodeId, role: &str, viewport: Rect) -> Option<Evidence> {
    let node = dom.node(id);
    match node.tag {
        // A label acts through its control, an option through its select, and a page is not a button.
        "HTML" | "BODY" | "LABEL" => return None,
        "OPTION" | "OPTGROUP" if dom.ancestors(id).any(|above| dom.node(above).tag == "SELECT") => {
            return None;
        }
        "A" | "AREA" if node.has("href") => return Some(Evidence::Control),
        "INPUT" => return (input_type(node) != "hidden").then_some(Evidence::Control),
        "BUTTON" | "SELECT" | "TEXTAREA" => return Some(Evidence::Control),
        "SUMMARY" if node.parent.is_some_and(|above| dom.node(above).tag == "DETAILS") => {
            return Some(Evidence::Control);
        }
        _ => {}
    }
    if is_widget(role) && node.has("role") {
        return Some(Evidence::Control);
    }
    if is_editing_host(node) {
        return Some(Evidence::Control);
    }
    let in_tab_order = node
        .attribute("tabindex")
        .and_then(|index| index.trim().parse::<i32>().ok())
        .is_some_and(|index| index >= 0);
    if in_tab_order && !is_structure(role) {
        return Some(Evidence::Focus);
    }
    let layout = dom.layout(id)?;
    let hand = |id: NodeId| dom.layout(id).is_some_and(|layout| layout.style.pointer_cursor);
    // The hand is inherited: only the element where it begins is meant.
    if layout.style.pointer_cursor && !node.parent.is_some_and(hand) && !in_label(dom, id) {
        return Some(Evidence::Cursor);
    }
    let covers_page = layout.rect.width * layout.rect.height > viewport.width * viewport.height / 2.0;
    // A listener on half the page serves the controls in it, not itself.
    (node.clickable && !covers_page && !is_structure(role)).then_some(Evidence::Listener)
}

fn in_label(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.ancestors(id).any(|above| dom.node(above).tag == "LABEL")
}

/// Where an element can be hit: its own box, or its label's if its own is hidden on purpose.
pub(super) fn handle_of(dom: &Dom<'_>, names: &Names<'_, '_>, id: NodeId) -> Option<(NodeId, Layout)> {
    let node = dom.node(id);
    let stands_behind_label =
        node.tag == "INPUT" && matches!(input_type(node).as_str(), "checkbox" | "radio" | "file");
    let own = dom.outer_box(id).filter(|layout| !layout.style.hidden && !is_empty(layout.rect));
    if !stands_behind_label {
        return own.filter(|layout| !layout.style.transparent).map(|layout| (id, layout));
    }
    let is_big_enough =
        |layout: &Layout| layout.rect.width >= SMALLEST_CONTROL && layout.rect.height >= SMALLEST_CONTROL;
    if let Some(layout) = own.filter(|layout| is_big_enough(layout) && !layout.style.transparent) {
        return Some((id, layout));
    }
    let label = names.labels_of(id).iter().find_map(|&label| {
        let layout = dom.outer_box(label)?;
        (!layout.style.hidden && !layout.style.transparent).then_some((label, layout))
    });
    // A transparent control laid over its picture still takes the click.
    label.or_else(|| own.filter(is_big_enough).map(|layout| (id, layout)))
}

/// What nobody can act on: below an `inert` element, or behind a modal dialog.
struct Unreachable {
    inert: HashSet<NodeId>,
    /// By document, the dialog that makes the rest of it unreachable.
    modals: Vec<(NodeId, NodeId)>,
}

impl Unreachable {
    fn of(dom: &Dom<'_>) -> Self {
        let (mut inert, mut modals) = (HashSet::new(), Vec::new());
        let some_inert = dom.mentions("inert");
        for id in dom.walk(0) {
            let node = dom.node(id);
            if some_inert && node.has("inert") {
                inert.insert(id);
            }
            if node.tag == "DIALOG" && dom.layout(id).is_some_and(|layout| layout.style.top_layer) {
                let document =
                    dom.ancestors(id).find(|&above| dom.node(above).kind == Kind::Document).unwrap_or(0);
                modals.retain(|&(other, _)| other != document);
                modals.push((document, id));
            }
        }
        Self { inert, modals }
    }

    fn covers(&self, dom: &Dom<'_>, id: NodeId) -> bool {
        let is_inert =
            || self.inert.contains(&id) || dom.ancestors(id).any(|above| self.inert.contains(&above));
        if !self.inert.is_empty() && is_inert() {
            return true;
        }
        self.modals.iter().any(|&(document, modal)| {
            let above_dialog = || {
                dom.ancestors(id).any(|above| dom.layout(above).is_some_and(|layout| layout.style.top_layer))
            };
            dom.contains(document, id) && !dom.contains(modal, id) && !above_dialog()
        })
    }
}

/// Leaves the innermost of boxes that are one thing to the eye, and no container that only listens for its content.
fn drop_wrappers<'s>(dom: &Dom<'s>, found: Vec<Candidate<'s>>) -> Vec<Candidate<'s>> {
    let controls: HashSet<NodeId> =
        found.iter().filter(|c| c.evidence == Evidence::Control).map(|c| c.node).collect();
    let mut dropped: HashSet<NodeId> = HashSet::new();
    for (place, candidate) in found.iter().enumerate() {
        if candidate.evidence == Evidence::Control {
            continue;
        }
        // What is below a node follows it directly in document order.
        let inside: Vec<&Candidate<'_>> =
            found[place + 1..].iter().take_while(|other| dom.contains(candidate.node, other.node)).collect();
        let is_part_of_control = candidate.evidence != Evidence::Focus
            && dom.ancestors(candidate.node).any(|above| controls.contains(&above));
        let serves_content = candidate.evidence == Evidence::Listener && !inside.is_empty();
        let wraps_one =
            matches!(inside.as_slice(), [only] if same_box(candidate.layout.rect, only.layout.rect));
        if is_part_of_control || serves_content || wraps_one {
            dropped.insert(candidate.node);
        }
    }
    found.into_iter().filter(|candidate| !dropped.contains(&candidate.node)).collect()
}
