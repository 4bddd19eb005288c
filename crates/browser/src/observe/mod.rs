//! One look at a tab, without touching the page.
//!
//! Each process that renders a part of the tab gives one `DOMSnapshot`, the tab gives one screenshot, and all of them
//! are asked for at once. The snapshot is Chromium's flat tree: shadow roots are open books (closed ones too), and
//! slots hold what they show.
//!
//! Roles and names are computed here, from the snapshot, and not asked of Chromium: on a page with 5,000 elements,
//! `Accessibility.getFullAXTree` took 350–390 ms and 5.3 MB, the snapshot 85–95 ms and 1.1 MB. A whole observation of
//! that page takes 95–140 ms, 7 ms of this process's time and 11 MB; playwright-core's screenshot and `ariaSnapshot()`
//! took 165–250 ms, 21–25 ms and 147 MB on the same machine (Chromium 156, 2 cores, medians and means of 20). That the
//! names are Chromium's is tested over a page of cases (`tests/observe_names.rs`).

pub(crate) mod changes;
mod cover;
mod dom;
mod elements;
pub(crate) mod frames;
pub(crate) mod geometry;
mod interactive;
pub mod inventory;
mod names;
mod outline;
mod reader;
mod roles;
mod snapshot;
mod state;

use base64::Engine;
use bytes::Bytes;
use futures_util::future::{join_all, try_join};
use serde::Deserialize;
use serde_json::json;
use umpire_model::{Deadline, Rect, Viewport};

use self::dom::Dom;
use self::inventory::Inventory;
use self::names::Names;
use self::snapshot::{STYLES, Snapshot};
use crate::cdp::{CdpError, Session, SessionId};
use crate::isolated::IsolatedWorld;
use crate::{Element, Observation, TabHandle};

const JPEG_QUALITY: u32 = 80;

#[derive(Debug, thiserror::Error)]
pub enum ObserveError {
    #[error(transparent)]
    Cdp(#[from] CdpError),
    #[error("the screenshot is not readable: {0}")]
    Screenshot(#[from] base64::DecodeError),
}

/// Looks at the tab: screenshot, elements and outline. Other tabs and dialogs are the seat's to add.
pub async fn capture(
    tab: &TabHandle,
    viewport: Viewport,
    deadline: Deadline,
) -> Result<Observation, ObserveError> {
    // The screenshot is asked for first: its frame needs the page's thread for a moment only, and is read back and encoded
    // elsewhere while that thread makes the snapshot.
    let (screenshot, page) =
        try_join(screenshot(&tab.session, deadline), look(tab, viewport, deadline)).await?;
    Ok(Observation {
        url: page.url,
        title: page.title,
        tabs: Vec::new(),
        viewport,
        elements: page.elements,
        outline: page.outline,
        outline_marks: page.outline_marks,
        screenshot,
        dialogs: Vec::new(),
    })
}

/// The elements alone, for an action that has to look again.
pub(crate) async fn elements_now(
    tab: &TabHandle,
    viewport: Viewport,
    deadline: Deadline,
) -> Result<Vec<Element>, ObserveError> {
    Ok(look(tab, viewport, deadline).await?.elements)
}

struct Page {
    url: String,
    title: String,
    elements: Vec<Element>,
    outline: String,
    outline_marks: Vec<(usize, u32)>,
}

/// What one process answered.
struct Seen {
    snapshot: Bytes,
    focused: Option<i64>,
}

async fn look(tab: &TabHandle, viewport: Viewport, deadline: Deadline) -> Result<Page, ObserveError> {
    let (seen, owners) = see_all(tab, deadline).await?;
    let snapshots = decode_all(&seen)?;
    let window = window_of(viewport);
    let parts = frames::place(tab, &snapshots, &owners, window, deadline).await;
    let dom = Dom::join(&parts, window);
    let names = Names::new(&dom, 0);
    let focused: Vec<Option<i64>> =
        seen.iter().map(|seen| seen.as_ref().and_then(|seen| seen.focused)).collect();
    let focused = elements::focused_node(&dom, &focused);
    let main = parts
        .first()
        .and_then(|part| part.snapshot.documents.first().map(|document| (part.snapshot, document)));
    let (elements, marks) = elements::list(&dom, &names, window, &sessions_of(tab), focused);
    let (outline, nodes) = outline::outline_of(&dom, &names, focused);
    Ok(Page {
        url: main.map(|(snapshot, document)| snapshot.string(document.url).to_owned()).unwrap_or_default(),
        title: main
            .map(|(snapshot, document)| snapshot.string(document.title).to_owned())
            .unwrap_or_default(),
        elements,
        outline,
        outline_marks: nodes
            .into_iter()
            .filter_map(|(line, node)| marks.get(&node).map(|mark| (line, *mark)))
            .collect(),
    })
}

/// Every element of the tab, over all frames and shadow roots, whether one could act on it or not.
pub async fn inventory(
    tab: &TabHandle,
    viewport: Viewport,
    deadline: Deadline,
) -> Result<Inventory, ObserveError> {
    let (seen, owners) = see_all(tab, deadline).await?;
    let snapshots = decode_all(&seen)?;
    let window = window_of(viewport);
    let parts = frames::place(tab, &snapshots, &owners, window, deadline).await;
    let dom = Dom::join(&parts, window);
    let names = Names::new(&dom, 0);
    Ok(inventory::take(&dom, &names, &sessions_of(tab), viewport))
}

/// What every process of the tab answered, and which element shows each of them.
async fn see_all(
    tab: &TabHandle,
    deadline: Deadline,
) -> Result<(Vec<Option<Seen>>, Vec<Option<frames::Owner>>), ObserveError> {
    let asked = tab.processes().map(|(session, frame)| see(session, frame, deadline));
    let (answers, owners) = futures_util::future::join(join_all(asked), frames::owners(tab, deadline)).await;
    let mut seen = Vec::with_capacity(answers.len());
    for (index, answer) in answers.into_iter().enumerate() {
        match answer {
            Ok(answer) => seen.push(Some(answer)),
            // A frame may go while we look; the tab itself must answer.
            Err(error) if index == 0 => return Err(error),
            Err(_) => seen.push(None),
        }
    }
    Ok((seen, owners))
}

fn decode_all(seen: &[Option<Seen>]) -> Result<Vec<Option<Snapshot<'_>>>, CdpError> {
    seen.iter().map(|seen| seen.as_ref().map(decode).transpose()).collect()
}

fn sessions_of(tab: &TabHandle) -> Vec<Option<SessionId>> {
    tab.processes().map(|(session, _)| session.id().cloned()).collect()
}

fn window_of(viewport: Viewport) -> Rect {
    Rect { x: 0.0, y: 0.0, width: f64::from(viewport.width), height: f64::from(viewport.height) }
}

fn decode(seen: &Seen) -> Result<Snapshot<'_>, CdpError> {
    let shape = |problem| CdpError::Shape { method: "DOMSnapshot.captureSnapshot".to_owned(), problem };
    let text = std::str::from_utf8(&seen.snapshot).map_err(|error| shape(error.to_string()))?;
    Snapshot::read(text).map_err(|error| shape(error.to_string()))
}

