use http::StatusCode;
use maud::{Markup, html};

use super::layout::Page;
use super::{Problems, Visit, problem_summary, stars, text_field};
use crate::Response;
use crate::shop::state::Profile;

pub const LANGUAGES: [&str; 4] = ["English", "Deutsch", "Español", "Français"];

pub fn account_trail() -> Vec<(String, String)> {
    vec![("Your account".to_owned(), "/account".to_owned())]
}

/// A page of the account, beside the account's own navigation.
pub fn framed(visit: &Visit<'_>, title: &str, trail: Vec<(String, String)>, body: &Markup) -> Response {
    let here = format!("/{}", visit.request.path.iter().take(2).cloned().collect::<Vec<_>>().join("/"));
    let body = html! {
        div.account {
            nav.side aria-label="Your account" {
                @for (path, label) in [
                    ("/account", "Account overview"),
                    ("/account/orders", "Your orders"),
                    ("/account/wishlist", "Your wish list"),
                    ("/account/reviews", "Your reviews"),
                    ("/account/profile", "Personal details"),
                    ("/account/addresses", "Address book"),
                    ("/account/newsletter", "Newsletter preferences"),
                ] {
                    a href=(path) aria-current=[(path == here).then_some("page")] { (label) }
                }
            }
            div { (body) }
        }
    };
    Page { title, trail, scripts: &["dialogs.js"], body }.respond(visit)
}

pub fn overview(visit: &Visit<'_>) -> Response {
    let state = visit.state;
    let default = state.addresses.get(&state.default_address);
    let body = html! {
        h1 { "Hello, " (state.profile.name) }
        div.tiles.three {
            div.tile {
                h2 { "Orders" }
                p { (state.orders.len()) " orders so far" }
                a href="/account/orders" { "See all orders" }
            }
            div.tile {
                h2 { "Wish list" }
                p { (state.wishlist.len()) " things you are thinking about" }
                a href="/account/wishlist" { "Open wish list" }
            }
            div.tile {
                h2 { "Default address" }
                @if let Some(address) = default { p { (address.one_line()) } }
                a href="/account/addresses" { "Manage addresses" }
            }
            div.tile { h2 { "Profile" } p { (state.profile.email) } a href="/account/profile" { "Edit profile" } }
            div.tile {
                h2 { "Newsletter" }
                p {
                    @if state.newsletter.subscribed { "Subscribed, " (state.newsletter.frequency) }
                    @else { "Not subscribed" }
                }
                a href="/account/newsletter" { "Change newsletter" }
            }
            div.tile {
                h2 { "Reviews" }
                p { (state.reviews.len()) " written" }
                a href="/account/reviews" { "See your opinions" }
            }
        }
    };
    framed(visit, "Your account", Vec::new(), &body)
}

pub fn profile(visit: &Visit<'_>, profile: &Profile, problems: &Problems) -> Response {
    let body = html! {
        h1 { "Profile" }
        (problem_summary(problems))
        form.stacked method="post" action="/account/profile" {
            (text_field("name", "Full name", "text", &profile.name, problems))
            (text_field("email", "E-mail address", "email", &profile.email, problems))
            (text_field("phone", "Phone number", "tel", &profile.phone, problems))
            div.field {
                label for="language" { "Preferred language" }
                select id="language" name="language" {
                    @for language in LANGUAGES { option selected[language == profile.language] { (language) } }
                }
            }
            div.actions { button type="submit" { "Save profile" } }
        }
    };
    let page = framed(visit, "Profile", account_trail(), &body);
    if problems.is_empty() { page } else { page.status(StatusCode::UNPROCESSABLE_ENTITY) }
}

pub fn reviews(visit: &Visit<'_>) -> Response {
    let body = html! {
        h1 { "Your reviews" }
        @if visit.state.reviews.is_empty() { p.notice { "You have not written a review yet." } }
        @for (id, review) in &visit.state.reviews {
            article.review {
                @if let Some(product) = visit.catalogue.product(&review.product) {
                    p { a href=(product.path()) { (product.name) } }
                }
                (stars(review.stars.min(5) * 10))
                h2 { (review.title) }
                p.muted { (review.date) }
                p { (review.text) }
                form method="post" action="/account/reviews/delete" {
                    input type="hidden" name="review" value=(id);
                    button.link-button type="submit" aria-label={ "Delete review “" (review.title) "”" } { "Delete" }
                }
            }
        }
    };
    framed(visit, "Your reviews", account_trail(), &body)
}

/// The device remembers who was here, so signing in again takes one click.
pub fn sign_in(visit: &Visit<'_>) -> Response {
    let body = html! {
        div.narrow {
            h1 { "Sign in" }
            p { "Welcome back. This device is remembered for " strong { (visit.state.profile.email) } "." }
            form method="post" action="/sign-in" {
                button.big type="submit" { "Continue as " (visit.state.profile.name) }
            }
        }
    };
    Page { title: "Sign in", trail: Vec::new(), scripts: &[], body }.respond(visit)
}
