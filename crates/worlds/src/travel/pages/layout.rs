//! The frame around every page, the bare one of the wall, and the controls that searches share.

use http::StatusCode;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::kit::calendar::{Day, TODAY};
use crate::travel::View;
use crate::{Clock, Response};

const NOTICES: [(&str, &str); 2] = [
    ("booked", "You are booked. A confirmation is on its way to your inbox."),
    ("cancelled", "The booking has been cancelled."),
];
const MARK: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="16" fill="#ff6b4a"/><path d="M5 21c5-9 10-9 22-11-6 3-9 5-12 11z" fill="#fff"/></svg>"##;

pub(in crate::travel) fn asset(name: &str) -> Response {
    match name {
        "style.css" => Response::css(include_str!("../assets/style.css")),
        "search.js" => Response::script(include_str!("../assets/search.js")),
        "wall.js" => Response::script(include_str!("../assets/wall.js")),
        "mark.svg" => Response::svg(MARK.to_owned()),
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

pub(in crate::travel) fn page(view: &View<'_>, title: &str, content: &Markup) -> Response {
    let notice = view.request.query("done").and_then(|done| NOTICES.iter().find(|(id, _)| *id == done));
    let here = view.request.path.first().map_or("", String::as_str);
    let tabs = [
        ("flights", "Flights"),
        ("stays", "Stays"),
        ("cities", "Cities"),
        ("trips", "My trips"),
        ("help", "Help"),
    ];
    document(
        title,
        &html! {
            header.bar {
                a.logo href="/" { (PreEscaped(MARK)) "skerry" }
                nav aria-label="Main" {
                    @for (path, label) in tabs { a href=(format!("/{path}")) aria-current=[(here == path).then_some("page")] { (label) } }
                }
                span.who { "Prices in crowns (kr)" }
            }
            main {
                @if let Some((_, text)) = notice { p.notice role="status" { (text) } }
                (content)
            }
            footer {
                p { b { "skerry" } " sells seats, beds and nothing else. Est. 2011 in Port Ansel." }
                nav aria-label="Footer" { a href="/help" { "Help" } a href="/cities" { "All cities" } a href="/trips" { "My trips" } }
            }
            script src="/assets/search.js" defer {}
        },
    )
}

/// A page with nothing but what the wall has to say.
pub(in crate::travel) fn bare_page(title: &str, content: &Markup) -> Response {
    document(title, &html! { main.wall id="bot-wall" { p.logo { (PreEscaped(MARK)) "skerry" } (content) } })
}

fn document(title: &str, body: &Markup) -> Response {
    Response::html(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { (title) " | skerry" }
                link rel="icon" href="/assets/mark.svg";
                link rel="stylesheet" href="/assets/style.css";
            }
            body { (body) }
        }
    })
}

pub(in crate::travel) fn not_found(view: &View<'_>) -> Response {
    let content = html! {
        h1 { "This road ends here" }
        p { "There is no such page on Skerry. Start again from the " a href="/" { "home page" } "." }
    };
    page(view, "Not found", &content).status(StatusCode::NOT_FOUND)
}

/// A calendar of our own: a button that opens it, and the chosen day in a hidden field.
pub(in crate::travel) fn date_field(name: &str, label: &str, day: Day) -> Markup {
    html! {
        div.field.date data-date data-today=(Clock::TODAY) data-last=(TODAY.plus(crate::travel::catalogue::LAST_DAY_AHEAD).iso()) {
            span { (label) }
            input type="hidden" name=(name) value=(day.iso());
            button type="button" aria-haspopup="dialog" aria-expanded="false" aria-label=(label) { (day) }
            div.calendar role="dialog" aria-label=(format!("{label}: calendar")) hidden {}
        }
    }
}

/// A text field for a city, which the server resolves by name or code.
pub(in crate::travel) fn city_field(name: &str, label: &str, value: &str) -> Markup {
    html! { label.field { span { (label) } input type="text" name=(name) value=(value) autocomplete="off" placeholder="City or airport"; } }
}

/// A stepper: minus, number, plus.
pub(in crate::travel) fn stepper(name: &str, label: &str, value: u32, most: u32) -> Markup {
    html! {
        div.field.stepper data-stepper {
            span { (label) }
            div {
                button type="button" data-by="-1" aria-label=(format!("Fewer {}", label.to_lowercase())) { "−" }
                input type="number" name=(name) aria-label=(label) value=(value) min="1" max=(most);
                button type="button" data-by="1" aria-label=(format!("More {}", label.to_lowercase())) { "+" }
            }
        }
    }
}

pub(in crate::travel) fn crowns(amount: u32) -> String {
    format!("{} kr", crate::kit::text::thousands(u64::from(amount)))
}
