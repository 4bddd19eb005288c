//! The frame around every page: masthead, sections, notices, footer, and the pop-ups that are still open.

use http::StatusCode;
use maud::{DOCTYPE, Markup, html};

use crate::Response;
use crate::news::catalogue::Article;
use crate::news::vocabulary::SECTIONS;
use crate::news::{View, obstacles};

/// What a page says after a form was handled; the form's redirect names it in the query, so that showing it changes
/// nothing on the server.
const NOTICES: [(&str, &str); 6] = [
    ("comment", "Your comment has been published."),
    ("deleted", "Your comment has been deleted."),
    ("followed", "You will find this author's articles on your reading list page."),
    ("unfollowed", "You no longer follow this author."),
    ("newsletters", "Your newsletter choices have been saved."),
    ("cookies", "Your cookie choices have been saved."),
];

pub(in crate::news) fn asset(name: &str) -> Response {
    match name {
        "style.css" => Response::css(include_str!("../assets/style.css")),
        "obstacles.css" => Response::css(include_str!("../assets/obstacles.css")),
        "obstacles.js" => Response::script(include_str!("../assets/obstacles.js")),
        "permit-kit.js" => Response::script(include_str!("../assets/permit-kit.js")),
        "article.js" => Response::script(include_str!("../assets/article.js")),
        "markets.js" => Response::script(include_str!("../assets/markets.js")),
        "mark.svg" => Response::svg(MARK.to_owned()),
        _ => Response::empty().status(StatusCode::NOT_FOUND),
    }
}

const MARK: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#161412"/><path d="M9 5h5v18h9v4H9z" fill="#f7f3ea"/></svg>"##;

pub(in crate::news) fn page(view: &View<'_>, title: &str, content: &Markup) -> Response {
    document(view, title, content, true)
}

/// A page on which the visitor deals with cookies or newsletters anyway, and is left in peace.
pub(in crate::news) fn quiet_page(view: &View<'_>, title: &str, content: &Markup) -> Response {
    document(view, title, content, false)
}

fn document(view: &View<'_>, title: &str, content: &Markup, with_obstacles: bool) -> Response {
    let segments = view.request.segments();
    let current = match segments.as_slice() {
        ["section", slug] => slug,
        _ => "",
    };
    let searched =
        segments.first().is_some_and(|first| *first == "search").then(|| view.request.query("q")).flatten();
    Response::html(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { (title) " · The Greyharbour Ledger" }
                link rel="icon" href="/assets/mark.svg";
                link rel="stylesheet" href="/assets/style.css";
                link rel="stylesheet" href="/assets/obstacles.css";
            }
            body data-awaits-consent[with_obstacles && view.state.awaits_consent()] {
                a.skip href="#main" { "Skip to content" }
                header {
                    div.strip {
                        span { "Monday, 16 March 2026" }
                        nav aria-label="Reader services" {
                            a href="/weather" { "Weather" }
                            a href="/markets" { "Markets" }
                            a href="/newsletters" { "Newsletters" }
                            a href="/reading-list" { "Reading list" @if !view.state.saved.is_empty() { " (" (view.state.saved.len()) ")" } }
                        }
                        form.search role="search" action="/search" {
                            input type="search" name="q" aria-label="Search the Ledger" placeholder="Search the Ledger" value=[searched];
                            button type="submit" { "Search" }
                        }
                    }
                    a.masthead href="/" { "The Greyharbour Ledger" }
                    p.motto { "Printed daily since 1871, corrected the day after" }
                    nav.sections aria-label="Sections" {
                        @for section in SECTIONS {
                            a href=(format!("/section/{}", section.slug)) aria-current=[(section.slug == current).then_some("page")] { (section.name) }
                        }
                    }
                }
                main id="main" {
                    @if let Some(notice) = notice(view) { p.notice role="status" { (notice) } }
                    (content)
                }
                footer {
                    div {
                        strong { "The Greyharbour Ledger" }
                        p { "4 Customs Wharf, Greyharbour" br; "Telephone 0871 200 316" }
                    }
                    nav aria-label="About the paper" {
                        a href="/about" { "About us" } a href="/authors" { "Our journalists" } a href="/cookies" { "Cookies" }
                        a href="/newsletters" { "Newsletters" }
                    }
                    p.small { "© 2026 Ledger Cooperative. Independent, employee-owned, and usually on time." }
                }
                @if with_obstacles { (obstacles::markup(view)) }
            }
        }
    })
}

pub(in crate::news) fn not_found(view: &View<'_>) -> Response {
    let content = html! {
        h1 { "We have not printed that page" }
        p { "The address may be mistyped, or the article was withdrawn. Try the search above, or go back to the " a href="/" { "front page" } "." }
    };
    page(view, "Page not found", &content).status(StatusCode::NOT_FOUND)
}

fn notice(view: &View<'_>) -> Option<&'static str> {
    let done = view.request.query("done")?;
    NOTICES.iter().find(|(id, _)| *id == done).map(|(_, text)| *text)
}

/// An article in a list: picture, headline, standfirst, by whom and when.
pub(in crate::news) fn teaser(view: &View<'_>, article: &Article, with_picture: bool) -> Markup {
    html! {
        article.teaser {
            @if with_picture { img src=(picture(article)) alt="" width="320" height="200" loading="lazy"; }
            p.kicker { (article.section.name) }
            h3 { a href=(article.path()) { (article.headline) } }
            p.standfirst { (article.standfirst) }
            p.byline { (view.catalogue.author_of(article).name) " · " (article.published.ago()) @if article.comments > 0 { " · " (article.comments) " comments" } }
        }
    }
}

pub(in crate::news) fn picture(article: &Article) -> String {
    format!("/picture/{}.svg", article.id)
}
