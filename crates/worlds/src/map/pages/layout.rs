//! The frame around every page.

use maud::{DOCTYPE, Markup, html};

use crate::Response;
use crate::kit::flash;
use crate::map::Visit;
use crate::map::drawing::{self, Overlay, View};

const MESSAGES: flash::Messages = &[
    ("list-added", "Your new list is ready."),
    ("list-saved", "List saved."),
    ("list-deleted", "List deleted."),
    ("place-removed", "Removed from the list."),
    ("place-saved", "Saved to your list."),
    ("review-saved", "Thank you. Your review is online."),
    ("review-deleted", "Your review has been deleted."),
    ("suggested", "Thank you. Somebody will look at your suggestion."),
    ("withdrawn", "Suggestion withdrawn."),
    ("settings-saved", "Settings saved."),
];

const LINKS: [(&str, &str); 5] = [
    ("/route", "Directions"),
    ("/lists", "Saved"),
    ("/towns", "Towns"),
    ("/contributions", "Contribute"),
    ("/settings", "Settings"),
];

pub fn page(visit: Visit<'_>, title: &str, panel: &Markup, view: View, overlay: &Overlay<'_>) -> Response {
    let here = visit.request.path.first().map_or("", String::as_str);
    Response::html(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · Waymark" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/static/style.css";
                script type="module" src="/static/suggest.js" {}
                script type="module" src="/static/map.js" {}
            }
            body {
                header.top {
                    a.brand href="/" { span.needle aria-hidden="true" { "◆" } "Waymark" }
                    form.search role="search" action="/search" method="get" {
                        input type="search" name="q" value=(visit.asked("q")) aria-label="Search the map" placeholder="Cafés, a street, a town…"
                            autocomplete="off" maxlength="120" data-suggest="/suggest";
                        button type="submit" { "Search" }
                    }
                    nav aria-label="Main" {
                        @for (href, name) in LINKS {
                            a href=(href) aria-current=[(href.trim_start_matches('/') == here).then_some("page")] { (name) }
                        }
                    }
                    span.who title="Signed in" { "Tamsin Orrell" }
                }
                div.split {
                    main.panel #main {
                        @if let Some(message) = flash::message(visit.request, MESSAGES) { p.flash role="status" { (message) } }
                        @if let Some(problem) = visit.problem { p.problem role="alert" { (problem) } }
                        (panel)
                        footer {
                            p { "Waymark is drawn by the people of " (visit.country.name) ". "
                                a href="/missing" { "Add a missing place" } }
                        }
                    }
                    (drawing::map(visit, view, overlay))
                }
            }
        }
    })
}
