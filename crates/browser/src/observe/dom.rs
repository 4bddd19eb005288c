//! The page as one tree: every frame's document hangs below the element that shows it, every slot holds what it shows,
//! and every box is in pixels of the tab's viewport.

use umpire_model::Rect;

use super::geometry::{NOWHERE, intersect, is_empty};
use super::snapshot::{Document, Snapshot};

const NONE: u32 = u32::MAX;

/// A node's place in [`Dom::nodes`].
pub(super) type NodeId = u32;

pub(super) struct Dom<'s> {
    nodes: Vec<Node<'s>>,
    /// Apart from the nodes, so that walking the tree touches half the memory.
    layouts: Vec<Layout>,
    snapshots: Vec<&'s Snapshot<'s>>,
    documents: Vec<Placed<'s>>,
}

/// A document among the nodes.
pub(super) struct Placed<'s> {
    pub root: NodeId,
    pub url: &'s str,
    /// What the boxes of its nodes were moved by, from its own pixels to the tab's.
    pub moved: (f64, f64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Document,
    Element,
    Text,
    /// Generated content, such as `::before`.
    Pseudo,
    Other,
}

#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own about the node")]
pub(super) struct Node<'s> {
    pub kind: Kind,
    /// Upper case in HTML, as written in SVG.
    pub tag: &'s str,
    /// Rendered text where there is some, else the source's.
    pub text: &'s str,
    pub backend_id: i64,
    /// Which of the tab's processes renders it.
    pub process: usize,
    /// Current value of an input or textarea.
    pub value: Option<&'s str>,
    pub checked: bool,
    pub option_selected: bool,
    /// Something listens for clicks here.
    pub clickable: bool,
    /// Its place in [`Dom::layouts`].
    layout: u32,
    pub parent: Option<NodeId>,
    /// The root of its document.
    pub document: NodeId,
    pub in_shadow: bool,
    /// In a shadow root that a page made, not one of the browser's own.
    pub in_page_shadow: bool,
    snapshot: &'s Snapshot<'s>,
    attributes: &'s [i32],
    first_child: NodeId,
    last_child: NodeId,
    next_sibling: NodeId,
}

#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub rect: Rect,
    /// The part of `rect` that scrolling ancestors, frames and the viewport leave over.
    pub shown: Rect,
    pub style: Style,
    /// Later paints over earlier, within one process.
    pub paint_order: u32,
}

#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is one CSS property, and they combine freely")]
pub(super) struct Style {
    pub inline: bool,
    pub hidden: bool,
    /// It or an ancestor has no opacity at all.
    pub transparent: bool,
    pub pointer_cursor: bool,
    pub ignores_pointer: bool,
    pub clips: bool,
    pub position: Position,
    /// Shown above the page by the browser: a modal dialog, a popover.
    pub top_layer: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Position {
    #[default]
    Static,
    /// `relative` or `sticky`: in the flow, and the reference of absolute descendants.
    InFlow,
    Absolute,
    Fixed,
}

/// What one process knows of the page, and where its documents lie in the tab.
pub(super) struct Part<'s> {
    pub process: usize,
    pub snapshot: &'s Snapshot<'s>,
    /// By document; `None` for one that is not shown.
    pub frames: Vec<Option<Rect>>,
    /// The element, in another process, that shows this part's first document.
    pub owner: Option<(usize, i64)>,
}

