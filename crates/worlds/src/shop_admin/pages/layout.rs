//! The frame around every page: the dark menu on the left, the bar with the title above.

use maud::{DOCTYPE, Markup, html};

use super::Visit;
use crate::Response;
use crate::kit::flash;
use crate::shop_admin::state::ReviewStatus;

const MESSAGES: flash::Messages = &[
    ("product-saved", "You saved the product."),
    ("products-changed", "The selected products have been changed."),
    ("order-cancelled", "The order has been cancelled."),
    ("order-shipped", "The shipment has been created."),
    ("note-added", "The comment has been added."),
    ("customer-saved", "You saved the customer."),
    ("review-saved", "You saved the review."),
    ("review-deleted", "The review has been deleted."),
    ("promotion-saved", "You saved the promotion."),
    ("promotion-deleted", "The promotion has been deleted."),
    ("page-saved", "You saved the page."),
];

/// Sections of the menu: heading, and the name and address of each entry.
const MENU: &[(&str, &[(&str, &str)])] = &[
    ("Sales", &[("Orders", "/orders")]),
    ("Catalogue", &[("Products", "/products"), ("Reviews", "/reviews")]),
    ("Customers", &[("All customers", "/customers")]),
    ("Marketing", &[("Promotions", "/promotions"), ("Content pages", "/pages")]),
    (
        "Reports",
        &[
            ("Sales report", "/reports/sales"),
            ("Bestsellers", "/reports/bestsellers"),
            ("Search terms", "/reports/search-terms"),
            ("Top customers", "/reports/customers"),
            ("Low stock", "/reports/low-stock"),
        ],
    ),
];

/// `entry` is the menu entry that is marked.
pub fn page(visit: &Visit<'_>, entry: &str, title: &str, content: &Markup) -> Response {
    let waiting =
        visit.desk.state.reviews.values().filter(|review| review.status == ReviewStatus::Pending).count();
    Response::html(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " / Larkmoor back office" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/static/office.css";
                script type="module" src="/static/office.js" {}
            }
            body {
                nav.menu aria-label="Back office" {
                    a.brand href="/" { "Larkmoor" small { "Back office" } }
                    a.entry href="/" aria-current=[(entry == "Dashboard").then_some("page")] { "Dashboard" }
                    @for (section, entries) in MENU {
                        h2 { (section) }
                        @for (name, href) in *entries {
                            span.item {
                                a.entry href=(href) aria-current=[(*name == entry).then_some("page")] { (name) }
                                @if *name == "Reviews" && waiting > 0 { span.badge title="waiting" { (waiting) } }
                            }
                        }
                    }
                }
                div.work {
                    header.bar {
                        h1 { (title) }
                        form role="search" action="/orders" method="get" {
                            input type="search" name="q" placeholder="Order number or customer" aria-label="Find an order";
                        }
                        span.clerk { "Signed in as " strong { "Rowan Achterberg" } }
                    }
                    main #main {
                        @if let Some(message) = flash::message(visit.request, MESSAGES) { div.flash role="status" { (message) } }
                        @if let Some(problem) = visit.problem { div.problem role="alert" { (problem) } }
                        (content)
                    }
                    footer { "Larkmoor Goods · store 1 of 1 · all amounts in US dollars" }
                }
            }
        }
    })
}
