//! The mouse: getting an element to where it can be hit, and hitting it.
//!
//! Events go to the tab's own session in the tab's coordinates; Chromium hands them on to the process that renders the
//! frame under them.

use std::time::Duration;

use futures_util::future::join3;
use serde::Deserialize;
use serde_json::{Value, json};
use umpire_model::{Deadline, Rect};

use super::target::{Aim, describe};
use super::{ActError, ActError as E};
use crate::cdp::{CdpError, Session};
use crate::isolated::IsolatedWorld;
use crate::observe::frames::{Owner, origin, owners};
use crate::observe::geometry::{intersect, is_empty, probe_points};
use crate::settle::next_frame;
use crate::{Element, Observation, TabHandle};

/// How long an element may move, be covered by a passing notice or be disabled before that is the answer.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// A page may be busy with what an event set off; the event itself is delivered by then.
const EVENT_LIMIT: Duration = Duration::from_secs(5);
const DRAG_MOVES: u32 = 12;

/// A point that hits what was aimed at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub x: f64,
    pub y: f64,
    pub rect: Rect,
}

impl Spot {
    fn at(x: f64, y: f64) -> Self {
        Self { x, y, rect: Rect { x: x - 1.0, y: y - 1.0, width: 2.0, height: 2.0 } }
    }
}

/// What an element is reached for. A disabled one can be looked at, hovered over and scrolled, but not used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    Use,
    Look,
}

/// A point that hits this aim, scrolled into view if it has to be.
pub(super) async fn reach(
    to: To,
    tab: &TabHandle,
    aim: &Aim<'_>,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Spot, ActError> {
    match *aim {
        Aim::Point { x, y } => Ok(Spot::at(x, y)),
        Aim::Element(element) => Reach { to, ..Reach::new(tab, element, seen)? }.patiently(deadline).await,
    }
}

/// An element being reached for, by the process it lives in.
pub(super) struct Reach<'a> {
    tab: &'a TabHandle,
    seen: &'a Observation,
    what: String,
    session: &'a Session,
    frame_id: &'a str,
    node: i64,
    to: To,
    /// Where the element was when it was observed.
    was_at: Option<Rect>,
}

