//! Whether an element can be seen: some point of it lies in the viewport with nothing painted over it.

use umpire_model::Rect;

use super::dom::{Dom, Kind, NodeId};
use super::geometry::{contains, is_empty, probe_points};

/// A box that takes the pointer from what lies below it.
struct Cover {
    node: NodeId,
    process: usize,
    paint_order: u32,
    shown: Rect,
}

/// Every box in the viewport that could lie over something.
pub(super) struct Covers(Vec<Cover>);

impl Covers {
    pub fn of(dom: &Dom<'_>) -> Self {
        let boxes = dom.walk(0).filter_map(|id| {
            let node = dom.node(id);
            let layout = dom.layout(id)?;
            let takes_pointer = !layout.style.hidden && !layout.style.ignores_pointer;
            (node.kind == Kind::Element && takes_pointer && !is_empty(layout.shown)).then_some(Cover {
                node: id,
                process: node.process,
                paint_order: layout.paint_order,
                shown: layout.shown,
            })
        });
        Self(boxes.collect())
    }

    pub fn is_visible(&self, dom: &Dom<'_>, id: NodeId, shown: Rect) -> bool {
        !is_empty(shown) && probe_points(shown).iter().any(|&point| !self.is_covered(dom, id, point))
    }

    fn is_covered(&self, dom: &Dom<'_>, id: NodeId, point: (f64, f64)) -> bool {
        let node = dom.node(id);
        let paint_order = dom.outer_box(id).map_or(0, |layout| layout.paint_order);
        let over = |cover: &Cover| {
            cover.process == node.process
                && cover.paint_order > paint_order
                && contains(cover.shown, point)
                && !dom.contains(id, cover.node)
        };
        if self.0.iter().any(over) {
            return true;
        }
        // Another process painted this frame; what lies over the frame lies over it too.
        let owner = dom.ancestors(id).find(|&above| dom.node(above).process != node.process);
        owner.is_some_and(|owner| self.is_covered(dom, owner, point))
    }
}
