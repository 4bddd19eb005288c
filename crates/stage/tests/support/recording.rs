//! A session made by doing an instance's reference actions, and what the page itself knows each element by.

use serde_json::{Value, json};
use umpire_browser::{NodeRef, Seat};
use umpire_model::{Instance, Viewport};
use umpire_stage::Session;
use umpire_stage::record::enact_watched;
use umpire_stage::session::SESSION_VERSION;

use super::soon;

/// Does the reference actions up to the answer and writes down what was done, and on which elements: their keys, where
/// the page gives some.
pub async fn record(seat: &Seat, instance: &Instance) -> (Session, Vec<Option<String>>) {
    let heading = Session {
        version: SESSION_VERSION,
        name: instance.id.clone(),
        recorded_at: "2026-11-15T00:00:00Z".to_owned(),
        recorder: "test".to_owned(),
        start_url: instance.start_urls[0].clone(),
        viewport: Viewport::default(),
        steps: Vec::new(),
        remarks: Vec::new(),
    };
    let mut truths = Vec::new();
    let watch = async |node: Option<&NodeRef>| {
        let truth = match node {
            Some(node) => key_of(seat, node).await,
            None => None,
        };
        truths.push(truth);
    };
    let session = enact_watched(seat, heading, &instance.reference, ".".as_ref(), soon(), watch).await;
    (session.expect("recorded"), truths)
}

/// What the page itself knows the element by, if it was given keys.
async fn key_of(seat: &Seat, node: &NodeRef) -> Option<String> {
    let tab = seat.active_tab(soon()).await.expect("a tab");
    let mut sessions = std::iter::once(&tab.session).chain(tab.frames.iter().map(|frame| &frame.session));
    let session = sessions.find(|session| session.id() == Some(&node.session)).expect("its process");
    let about = json!({ "backendNodeId": node.backend_node_id });
    let object: Value = session.call("DOM.resolveNode", about, soon()).await.expect("resolved");
    let asked = json!({
        "objectId": object["object"]["objectId"],
        "functionDeclaration": "function () { return window.__keyOf?.(this) ?? null }",
        "returnByValue": true,
    });
    let answer: Value = session.call("Runtime.callFunctionOn", asked, soon()).await.expect("called");
    answer["result"]["value"].as_str().map(str::to_owned)
}
