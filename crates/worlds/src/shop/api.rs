//! JSON for the parts of pages that are drawn in the browser: the mini cart and the reviews.

use serde_json::{Value, json};

use super::catalogue::{Catalogue, Product};
use super::pricing;
use super::state::State;

const REVIEWS_PER_PAGE: usize = 5;

pub fn cart(state: &State, catalogue: &Catalogue) -> Value {
    let lines: Vec<Value> = state
        .cart
        .lines
        .iter()
        .filter_map(|(key, line)| {
            let product = catalogue.product(&line.choice.product)?;
            Some(json!({
                "line": key,
                "name": product.name,
                "url": product.path(),
                "choice": line.choice.words(),
                "quantity": line.quantity,
                "price": line.choice.price(catalogue)?.times(line.quantity).to_string(),
            }))
        })
        .collect();
    let count = state.cart.lines.values().map(|line| line.quantity).fold(0, u32::saturating_add);
    json!({ "count": count, "lines": lines, "subtotal": pricing::subtotal(state, catalogue).to_string() })
}

/// One page of a product's reviews, newest first; `page` counts from 1.
pub fn reviews(product: &Product, page: usize) -> Value {
    let start = page.saturating_sub(1).saturating_mul(REVIEWS_PER_PAGE);
    let reviews: Vec<Value> = product
        .reviews
        .iter()
        .skip(start)
        .take(REVIEWS_PER_PAGE)
        .map(|review| {
            json!({
                "author": review.author,
                "date": review.date.to_string(),
                "stars": review.stars,
                "title": review.title,
                "text": review.text(),
            })
        })
        .collect();
    let more = start.saturating_add(REVIEWS_PER_PAGE) < product.reviews.len();
    json!({ "total": product.reviews.len(), "reviews": reviews, "more": more })
}