async fn see(session: &Session, frame_id: &str, deadline: Deadline) -> Result<Seen, ObserveError> {
    let params = json!({ "computedStyles": STYLES, "includePaintOrder": true });
    let snapshot = session.call_bytes("DOMSnapshot.captureSnapshot", params, deadline);
    let (snapshot, focused) =
        futures_util::future::join(snapshot, focused(session, frame_id, deadline)).await;
    // Where the focus is matters less than the look itself.
    Ok(Seen { snapshot: snapshot?, focused: focused.unwrap_or_default() })
}

/// The element with the focus, inside shadow roots and frames of the same origin.
async fn focused(session: &Session, frame_id: &str, deadline: Deadline) -> Result<Option<i64>, CdpError> {
    const SCRIPT: &str = "(() => {
        let at = document.activeElement;
        for (;;) {
            let inner = at?.shadowRoot?.activeElement;
            try { inner ??= at?.contentDocument?.activeElement } catch {}
            if (!inner) break;
            at = inner;
        }
        return at && at !== at.ownerDocument.body ? at : null;
    })()";
    let world = IsolatedWorld::open(session, frame_id, deadline).await?;
    world.evaluate_to_node(SCRIPT, deadline).await
}

#[derive(Deserialize)]
struct Shot<'a> {
    #[serde(borrow)]
    data: &'a str,
}

async fn screenshot(session: &Session, deadline: Deadline) -> Result<Vec<u8>, ObserveError> {
    let params = json!({ "format": "jpeg", "quality": JPEG_QUALITY, "optimizeForSpeed": true });
    let raw = session.call_bytes("Page.captureScreenshot", params, deadline).await?;
    let shot: Shot<'_> = serde_json::from_slice(&raw).map_err(|error| CdpError::Shape {
        method: "Page.captureScreenshot".to_owned(),
        problem: error.to_string(),
    })?;
    Ok(base64::engine::general_purpose::STANDARD.decode(shot.data)?)
}
