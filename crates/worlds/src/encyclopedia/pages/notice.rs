//! Pages that say why there is nothing else to see.

use http::StatusCode;
use maud::html;

use super::Visit;
use super::layout::page;
use crate::Response;

pub fn not_found(visit: Visit<'_>) -> Response {
    let content = html! {
        h1 { "No such page" }
        p { "Nobody has written this article yet, or its name is spelled differently." }
        p { a href="/categories" { "Look through the categories" } " or " a href="/" { "start at the front page" } "." }
    };
    page(visit, "No such page", &content).status(StatusCode::NOT_FOUND)
}

pub fn signed_out(visit: Visit<'_>) -> Response {
    let content = html! {
        h1 { "Please sign in" }
        p { "Only signed-in readers can do this. " a href="/sign-in" { "Sign in" } " and try again." }
    };
    page(visit, "Please sign in", &content)
}

pub fn protected(visit: Visit<'_>) -> Response {
    let content = html! {
        h1 { "This article is protected" }
        p { "It is kept by the register, and only registrars can edit it. You may say what is wrong on its talk page." }
    };
    page(visit, "Protected", &content)
}
