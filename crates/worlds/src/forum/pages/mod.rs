//! The pages. Each file renders one family of them from a [`Visit`].

pub mod directory;
pub mod feed;
mod layout;
pub mod messages;
pub mod moderation;
pub mod notice;
pub mod notifications;
mod parts;
pub mod post;
pub mod profile;
pub mod search;
pub mod settings;
pub mod submit;

use super::board::Board;
use crate::{Request, Response};

/// What a page is rendered from.
pub struct Visit<'a> {
    pub board: Board<'a>,
    pub request: &'a Request,
}

pub fn static_file(name: &str) -> Option<Response> {
    Some(match name {
        "style.css" => Response::css(include_str!("../assets/style.css")),
        "menus.js" => Response::script(include_str!("../assets/menus.js")),
        "toggles.js" => Response::script(include_str!("../assets/toggles.js")),
        "feed.js" => Response::script(include_str!("../assets/feed.js")),
        "thread.js" => Response::script(include_str!("../assets/thread.js")),
        "people.js" => Response::script(include_str!("../assets/people.js")),
        "submit.js" => Response::script(include_str!("../assets/submit.js")),
        "settings.js" => Response::script(include_str!("../assets/settings.js")),
        "directory.js" => Response::script(include_str!("../assets/directory.js")),
        _ => return None,
    })
}
