//! Where each document lies in the tab: a frame's content box, in whichever process its owner is rendered.

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;
use umpire_model::{Deadline, Rect};

use super::dom::Part;
use super::snapshot::Snapshot;
use crate::TabHandle;
use crate::cdp::{CdpError, Session};

/// The element that shows an out-of-process frame: the process it is in (by place among the tab's) and its node.
#[derive(Clone, Copy)]
pub(crate) struct Owner {
    pub process: usize,
    pub node: i64,
    /// Content box in that process's own viewport.
    pub content: Rect,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameOwner {
    backend_node_id: i64,
}

#[derive(Deserialize)]
struct BoxModel {
    model: Boxes,
}

#[derive(Deserialize)]
struct Boxes {
    content: [f64; 8],
}

/// The owner of each of the tab's processes, in their order; the main frame has none.
pub(crate) async fn owners(tab: &TabHandle, deadline: Deadline) -> Vec<Option<Owner>> {
    let searches = tab.processes().enumerate().map(|(own, (_, frame_id))| async move {
        if own == 0 {
            return None;
        }
        // The parent may be any of the other processes; only it knows the frame.
        for (process, (session, _)) in tab.processes().enumerate().filter(|&(process, _)| process != own) {
            let params = json!({ "frameId": frame_id });
            if let Ok(FrameOwner { backend_node_id: node }) =
                session.call("DOM.getFrameOwner", params, deadline).await
                && let Ok(content) = content_box(session, node, deadline).await
            {
                return Some(Owner { process, node, content });
            }
        }
        None
    });
    join_all(searches).await
}

pub(crate) async fn content_box(session: &Session, node: i64, deadline: Deadline) -> Result<Rect, CdpError> {
    let params = json!({ "backendNodeId": node });
    let BoxModel { model: Boxes { content } } = session.call("DOM.getBoxModel", params, deadline).await?;
    Ok(Rect { x: content[0], y: content[1], width: content[2] - content[0], height: content[5] - content[1] })
}

/// Where the viewport of a process's part begins in the tab, following its owners up.
pub(crate) fn origin(owners: &[Option<Owner>], process: usize) -> (f64, f64) {
    let (mut x, mut y) = (0.0, 0.0);
    let mut at = process;
    // Owners form a tree; the bound only guards against an answer that says otherwise.
    for _ in 0..owners.len() {
        let Some(owner) = owners.get(at).copied().flatten() else { break };
        x += owner.content.x;
        y += owner.content.y;
        at = owner.process;
    }
    (x, y)
}

/// Lays out the documents of all processes in the tab. Parents come before the frames they show.
pub(super) async fn place<'s>(
    tab: &TabHandle,
    snapshots: &'s [Option<Snapshot<'s>>],
    owners: &[Option<Owner>],
    window: Rect,
    deadline: Deadline,
) -> Vec<Part<'s>> {
    let boxes = join_all(tab.processes().zip(snapshots).map(|((session, _), snapshot)| async move {
        match snapshot {
            Some(snapshot) => inner_frames(session, snapshot, deadline).await,
            None => Vec::new(),
        }
    }))
    .await;
    let mut parts: Vec<Part<'s>> = Vec::with_capacity(snapshots.len());
    for (process, (snapshot, inner)) in snapshots.iter().zip(boxes).enumerate() {
        let Some(snapshot) = snapshot else { continue };
        let owner = owners.get(process).copied().flatten();
        if process > 0 && owner.is_none() {
            continue;
        }
        let (x, y) = origin(owners, process);
        let main = owner.map_or(window, |owner| Rect { x, y, ..owner.content });
        let mut frames: Vec<Option<Rect>> = vec![None; snapshot.documents.len()];
        for (document, content) in inner {
            if let Some(frame) = frames.get_mut(document) {
                *frame = Some(Rect { x: content.x + x, y: content.y + y, ..content });
            }
        }
        if let Some(first) = frames.first_mut() {
            *first = Some(main);
        }
        parts.push(Part { process, snapshot, frames, owner: owner.map(|owner| (owner.process, owner.node)) });
    }
    parts
}

/// Content boxes of the frames a process shows itself, by document.
async fn inner_frames(session: &Session, snapshot: &Snapshot<'_>, deadline: Deadline) -> Vec<(usize, Rect)> {
    let shown = snapshot.documents.iter().flat_map(|document| {
        let contents = &document.nodes.content_document_index;
        contents.index.iter().zip(&contents.value).filter_map(|(&owner, &shown)| {
            let node = document.nodes.backend_node_id.get(owner as usize)?;
            Some((usize::try_from(shown).ok()?, *node))
        })
    });
    let boxes = join_all(shown.map(|(document, node)| async move {
        content_box(session, node, deadline).await.ok().map(|content| (document, content))
    }));
    boxes.await.into_iter().flatten().collect()
}
