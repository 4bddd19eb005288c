//! The pages: a panel with words on the left, the drawn map on the right.

pub mod at;
pub mod contribute;
pub mod home;
mod layout;
pub mod lists;
pub mod place;
pub mod route;
mod rows;
pub mod search;
pub mod settings;
pub mod town;

use http::StatusCode;
use maud::html;

use super::Visit;
use super::drawing::{Overlay, View};
use crate::Response;

pub fn static_file(name: &str) -> Option<Response> {
    Some(match name {
        "style.css" => Response::css(include_str!("../assets/style.css")),
        "suggest.js" => Response::script(crate::kit::suggest::SCRIPT),
        "map.js" => Response::script(include_str!("../assets/map.js")),
        _ => return None,
    })
}

pub fn not_found(visit: Visit<'_>) -> Response {
    let panel = html! {
        h1 { "Off the map" }
        p { "There is nothing at this address. It may have moved, or the link has a typing error in it." }
        p { a href="/" { "Back to the whole country" } }
    };
    layout::page(visit, "Not found", &panel, View::whole_country(), &Overlay::default())
        .status(StatusCode::NOT_FOUND)
}
