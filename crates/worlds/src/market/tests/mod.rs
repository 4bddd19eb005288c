//! The marketplaces as their visitors see them: requests in, pages and state out.

mod fuzz;
mod tasks;
mod visits;

use bytes::Bytes;

use super::Market;
use crate::Site;
use crate::kit::visitor::{FORM, request, text};

fn get(market: &mut Market, host: &str, target: &str) -> http::Response<Bytes> {
    market.handle(&request("GET", host, target, "", "")).into_http()
}

fn post(market: &mut Market, host: &str, target: &str, form: &str) -> http::Response<Bytes> {
    market.handle(&request("POST", host, target, FORM, form)).into_http()
}
