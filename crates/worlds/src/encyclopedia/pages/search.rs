//! Results of a search.

use maud::html;

use super::Visit;
use super::layout::page;
use crate::Response;
use crate::encyclopedia::search;
use crate::kit::lists::{counted, page_of, pager};

const PER_PAGE: usize = 20;

pub fn show(visit: Visit<'_>) -> Response {
    let question = visit.asked("q");
    let found = search::find(visit.desk, question);
    let shown = page_of(visit.request, &found, PER_PAGE);
    let content = html! {
        h1 { "Search" }
        @if question.is_empty() { p { "Type a word or a title into the field above." } }
        @else {
            p.muted role="status" { (counted(found.len(), "article")) " for “" (question) "”" }
            @if found.is_empty() { p { "No article fits. Try fewer words, or look through the " a href="/categories" { "categories" } "." } }
        }
        ol.results { @for article in shown.items {
            li {
                h2 { a href={ "/article/" (article.slug) } { (article.title) } }
                p.kind { (article.kind) }
                p { (article.summary()) }
            }
        } }
        (pager(visit.request, &shown))
    };
    page(visit, "Search", &content)
}
