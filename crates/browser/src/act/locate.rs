//! Targets that only the page itself can find: by CSS selector, by path expression, and texts.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use umpire_model::{Deadline, Target};

use super::ActError;
use crate::isolated::IsolatedWorld;
use crate::settle::next_frame;
use crate::{Observation, TabHandle};

/// Between two looks for something that is waited for.
const RETRY: Duration = Duration::from_millis(50);

/// Scrolls the element into view and says where its middle is; null if there is none or it is not shown.
const PLACE: &str = "function () {
    this.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const box = this.getBoundingClientRect();
    return box.width > 0 && box.height > 0 ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}";

/// Finds a text in the page, open shadow roots included, and scrolls it into view; false if it is not there.
const REVEAL: &str = include_str!("reveal.js");

#[derive(Deserialize)]
struct Middle(f64, f64);

/// The target in a form that needs no page: what a selector matches becomes its mark, or the point it is at.
pub(super) async fn locate(
    tab: &TabHandle,
    target: &Target,
    seen: &Observation,
    deadline: Deadline,
) -> Result<Target, ActError> {
    let Some(expression) = expression(target) else { return Ok(target.clone()) };
    let world = IsolatedWorld::open(&tab.session, &tab.id, deadline).await?;
    let found = world.evaluate_to_node(&expression, deadline).await?;
    let node =
        found.ok_or_else(|| ActError::NotFound { wanted: target.to_string(), found: String::new() })?;
    let marked = seen.elements.iter().find(|element| {
        element.node.backend_node_id == node && tab.session.id() == Some(&element.node.session)
    });
    if let Some(element) = marked {
        return Ok(Target::Mark(element.mark));
    }
    let place: Option<Middle> = world.call_on(node, PLACE, &[], json!(null), deadline).await?;
    match place {
        Some(Middle(x, y)) => Ok(Target::Point { x, y }),
        None => Err(ActError::NotShown { what: target.to_string() }),
    }
}

/// The script that gives the target's element, for targets that only a page can find. What is not even a selector
/// matches nothing.
fn expression(target: &Target) -> Option<String> {
    let found = match target {
        Target::Css(selector) => format!("document.querySelector({})", json!(selector)),
        Target::XPath(path) => format!(
            "document.evaluate({}, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue",
            json!(path)
        ),
        Target::Mark(_) | Target::Named { .. } | Target::Point { .. } => return None,
    };
    Some(format!("(() => {{ try {{ return {found} }} catch {{ return null }} }})()"))
}

/// Waits until the target is shown. What is named by mark, name or point was seen already.
pub(super) async fn wait_for(
    tab: &TabHandle,
    target: &Target,
    seen: &Observation,
    limit: Deadline,
    deadline: Deadline,
) -> Result<(), ActError> {
    let Some(expression) = expression(target) else { return super::resolve(target, seen).map(drop) };
    let shown = format!(
        "(() => {{ const box = ({expression})?.getBoundingClientRect?.(); return !!box && box.width > 0 && box.height > 0 }})()"
    );
    loop {
        // A document that is being replaced has no answer yet.
        let answer = match IsolatedWorld::open(&tab.session, &tab.id, deadline).await {
            Ok(world) => world.evaluate::<bool>(&shown, deadline).await.unwrap_or(false),
            Err(_) => false,
        };
        if answer {
            return Ok(());
        }
        if limit.passed() || deadline.passed() {
            return Err(ActError::NotShown { what: target.to_string() });
        }
        tokio::time::sleep(limit.within(RETRY).left()).await;
    }
}

/// Scrolls until the text is in view.
pub(super) async fn reveal(tab: &TabHandle, text: &str, deadline: Deadline) -> Result<(), ActError> {
    let world = IsolatedWorld::open(&tab.session, &tab.id, deadline).await?;
    let is_there: bool = world.evaluate(&format!("({REVEAL})({})", json!(text)), deadline).await?;
    if !is_there {
        return Err(ActError::NotFound { wanted: format!("text {text:?}"), found: String::new() });
    }
    next_frame(tab, deadline).await;
    Ok(())
}
