//! The pages.

mod layout;
pub mod results;

use http::StatusCode;
use maud::html;

use super::state::{PER_PAGE, State};
use crate::{Request, Response};
use layout::{page, search_form};

/// What a page is rendered from.
pub struct Visit<'a> {
    pub state: &'a State,
    pub request: &'a Request,
    /// What is wrong with the form that was sent.
    pub problem: Option<&'a str>,
}

pub fn static_file(name: &str) -> Option<Response> {
    Some(match name {
        "plumb.css" => Response::css(include_str!("../assets/plumb.css")),
        "suggest.js" => Response::script(crate::kit::suggest::SCRIPT),
        _ => return None,
    })
}

pub fn home(visit: &Visit<'_>) -> Response {
    let content = html! {
        div.hero {
            h1 { span.bob aria-hidden="true" {} "plumb" }
            p { "Straight down to the page you want." }
            (search_form("", "", true))
            p.tips { "Try " a href="/search?q=longest+river" { "longest river" } ", "
                a href="/search?q=site%3Ashop+lamp" { "site:shop lamp" } " or "
                a href="/search?q=bakery&tab=places" { "bakery" } " among places." }
        }
    };
    page(visit, "Plumb", false, &content)
}

pub fn settings(visit: &Visit<'_>) -> Response {
    let now = &visit.state.settings;
    let tick = |name: &str, title: &str, about: &str, on: bool| {
        html! {
            div.tick {
                input type="checkbox" id=(name) name=(name) checked[on] aria-describedby={ (name) "-about" };
                div { label for=(name) { (title) } small id={ (name) "-about" } { (about) } }
            }
        }
    };
    let content = html! {
        div.narrow {
            h1 { "Settings" }
            form method="post" action="/settings" {
                label for="per_page" { "Results on a page" }
                select #per_page name="per_page" { @for count in PER_PAGE { option value=(count) selected[count == now.per_page] { (count) } } }
                (tick("suggestions", "Suggest while I type", "Titles that begin like your words.", now.suggestions))
                (tick("answer_card", "Show an answer card", "A summary beside the results if an article fits.", now.answer_card))
                (tick("new_tab", "Open results in a new tab", "", now.new_tab))
                (tick("keep_history", "Remember what I search for", "You can see and delete it in your history.", now.keep_history))
                button type="submit" { "Save settings" }
            }
        }
    };
    page(visit, "Settings", true, &content)
}

pub fn history(visit: &Visit<'_>) -> Response {
    let content = html! {
        div.narrow {
            h1 { "Search history" }
            @if visit.state.history.is_empty() { p { "Nothing is remembered." } }
            @else {
                form method="post" action="/history/clear" { button.plain type="submit" { "Clear all" } }
                ul.history { @for (number, question) in visit.state.history.iter().rev() {
                    li {
                        a href={ "/search?" (url::form_urlencoded::Serializer::new(String::new()).append_pair("q", question).finish()) } { (question) }
                        form method="post" action={ "/history/" (number) "/delete" } {
                            button.plain type="submit" aria-label={ "Delete " (question) } { "Delete" }
                        }
                    }
                } }
            }
        }
    };
    page(visit, "Search history", true, &content)
}

pub fn about(visit: &Visit<'_>) -> Response {
    let content = html! {
        div.narrow {
            h1 { "How Plumb ranks" }
            p { "A page ranks high if it says your words often, if few other pages say them, and if they stand in its title. Nobody can pay for a place." }
            h2 { "What you can write" }
            dl {
                dt { code { "garden chair" } } dd { "pages with both words" }
                dt { code { "site:forum chair" } } dd { "only pages of one site" }
            }
            p { "The tabs above the results show one kind of page only." }
        }
    };
    page(visit, "How Plumb ranks", true, &content)
}

pub fn not_found(visit: &Visit<'_>) -> Response {
    let content =
        html! { div.narrow { h1 { "Nothing down here" } p { a href="/" { "Back to the search" } } } };
    page(visit, "Nothing down here", true, &content).status(StatusCode::NOT_FOUND)
}