impl<'s> Dom<'s> {
    pub fn join(parts: &[Part<'s>], viewport: Rect) -> Self {
        let mut shown_elsewhere = Vec::new();
        let count =
            parts.iter().flat_map(|part| &part.snapshot.documents).map(|d| d.nodes.node_type.len()).sum();
        let mut dom = Self {
            nodes: Vec::with_capacity(count),
            layouts: Vec::with_capacity(count),
            snapshots: parts.iter().map(|part| part.snapshot).collect(),
            documents: Vec::new(),
        };
        for part in parts {
            let mut roots = Vec::with_capacity(part.snapshot.documents.len());
            for (document, frame) in part.snapshot.documents.iter().zip(&part.frames) {
                roots.push(dom.len());
                dom.append(part.snapshot, document, part.process, frame.unwrap_or(NOWHERE));
            }
            for (document, &start) in part.snapshot.documents.iter().zip(&roots) {
                let contents = &document.nodes.content_document_index;
                for (&owner, &shown) in contents.index.iter().zip(&contents.value) {
                    if let Some(&root) = usize::try_from(shown).ok().and_then(|shown| roots.get(shown)) {
                        dom.adopt(start + owner, root);
                    }
                }
            }
            shown_elsewhere.extend(part.owner.zip(roots.first().copied()));
        }
        for ((process, backend_id), root) in shown_elsewhere {
            if let Some(owner) = dom.find(process, backend_id) {
                dom.adopt(owner, root);
            }
        }
        dom.clip(viewport);
        dom
    }

    fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn append(&mut self, snapshot: &'s Snapshot<'s>, document: &'s Document, process: usize, frame: Rect) {
        let nodes = &document.nodes;
        let start = self.len();
        let mut trailing = Vec::new();
        for index in 0..nodes.node_type.len() {
            let kind = match nodes.node_type[index] {
                1 => Kind::Element,
                3 => Kind::Text,
                9 => Kind::Document,
                _ => Kind::Other,
            };
            self.nodes.push(Node {
                kind,
                tag: snapshot.string(nodes.node_name.get(index).copied().unwrap_or(-1)),
                text: snapshot.string(nodes.node_value.get(index).copied().unwrap_or(-1)),
                backend_id: nodes.backend_node_id.get(index).copied().unwrap_or_default(),
                process,
                value: None,
                checked: false,
                option_selected: false,
                clickable: false,
                layout: NONE,
                parent: None,
                document: start,
                in_shadow: false,
                in_page_shadow: false,
                snapshot,
                attributes: nodes.attributes.row(index),
                first_child: NONE,
                last_child: NONE,
                next_sibling: NONE,
            });
            let parent = nodes.parent_index.get(index).and_then(|&parent| u32::try_from(parent).ok());
            if let Some(parent) = parent.filter(|&parent| (parent as usize) < index) {
                // The snapshot lists all generated content before the children, but `::after` follows them.
                if self.nodes[start as usize + index].tag == "::after" {
                    trailing.push((start + parent, start + index as u32));
                } else {
                    self.adopt(start + parent, start + index as u32);
                }
            }
        }
        for (parent, after) in trailing {
            self.adopt(parent, after);
        }
        let own = &mut self.nodes[start as usize..];
        for values in [&nodes.text_value, &nodes.input_value] {
            for (&index, &value) in values.index.iter().zip(&values.value) {
                set(own, index, |node| node.value = Some(snapshot.string(value)));
            }
        }
        nodes.input_checked.index.iter().for_each(|&index| set(own, index, |node| node.checked = true));
        nodes
            .option_selected
            .index
            .iter()
            .for_each(|&index| set(own, index, |node| node.option_selected = true));
        nodes.is_clickable.index.iter().for_each(|&index| set(own, index, |node| node.clickable = true));
        for (place, &index) in nodes.shadow_root_type.index.iter().enumerate() {
            let kind = snapshot.string(nodes.shadow_root_type.value.get(place).copied().unwrap_or(-1));
            set(own, index, |node| {
                node.in_shadow = true;
                node.in_page_shadow = kind != "user-agent";
            });
        }
        nodes.pseudo_type.index.iter().for_each(|&index| set(own, index, |node| node.kind = Kind::Pseudo));
        let (dx, dy) = (frame.x - document.scroll_offset_x, frame.y - document.scroll_offset_y);
        self.documents.push(Placed { root: start, url: snapshot.string(document.url), moved: (dx, dy) });
        // Neighbours mostly have the same styles.
        let mut last_style = (&[][..], Style::default());
        for (row, &index) in document.layout.node_index.iter().enumerate() {
            let Some(node) = own.get_mut(index as usize) else { continue };
            let text = document.layout.text.get(row).copied().unwrap_or(-1);
            if text >= 0 {
                node.text = snapshot.string(text);
            }
            // One node may have several boxes: generated content has one for itself and one for its text. The first
            // stands for the node.
            if node.layout != NONE {
                continue;
            }
            let styles = document.layout.styles.row(row);
            if styles != last_style.0 {
                last_style = (styles, Style::read(snapshot, styles));
            }
            let [x, y, width, height] = document.layout.bounds.get(row).copied().unwrap_or_default();
            node.layout = self.layouts.len() as u32;
            self.layouts.push(Layout {
                rect: Rect { x: x + dx, y: y + dy, width, height },
                // Narrowed by `clip` once all documents are joined.
                shown: if node.kind == Kind::Document { frame } else { NOWHERE },
                style: last_style.1,
                paint_order: document.layout.paint_orders.get(row).copied().unwrap_or_default(),
            });
        }
    }

    fn adopt(&mut self, parent: NodeId, child: NodeId) {
        let last = std::mem::replace(&mut self.nodes[parent as usize].last_child, child);
        if last == NONE {
            self.nodes[parent as usize].first_child = child;
        } else {
            self.nodes[last as usize].next_sibling = child;
        }
        self.nodes[child as usize].parent = Some(parent);
    }

    /// Works out what each box shows, from the top down.
    fn clip(&mut self, viewport: Rect) {
        /// What a node hands down: the clip of its flow, the clip of its absolute descendants, and transparency.
        #[derive(Clone, Copy, PartialEq)]
        struct Inherited {
            flow: Rect,
            positioned: Rect,
            frame: Rect,
            transparent: bool,
        }
        let all = Inherited { flow: viewport, positioned: viewport, frame: viewport, transparent: false };
        // Most nodes hand on what they were handed, so that a place in a short list says it.
        let mut heritages = vec![all];
        let mut handed_down = vec![0_u32; self.nodes.len()];
        for id in self.walk(0).collect::<Vec<_>>() {
            let node = &self.nodes[id as usize];
            let from = node.parent.map_or(0, |parent| handed_down[parent as usize]);
            let mut inherited = heritages[from as usize];
            if let Some(layout) = self.layouts.get_mut(node.layout as usize) {
                if node.kind == Kind::Document {
                    let frame = intersect(inherited.flow, layout.shown);
                    inherited = Inherited { flow: frame, positioned: frame, frame, ..inherited };
                }
                let clip = match layout.style.position {
                    Position::Static | Position::InFlow => inherited.flow,
                    Position::Absolute => inherited.positioned,
                    Position::Fixed => inherited.frame,
                };
                let clip = if layout.style.top_layer { inherited.frame } else { clip };
                layout.shown = intersect(layout.rect, clip);
                inherited.transparent |= layout.style.transparent;
                layout.style.transparent = inherited.transparent;
                // The overflow of these two is the viewport's, not their own.
                let clips = layout.style.clips && !matches!(node.tag, "HTML" | "BODY");
                inherited.flow = if clips { layout.shown } else { clip };
                if layout.style.position != Position::Static {
                    inherited.positioned = inherited.flow;
                }
            }
            handed_down[id as usize] = if inherited == heritages[from as usize] {
                from
            } else {
                heritages.push(inherited);
                heritages.len() as u32 - 1
            };
        }
    }

    pub fn node(&self, id: NodeId) -> &Node<'s> {
        &self.nodes[id as usize]
    }

