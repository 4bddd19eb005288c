//! The hub as its visitors see it: requests in, pages and state out.

mod forms;
mod fuzz;
mod pages;
mod tasks;

use bytes::Bytes;
use serde_json::Value;

use super::Hub;
use crate::Site;
use crate::kit::visitor::{FORM, at, request, text};

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

fn get(hub: &mut Hub, target: &str) -> http::Response<Bytes> {
    hub.handle(&request("GET", "hub.localhost", target, "", "")).into_http()
}

fn post(hub: &mut Hub, target: &str, form: &str) -> http::Response<Bytes> {
    hub.handle(&request("POST", "hub.localhost", target, FORM, form)).into_http()
}

fn post_json(hub: &mut Hub, host: &str, target: &str, body: &Value) -> http::Response<Bytes> {
    hub.handle(&request("POST", host, target, "application/json", &body.to_string())).into_http()
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
