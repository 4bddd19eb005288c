use http::StatusCode;
use maud::{Markup, html};

use super::account::{account_trail, framed};
use super::cart::totals_table;
use super::listing::paging;
use super::{Problems, Visit, problem_summary};
use crate::Response;
use crate::kit::calendar::TODAY;
use crate::shop::pricing::Totals;
use crate::shop::state::{Order, OrderLine, OrderStatus};

const PAGE_SIZE: usize = 6;

pub const CANCEL_REASONS: [&str; 4] =
    ["Ordered by mistake", "Found it cheaper elsewhere", "Delivery takes too long", "I changed my mind"];

pub const RETURN_REASONS: [&str; 5] =
    ["Arrived damaged", "Wrong item", "Does not fit", "Not as described", "I changed my mind"];

pub fn list(visit: &Visit<'_>) -> Response {
    let wanted = visit.request.query("status").unwrap_or_default();
    let mut orders: Vec<(&String, &Order)> = visit
        .state
        .orders
        .iter()
        .filter(|(_, order)| wanted.is_empty() || order.status.code() == wanted)
        .collect();
    orders.sort_by(|a, b| (b.1.placed, b.0).cmp(&(a.1.placed, a.0)));
    let pages = orders.len().div_ceil(PAGE_SIZE).max(1);
    let page =
        visit.request.query("page").and_then(|text| text.parse().ok()).unwrap_or(1_usize).clamp(1, pages);
    let body = html! {
        h1 { "Orders" }
        form.inline.status-filter action="/account/orders" {
            label for="status" { "Status" }
            select id="status" name="status" {
                option value="" { "All orders" }
                @for status in OrderStatus::ALL {
                    option value=(status.code()) selected[status.code() == wanted] { (status.label()) }
                }
            }
            button.secondary type="submit" { "Show" }
        }
        @if orders.is_empty() { p.notice { "There are no such orders." } }
        @for (id, order) in orders.iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE) {
            (order_card(visit, id, order))
        }
        (paging(page, pages, |page| {
            let status = if wanted.is_empty() { String::new() } else { format!("status={wanted}&") };
            format!("/account/orders?{status}page={page}")
        }))
    };
    framed(visit, "Orders", account_trail(), &body)
}

fn order_card(visit: &Visit<'_>, id: &str, order: &Order) -> Markup {
    let pieces: u32 = order.lines.values().map(|line| line.quantity).fold(0, u32::saturating_add);
    html! {
        section.order-card {
            div {
                h2 { a href={ "/account/orders/" (id) } { "Order " (id) } }
                p.muted { "Placed on " (order.placed) " · " (pieces) (if pieces == 1 { " item" } else { " items" }) }
                ul.plain { @for line in order.lines.values() { li { (line.quantity) " × " (line_name(visit, line)) } } }
            }
            div.order-side { (status_pill(order)) strong { (order.total_cents) } }
        }
    }
}

fn line_name<'a>(visit: &Visit<'a>, line: &'a OrderLine) -> &'a str {
    visit
        .catalogue
        .product(&line.choice.product)
        .map_or(line.choice.product.as_str(), |product| &product.name)
}

fn status_pill(order: &Order) -> Markup {
    html! {
        @if order.return_request.is_some() { span.pill.returning { "Return requested" } }
        @else { span class={ "pill " (order.status.code()) } { (order.status.label()) } }
    }
}

pub fn detail(visit: &Visit<'_>, id: &str, order: &Order, problems: &Problems) -> Response {
    let title = format!("Order {id}");
    let totals = Totals {
        subtotal: order.subtotal(),
        discount: order.discount_cents,
        shipping: order.shipping_cents,
        total: order.total_cents,
    };
    let body = html! {
        div.order-head { h1 { (title) } (status_pill(order)) }
        (problem_summary(problems))
        dl.facts {
            dt { "Placed on" } dd { (order.placed) }
            @if let Some(day) = order.delivered { dt { "Delivered on" } dd { (day) } }
            dt { "Deliver to" } dd { (order.address.one_line()) }
            dt { "Shipping" } dd { (order.shipping.label()) }
            dt { "Payment" } dd { (order.payment.label()) }
            @if let Some(code) = &order.coupon { dt { "Coupon" } dd { (code) } }
            @if let Some(reason) = &order.cancel_reason { dt { "Cancelled because" } dd { (reason) } }
        }
        table.items {
            thead { tr { th scope="col" { "Item" } th scope="col" { "Quantity" } th scope="col" { "Price" } } }
            tbody {
                @for line in order.lines.values() {
                    tr {
                        td {
                            @if let Some(product) = visit.catalogue.product(&line.choice.product) {
                                a href=(product.path()) { (product.name) }
                            } @else { (line.choice.product) }
                            p.muted { (line.choice.words()) }
                        }
                        td { (line.quantity) }
                        td { (line.unit_cents.times(line.quantity)) }
                    }
                }
            }
        }
        (totals_table(&totals, order.shipping.label()))
        (possibilities(id, order))
    };
    let mut trail = account_trail();
    trail.push(("Orders".to_owned(), "/account/orders".to_owned()));
    let page = framed(visit, &title, trail, &body);
    if problems.is_empty() { page } else { page.status(StatusCode::CONFLICT) }
}

