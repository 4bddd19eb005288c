//! What a recorder writes of an element is what the replayer sees of it: on every page that the privacy suite's
//! sessions come by, each control is drawn by both.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use umpire_browser::Seat;
use umpire_browser::cdp::Session as Protocol;
use umpire_stage::Session;
use umpire_stage::identify::portrait_of;
use umpire_stage::session::Portrait;

use crate::support::{pool, seat_in, soon, world};

/// Gives every element a number both can see, and draws those that take the focus.
const DRAW: &str = "
    let number = 0;
    const drawn = [];
    for (const element of elementsIn(document)) element.setAttribute('data-number', String(number += 1));
    for (const element of elementsIn(document)) {
        if (!isFocusable(element) || !element.checkVisibility({ visibilityProperty: true })) continue;
        drawn.push([element.getAttribute('data-number'), portraitOf(element)]);
    }
    return drawn;";

/// The recorder's own functions, without what starts it.
fn recorder() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../extension/dist/page");
    let mut parts: Vec<_> =
        fs::read_dir(page).expect("the extension").map(|part| part.expect("a file").path()).collect();
    parts.retain(|part| !part.ends_with("start.js"));
    parts.sort();
    parts.iter().map(|part| fs::read_to_string(part).expect("a script")).collect()
}

fn pages() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/privacy/sessions.jsonl");
    let text = fs::read_to_string(path).expect("the sessions");
    let sessions = text.lines().map(|line| Session::read(line).expect("a session"));
    sessions.flat_map(|session| session.steps.into_iter().map(|step| step.url)).collect()
}

/// Numbers and portraits, as the recorder draws them.
async fn drawn_by_recorder(session: &Protocol, scripts: &str) -> Vec<(String, Portrait)> {
    let tree: Value = session.call("Page.getFrameTree", json!({}), soon()).await.expect("frames");
    let apart = json!({ "frameId": tree["frameTree"]["frame"]["id"], "worldName": "recorder" });
    let apart: Value = session.call("Page.createIsolatedWorld", apart, soon()).await.expect("a world");
    let expression = format!("(() => {{ {scripts}\n{DRAW} }})()");
    let asked =
        json!({ "expression": expression, "returnByValue": true, "contextId": apart["executionContextId"] });
    let answer: Value = session.call("Runtime.evaluate", asked, soon()).await.expect("evaluated");
    assert!(answer.get("exceptionDetails").is_none(), "{answer}");
    serde_json::from_value(answer["result"]["value"].clone()).expect("portraits")
}

/// What the two disagree in.
async fn disagreements(seat: &Seat, scripts: &str) -> (usize, Vec<String>) {
    let tab = seat.active_tab(soon()).await.expect("a tab");
    umpire_browser::settle::settle(&tab, soon()).await;
    let recorded = drawn_by_recorder(&tab.session, scripts).await;
    let page = seat.inventory(soon()).await.expect("an inventory");
    let mut found = Vec::new();
    for (number, portrait) in &recorded {
        let at = page.items.iter().position(|item| item.attribute("data-number") == Some(number.as_str()));
        let seen = at.and_then(|at| portrait_of(&page, at)).expect("the same page");
        let [was, is] = [portrait, &seen].map(told);
        for (key, was) in was.as_object().expect("an object") {
            if *was != is[key] {
                found
                    .push(format!("{} {} {:?}, {key}: {was} and {}", page.url, seen.tag, seen.name, is[key]));
            }
        }
    }
    (recorded.len(), found)
}

/// What identity rests on; measures in pixels are left out, and so is the case of letters: one sees the words as they are
/// written, the other as they are drawn.
fn told(portrait: &Portrait) -> Value {
    json!({
        "tag": portrait.tag,
        "role": portrait.role,
        "type": portrait.input_type,
        "name": portrait.name.to_lowercase(),
        "locators": portrait.locators,
        "words": json!(portrait.words).to_string().to_lowercase(),
        "index": portrait.position.index,
        "among equals": portrait.position.among_equals,
        "among siblings": portrait.position.among_siblings,
        "shadow hosts": portrait.position.shadow_hosts,
        "control": portrait.control,
    })
}

#[tokio::test]
async fn both_draw_the_same_portrait_of_every_control() {
    let scripts = recorder();
    let pool = pool(1).await;
    let (mut controls, mut found) = (0, Vec::new());
    let pages = pages();
    for url in &pages {
        let site = url.strip_prefix("http://").and_then(|rest| rest.split_once('.')).expect("a site").0;
        let seat = seat_in(&pool, &world(&[site.to_owned()], &json!({}))).await;
        seat.open(url, soon()).await.expect("opened");
        let (seen, differing) = disagreements(&seat, &scripts).await;
        controls += seen;
        found.extend(differing);
        seat.close(soon()).await;
    }
    println!("{controls} controls on {} pages", pages.len());
    assert!(controls > 1_000, "{controls} controls");
    assert!(found.is_empty(), "{} disagreements:\n{}", found.len(), found.join("\n"));
}
