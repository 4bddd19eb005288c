//! Sessions and pages written down, for what no built-in site has.

use bytes::Bytes;
use serde_json::{Value, json};
use umpire_stage::Session;

pub fn html(body: &str) -> http::Response<Bytes> {
    let page = format!("<!DOCTYPE html><title>Site</title><main>{body}</main>");
    let response = http::Response::builder().header("content-type", "text/html; charset=utf-8");
    response.body(Bytes::from(page)).expect("well-formed")
}

pub fn by_hand(steps: &[Value]) -> Session {
    let session = json!({
        "version": 1, "name": "by-hand", "recorded_at": "2026-11-15T00:00:00Z", "recorder": "by hand",
        "start_url": "http://site.localhost/", "viewport": { "width": 1280, "height": 720 },
        "steps": steps,
    });
    Session::read(&session.to_string()).expect("a session")
}

pub fn step(tab: u32, deed: &Value, element: &Value, purpose: &str) -> Value {
    json!({ "at_ms": 0, "tab": tab, "url": "http://site.localhost/", "deed": deed, "purpose": purpose, "element": element })
}

pub fn element(tag: &str, role: &str, name: &str) -> Value {
    json!({ "tag": tag, "role": role, "name": name, "locators": {}, "position": {} })
}
