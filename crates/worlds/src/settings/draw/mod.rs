//! Pages: the document around a brand's frame, the settings pages and their blocks, and parts that brands use.

mod blocks;
mod controls;
mod parts;

use http::StatusCode;
use maud::{DOCTYPE, Markup, html};

use super::View;
use super::description::Page;
use crate::Response;

pub(super) use blocks::blocks;
pub(crate) use parts::{list_button, menu, navigation, search_form};
pub(super) use parts::{problem, question};

/// A page's content on its way into the brand's frame.
pub(crate) struct Frame<'a> {
    pub title: &'a str,
    pub place: Place,
    pub content: Markup,
}

#[derive(Clone, Copy)]
pub(crate) enum Place {
    Front,
    /// Among the settings; on one of their pages, or on none in particular.
    Settings(Option<&'static Page>),
}

impl Place {
    pub fn is_settings(self) -> bool {
        matches!(self, Self::Settings(_))
    }

    pub fn slug(self) -> Option<&'static str> {
        match self {
            Self::Settings(Some(page)) => Some(page.slug),
            _ => None,
        }
    }
}

/// What a page says after a form was handled; the form's redirect names it in the query, so that showing it changes
/// nothing on the server.
const NOTICES: [(&str, &str); 14] = [
    ("saved", "Your changes were saved."),
    ("mail", "Your message preferences were saved."),
    ("cookies", "Your cookie choice was saved."),
    ("session", "That session has ended."),
    ("sessions", "All other sessions have ended."),
    ("token", "It was revoked."),
    ("app", "The app no longer has access."),
    ("entry-added", "Added."),
    ("entry-removed", "Removed."),
    ("cleared", "The list is empty now."),
    ("export", "Your request was received. We will write to you when the copy is ready."),
    ("export-cancelled", "The request was cancelled."),
    ("deletion", "Your account will be deleted. You can change your mind until then."),
    ("kept", "Your account stays."),
];

const PROBLEMS: [(&str, &str); 7] = [
    ("entry-length", "Enter something of at most 60 characters."),
    ("entry-known", "That is on the list already."),
    ("list-full", "The list is full."),
    ("export-empty", "Choose at least one thing to include."),
    ("export-pending", "There is a request that is not finished yet."),
    ("handle", "The name does not match. Nothing was deleted."),
    ("reason", "Please choose a reason. Nothing was deleted."),
];

pub(super) fn asset(view: &View<'_>, name: &str) -> Response {
    match name {
        "controls.css" => Response::css(include_str!("../assets/controls.css")),
        "style.css" => Response::css(view.brand.stylesheet()),
        "settings.js" => Response::script(include_str!("../assets/settings.js")),
        "mark.svg" => Response::svg(view.brand.mark().to_owned()),
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

/// The whole document.
pub(super) fn framed(view: &View<'_>, frame: &Frame<'_>) -> Response {
    let theme = view.state.text("theme");
    Response::html(html! {
        (DOCTYPE)
        html lang="en" data-theme=[(!theme.is_empty()).then_some(theme)] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (frame.title) " · " (view.description.brand) }
                link rel="icon" href="/assets/mark.svg";
                link rel="stylesheet" href="/assets/controls.css";
                link rel="stylesheet" href="/assets/style.css";
            }
            body.in-settings[frame.place.is_settings()] {
                (view.brand.body(view, frame))
                @if !view.state.cookies_answered { (cookie_banner(view)) }
                dialog id="ask" aria-label="Are you sure?" {
                    p id="ask-text" {}
                    div.actions {
                        button type="button" data-answer="no" { "Cancel" }
                        button.primary type="button" data-answer="yes" { "Confirm" }
                    }
                }
                div id="toast" role="status" aria-live="polite" {}
                script src="/assets/settings.js" defer {}
            }
        }
    })
}

fn cookie_banner(view: &View<'_>) -> Markup {
    html! {
        aside.cookie-banner aria-label="Cookies" {
            p {
                b { "Cookies on " (view.description.brand) } br;
                "We and our partners would like to remember you: to measure what is used, and to choose what you see."
            }
            div.actions {
                form method="post" action="/cookies/all" { button.primary type="submit" { "Accept all" } }
                form method="post" action="/cookies/necessary" { button type="submit" { "Only necessary" } }
                a href="/settings/cookies" { "Let me choose" }
            }
        }
    }
}

/// What the last form had to say, above the content.
pub(super) fn told(view: &View<'_>) -> Markup {
    let said = |name: &str, table: &[(&str, &'static str)]| {
        let id = view.request.query(name)?;
        table.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
    };
    html! {
        @if let Some(text) = said("done", &NOTICES) { p.notice role="status" { (text) } }
        (problem(said("problem", &PROBLEMS)))
    }
}

pub(super) fn settings_page(view: &View<'_>, page: &'static Page, error: Option<&str>) -> Response {
    let content = html! {
        (told(view))
        (problem(error))
        p.lead { (page.lead) }
        @if page.late {
            div data-late=(format!("/settings/{}/blocks", page.slug)) { p.quiet { "Loading…" } }
        } @else {
            (blocks(view, page))
        }
    };
    framed(view, &Frame { title: page.title, place: Place::Settings(Some(page)), content })
}

pub(super) fn overview(view: &View<'_>) -> Response {
    let content = html! {
        (told(view))
        p.lead { "Signed in as " b { (view.description.owner.name) } " · " (view.description.owner.email) }
        ul.overview {
            @for page in view.description.pages {
                li { a href=(format!("/settings/{}", page.slug)) { (page.title) } small { (page.lead) } }
            }
        }
    };
    framed(view, &Frame { title: "Settings", place: Place::Settings(None), content })
}

pub(super) fn not_found(view: &View<'_>) -> Response {
    let content = html! {
        p.lead { "There is nothing at this address, or it is no longer there." }
        p { a.button href="/" { "Back to " (view.description.brand) } }
    };
    framed(view, &Frame { title: "Page not found", place: Place::Front, content })
        .status(StatusCode::NOT_FOUND)
}