#[derive(Deserialize)]
struct Quads {
    quads: Vec<[f64; 8]>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hit {
    backend_node_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LayoutMetrics {
    css_layout_viewport: LayoutViewport,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LayoutViewport {
    page_x: f64,
    page_y: f64,
    client_width: f64,
    client_height: f64,
}

impl<'a> Reach<'a> {
    pub fn new(tab: &'a TabHandle, element: &'a Element, seen: &'a Observation) -> Result<Self, ActError> {
        let node = &element.node;
        let reach = Self::of_node(tab, describe(element), &node.session, node.backend_node_id, seen)?;
        Ok(Self { was_at: Some(element.rect), ..reach })
    }

    /// For a node that has no entry in the element list, such as an option.
    pub fn of_node(
        tab: &'a TabHandle,
        what: String,
        session: &crate::cdp::SessionId,
        node: i64,
        seen: &'a Observation,
    ) -> Result<Self, ActError> {
        match tab.process_of(session) {
            Some((session, frame_id)) => {
                Ok(Self { tab, seen, what, session, frame_id, node, to: To::Use, was_at: None })
            }
            None => Err(E::Gone { what }),
        }
    }

    pub async fn patiently(&self, deadline: Deadline) -> Result<Spot, ActError> {
        let limit = deadline.within(PATIENCE);
        loop {
            match self.once(deadline).await {
                Err(E::Covered { .. } | E::Disabled { .. } | E::Unstable { .. } | E::NotShown { .. })
                    if !limit.passed() =>
                {
                    next_frame(self.tab, deadline).await;
                }
                decided => return decided,
            }
        }
    }

    async fn once(&self, deadline: Deadline) -> Result<Spot, ActError> {
        let params = json!({ "backendNodeId": self.node });
        let scrolled = self.session.run("DOM.scrollIntoViewIfNeeded", params, deadline).await;
        scrolled.map_err(|error| self.missing(error))?;
        let world = self.world(deadline).await?;
        if self.to == To::Use && self.is_disabled(&world, deadline).await? {
            return Err(E::Disabled { what: self.what.clone() });
        }
        let boxes = self.stable_boxes(deadline).await?;
        let owners = owners(self.tab, deadline).await;
        let process = self.tab.processes().position(|(_, frame)| frame == self.frame_id).unwrap_or_default();
        let (dx, dy) = origin(&owners, process);
        let viewport: LayoutMetrics = self.session.call("Page.getLayoutMetrics", json!({}), deadline).await?;
        let viewport = viewport.css_layout_viewport;
        let window = Rect { x: 0.0, y: 0.0, width: viewport.client_width, height: viewport.client_height };
        let mut covered_by = None;
        for rect in &boxes {
            let shown = intersect(*rect, window);
            if is_empty(shown) {
                continue;
            }
            for (x, y) in probe_points(shown) {
                let hit = node_at(self.session, x + viewport.page_x, y + viewport.page_y, deadline).await?;
                if self.counts_as_hit(hit, &world, deadline).await? {
                    let above = self.frame_is_open(&owners, process, (x, y), deadline).await?;
                    if above.is_none() {
                        let rect = Rect { x: rect.x + dx, y: rect.y + dy, ..*rect };
                        return Ok(Spot { x: x + dx, y: y + dy, rect });
                    }
                    covered_by = covered_by.or(above);
                } else if covered_by.is_none() {
                    covered_by = hit.map(|hit| (process, hit));
                }
            }
        }
        match covered_by {
            None => Err(E::NotShown { what: self.what.clone() }),
            Some((process, cover)) => Err(E::Covered {
                what: self.what.clone(),
                by: self.name_cover(process, cover, deadline).await,
            }),
        }
    }

    fn missing(&self, error: CdpError) -> ActError {
        match error {
            CdpError::Refused { message, .. } if message.contains("layout") => {
                E::NotShown { what: self.what.clone() }
            }
            CdpError::Refused { .. } => E::Gone { what: self.what.clone() },
            other => other.into(),
        }
    }

    /// The element's boxes (a link over two lines has two), once they are the same in two frames.
    async fn stable_boxes(&self, deadline: Deadline) -> Result<Vec<Rect>, ActError> {
        let limit = deadline.within(PATIENCE);
        let mut before = self.boxes(deadline).await?;
        // What stands where it was observed has stood still for longer than two frames.
        if let [only] = before.as_slice()
            && self.was_at.is_some_and(|rect| is_same_place(rect, *only))
        {
            return Ok(before);
        }
        loop {
            next_frame(self.tab, deadline).await;
            let after = self.boxes(deadline).await?;
            let still =
                before.len() == after.len() && before.iter().zip(&after).all(|(a, b)| is_same_place(*a, *b));
            if still {
                return Ok(after);
            }
            if limit.passed() {
                return Err(E::Unstable { what: self.what.clone() });
            }
            before = after;
        }
    }

    async fn boxes(&self, deadline: Deadline) -> Result<Vec<Rect>, ActError> {
        let params = json!({ "backendNodeId": self.node });
        let answer: Result<Quads, CdpError> =
            self.session.call("DOM.getContentQuads", params, deadline).await;
        let Quads { quads } = answer.map_err(|error| self.missing(error))?;
        Ok(quads.iter().map(bounds).collect())
    }

    async fn is_disabled(&self, world: &IsolatedWorld, deadline: Deadline) -> Result<bool, ActError> {
        const SCRIPT: &str =
            "function () { return this.matches?.(':disabled') || !!this.closest?.('[aria-disabled=true]') }";
        Ok(world.call_on(self.node, SCRIPT, &[], Value::Null, deadline).await?)
    }

    /// The hit node is the element, something in it (slots included), or a label of it.
    async fn counts_as_hit(
        &self,
        hit: Option<i64>,
        world: &IsolatedWorld,
        deadline: Deadline,
    ) -> Result<bool, ActError> {
        // A pseudo-element, such as the one that stretches a link over its card, is its element's.
        const SCRIPT: &str = "function (hit) {
            const reaches = goal => {
                for (let at = hit.element ?? hit; at; at = at.assignedSlot ?? at.parentNode ?? at.host) if (at === goal) return true;
                return false;
            };
            const slots = [...(this.querySelectorAll?.('slot') ?? [])];
            if (this.localName === 'slot') slots.push(this);
            return [this, ...(this.labels ?? []), ...slots.flatMap(slot => slot.assignedNodes({ flatten: true }))].some(reaches);
        }";
        match hit {
            None => Ok(false),
            Some(hit) if hit == self.node => Ok(true),
            Some(hit) => Ok(world.call_on(self.node, SCRIPT, &[hit], Value::Null, deadline).await?),
        }
    }

    /// Asks the element itself, with a script in the isolated world.
    pub async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        function: &str,
        deadline: Deadline,
    ) -> Result<T, ActError> {
        let world = self.world(deadline).await?;
        Ok(world.call_on(self.node, function, &[], Value::Null, deadline).await?)
    }

    pub async fn world(&self, deadline: Deadline) -> Result<IsolatedWorld, ActError> {
        Ok(IsolatedWorld::open(self.session, self.frame_id, deadline).await?)
    }

    pub fn node(&self) -> i64 {
        self.node
    }

    /// For an out-of-process frame: what lies over it in the pages around it, if anything.
    async fn frame_is_open(
        &self,
        owners: &[Option<Owner>],
        process: usize,
        point: (f64, f64),
        deadline: Deadline,
    ) -> Result<Option<(usize, i64)>, ActError> {
        let (mut at, (mut x, mut y)) = (process, point);
        while let Some(owner) = owners.get(at).copied().flatten() {
            (x, y) = (x + owner.content.x, y + owner.content.y);
            let Some((session, _)) = self.tab.processes().nth(owner.process) else { break };
            let metrics: LayoutMetrics = session.call("Page.getLayoutMetrics", json!({}), deadline).await?;
            let scroll = metrics.css_layout_viewport;
            match node_at(session, x + scroll.page_x, y + scroll.page_y, deadline).await? {
                Some(hit) if hit == owner.node => at = owner.process,
                Some(other) => return Ok(Some((owner.process, other))),
                // Outside the window: the owner's own page has to be scrolled first.
                None => return Ok(Some((owner.process, owner.node))),
            }
        }
        Ok(None)
    }

    /// What a cover is called: the dialog it belongs to, or itself.
    async fn name_cover(&self, process: usize, cover: i64, deadline: Deadline) -> String {
        const SCRIPT: &str = "function () {
            const hit = this.element ?? this;
            const own = hit.nodeType === 1 ? hit : hit.parentElement ?? hit.getRootNode().host;
            const top = own.closest('dialog, [role=dialog], [role=alertdialog], [aria-modal=true]') ?? own;
            const name = top.getAttribute('aria-label') ?? top.querySelector('h1, h2, h3')?.textContent ?? '';
            const mark = ['id', 'class', 'role'].filter(a => top.getAttribute(a)).map(a => ` ${a}=\"${top.getAttribute(a)}\"`)[0] ?? '';
            return `<${top.localName}${mark}>` + (name.trim() ? ` \"${name.trim().slice(0, 80)}\"` : '');
        }";
        let element = self.tab.processes().nth(process).and_then(|(session, _)| {
            let elements = self.seen.elements.iter();
            elements
                .clone()
                .find(|e| e.node.backend_node_id == cover && Some(&e.node.session) == session.id())
        });
        if let Some(element) = element {
            return describe(element);
        }
        let named = async {
            let (session, frame_id) = self.tab.processes().nth(process)?;
            let world = IsolatedWorld::open(session, frame_id, deadline).await.ok()?;
            world.call_on::<String>(cover, SCRIPT, &[], Value::Null, deadline).await.ok()
        };
        named.await.unwrap_or_else(|| "something else".to_owned())
    }
}

