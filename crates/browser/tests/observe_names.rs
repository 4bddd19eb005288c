//! Roles and names as computed from the snapshot, against those in Chromium's own accessibility tree.

use serde_json::{Value, json};
use umpire_browser::Element;

use crate::support::{Lab, soon};

/// Chromium's role, in ARIA's words where its own differ.
fn aria_role(role: &str) -> &str {
    match role {
        "DisclosureTriangle" => "button",
        "image" => "img",
        other => other,
    }
}

async fn chromium_says(lab: &Lab, element: &Element) -> (String, String) {
    let params = json!({ "backendNodeId": element.node.backend_node_id, "fetchRelatives": false });
    let tree: Value =
        lab.session().call("Accessibility.getPartialAXTree", params, soon()).await.expect("a node");
    let node = &tree["nodes"][0];
    let name = node["name"]["value"].as_str().unwrap_or_default();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    (aria_role(node["role"]["value"].as_str().unwrap_or_default()).to_owned(), name)
}

#[tokio::test]
async fn roles_and_names_are_those_of_chromium() {
    let lab = Lab::page(include_str!("pages/names.html")).await;
    let seen = lab.observe().await;
    assert!(
        seen.elements.len() > 80,
        "only {} elements found:\n{}",
        seen.elements.len(),
        seen.element_list()
    );
    let mut differences = Vec::new();
    for element in &seen.elements {
        let theirs = chromium_says(&lab, element).await;
        let ours = (element.role.clone(), element.name.clone());
        // Chromium gives an editable element without a role none; to an agent it is something to write in.
        let is_plain_editor = element.name == "Editor" && theirs.0 == "generic" && ours.0 == "textbox";
        if ours != theirs && !is_plain_editor {
            differences.push(format!("ours {ours:?}, Chromium's {theirs:?}"));
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}
