//! Products: the grid with its mass action, and the form of one.

use maud::html;

use super::Visit;
use super::layout::page;
use super::parts::{choice, heads, line, nothing, status, tick};
use crate::Response;
use crate::kit::lists::{counted, page_of, pager};
use crate::shop::catalogue::{CATEGORIES, Product};
use crate::shop_admin::state::Listing;

const PER_PAGE: usize = 20;

pub fn list(visit: &Visit<'_>) -> Response {
    let desk = visit.desk;
    let words = visit.asked("q").to_lowercase();
    let (category, state) = (visit.asked("category"), visit.asked("status"));
    let mut found: Vec<(&Product, Listing)> = desk
        .products()
        .iter()
        .map(|product| (product, desk.listing(product)))
        .filter(|(product, listing)| {
            let text = format!("{} {} {}", product.id, listing.name, product.brand).to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
                && (category.is_empty() || product.category.slug == category)
                && match state {
                    "enabled" => listing.enabled,
                    "disabled" => !listing.enabled,
                    "sold-out" => listing.stock == 0,
                    _ => true,
                }
        })
        .collect();
    match visit.asked("sort") {
        "price" => found.sort_by_key(|(_, listing)| std::cmp::Reverse(listing.price_cents)),
        "stock" => found.sort_by_key(|(_, listing)| std::cmp::Reverse(listing.stock)),
        "name" => found.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name)),
        _ => {}
    }
    let shown = page_of(visit.request, &found, PER_PAGE);
    let categories: Vec<(&str, &str)> =
        CATEGORIES.iter().map(|category| (category.slug, category.name)).collect();
    let states = [("enabled", "Enabled"), ("disabled", "Disabled"), ("sold-out", "Sold out")];
    let content = html! {
        form.filters method="get" action="/products" data-filters {
            input type="search" name="q" value=(visit.asked("q")) placeholder="Name, brand or article number" aria-label="Search products";
            (choice("category", "Category", "All categories", &categories, category))
            (choice("status", "Status", "Any status", &states, state))
            button type="submit" { "Apply filters" }
            a href="/products" { "Clear" }
        }
        form method="post" action="/products" {
            div.toolbar {
                (choice("action", "Action", "Actions", &[("enable", "Enable"), ("disable", "Disable")], ""))
                button type="submit" { "Apply to selected" }
                span.found { (counted(found.len(), "record")) " found" }
            }
            section.card {
                table {
                    (heads(visit, &[("", "Select"), ("", "Article"), ("name", "Name"), ("", "Category"), ("price", "Price"), ("stock", "Quantity"), ("", "Status")]))
                    tbody { @for (product, listing) in shown.items {
                        tr {
                            td { input type="checkbox" name="product" value=(product.id) aria-label={ "Select " (listing.name) }; }
                            td { (product.id) }
                            td { a href={ "/products/" (product.id) } { (listing.name) } }
                            td { (product.category.name) }
                            td.number { (listing.price_cents) }
                            td.number { (listing.stock) }
                            td { (enabled_mark(listing.enabled)) }
                        }
                    } }
                }
                @if found.is_empty() { (nothing("No product fits these filters.")) }
            }
        }
        (pager(visit.request, &shown))
    };
    page(visit, "Products", "Products", &content)
}

pub fn enabled_mark(enabled: bool) -> maud::Markup {
    if enabled { status("approved", "Enabled") } else { status("rejected", "Disabled") }
}

pub fn one(visit: &Visit<'_>, id: &str) -> Option<Response> {
    let product = visit.desk.product(id)?;
    let listing = visit.desk.listing(product);
    let price = listing.price_cents.to_string().replace(['$', ','], "");
    let content = html! {
        form.card method="post" action={ "/products/" (product.id) } {
            (line(visit, "name", "Product name", &listing.name))
            (line(visit, "price", "Price", &price))
            (line(visit, "stock", "Quantity", &listing.stock.to_string()))
            (tick("enabled", "Enable product", listing.enabled))
            button.primary type="submit" { "Save" }
        }
        div.pair {
            section.card {
                h2 { "Attributes" }
                dl.facts {
                    dt { "Category" } dd { (product.category.name) " / " (product.subcategory.name) }
                    @for (name, value) in &product.specification { dt { (name) } dd { (value) } }
                    dt { "Colours" } dd { @for (at, colour) in product.colours.iter().enumerate() { @if at > 0 { ", " } (colour.name) } }
                }
            }
            section.card {
                h2 { "Reviews" }
                p { (counted(product.reviews.len(), "review")) " in the shop"
                    @if let Some(rating) = product.rating { ", average " (rating / 10) "." (rating % 10) } }
                ul.notes { @for review in product.reviews.iter().take(6) {
                    li { strong { (review.stars) " of 5" } " " (review.title) " " span.muted { (review.author) ", " (review.date) } }
                } }
            }
        }
    };
    Some(page(visit, "Products", &listing.name, &content))
}