fn is_same_place(a: Rect, b: Rect) -> bool {
    (a.x - b.x).abs() < 0.5 && (a.y - b.y).abs() < 0.5
}

/// The node under a point of a process's document; `None` outside of it.
async fn node_at(session: &Session, x: f64, y: f64, deadline: Deadline) -> Result<Option<i64>, ActError> {
    let params = json!({ "x": x.floor() as i64, "y": y.floor() as i64, "includeUserAgentShadowDOM": false });
    match session.call::<_, Hit>("DOM.getNodeForLocation", params, deadline).await {
        Ok(hit) => Ok(Some(hit.backend_node_id)),
        Err(CdpError::Refused { .. }) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

fn bounds(quad: &[f64; 8]) -> Rect {
    let corners = |from: usize| quad.iter().skip(from).step_by(2).copied();
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    let (x, y) = (least(&mut corners(0)), least(&mut corners(1)));
    Rect { x, y, width: most(&mut corners(0)) - x, height: most(&mut corners(1)) - y }
}

pub(super) async fn hover(tab: &TabHandle, spot: &Spot, deadline: Deadline) -> Result<(), ActError> {
    mouse(tab, json!({ "type": "mouseMoved", "x": spot.x, "y": spot.y }), deadline).await
}

pub(super) async fn click(tab: &TabHandle, spot: &Spot, deadline: Deadline) -> Result<(), ActError> {
    click_with(tab, spot, 0, deadline).await
}

/// Clicks while modifier keys are held (a bit set, as in the protocol).
pub(super) async fn click_with(
    tab: &TabHandle,
    spot: &Spot,
    modifiers: u8,
    deadline: Deadline,
) -> Result<(), ActError> {
    let button = |kind: &str, buttons: u8| {
        let event = json!({
            "type": kind, "x": spot.x, "y": spot.y, "button": "left", "buttons": buttons, "clickCount": 1,
            "modifiers": modifiers,
        });
        mouse(tab, event, deadline)
    };
    // Sent at once and handled in order; waiting for each would cost a frame each.
    let (moved, pressed, released) =
        join3(hover(tab, spot, deadline), button("mousePressed", 1), button("mouseReleased", 0)).await;
    moved.and(pressed).and(released)
}

pub(super) async fn double_click(tab: &TabHandle, spot: &Spot, deadline: Deadline) -> Result<(), ActError> {
    click(tab, spot, deadline).await?;
    for (kind, buttons) in [("mousePressed", 1), ("mouseReleased", 0)] {
        let event = json!({
            "type": kind, "x": spot.x, "y": spot.y, "button": "left", "buttons": buttons, "clickCount": 2,
        });
        mouse(tab, event, deadline).await?;
    }
    Ok(())
}

/// Presses on one element, moves to the other and lets go. Chromium turns this into drag events where the page asks
/// for them.
pub(super) async fn drag(
    tab: &TabHandle,
    from: &Aim<'_>,
    to: &Aim<'_>,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Rect, ActError> {
    // Each may scroll the other a little, so the goal is found again once both have been brought into view.
    reach(To::Use, tab, to, seen, deadline).await?;
    let start = reach(To::Use, tab, from, seen, deadline).await?;
    let goal = reach(To::Use, tab, to, seen, deadline).await?;
    hover(tab, &start, deadline).await?;
    let held = |kind: &str, x: f64, y: f64, buttons: u8| json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
    mouse(tab, held("mousePressed", start.x, start.y, 1), deadline).await?;
    for step in 1..=DRAG_MOVES {
        let way = f64::from(step) / f64::from(DRAG_MOVES);
        let (x, y) = (start.x + (goal.x - start.x) * way, start.y + (goal.y - start.y) * way);
        mouse(tab, held("mouseMoved", x, y, 1), deadline).await?;
    }
    // Pages that follow the pointer do so once a frame.
    next_frame(tab, deadline).await;
    mouse(tab, held("mouseReleased", goal.x, goal.y, 0), deadline).await?;
    Ok(start.rect)
}

/// Sends one event. It is delivered even if the page does not say so any more: it may have gone to another page,
/// closed itself, or be blocked by a dialog it opened.
pub(super) async fn mouse(tab: &TabHandle, event: Value, deadline: Deadline) -> Result<(), ActError> {
    delivered(
        tab.session.run("Input.dispatchMouseEvent", event, deadline.within(EVENT_LIMIT)).await,
        deadline,
    )
}

pub(super) fn delivered(answer: Result<(), CdpError>, deadline: Deadline) -> Result<(), ActError> {
    match answer {
        Ok(()) | Err(CdpError::Refused { .. }) => Ok(()),
        Err(CdpError::Deadline { .. }) if !deadline.passed() => Ok(()),
        Err(other) => Err(other.into()),
    }
}
