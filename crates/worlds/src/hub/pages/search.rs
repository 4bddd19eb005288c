//! Results of the settings search.

use maud::html;

use super::layout::page;
use crate::Response;
use crate::hub::{View, search};

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    let query = view.request.query("q").unwrap_or_default().trim();
    let hits = search::find(query);
    let content = html! {
        @if query.is_empty() {
            p.lead { "Type what you want to change into the search field above." }
        } @else if hits.is_empty() {
            p.lead { "No settings match “" (query) "”." }
            p { "Try fewer or other words, or look through the navigation on the left." }
        } @else {
            p.lead { (hits.len()) " results for “" (query) "”" }
            ul.rows.card {
                @for hit in &hits {
                    li { div { a href=(hit.link) { (hit.title) } br; span.quiet { (hit.page) } } }
                }
            }
        }
    };
    page(view, "Search", &content)
}
