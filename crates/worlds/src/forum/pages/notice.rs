//! Pages that say one thing: not found, not allowed, sign in, about.

use http::StatusCode;
use maud::{Markup, html};

use super::layout::Layout;
use super::{Visit, parts};
use crate::Response;
use crate::forum::catalogue::{Community, VISITOR};

fn say(visit: &Visit<'_>, title: &str, content: &Markup) -> Response {
    let content = html! { div.notice-page { h1 { (title) } (content) } };
    Layout { title, scripts: &["people.js"], sidebar: None, content }.page(visit)
}

pub fn not_found(visit: &Visit<'_>) -> Response {
    let content = html! {
        p { "This page does not exist, or its author has deleted it." }
        p { a href="/" { "Back to your feed" } " or " a href="/communities" { "browse the communities" } "." }
    };
    say(visit, "Page not found", &content).status(StatusCode::NOT_FOUND)
}

pub fn no_such_person(visit: &Visit<'_>, name: &str) -> Response {
    let content = html! {
        p { "There is nobody called " strong { (name) } " on Thicket. Similar names:" }
        ul.people data-people=(name) { li.muted { "Looking…" } }
    };
    say(visit, "Person not found", &content).status(StatusCode::NOT_FOUND)
}

pub fn not_a_moderator(visit: &Visit<'_>, community: &Community) -> Response {
    let words = community.words;
    let content = html! {
        p { "You do not have permission to moderate " a href={ "/c/" (words.slug) } { (words.name) } ". Only its moderators can use these tools:" }
        ul.people { @for name in &community.moderators { li { (parts::person(name)) } } }
        p { "Use “Report post” to tell them about a problem." }
    };
    say(visit, "Permission denied", &content).status(StatusCode::FORBIDDEN)
}

pub fn sign_in(visit: &Visit<'_>) -> Response {
    let content = html! {
        p { "This browser knows one account." }
        form method="post" action="/signin" {
            button.primary type="submit" { "Continue as " (VISITOR) }
        }
    };
    say(visit, "Sign in", &content)
}

pub fn about(visit: &Visit<'_>) -> Response {
    let content = html! {
        p { "Thicket began in 2019 as the notice board of an allotment society and has grown ever since. It belongs to the people who write here; every member has one vote at the yearly assembly." }
        p { "We show no advertising. Running costs are paid by donations and published every spring." }
    };
    say(visit, "About Thicket", &content)
}

pub fn help(visit: &Visit<'_>) -> Response {
    let content = html! {
        h2 { "Posts and comments" }
        p { "You can change or delete what you wrote at any time. Locked posts take no new comments." }
        h2 { "Moderation" }
        p { "Each community has its own moderators; they are listed in its sidebar. Reports go to them." }
        h2 { "Messages" }
        p { "Write to anybody from their profile, or with “New message” in your inbox." }
    };
    say(visit, "Help", &content)
}
