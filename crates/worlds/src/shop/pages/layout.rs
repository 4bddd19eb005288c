use http::StatusCode;
use maud::{DOCTYPE, Markup, html};

use super::Visit;
use crate::Response;
use crate::kit::flash;
use crate::shop::catalogue::CATEGORIES;
use crate::shop::flash::MESSAGES;

/// The inside of a page, to be framed by [`Page::respond`].
pub struct Page<'a> {
    pub title: &'a str,
    /// Breadcrumbs between the start page and this one: label and path.
    pub trail: Vec<(String, String)>,
    pub scripts: &'static [&'static str],
    pub body: Markup,
}

impl Page<'_> {
    pub fn respond(self, visit: &Visit<'_>) -> Response {
        let flash = flash::message(visit.request, MESSAGES);
        let document = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) " – Larkmoor Goods" }
                    link rel="stylesheet" href="/assets/style.css";
                    link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                    script type="module" src="/assets/menu.js" {}
                    script type="module" src="/assets/mini-cart.js" {}
                    @for name in self.scripts { script type="module" src={ "/assets/" (name) } {} }
                }
                body {
                    a.skip href="#content" { "Skip to content" }
                    (header(visit))
                    main #content {
                        @if !self.trail.is_empty() { (breadcrumbs(&self.trail, self.title)) }
                        @if let Some(flash) = flash { p.notice.good role="status" { (flash) } }
                        (self.body)
                    }
                    (footer())
                }
            }
        };
        let response = Response::html(document);
        if flash.is_some() { flash::forget(response) } else { response }
    }
}

pub fn not_found(visit: &Visit<'_>) -> Response {
    let body = html! {
        div.narrow {
            h1 { "Page not found" }
            p { "We looked on every shelf, but there is nothing at this address. It may have been sold out for good." }
            p { a.button href="/" { "Back to the start page" } }
        }
    };
    Page { title: "Page not found", trail: Vec::new(), scripts: &[], body }
        .respond(visit)
        .status(StatusCode::NOT_FOUND)
}

fn header(visit: &Visit<'_>) -> Markup {
    let words = if visit.request.path.first().is_some_and(|part| part == "search") {
        visit.request.query("q").unwrap_or_default()
    } else {
        ""
    };
    let first_name = visit.state.profile.name.split(' ').next().unwrap_or_default();
    html! {
        header.site {
            p.ribbon { "Free standard delivery from $75 · 30 days to change your mind" }
            div.bar {
                a.logo href="/" aria-label="Larkmoor Goods, start page" {
                    span aria-hidden="true" { "Larkmoor" }
                    small aria-hidden="true" { "Goods" }
                }
                form.search role="search" action="/search" {
                    input type="search" name="q" value=(words) aria-label="Search products"
                        placeholder="Search 2,200 good things";
                    button type="submit" { "Search" }
                }
                div.tools {
                    @if visit.state.signed_in {
                        div.drop {
                            button type="button" aria-haspopup="menu" aria-expanded="false"
                                aria-controls="account-menu" data-opens
                                aria-label="Account menu" { "Hello, " (first_name) span.caret aria-hidden="true" {} }
                            (account_menu())
                        }
                    } @else {
                        a href="/sign-in" { "Sign in" }
                    }
                    a href="/account/wishlist" aria-label="Wish list" title="Wish list" {
                        span.icon aria-hidden="true" { "♡" }
                    }
                    div.drop {
                        button type="button" aria-expanded="false" aria-controls="mini-cart" data-opens
                            aria-label="Open cart" title="Cart" {
                            (cart_icon())
                            span.badge #cart-count aria-hidden="true" hidden {}
                        }
                        section.panel #mini-cart aria-label="Mini cart" hidden {}
                    }
                }
            }
            nav.categories aria-label="Categories" {
                div.drop {
                    button type="button" aria-expanded="false" aria-controls="shelves" data-opens {
                        "All shelves" span.caret aria-hidden="true" {}
                    }
                    div.panel.shelves #shelves hidden {
                        @for category in CATEGORIES {
                            div {
                                p { (category.name) }
                                ul {
                                    @for shelf in category.subcategories {
                                        li { a href={ (category.path()) "/" (shelf.slug) } { (shelf.name) } }
                                    }
                                }
                            }
                        }
                    }
                }
                @for category in CATEGORIES { a href=(category.path()) { (category.name) } }
                a.offers href="/offers" { "Offers" }
            }
        }
    }
}

fn account_menu() -> Markup {
    html! {
        div.panel.menu #account-menu role="menu" aria-label="Account" hidden {
            @for (path, label) in [
                ("/account", "Overview"),
                ("/account/orders", "Orders"),
                ("/account/wishlist", "Wish list"),
                ("/account/reviews", "My reviews"),
                ("/account/profile", "Profile"),
                ("/account/addresses", "Addresses"),
                ("/account/newsletter", "Newsletter"),
            ] {
                a role="menuitem" href=(path) { (label) }
            }
            form method="post" action="/sign-out" { button role="menuitem" type="submit" { "Sign out" } }
        }
    }
}

fn cart_icon() -> Markup {
    html! {
        svg.icon viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" fill="none"
            stroke="currentColor" stroke-width="1.7" {
            path d="M3 4h2.4l2.2 11h10.2l2-8H6.4" {}
            circle cx="9" cy="19.5" r="1.6" {}
            circle cx="16.5" cy="19.5" r="1.6" {}
        }
    }
}

fn breadcrumbs(trail: &[(String, String)], here: &str) -> Markup {
    html! {
        nav.trail aria-label="Breadcrumb" {
            ol {
                li { a href="/" { "Home" } }
                @for (label, path) in trail { li { a href=(path) { (label) } } }
                li aria-current="page" { (here) }
            }
        }
    }
}

fn footer() -> Markup {
    html! {
        footer.site {
            div {
                p.logo { "Larkmoor" }
                p { "Good things for rooms, gardens and the road between them. Since 2009." }
            }
            nav aria-label="Help" {
                p { "Help" }
                a href="/help/delivery" { "Delivery information" }
                a href="/help/returns" { "Returns policy" }
                a href="/help/contact" { "Contact us" }
            }
            nav aria-label="Company" {
                p { "Company" }
                a href="/help/about" { "About Larkmoor" }
                a href="/help/terms" { "Terms of sale" }
            }
        }
    }
}
