//! What pop-ups and consent dialogs have in common: a layer over the whole page, with a script of its own.

use maud::{Markup, PreEscaped, html};

/// Paths under this belong to the perturbation, on every host; the sites have none there.
pub const OWN_PATHS: &str = "/.visit/";

const STYLE: &str = include_str!("assets/overlay.css");

/// A dialog over a dark layer, and the script that makes it work.
pub fn layer(id: &str, after: u32, title: &str, content: &Markup, script: &'static str) -> String {
    html! {
        style { (PreEscaped(STYLE)) }
        div.over-layer id=(id) data-after=(after) hidden[after > 0] {
            div role="dialog" aria-modal="true" aria-label=(title) {
                h2 { (title) }
                (content)
            }
        }
        script { (PreEscaped(script)) }
    }
    .into_string()
}

/// Where something is added so that it comes last in the page.
pub fn end_of_body(page: &str) -> usize {
    page.rfind("</body>").unwrap_or(page.len())
}
