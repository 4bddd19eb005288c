//! Which messages can change what a page's script does.
//!
//! A page whose own script decides a reward is as good as the script that runs in it. What is known to leave script alone
//! is listed; everything else counts as able to change it, new methods of the protocol included.

use serde_json::Value;

/// Methods that leave script alone; a name that ends with a dot is a whole domain.
const HARMLESS: [&str; 51] = [
    "Accessibility.",
    "Browser.",
    "DOMSnapshot.",
    "Input.",
    "Inspector.",
    "IO.",
    "Log.",
    "Performance.",
    "Schema.",
    "Target.",
    "DOM.describeNode",
    "DOM.disable",
    "DOM.enable",
    "DOM.focus",
    "DOM.getAttributes",
    "DOM.getBoxModel",
    "DOM.getContentQuads",
    "DOM.getDocument",
    "DOM.getFlattenedDocument",
    "DOM.getFrameOwner",
    "DOM.getNodeForLocation",
    "DOM.getOuterHTML",
    "DOM.querySelector",
    "DOM.querySelectorAll",
    "DOM.requestChildNodes",
    "DOM.requestNode",
    "DOM.resolveNode",
    "DOM.scrollIntoViewIfNeeded",
    "DOM.setFileInputFiles",
    "Emulation.setDeviceMetricsOverride",
    "Emulation.setFocusEmulationEnabled",
    "Emulation.setEmulatedMedia",
    "Network.enable",
    "Network.disable",
    "Network.getCookies",
    "Network.getResponseBody",
    "Page.bringToFront",
    "Page.captureScreenshot",
    "Page.captureSnapshot",
    "Page.disable",
    "Page.enable",
    "Page.getFrameTree",
    "Page.getLayoutMetrics",
    "Page.getNavigationHistory",
    "Page.setInterceptFileChooserDialog",
    "Page.setLifecycleEventsEnabled",
    "Runtime.disable",
    "Runtime.discardConsoleEntries",
    "Runtime.enable",
    "Runtime.releaseObject",
    "Runtime.runIfWaitingForDebugger",
];

/// A page that the client leaves, or loads again, keeps nothing of what it decided.
const LEAVING: [&str; 4] = ["Page.navigate", "Page.navigateToHistoryEntry", "Page.reload", "Page.close"];

pub(super) fn can_change_script(method: &str, params: &Value) -> bool {
    if LEAVING.contains(&method) {
        // A reload can bring a script along.
        return params.get("scriptToEvaluateOnLoad").is_some();
    }
    !HARMLESS.iter().any(|name| if name.ends_with('.') { method.starts_with(name) } else { method == *name })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn looking_and_real_input_leave_script_alone() {
        for (method, params, can) in [
            ("Input.dispatchMouseEvent", json!({}), false),
            ("Input.insertText", json!({}), false),
            ("Page.captureScreenshot", json!({}), false),
            ("DOM.getOuterHTML", json!({}), false),
            ("Accessibility.getFullAXTree", json!({}), false),
            ("Target.attachToTarget", json!({}), false),
            ("Page.reload", json!({}), false),
            ("Page.reload", json!({"scriptToEvaluateOnLoad": "1"}), true),
            ("Runtime.evaluate", json!({}), true),
            ("Runtime.callFunctionOn", json!({}), true),
            ("Page.addScriptToEvaluateOnNewDocument", json!({}), true),
            ("Page.createIsolatedWorld", json!({}), true),
            ("DOM.setOuterHTML", json!({}), true),
            ("Debugger.setScriptSource", json!({}), true),
            ("Emulation.setVirtualTimePolicy", json!({}), true),
            ("Fetch.fulfillRequest", json!({}), true),
            ("Tomorrow.doAnything", json!({}), true),
        ] {
            assert_eq!(can_change_script(method, &params), can, "{method} {params}");
        }
    }
}