/// What can still be done with an order, or why nothing can.
fn possibilities(id: &str, order: &Order) -> Markup {
    html! {
        section.possibilities {
            h2 { "Change of plan?" }
            @match order.status {
                OrderStatus::Processing => {
                    p { "We are packing this order. You can still cancel it free of charge." }
                    button.danger type="button" data-dialog="cancel-dialog" { "Cancel order" }
                    (cancel_dialog(id))
                }
                OrderStatus::Shipped => p { "This order is on its way and can no longer be cancelled. You can \
                    return it once it has been delivered." },
                OrderStatus::Cancelled => p { "This order was cancelled. Nothing was charged." },
                OrderStatus::Delivered => (return_offer(id, order)),
            }
        }
    }
}

fn cancel_dialog(id: &str) -> Markup {
    html! {
        dialog #cancel-dialog aria-labelledby="cancel-title" {
            form.stacked method="post" action={ "/account/orders/" (id) "/cancel" } {
                h2 #cancel-title { "Cancel order " (id) "?" }
                div.field {
                    label for="reason" { "Reason" }
                    select id="reason" name="reason" { @for reason in CANCEL_REASONS { option { (reason) } } }
                }
                div.actions {
                    button.danger type="submit" { "Yes, cancel this order" }
                    button.secondary type="button" data-close { "Keep order" }
                }
            }
        }
    }
}

fn return_offer(id: &str, order: &Order) -> Markup {
    html! {
        @if let Some(request) = &order.return_request {
            p { "You asked for a return on " (request.requested) " (" (request.reason)
                "). The label is in your e-mail." }
        } @else if let Some(until) = order.return_until() {
            @if until >= TODAY {
                p { "You can return items of this order until " (until) "." }
                a.button.secondary href={ "/account/orders/" (id) "/return" } { "Request a return" }
            } @else {
                p { "The return period for this order ended on " (until) "." }
            }
        }
    }
}

pub fn return_form(visit: &Visit<'_>, id: &str, order: &Order, problems: &Problems) -> Response {
    let chosen: Vec<&str> =
        visit.request.form.iter().filter(|(name, _)| name == "line").map(|(_, line)| line.as_str()).collect();
    let body = html! {
        h1 { "Return items of order " (id) }
        (problem_summary(problems))
        form.stacked method="post" action={ "/account/orders/" (id) "/return" } {
            fieldset {
                legend { "Which items?" }
                @for (key, line) in &order.lines {
                    label.check {
                        input type="checkbox" name="line" value=(key) checked[chosen.contains(&key.as_str())];
                        span { (line_name(visit, line)) }
                    }
                }
            }
            div.field {
                label for="reason" { "Reason for return" }
                select id="reason" name="reason" {
                    option value="" { "Please choose" }
                    @for reason in RETURN_REASONS {
                        option value=(reason) selected[visit.request.form("reason") == Some(reason)] { (reason) }
                    }
                }
            }
            div.field {
                label for="comment" { "Comment (optional)" }
                textarea id="comment" name="comment" rows="4" { (visit.request.form("comment").unwrap_or_default()) }
            }
            div.actions {
                button type="submit" { "Send return request" }
                a href={ "/account/orders/" (id) } { "Back to the order" }
            }
        }
    };
    let mut trail = account_trail();
    trail.push(("Orders".to_owned(), "/account/orders".to_owned()));
    trail.push((format!("Order {id}"), format!("/account/orders/{id}")));
    let page = framed(visit, "Return items", trail, &body);
    if problems.is_empty() { page } else { page.status(StatusCode::UNPROCESSABLE_ENTITY) }
}
