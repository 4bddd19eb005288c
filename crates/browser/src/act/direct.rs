//! What a recorded session does that no agent's action says: on a node that is known already, without naming it again.

use serde::Deserialize;
use serde_json::{Value, json};
use umpire_model::{Deadline, Target};

use super::pointer::{To, double_click as click_twice, reach};
use super::{ActError, Performed, keyboard, resolve};
use crate::isolated::IsolatedWorld;
use crate::settle::next_frame;
use crate::{NodeRef, Observation, TabHandle};

/// Clicks twice in quick succession on the element with this mark.
pub async fn double_click(
    tab: &TabHandle,
    mark: u32,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Performed, ActError> {
    let aim = resolve(&Target::Mark(mark), seen)?;
    let spot = reach(To::Use, tab, &aim, seen, deadline).await?;
    click_twice(tab, &spot, deadline).await?;
    Ok(Performed { at: Some(spot.rect) })
}

/// Gives the node the focus and presses a key on it, as somebody without a mouse would.
pub async fn press_on(
    tab: &TabHandle,
    node: &NodeRef,
    chord: &str,
    deadline: Deadline,
) -> Result<(), ActError> {
    let gone = || ActError::Gone { what: "the element".to_owned() };
    let (session, _) = tab.process_of(&node.session).ok_or_else(gone)?;
    session.run("DOM.focus", json!({ "backendNodeId": node.backend_node_id }), deadline).await?;
    keyboard::press(tab, chord, deadline).await
}

/// Scrolls an element, or the window, to where it was. Done by script: a wheel stops where it likes.
pub async fn scroll_to(
    tab: &TabHandle,
    node: Option<&NodeRef>,
    (x, y): (f64, f64),
    deadline: Deadline,
) -> Result<(), ActError> {
    const SCRIPT: &str = "function (place) { this.scrollTo(place); return null }";
    let place = json!({ "left": x, "top": y, "behavior": "instant" });
    if let Some(node) = node {
        let gone = || ActError::Gone { what: "what was scrolled".to_owned() };
        let (session, frame_id) = tab.process_of(&node.session).ok_or_else(gone)?;
        let world = IsolatedWorld::open(session, frame_id, deadline).await?;
        world.call_on::<Value>(node.backend_node_id, SCRIPT, &[], place, deadline).await?;
    } else {
        let world = IsolatedWorld::open(&tab.session, &tab.id, deadline).await?;
        world.evaluate::<Value>(&format!("(scrollTo({place}), null)"), deadline).await?;
    }
    next_frame(tab, deadline).await;
    Ok(())
}

/// A selector of another recorder, as far as only the page can resolve it: CSS, also through open shadow roots, or a path
/// expression. Gives the node if there is exactly one in the whole tab.
pub async fn locate_by_selector(
    tab: &TabHandle,
    selector: &PageSelector<'_>,
    deadline: Deadline,
) -> Option<NodeRef> {
    const SCRIPT: &str = include_str!("one_node.js");
    let (kind, written) = match selector {
        PageSelector::Css(written) => ("css", written),
        PageSelector::PiercingCss(written) => ("pierce", written),
        PageSelector::XPath(written) => ("xpath", written),
    };
    let count = format!("({SCRIPT})({}, {}).length", json!(kind), json!(written));
    let node = format!("({SCRIPT})({}, {})[0]", json!(kind), json!(written));
    let mut found = None;
    for (session, frame_id) in tab.processes() {
        let world = IsolatedWorld::open(session, frame_id, deadline).await.ok()?;
        match world.evaluate::<Count>(&count, deadline).await.ok()? {
            Count(0) => {}
            Count(1) if found.is_none() => {
                let backend_node_id = world.evaluate_to_node(&node, deadline).await.ok()??;
                found = Some(NodeRef { session: session.id()?.clone(), backend_node_id });
            }
            Count(_) => return None,
        }
    }
    found
}

/// How a selector is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSelector<'a> {
    Css(&'a str),
    PiercingCss(&'a str),
    XPath(&'a str),
}

#[derive(Deserialize)]
struct Count(u32);
