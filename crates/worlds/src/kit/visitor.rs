//! For the sites' own tests: requests as a browser makes them, answers as text, the state by place.

use bytes::Bytes;
use serde_json::Value;

use crate::{Request, Site};

pub const FORM: &str = "application/x-www-form-urlencoded";

pub fn request(method: &str, host: &str, target: &str, content_type: &str, body: &str) -> Request {
    let request = http::Request::builder()
        .method(method)
        .uri(target)
        .header("host", host)
        .header("content-type", content_type)
        .body(Bytes::from(body.to_owned()));
    Request::parse(request.expect("a well-formed request"))
}

pub fn text(response: &http::Response<Bytes>) -> String {
    String::from_utf8_lossy(response.body()).into_owned()
}

/// The state at a JSON pointer; null where there is nothing.
pub fn at(site: &impl Site, pointer: &str) -> Value {
    site.state().pointer(pointer).cloned().unwrap_or_default()
}
