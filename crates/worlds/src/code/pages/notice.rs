//! Pages that say something: not found, not allowed, help.

use http::StatusCode;
use maud::html;

use super::Visit;
use super::layout::page;
use crate::Response;

pub fn not_found(visit: &Visit<'_>) -> Response {
    let content = html! {
        h1 { "Page not found" }
        p { "There is nothing at this address, or you are not allowed to know about it." }
        p { a href="/explore" { "Explore projects" } " or use the search above." }
    };
    page(visit, "Not found", &content).status(StatusCode::NOT_FOUND)
}

pub fn forbidden(visit: &Visit<'_>, reason: &str) -> Response {
    let content = html! {
        h1 { "You are not allowed to do this" }
        p { (reason) }
        p { a href="/" { "Back to your projects" } }
    };
    page(visit, "Not allowed", &content).status(StatusCode::FORBIDDEN)
}

pub fn help(visit: &Visit<'_>) -> Response {
    let roles = [
        ("Guest", "may read, open issues and comment."),
        ("Reporter", "may also label, assign and close issues, and keep labels and milestones."),
        ("Developer", "may also create branches and merge requests."),
        ("Maintainer", "may also merge into protected branches, invite people and change settings."),
        ("Owner", "may also change who sees the project, archive it and delete it."),
    ];
    let content = html! {
        h1 { "Help" }
        h2 { "Roles" }
        dl.facts { @for (role, rights) in roles { dt { (role) } dd { (rights) } } }
        h2 { "Visibility" }
        p { "A private project is seen by its members, an internal one by everyone who is signed in, a public one by everyone." }
    };
    page(visit, "Help", &content)
}