    pub fn documents(&self) -> &[Placed<'s>] {
        &self.documents
    }

    /// Where and how the node is drawn, if it is.
    #[inline]
    pub fn layout(&self, id: NodeId) -> Option<&Layout> {
        // A node without a box has a place that no list is long enough for.
        self.layouts.get(self.node(id).layout as usize)
    }

    /// Whether the page has this word anywhere: if not, no node has it as an attribute.
    pub fn mentions(&self, word: &str) -> bool {
        self.snapshots.iter().any(|snapshot| snapshot.mentions(word))
    }

    fn find(&self, process: usize, backend_id: i64) -> Option<NodeId> {
        let place =
            self.nodes.iter().position(|node| node.process == process && node.backend_id == backend_id)?;
        Some(place as u32)
    }

    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.node(id).first_child;
        std::iter::successors((first != NONE).then_some(first), |&child| {
            let next = self.node(child).next_sibling;
            (next != NONE).then_some(next)
        })
    }

    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(id).parent, |&node| self.node(node).parent)
    }

    /// The node and everything below it, in document order.
    pub fn walk(&self, root: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let start = (!self.nodes.is_empty()).then_some(root);
        std::iter::successors(start, move |&node| self.after(node, root))
    }

    fn after(&self, node: NodeId, root: NodeId) -> Option<NodeId> {
        let first = self.node(node).first_child;
        if first != NONE {
            return Some(first);
        }
        let mut at = node;
        while at != root {
            let next = self.node(at).next_sibling;
            if next != NONE {
                return Some(next);
            }
            at = self.node(at).parent?;
        }
        None
    }

    pub fn contains(&self, ancestor: NodeId, node: NodeId) -> bool {
        node == ancestor || self.ancestors(node).any(|above| above == ancestor)
    }

    /// Whether the node is drawn at all, on the screen or off it.
    pub fn is_rendered(&self, id: NodeId) -> bool {
        self.layout(id).is_some_and(|layout| !layout.style.hidden)
    }

    /// The box of a node, or of what is in it if it has none itself (`display: contents`, an inline around blocks).
    pub fn outer_box(&self, id: NodeId) -> Option<Layout> {
        let own = self.layout(id).copied();
        if own.is_some_and(|layout| layout.style.clips || !is_empty(layout.rect)) {
            return own;
        }
        let inner = self.walk(id).skip(1).filter_map(|below| self.layout(below).copied());
        inner.filter(|layout| !is_empty(layout.rect) && !layout.style.hidden).reduce(|a, b| Layout {
            rect: super::geometry::union(a.rect, b.rect),
            shown: super::geometry::union(a.shown, b.shown),
            style: own.map_or(a.style, |own| own.style),
            paint_order: a.paint_order,
        })
    }
}

