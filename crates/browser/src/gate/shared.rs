//! A client in a browser that is not its own: a remote one, in which others may have contexts too.
//!
//! To the client, the context of its seat is the whole browser. Where the protocol means the browser's default context by
//! naming none, the seat's is named instead; and of what acts on the browser as a whole, only what stays within
//! the seat is let through. The list names what is harmless, so that a new method of the protocol is on the safe side.
//! What names files of this machine is refused in any remote browser: paths are the browser's.

use serde_json::{Value, json};

use super::policy::{Objection, with};

/// Methods of the browser's own session that mean its default context if they name none.
const OF_A_CONTEXT: [&str; 9] = [
    "Target.createTarget",
    "Browser.setDownloadBehavior",
    "Browser.cancelDownload",
    "Browser.setPermission",
    "Browser.grantPermissions",
    "Browser.resetPermissions",
    "Storage.getCookies",
    "Storage.setCookies",
    "Storage.clearCookies",
];

/// What else a client may ask of the browser's own session. Targets are looked after by the policy that all clients meet.
const HARMLESS: [&str; 6] = [
    "Target.",
    "Browser.getVersion",
    "Browser.close",
    "Browser.getWindowForTarget",
    "Page.setDownloadBehavior",
    "Schema.getDomains",
];

/// Files are named by a path.
const BY_PATH: [&str; 2] = ["DOM.setFileInputFiles", "Input.dispatchDragEvent"];

/// The parameters that keep a message within the seat's context, if they have to change; or why it cannot be kept there.
pub(super) fn keep_to_context(
    method: &str,
    params: &Value,
    context: &str,
    is_browser_session: bool,
) -> Result<Option<Value>, Objection> {
    if !is_browser_session {
        return Ok(None);
    }
    let names_none = params.get("browserContextId").is_none_or(|id| id.is_null() || *id == json!(""));
    if OF_A_CONTEXT.contains(&method) {
        return Ok(names_none.then(|| with(params, &[("browserContextId", json!(context))])));
    }
    if method == "Target.createBrowserContext" {
        // Whatever happens to the client, it goes.
        return Ok(Some(with(params, &[("disposeOnDetach", json!(true))])));
    }
    let is_harmless =
        HARMLESS.iter().any(|name| *name == method || (name.ends_with('.') && method.starts_with(name)));
    if is_harmless {
        return Ok(None);
    }
    Err(Objection::harmless("acts on the whole browser, and this one may have other users"))
}

/// Why a message about files cannot be meant for a browser on another machine.
pub(super) fn names_files(method: &str, params: &Value) -> Option<Objection> {
    let files = params.get("files").or_else(|| params.pointer("/data/files")).and_then(Value::as_array);
    let reason =
        "the browser is on another machine, which has no such file; give the page its content by script";
    (BY_PATH.contains(&method) && files.is_some_and(|files| !files.is_empty()))
        .then(|| Objection::harmless(reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_kept_in_its_context() {
        let seat = |id: &str| json!({ "browserContextId": id });
        for (method, params, is_browser, expected) in [
            ("Target.createTarget", json!({}), true, Ok(Some(seat("mine")))),
            ("Target.createTarget", json!({ "browserContextId": "" }), true, Ok(Some(seat("mine")))),
            ("Target.createTarget", seat("made"), true, Ok(None)),
            ("Storage.getCookies", json!({}), true, Ok(Some(seat("mine")))),
            // A page's own session means the page's own context.
            ("Storage.getCookies", json!({}), false, Ok(None)),
            (
                "Target.createBrowserContext",
                json!({ "disposeOnDetach": false }),
                true,
                Ok(Some(json!({ "disposeOnDetach": true }))),
            ),
            ("Target.setAutoAttach", json!({}), true, Ok(None)),
            ("Browser.getVersion", json!({}), true, Ok(None)),
            ("Fetch.enable", json!({}), true, Err(())),
            ("Fetch.enable", json!({}), false, Ok(None)),
            ("Security.setIgnoreCertificateErrors", json!({ "ignore": true }), true, Err(())),
            ("Browser.setWindowBounds", json!({ "windowId": 1 }), true, Err(())),
            ("Browser.somethingNew", json!({}), true, Err(())),
        ] {
            let kept = keep_to_context(method, &params, "mine", is_browser).map_err(drop);
            assert_eq!(kept, expected, "{method} {params}");
        }
    }

    #[test]
    fn files_of_this_machine_are_not_those_of_the_browser() {
        for (method, params, expected) in [
            ("DOM.setFileInputFiles", json!({ "files": ["/work/cv.pdf"] }), true),
            ("DOM.setFileInputFiles", json!({ "files": [] }), false),
            ("Input.dispatchDragEvent", json!({ "data": { "files": ["/x"] } }), true),
            ("Input.dispatchDragEvent", json!({ "data": { "items": [] } }), false),
            ("Runtime.evaluate", json!({ "files": ["/x"] }), false),
        ] {
            assert_eq!(names_files(method, &params).is_some(), expected, "{method} {params}");
        }
    }
}
