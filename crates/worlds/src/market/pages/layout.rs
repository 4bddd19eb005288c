//! The frame around every page of a site.

use http::StatusCode;
use maud::{DOCTYPE, Markup, html};

use super::Visit;
use crate::Response;
use crate::kit::flash;
use crate::market::flash::MESSAGES;
use crate::market::storefront::Layout;

pub struct Page<'a> {
    pub title: &'a str,
    pub body: Markup,
}

impl Page<'_> {
    pub fn respond(self, visit: &Visit<'_>) -> Response {
        let site = visit.storefront;
        let message = flash::message(visit.request, MESSAGES);
        let document = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) " – " (site.name) }
                    link rel="stylesheet" href="/assets/base.css";
                    link rel="stylesheet" href="/assets/theme.css";
                    link rel="icon" href="data:,";
                    script type="module" src="/assets/market.js" {}
                }
                body class=(layout_class(site.layout)) {
                    a.skip href="#content" { "Skip to content" }
                    (masthead(visit))
                    @if let Some(message) = message { p.flash role="status" { (message) } }
                    main #content { (self.body) }
                    (footer(visit))
                }
            }
        };
        let response = Response::html(document);
        if message.is_some() { flash::forget(response) } else { response }
    }
}

pub fn layout_class(layout: Layout) -> &'static str {
    match layout {
        Layout::Grid => "grid",
        Layout::Gallery => "gallery",
        Layout::Rows => "rows",
        Layout::Map => "map",
        Layout::Board => "board",
        Layout::Agenda => "agenda",
    }
}

fn masthead(visit: &Visit<'_>) -> Markup {
    let site = visit.storefront;
    let account = visit.account;
    let words = visit.request.query("q").unwrap_or_default();
    let kept = if visit.is_shop() {
        account.basket.values().map(|line| line.quantity as usize).sum()
    } else {
        account.bookings.len()
    };
    html! {
        header.masthead {
            div.top {
                a.brand href="/" { (site.name) }
                p.tagline { (site.tagline) }
                @if site.trade.is_browsed() {
                    form.words role="search" action="/find" {
                        input type="search" name="q" value=(words) maxlength="80"
                            aria-label={ "Search " (site.name) } placeholder={ "Search " (site.trade.nouns.1) };
                        button type="submit" { (site.words.search) }
                    }
                }
                nav.own aria-label="Your account" {
                    a href="/saved" { (site.words.saved) " " span.count data-saved-count { (account.saved.len()) } }
                    @if visit.is_shop() {
                        a href="/orders" { "Orders" }
                        a.kept href="/basket" { (site.words.kept) " " span.count { (kept) } }
                    } @else {
                        a.kept href="/bookings" { (site.words.kept) " " span.count { (kept) } }
                    }
                }
            }
            @if site.trade.is_browsed() {
                nav.shelves aria-label="Departments" {
                    ul {
                        @for shelf in site.trade.shelves {
                            @let path = format!("/shelf/{}", shelf.slug);
                            @let here = visit.request.target.split('?').next() == Some(path.as_str());
                            li { a href=(path) aria-current=[here.then_some("page")] { (shelf.name) } }
                        }
                    }
                }
            }
        }
    }
}

fn footer(visit: &Visit<'_>) -> Markup {
    let site = visit.storefront;
    html! {
        footer.site {
            div {
                p.brand { (site.name) }
                p { (site.about) }
            }
            nav aria-label="Help" {
                a href="/help#how" { "How it works" }
                a href="/help#changes" { "Changes and cancellations" }
                a href="/help#contact" { "Contact" }
            }
            p.small { "© 2026 " (site.name) ". Prices in US dollars, taxes included." }
        }
    }
}

pub fn not_found(visit: &Visit<'_>) -> Response {
    let body = html! {
        section.empty {
            h1 { "We cannot find that page" }
            p { "It may have moved, or the link has a slip of the pen." }
            a.button href="/" { "Back to the start page" }
        }
    };
    Page { title: "Not found", body }.respond(visit).status(StatusCode::NOT_FOUND)
}
