//! Reviews that came in lately.

use maud::html;

use super::Visit;
use super::layout::page;
use super::parts::{choice, nothing, status};
use crate::Response;
use crate::kit::lists::counted;
use crate::shop_admin::state::ReviewStatus;

pub fn list(visit: &Visit<'_>) -> Response {
    let desk = visit.desk;
    let words = visit.asked("q").to_lowercase();
    let wanted = ReviewStatus::parse(visit.asked("status"));
    let stars: Option<u32> = visit.asked("stars").parse().ok();
    let found: Vec<_> = desk
        .state
        .reviews
        .iter()
        .filter(|(_, review)| {
            let text = format!("{} {} {}", review.title, review.nickname, desk.product_name(&review.product));
            let text = text.to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
                && wanted.is_none_or(|status| review.status == status)
                && stars.is_none_or(|stars| review.stars == stars)
        })
        .collect();
    let statuses = ReviewStatus::ALL.map(|status| (status.code(), status.label()));
    let numbers = [("5", "5 stars"), ("4", "4 stars"), ("3", "3 stars"), ("2", "2 stars"), ("1", "1 star")];
    let content = html! {
        form.filters method="get" action="/reviews" data-filters {
            input type="search" name="q" value=(visit.asked("q")) placeholder="Title, nickname or product" aria-label="Search reviews";
            (choice("status", "Status", "Any status", &statuses, visit.asked("status")))
            (choice("stars", "Rating", "Any rating", &numbers, visit.asked("stars")))
            button type="submit" { "Apply filters" }
            a href="/reviews" { "Clear" }
        }
        p.found { (counted(found.len(), "record")) " found" }
        section.card {
            table {
                thead { tr { th { "Review" } th { "Date" } th { "Nickname" } th { "Rating" } th { "Title" } th { "Product" } th { "Status" } } }
                tbody { @for (id, review) in &found {
                    tr {
                        td { a href={ "/reviews/" (id) } { (id) } }
                        td { (review.date.iso()) }
                        td { (review.nickname) }
                        td aria-label={ (review.stars) " of 5" } { (stars_drawn(review.stars)) }
                        td { (review.title) }
                        td { (desk.product_name(&review.product)) }
                        td { (status(review.status.code(), review.status.label())) }
                    }
                } }
            }
            @if found.is_empty() { (nothing("No review fits these filters.")) }
        }
    };
    page(visit, "Reviews", "Reviews", &content)
}

fn stars_drawn(stars: u32) -> String {
    (1..=5).map(|at| if at <= stars { '★' } else { '☆' }).collect()
}

pub fn one(visit: &Visit<'_>, id: &str) -> Option<Response> {
    let review = visit.desk.state.reviews.get(id)?;
    let statuses = ReviewStatus::ALL.map(|status| (status.code(), status.label()));
    let content = html! {
        section.card {
            h2 { (review.title) }
            p { (stars_drawn(review.stars)) " by " strong { (review.nickname) } " on " (review.date) }
            p { "Product: " a href={ "/products/" (review.product) } { (visit.desk.product_name(&review.product)) } }
            blockquote { (review.text) }
        }
        form.card method="post" action={ "/reviews/" (id) } {
            div.field { span.label { "Status" } (choice("status", "Status", "", &statuses, review.status.code())) }
            button.primary type="submit" { "Save review" }
        }
        form.card method="post" action={ "/reviews/" (id) "/delete" } {
            p { "A deleted review is gone for good. Rejecting it is usually enough." }
            button.danger type="submit" { "Delete review" }
        }
    };
    Some(page(visit, "Reviews", &format!("Review {id}"), &content))
}
