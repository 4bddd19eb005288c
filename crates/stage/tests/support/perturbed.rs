//! A site between two visits: the same pages, with something about them changed.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Request, Response};
use umpire_browser::Handler;
use umpire_worlds::World;

const SCRIPT: &str = include_str!("perturb.js");

/// What was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Perturbation {
    Nothing,
    /// All ids made anew.
    Ids,
    /// All class names hashed.
    Classes,
    /// Every word in another language.
    Text,
    /// Rows, links, options and sections in another order.
    Shuffled,
    /// The content in a shadow root.
    Shadow,
    /// The whole page in an iframe.
    Framed,
    /// The content comes 0 to 3 seconds later.
    Delayed,
}

impl Perturbation {
    pub const ALL: [Self; 8] = [
        Self::Nothing,
        Self::Ids,
        Self::Classes,
        Self::Text,
        Self::Shuffled,
        Self::Shadow,
        Self::Framed,
        Self::Delayed,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Ids => "ids",
            Self::Classes => "classes",
            Self::Text => "text",
            Self::Shuffled => "shuffled",
            Self::Shadow => "shadow",
            Self::Framed => "framed",
            Self::Delayed => "delayed",
        }
    }
}

/// Answers for the world, with every page perturbed.
pub fn perturbed(world: &Arc<World>, perturbation: Perturbation, seed: u32) -> Handler {
    let world = Arc::clone(world);
    Arc::new(move |request| {
        let is_top = request.headers().get("sec-fetch-dest").is_some_and(|dest| dest == "document");
        if perturbation == Perturbation::Framed && is_top && request.method() == http::Method::GET {
            return around(&request);
        }
        let mut response = world.serve(request);
        let is_page = |response: &Response<Bytes>| {
            response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
        };
        if is_page(&response) && response.body().starts_with(b"<!DOCTYPE") {
            let text = String::from_utf8_lossy(response.body());
            let script = format!("<script>({SCRIPT})({:?}, {seed})</script>", perturbation.name());
            let changed = match text.find("<head>") {
                Some(at) => format!("{}{script}{}", &text[..at + 6], &text[at + 6..]),
                None => text.replacen("<html", &format!("{script}<html"), 1),
            };
            *response.body_mut() = changed.into();
        }
        response.headers_mut().remove("content-length");
        response
    })
}

/// A page that shows the one asked for in a frame.
fn around(request: &Request<Bytes>) -> Response<Bytes> {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let page = format!(
        "<!DOCTYPE html><html lang=en><head><title>Portal</title></head><body style=\"margin:0\">\
         <nav><a href=\"/portal\">Portal</a> <a href=\"/portal/help\">Help</a></nav>\
         <iframe title=\"Content\" src=\"{path}\" style=\"border:0;width:100%;height:680px\"></iframe></body></html>"
    );
    let mut response = Response::new(Bytes::from(page));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}
