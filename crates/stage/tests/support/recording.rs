//! A session made by doing an instance's reference actions and drawing each element on the way.

use serde_json::{Value, json};
use umpire_browser::observe::inventory::Inventory;
use umpire_browser::{Element, NodeRef, Seat, act, settle};
use umpire_model::{Action, Instance, Viewport};
use umpire_stage::identify::{frames_of, portrait_of};
use umpire_stage::session::{ControlKind, ControlState, Deed, Entry, Purpose, SESSION_VERSION, Step};
use umpire_stage::{Session, states};

use super::soon;

/// Does the reference actions up to the answer and writes down what was done, and on which elements: their keys, where
/// the page gives some.
pub async fn record(seat: &Seat, instance: &Instance) -> (Session, Vec<Option<String>>) {
    let start_url = instance.start_urls[0].clone();
    seat.open(&start_url, soon()).await.expect("opened");
    let (mut steps, mut truths) = (Vec::new(), Vec::new());
    for action in &instance.reference {
        if matches!(action, Action::Answer(_)) {
            break;
        }
        let (step, truth) = watch(seat, action).await;
        steps.push(step);
        truths.push(truth);
    }
    let session = Session {
        version: SESSION_VERSION,
        name: instance.id.clone(),
        recorded_at: "2026-11-15T00:00:00Z".to_owned(),
        recorder: "test".to_owned(),
        start_url,
        viewport: Viewport::default(),
        steps,
        remarks: Vec::new(),
    };
    (session, truths)
}

async fn watch(seat: &Seat, action: &Action) -> (Step, Option<String>) {
    let mut waited = 0;
    let (seen, element) = loop {
        let tab = seat.active_tab(soon()).await.expect("a tab");
        settle::settle(&tab, soon()).await;
        let seen = seat.observe(soon()).await.expect("observed");
        let found = action.target().map(|target| {
            act::resolve(target, &seen).map(|aim| match aim {
                act::Aim::Element(element) => element.clone(),
                act::Aim::Point { .. } => panic!("references name their targets"),
            })
        });
        match found {
            None => break (seen, None),
            Some(Ok(element)) => break (seen, Some(element)),
            Some(Err(error)) => assert!(waited < 20, "{action}: {error}"),
        }
        waited += 1;
        tokio::time::sleep(std::time::Duration::from_millis(250)).await;
    };
    let page = seat.inventory(soon()).await.expect("an inventory");
    let at = element.as_ref().map(|element| place_of(&page, element));
    let mut portrait = at.and_then(|at| portrait_of(&page, at));
    let frames = at.map(|at| frames_of(&page, at)).unwrap_or_default();
    let truth = match at {
        Some(at) => key_of(seat, &page.items[at].node).await,
        None => None,
    };
    let marks = at.map(|at| states::marks_of(&page.items[at]));
    let before = at.and_then(|at| states::read(&page, at, None));
    let tab = seat.active_tab(soon()).await.expect("a tab");
    act::perform(&tab, action, &seen, std::path::Path::new("."), soon()).await.expect("performed");
    settle::settle(&tab, soon()).await;
    let later = seat.inventory(soon()).await.expect("an inventory");
    let still = at.and_then(|at| later.position_of(&page.items[at].node));
    let (deed, mut purpose) = match action {
        Action::Click(_) => (Deed::Click { double: false }, Purpose::Way),
        Action::Type(_, text) => (Deed::Type { text: Entry::Text(text.clone()) }, Purpose::Way),
        Action::Select(_, option) => (Deed::Select { options: vec![option.clone()] }, Purpose::State),
        Action::Press(key) => (Deed::Press { key: key.clone() }, Purpose::Way),
        other => panic!("{other} is not recorded here"),
    };
    let (mut before, mut after) = (before, None);
    if let (Deed::Click { .. }, Some(portrait)) = (&deed, &mut portrait) {
        let later_marks = still.map(|at| states::marks_of(&later.items[at]));
        match portrait.control {
            Some(ControlKind::Text) => portrait.control = None,
            Some(_) => {
                purpose = Purpose::State;
                after = still.and_then(|at| states::read(&later, at, None));
            }
            // A box without a role whose marks change when it is clicked.
            None if portrait.role.is_empty() && later_marks.is_some() && later_marks != marks => {
                purpose = Purpose::State;
                portrait.control = Some(ControlKind::Inferred);
                before = marks.map(ControlState::Marks);
                after = later_marks.map(ControlState::Marks);
            }
            None => before = None,
        }
    }
    let step = Step {
        at_ms: 0,
        tab: 1,
        url: page.url.clone(),
        frames,
        deed,
        purpose,
        element: portrait,
        before,
        after,
        screenshot: None,
    };
    (step, truth)
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

/// The item that an element of the observation is; a hidden box is known by its label.
fn place_of(page: &Inventory, element: &Element) -> usize {
    let is_it = |item: &umpire_browser::observe::inventory::Item| {
        item.handle.as_ref() == Some(&element.node)
            && (item.role == element.role || item.role.is_empty())
            && item.tag == element.tag
    };
    page.items.iter().position(is_it).unwrap_or_else(|| panic!("{element} is not in the inventory"))
}
