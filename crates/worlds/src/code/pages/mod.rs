//! The pages. Each file renders one family of them from a [`Visit`].

pub mod account;
pub mod commits;
pub mod dashboard;
pub mod explore;
pub mod files;
pub mod issues;
mod layout;
pub mod members;
pub mod notice;
mod parts;
pub mod planning;
pub mod requests;
pub mod settings;

use super::board::Board;
use crate::{Request, Response};

/// What a page is rendered from.
pub struct Visit<'a> {
    pub board: Board<'a>,
    pub request: &'a Request,
    /// What is wrong with the form that was sent, to be shown above it again.
    pub problem: Option<&'a str>,
}

impl Visit<'_> {
    /// What the visitor typed into a field of a form that is shown again, or else `now`.
    fn typed<'v>(&'v self, name: &str, now: &'v str) -> &'v str {
        self.request.form(name).unwrap_or(now)
    }
}

pub fn static_file(name: &str) -> Option<Response> {
    Some(match name {
        "style.css" => Response::css(include_str!("../assets/style.css")),
        "keelson.js" => Response::script(include_str!("../assets/keelson.js")),
        "contributors.js" => Response::script(include_str!("../assets/contributors.js")),
        _ => return None,
    })
}
