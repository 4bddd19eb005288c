use http::StatusCode;
use maud::{Markup, html};

use super::layout::Page;
use super::{Problems, Visit, problem_summary, stars, text_field};
use crate::Response;
use crate::shop::artwork::{VIEWS, picture};
use crate::shop::catalogue::{Product, Seller};
use crate::shop::state::MAX_QUANTITY;

pub fn page(visit: &Visit<'_>, product: &Product, problems: &Problems) -> Response {
    let body = html! {
        article.product {
            (gallery(product))
            div.buy {
                p.brand { (product.brand) }
                h1 { (product.name) }
                p.rating {
                    @if let Some(rating) = product.rating {
                        (stars(rating)) " " (rating / 10) "." (rating % 10) " from " (product.reviews.len()) " reviews"
                    } @else { "No reviews yet" }
                }
                p.price { strong #price { (product.price) } @if let Some(was) = product.was { " " s { (was) } } }
                (problem_summary(problems))
                (buy_form(product))
                (wish_form(visit, product))
                ul.promises {
                    li { "Free standard delivery from $75" }
                    li { "30 days to send it back" }
                    li { "Article number " (product.id) }
                    @if product.seller == Seller::Maker { li { "Sold by " (product.brand) ", who sends it to you" } }
                }
            }
        }
        (tabs(visit, product))
        (related(visit, product))
    };
    let page =
        Page { title: &product.name, trail: trail(product), scripts: &["product.js"], body }.respond(visit);
    if problems.is_empty() { page } else { page.status(StatusCode::UNPROCESSABLE_ENTITY) }
}

fn trail(product: &Product) -> Vec<(String, String)> {
    let category = product.category;
    vec![
        (category.name.to_owned(), category.path()),
        (product.subcategory.name.to_owned(), format!("{}/{}", category.path(), product.subcategory.slug)),
    ]
}

fn gallery(product: &Product) -> Markup {
    html! {
        div.gallery {
            div.gallery-main #gallery-main { (picture(product, 0, 0)) }
            div.thumbs role="group" aria-label="Pictures" {
                @for view in 0..VIEWS {
                    button type="button" data-view=(view) aria-pressed=(view == 0)
                        aria-label={ "Show picture " (view + 1) " of " (VIEWS) } {
                        (picture(product, view, view))
                    }
                }
            }
        }
    }
}

fn buy_form(product: &Product) -> Markup {
    html! {
        form.options method="post" action="/cart/add" {
            input type="hidden" name="product" value=(product.id);
            input type="hidden" name="back" value=(product.path());
            div.field {
                label for="colour" { "Colour" }
                select id="colour" name="colour" {
                    @for colour in &product.colours { option { (colour.name) } }
                }
            }
            @if let Some(axis) = product.subcategory.sizes {
                div.field {
                    label for="size" { (axis.label) }
                    select id="size" name="size" {
                        @for (name, _) in axis.options {
                            option value=(name) data-price=(product.price_in(Some(name)).unwrap_or(product.price)) { (name) }
                        }
                    }
                }
            }
            div.field {
                label for="quantity" { "Quantity" }
                div.stepper {
                    button type="button" data-step="-1" aria-label="Decrease quantity" { "−" }
                    input id="quantity" name="quantity" type="number" min="1" max=(MAX_QUANTITY) value="1";
                    button type="button" data-step="1" aria-label="Increase quantity" { "+" }
                }
            }
            @if product.in_stock() {
                p.stock { @if product.stock <= 5 { "Only " (product.stock) " left in stock" } @else { "In stock" } }
                button.big type="submit" { "Add to cart" }
            } @else {
                p.sold-out { "Out of stock. We do not know yet when it will be back." }
                button.big type="submit" disabled { "Add to cart" }
            }
        }
    }
}

fn wish_form(visit: &Visit<'_>, product: &Product) -> Markup {
    let wished = visit.state.wishlist.contains_key(&product.id);
    html! {
        form method="post" action=(if wished { "/wishlist/remove" } else { "/wishlist/add" }) {
            input type="hidden" name="product" value=(product.id);
            input type="hidden" name="back" value=(product.path());
            button.secondary type="submit" {
                span aria-hidden="true" { (if wished { "♥ " } else { "♡ " }) }
                (if wished { "Remove from wish list" } else { "Add to wish list" })
            }
        }
    }
}

fn tabs(visit: &Visit<'_>, product: &Product) -> Markup {
    let own = visit.state.reviews.values().find(|review| review.product == product.id);
    html! {
        section.tabs {
            div role="tablist" aria-label="About this product" {
                button type="button" role="tab" id="tab-description" aria-controls="panel-description"
                    aria-selected="true" { "Description" }
                button type="button" role="tab" id="tab-specification" aria-controls="panel-specification"
                    aria-selected="false" tabindex="-1" { "Specification" }
                button type="button" role="tab" id="tab-reviews" aria-controls="panel-reviews"
                    aria-selected="false" tabindex="-1" { "Reviews" }
            }
            div role="tabpanel" id="panel-description" aria-labelledby="tab-description" {
                @for paragraph in &product.description { p { (paragraph) } }
            }
            div role="tabpanel" id="panel-specification" aria-labelledby="tab-specification" hidden {
                table.specification {
                    @for (label, value) in &product.specification { tr { th scope="row" { (label) } td { (value) } } }
                }
            }
            div role="tabpanel" id="panel-reviews" aria-labelledby="tab-reviews" hidden {
                @if let Some(review) = own {
                    article.review.own {
                        p.muted { "Your review, " (review.date) }
                        (stars(review.stars.min(5) * 10))
                        h3 { (review.title) }
                        p { (review.text) }
                    }
                } @else {
                    p { a.button.secondary href={ (product.path()) "/review" } { "Write a review" } }
                }
                p.muted #review-state aria-live="polite" { "Loading reviews…" }
                div #review-list data-product=(product.id) {}
                button.secondary #more-reviews type="button" hidden { "Load more reviews" }
            }
        }
    }
}

fn related(visit: &Visit<'_>, product: &Product) -> Markup {
    let shelf = visit.catalogue.products().iter().filter(|other| {
        other.subcategory.slug == product.subcategory.slug && other.id != product.id && other.in_stock()
    });
    let mut near: Vec<&Product> = shelf.collect();
    near.sort_by_key(|other| other.price.0.abs_diff(product.price.0));
    html! {
        h2 { "You may also like" }
        ul.cards { @for other in near.into_iter().take(4) { (super::listing::card(other, visit)) } }
    }
}

/// What the visitor has typed into the review form so far.
#[derive(Default)]
pub struct ReviewDraft {
    pub stars: Option<u32>,
    pub title: String,
    pub text: String,
}

/// What one to five stars mean.
const RATINGS: [&str; 5] =
    ["1 star, poor", "2 stars, fair", "3 stars, good", "4 stars, very good", "5 stars, excellent"];

pub fn review_form(
    visit: &Visit<'_>,
    product: &Product,
    draft: &ReviewDraft,
    problems: &Problems,
) -> Response {
    let mut trail = trail(product);
    trail.push((product.name.clone(), product.path()));
    let body = html! {
        div.narrow {
            h1 { "Write a review" }
            p { "How do you like the " strong { (product.name) } "?" }
            (problem_summary(problems))
            form.stacked method="post" action={ (product.path()) "/review" } {
                fieldset {
                    legend { "Your rating" }
                    @for (stars, words) in (1..).zip(RATINGS) {
                        label.check {
                            input type="radio" name="stars" value=(stars) checked[draft.stars == Some(stars)];
                            span { (words) }
                        }
                    }
                    @if let Some(problem) = problems.get("stars") { p.problem { (problem) } }
                }
                (text_field("title", "Headline", "text", &draft.title, problems))
                div.field {
                    label for="text" { "Your review" }
                    textarea id="text" name="text" rows="6" { (draft.text) }
                    @if let Some(problem) = problems.get("text") { p.problem { (problem) } }
                }
                p.muted { "Reviews are checked by a person before others can see them." }
                div.actions { button type="submit" { "Submit review" } a href=(product.path()) { "Cancel" } }
            }
        }
    };
    let page = Page { title: "Write a review", trail, scripts: &[], body }.respond(visit);
    if problems.is_empty() { page } else { page.status(StatusCode::UNPROCESSABLE_ENTITY) }
}
