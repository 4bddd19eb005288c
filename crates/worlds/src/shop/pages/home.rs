use maud::{Markup, html};

use super::layout::Page;
use super::{Visit, listing};
use crate::Response;
use crate::shop::artwork::picture;
use crate::shop::catalogue::{CATEGORIES, Product};

pub fn page(visit: &Visit<'_>) -> Response {
    let products = visit.catalogue.products();
    let mut newest: Vec<&Product> = products.iter().collect();
    newest.sort_by_key(|product| std::cmp::Reverse(product.added));
    let mut loved: Vec<&Product> = products.iter().filter(|product| product.reviews.len() >= 8).collect();
    loved.sort_by_key(|product| std::cmp::Reverse((product.rating, product.reviews.len())));
    let body = html! {
        section.hero {
            div {
                h1 { "Good things, made to be kept" }
                p { "More than two thousand products for rooms, gardens and long weekends, chosen by people who use them." }
                p { a.button href="/offers" { "See this week’s offers" } }
            }
            div.hero-art aria-hidden="true" {
                @for product in loved.iter().take(3) { (picture(product, 0, 0)) }
            }
        }
        h2 { "Shop by category" }
        div.tiles {
            @for category in CATEGORIES {
                div.tile {
                    @let first = products.iter().find(|product| product.category.slug == category.slug);
                    @if let Some(product) = first { (picture(product, 0, 0)) }
                    a href=(category.path()) { "Shop " (category.name.to_lowercase()) }
                    p { (category.blurb) }
                }
            }
        }
        (row("New on the shelves", newest.iter().take(4), visit))
        (row("Loved by customers", loved.iter().take(4), visit))
    };
    Page { title: "Start", trail: Vec::new(), scripts: &[], body }.respond(visit)
}

fn row<'a>(title: &str, products: impl Iterator<Item = &'a &'a Product>, visit: &Visit<'_>) -> Markup {
    html! {
        h2 { (title) }
        ul.cards { @for product in products { (listing::card(product, visit)) } }
    }
}
