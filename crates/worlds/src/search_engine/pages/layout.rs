//! The frame around every page.

use maud::{DOCTYPE, Markup, html};

use super::Visit;
use crate::Response;
use crate::kit::flash;

const MESSAGES: flash::Messages = &[
    ("settings-saved", "Settings saved."),
    ("history-cleared", "Your history is empty."),
    ("question-deleted", "Deleted from your history."),
];

pub fn search_form(question: &str, tab: &str, focus: bool) -> Markup {
    html! {
        form.ask role="search" action="/search" method="get" {
            input type="search" name="q" value=(question) aria-label="Search the web" maxlength="200" autocomplete="off" autofocus[focus] data-suggest="/suggest" data-suggest-send;
            @if !tab.is_empty() { input type="hidden" name="tab" value=(tab); }
            button type="submit" { "Search" }
        }
    }
}

/// `with_head` puts the small logo and the search field on top.
pub fn page(visit: &Visit<'_>, title: &str, with_head: bool, content: &Markup) -> Response {
    let question = visit.request.query("q").unwrap_or_default();
    Response::html(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) @if title != "Plumb" { " – Plumb" } }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/static/plumb.css";
                script type="module" src="/static/suggest.js" {}
            }
            body {
                header.top {
                    @if with_head {
                        a.logo href="/" { span.bob aria-hidden="true" {} "plumb" }
                        (search_form(question, visit.request.query("tab").unwrap_or_default(), false))
                    }
                    nav aria-label="Plumb" {
                        a href="/history" { "History" }
                        a href="/settings" { "Settings" }
                        a href="/about" { "How Plumb ranks" }
                    }
                }
                main #main {
                    @if let Some(message) = flash::message(visit.request, MESSAGES) { p.flash role="status" { (message) } }
                    @if let Some(problem) = visit.problem { p.problem role="alert" { (problem) } }
                    (content)
                }
                footer { "Plumb looks at the sites of this world only. No adverts, no accounts." }
            }
        }
    })
}