fn set<'s>(nodes: &mut [Node<'s>], index: u32, change: impl FnOnce(&mut Node<'s>)) {
    if let Some(node) = nodes.get_mut(index as usize) {
        change(node);
    }
}

impl<'s> Node<'s> {
    pub fn attribute(&self, name: &str) -> Option<&'s str> {
        // Most names differ in their first letter, which is cheaper to see than to compare them.
        let first = name.as_bytes().first();
        let pair = self.attributes.chunks_exact(2).find(|pair| {
            let written = self.snapshot.string(pair[0]);
            written.as_bytes().first() == first && written == name
        })?;
        Some(self.snapshot.string(pair[1]))
    }

    pub fn attributes(&self) -> impl Iterator<Item = (&'s str, &'s str)> + '_ {
        let pairs = self.attributes.chunks_exact(2);
        pairs.map(|pair| (self.snapshot.string(pair[0]), self.snapshot.string(pair[1])))
    }

    pub fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// True for `name="true"`.
    pub fn is_true(&self, name: &str) -> bool {
        self.attribute(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    pub fn is(&self, tags: &[&str]) -> bool {
        tags.contains(&self.tag)
    }
}

impl Style {
    fn read(snapshot: &Snapshot<'_>, row: &[i32]) -> Self {
        let [display, visibility, opacity, cursor, pointer_events, position, overflow, overlay] = *row else {
            return Self::default();
        };
        let is = |index: i32, value: &str| snapshot.string(index) == value;
        Self {
            inline: is(display, "inline") || is(display, "contents"),
            hidden: !is(visibility, "visible"),
            transparent: is(opacity, "0"),
            pointer_cursor: is(cursor, "pointer"),
            ignores_pointer: is(pointer_events, "none"),
            clips: !is(overflow, "visible"),
            position: match snapshot.string(position) {
                "absolute" => Position::Absolute,
                "fixed" => Position::Fixed,
                "relative" | "sticky" => Position::InFlow,
                _ => Position::Static,
            },
            top_layer: is(overlay, "auto"),
        }
    }
}
