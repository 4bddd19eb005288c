//! The tools a client is told of. Names and arguments are those of Playwright MCP, so that agents made for it feel at
//! home; what would run script in the page or look behind it is not among them.

use serde_json::{Value, json};

/// The one tool that only some users have.
pub(super) const SEARCH_HISTORY: &str = "search_history";

pub(super) fn list() -> Vec<Value> {
    let element = || text("What is meant, in words, for whoever reads the record");
    let reference = || text("The element's ref in the latest snapshot, such as e12");
    // Playwright MCP said `ref` for years and says `target` now.
    let target = || text("The same as `ref`; one of the two is needed");
    vec![
        tool("get_task", "What is to be done, and within which limits", &json!({}), &[]),
        tool(
            "browser_snapshot",
            "The page as an accessibility snapshot, which is what to act by",
            &json!({}),
            &[],
        ),
        tool("browser_navigate", "Go to an address", &json!({ "url": text("Where to go") }), &["url"]),
        tool("browser_navigate_back", "Go back to the previous page", &json!({}), &[]),
        tool(
            "browser_click",
            "Click an element",
            &json!({ "element": element(), "ref": reference(), "target": target() }),
            &[],
        ),
        tool(
            "browser_type",
            "Put a text into a field, in place of what it holds",
            &json!({
                "element": element(),
                "ref": reference(),
                "target": target(),
                "text": text("The text"),
                "submit": { "type": "boolean", "description": "Press Enter afterwards" },
            }),
            &["text"],
        ),
        tool(
            "browser_fill_form",
            "Fill in several fields",
            &json!({ "fields": {
                "type": "array",
                "description": "The fields, in the order to fill them in",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": text("What the field is called"),
                        "type": { "type": "string", "enum": ["textbox", "checkbox", "radio", "combobox", "slider"] },
                        "ref": reference(),
                        "target": target(),
                        "value": text("The text; true or false for a checkbox; the option's label for a combobox"),
                    },
                    "required": ["type", "value"],
                },
            } }),
            &["fields"],
        ),
        tool(
            "browser_select_option",
            "Choose in a list, by the labels of its options",
            &json!({
                "element": element(),
                "ref": reference(),
                "target": target(),
                "values": { "type": "array", "items": { "type": "string" }, "description": "Labels to choose" },
            }),
            &["values"],
        ),
        tool(
            "browser_press_key",
            "Press a key or chord, for whatever has the focus",
            &json!({ "key": text("A key by its DOM name, such as ArrowLeft, a or Control+a") }),
            &["key"],
        ),
        tool(
            "browser_hover",
            "Rest the pointer on an element",
            &json!({ "element": element(), "ref": reference(), "target": target() }),
            &[],
        ),
        tool(
            "browser_drag",
            "Drag one element to another",
            &json!({
                "startElement": element(),
                "startRef": reference(),
                "startTarget": target(),
                "endElement": element(),
                "endRef": reference(),
                "endTarget": target(),
            }),
            &[],
        ),
        tool(
            "browser_file_upload",
            "Give files of the task to the file field that was clicked last, or to the one named",
            &json!({
                "paths": { "type": "array", "items": { "type": "string" }, "description": "Names of the task's files" },
                "ref": reference(),
            }),
            &["paths"],
        ),
        tool(
            "browser_handle_dialog",
            "See what dialogs opened: they are answered at once, so none waits to be",
            &json!({ "accept": { "type": "boolean" }, "promptText": text("Not used") }),
            &[],
        ),
        tool("browser_take_screenshot", "A picture of what the window shows", &json!({}), &[]),
        tool(
            "browser_wait_for",
            "Wait for a time, or for a text to come or to go",
            &json!({
                "time": { "type": "number", "description": "Seconds" },
                "text": text("Text to wait for"),
                "textGone": text("Text whose end to wait for"),
            }),
            &[],
        ),
        tool(
            "browser_tabs",
            "List, open, close or choose tabs",
            &json!({
                "action": { "type": "string", "enum": ["list", "new", "close", "select"] },
                "index": { "type": "number", "description": "Which tab, from 0, to choose or close" },
                "url": text("Where a new tab goes"),
            }),
            &["action"],
        ),
        tool(
            "browser_scroll",
            "Scroll the window, or an element, by about what it shows",
            &json!({
                "direction": { "type": "string", "enum": ["up", "down", "left", "right"] },
                "ref": reference(),
            }),
            &["direction"],
        ),
        tool(
            "browser_close",
            "Does nothing: the browser stays until the answer is submitted",
            &json!({}),
            &[],
        ),
        tool(
            SEARCH_HISTORY,
            "Search what the user did on the web over the last year, where the task leaves open what only their habits tell. \
             It may be asked a few times only",
            &json!({
                "query": text("What to look for, in the words such entries would have"),
                "reason": text("Why it is needed, for whoever reads the record"),
            }),
            &["query"],
        ),
        tool(
            "submit_answer",
            "Ends the attempt. Call it once, when the task is done or cannot be done",
            &json!({
                "results": {
                    "type": "array",
                    "items": {},
                    "description": "What was asked for, one value each; leave out where nothing was asked for",
                },
                "status": {
                    "type": "string",
                    "enum": [
                        "SUCCESS",
                        "NOT_FOUND_ERROR",
                        "PERMISSION_DENIED_ERROR",
                        "ACTION_NOT_ALLOWED_ERROR",
                        "DATA_VALIDATION_ERROR",
                        "UNKNOWN_ERROR",
                    ],
                    "description": "SUCCESS, unless it could not be done",
                },
                "error_details": text("Why it could not be done"),
            }),
            &[],
        ),
    ]
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn tool(name: &str, description: &str, properties: &Value, required: &[&str]) -> Value {
    json!({
        "name": name,
        "description": description,
        "inputSchema": { "type": "object", "properties": properties, "required": required },
    })
}
