//! The pages. Each file renders one family of them from a [`Visit`].

pub mod account;
pub mod article;
pub mod edit;
pub mod history;
pub mod home;
pub mod index;
mod layout;
pub mod notice;
pub mod search;
pub mod talk;

use super::desk::Desk;
use crate::{Request, Response};

/// What a page is rendered from.
#[derive(Clone, Copy)]
pub struct Visit<'a> {
    pub desk: Desk<'a>,
    pub request: &'a Request,
    /// What is wrong with the form that was sent, to be shown above it again.
    pub problem: Option<&'a str>,
}

impl<'a> Visit<'a> {
    pub fn asked(self, name: &str) -> &'a str {
        self.request.query(name).unwrap_or_default().trim()
    }

    /// What was typed into a field of a form that is shown again, or else `now`.
    fn typed(self, name: &str, now: &'a str) -> &'a str {
        self.request.form(name).unwrap_or(now)
    }
}

pub fn static_file(name: &str) -> Option<Response> {
    Some(match name {
        "quire.css" => Response::css(include_str!("../assets/quire.css")),
        "suggest.js" => Response::script(crate::kit::suggest::SCRIPT),
        "quire.js" => Response::script(include_str!("../assets/quire.js")),
        _ => return None,
    })
}
