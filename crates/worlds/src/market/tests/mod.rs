//! The marketplaces as their visitors see them: requests in, pages and state out.

mod fuzz;
mod tasks;
mod visits;

use bytes::Bytes;

use super::Market;
use crate::{Request, Site};

fn request(method: &str, host: &str, target: &str, body: &str) -> Request {
    let request = http::Request::builder()
        .method(method)
        .uri(target)
        .header("host", host)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Bytes::from(body.to_owned()));
    Request::parse(request.expect("a well-formed request"))
}

fn get(market: &mut Market, host: &str, target: &str) -> http::Response<Bytes> {
    market.handle(&request("GET", host, target, "")).into_http()
}

fn post(market: &mut Market, host: &str, target: &str, form: &str) -> http::Response<Bytes> {
    market.handle(&request("POST", host, target, form)).into_http()
}

fn text(response: &http::Response<Bytes>) -> String {
    String::from_utf8_lossy(response.body()).into_owned()
}
