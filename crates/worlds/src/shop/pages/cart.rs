use http::StatusCode;
use maud::{Markup, html};

use super::layout::Page;
use super::{Problems, Visit, problem_summary};
use crate::Response;
use crate::shop::artwork::picture;
use crate::shop::pricing::{self, Totals, usable_coupon};
use crate::shop::state::{Line, MAX_QUANTITY, Shipping};

pub fn page(visit: &Visit<'_>, problems: &Problems) -> Response {
    let totals = pricing::totals(visit.state, visit.catalogue, Shipping::Standard);
    let body = html! {
        h1 { "Your cart" }
        (problem_summary(problems))
        @if visit.state.cart.lines.is_empty() {
            div.notice {
                p { "Your cart is empty." }
                p { a.button href="/" { "Continue shopping" } }
            }
        } @else {
            div.two-columns {
                ul.lines { @for (key, line) in &visit.state.cart.lines { (cart_line(visit, key, line)) } }
                aside.summary {
                    h2 { "Summary" }
                    (totals_table(&totals, "Standard delivery"))
                    (coupon(visit, problems))
                    a.button.big href="/checkout/address" { "Proceed to checkout" }
                    p.muted { "Prices include sales tax." }
                }
            }
        }
    };
    let trail = vec![("All products".to_owned(), "/search".to_owned())];
    let page = Page { title: "Your cart", trail, scripts: &[], body }.respond(visit);
    if problems.is_empty() { page } else { page.status(StatusCode::UNPROCESSABLE_ENTITY) }
}

fn cart_line(visit: &Visit<'_>, key: &str, line: &Line) -> Markup {
    let product = visit.catalogue.product(&line.choice.product);
    let price = line.choice.price(visit.catalogue);
    html! {
        @if let (Some(product), Some(price)) = (product, price) {
            li.line {
                @let colour = product.colours.iter().position(|colour| colour.name == line.choice.colour);
                (picture(product, colour.unwrap_or(0), 0))
                div {
                    a href=(product.path()) { (product.name) }
                    p.muted { (line.choice.words()) " · " (price) " each" }
                    form.inline method="post" action="/cart/update" {
                        input type="hidden" name="line" value=(key);
                        input type="number" name="quantity" min="0" max=(MAX_QUANTITY) value=(line.quantity)
                            aria-label={ "Quantity of " (product.name) };
                        button.secondary type="submit" aria-label={ "Update quantity of " (product.name) } { "Update" }
                    }
                    form.inline method="post" action="/cart/remove" {
                        input type="hidden" name="line" value=(key);
                        button.link-button type="submit" aria-label={ "Remove " (product.name) } { "Remove" }
                    }
                }
                strong { (price.times(line.quantity)) }
            }
        }
    }
}

fn coupon(visit: &Visit<'_>, problems: &Problems) -> Markup {
    html! {
        @if let Some(code) = &visit.state.cart.coupon {
            div.coupon {
                p {
                    "Coupon " strong { (code) } ": "
                    @match usable_coupon(code, visit.state, visit.catalogue) {
                        Ok(coupon) => (coupon.words),
                        Err(problem) => (problem),
                    }
                }
                form method="post" action="/cart/coupon/remove" { button.link-button type="submit" { "Remove coupon" } }
            }
        } @else {
            form.coupon method="post" action="/cart/coupon" {
                label for="coupon" { "Coupon code" }
                div.range {
                    input id="coupon" name="code" type="text" autocomplete="off"
                        aria-invalid=[problems.get("coupon").map(|_| "true")];
                    button.secondary type="submit" { "Apply coupon" }
                }
                @if let Some(problem) = problems.get("coupon") { p.problem { (problem) } }
            }
        }
    }
}

pub fn totals_table(totals: &Totals, shipping: &str) -> Markup {
    html! {
        table.totals {
            tr { th scope="row" { "Subtotal" } td { (totals.subtotal) } }
            @if totals.discount.0 > 0 { tr { th scope="row" { "Discount" } td { "−" (totals.discount) } } }
            tr {
                th scope="row" { (shipping) }
                td { @if totals.shipping.0 == 0 { "Free" } @else { (totals.shipping) } }
            }
            tr.total { th scope="row" { "Total" } td { (totals.total) } }
        }
    }
}
