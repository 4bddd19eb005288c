//! The pages. Each file renders one family of them from a [`Visit`].

pub mod customers;
pub mod dashboard;
mod layout;
pub mod marketing;
pub mod orders;
mod parts;
pub mod products;
pub mod reports;
pub mod reviews;

use http::StatusCode;
use maud::html;

use super::desk::Desk;
use crate::{Request, Response};

/// What a page is rendered from.
pub struct Visit<'a> {
    pub desk: Desk<'a>,
    pub request: &'a Request,
    /// What is wrong with the form that was sent, to be shown above it again.
    pub problem: Option<&'a str>,
}

impl Visit<'_> {
    /// What the clerk typed into a field of a form that is shown again, or else `now`.
    fn typed<'v>(&'v self, name: &str, now: &'v str) -> &'v str {
        self.request.form(name).unwrap_or(now)
    }

    fn asked(&self, name: &str) -> &str {
        self.request.query(name).unwrap_or_default().trim()
    }
}

pub fn static_file(name: &str) -> Option<Response> {
    Some(match name {
        "office.css" => Response::css(include_str!("../assets/office.css")),
        "office.js" => Response::script(include_str!("../assets/office.js")),
        _ => return None,
    })
}

pub fn not_found(visit: &Visit<'_>) -> Response {
    let content = html! {
        p { "There is no record or page at this address." }
        p { a href="/" { "Back to the dashboard" } }
    };
    layout::page(visit, "", "Not found", &content).status(StatusCode::NOT_FOUND)
}
