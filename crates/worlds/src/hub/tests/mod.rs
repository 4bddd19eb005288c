//! The hub as its visitors see it: requests in, pages and state out.

mod forms;
mod fuzz;
mod pages;
mod tasks;

use bytes::Bytes;
use serde_json::Value;

use super::Hub;
use crate::{Request, Site};

const PAGES: [&str; 20] = [
    "/",
    "/profile",
    "/security",
    "/security/two-factor",
    "/devices",
    "/privacy",
    "/ads",
    "/communication",
    "/data",
    "/data/request",
    "/tokens",
    "/tokens/new",
    "/apps",
    "/appearance",
    "/activity",
    "/delete",
    "/search?q=theme",
    "/help",
    "/api/activity?page=2&kind=sign-in",
    "/api/appearance",
];

fn request(method: &str, host: &str, target: &str, content_type: &str, body: &str) -> Request {
    let request = http::Request::builder()
        .method(method)
        .uri(target)
        .header("host", host)
        .header("content-type", content_type)
        .body(Bytes::from(body.to_owned()));
    Request::parse(request.expect("a well-formed request"))
}

fn get(hub: &mut Hub, target: &str) -> http::Response<Bytes> {
    hub.handle(&request("GET", "hub.localhost", target, "", "")).into_http()
}

fn post(hub: &mut Hub, target: &str, form: &str) -> http::Response<Bytes> {
    hub.handle(&request("POST", "hub.localhost", target, "application/x-www-form-urlencoded", form))
        .into_http()
}

fn post_json(hub: &mut Hub, host: &str, target: &str, body: &Value) -> http::Response<Bytes> {
    hub.handle(&request("POST", host, target, "application/json", &body.to_string())).into_http()
}

fn text(response: &http::Response<Bytes>) -> String {
    String::from_utf8_lossy(response.body()).into_owned()
}

/// The state at a JSON pointer.
fn at(hub: &Hub, pointer: &str) -> Value {
    hub.state().pointer(pointer).cloned().unwrap_or_default()
}

/// A hub that starts with other values at some pointers.
fn hub_with(values: &[(&str, Value)]) -> Hub {
    let mut hub = Hub::new(7);
    let mut state = hub.state();
    for (pointer, value) in values {
        *state.pointer_mut(pointer).expect("an existing place") = value.clone();
    }
    hub.set_state(state).expect("a fitting state");
    hub
}
