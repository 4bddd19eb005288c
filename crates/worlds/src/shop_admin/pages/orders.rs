//! Orders: the grid and one order.

use maud::{Markup, html};

use super::Visit;
use super::layout::page;
use super::parts::{choice, nothing, order_rows, status, tick};
use crate::Response;
use crate::kit::lists::{counted, page_of, pager};
use crate::shop_admin::state::{Order, OrderStatus};
use crate::shop_admin::vocabulary::CARRIERS;

const PER_PAGE: usize = 20;

pub fn list(visit: &Visit<'_>) -> Response {
    let desk = visit.desk;
    let (words, wanted) = (visit.asked("q").to_lowercase(), OrderStatus::parse(visit.asked("status")));
    let (from, to) = (visit.asked("from"), visit.asked("to"));
    let mut found: Vec<(String, &Order)> = desk
        .orders()
        .into_iter()
        .filter(|(id, order)| {
            let text = format!("{id} {}", desk.customer_name(&order.customer)).to_lowercase();
            let placed = order.placed.iso();
            words.split_whitespace().all(|word| text.contains(word))
                && wanted.is_none_or(|status| order.status == status)
                && (from.is_empty() || from <= placed.as_str())
                && (to.is_empty() || placed.as_str() <= to)
        })
        .collect();
    match visit.asked("sort") {
        "total" => found.sort_by_key(|(_, order)| std::cmp::Reverse(order.total())),
        "oldest" => found.reverse(),
        _ => {}
    }
    let shown = page_of(visit.request, &found, PER_PAGE);
    let statuses = OrderStatus::ALL.map(|status| (status.code(), status.label()));
    let content = html! {
        form.filters method="get" action="/orders" data-filters {
            input type="search" name="q" value=(visit.asked("q")) placeholder="Number or customer" aria-label="Search orders";
            (choice("status", "Status", "Any status", &statuses, visit.asked("status")))
            label { "From " input type="text" name="from" value=(from) placeholder="YYYY-MM-DD" size="10"; }
            label { "To " input type="text" name="to" value=(to) placeholder="YYYY-MM-DD" size="10"; }
            (choice("sort", "Sort orders", "Newest first", &[("oldest", "Oldest first"), ("total", "Highest total")], visit.asked("sort")))
            button type="submit" { "Apply filters" }
            a href="/orders" { "Clear" }
        }
        p.found { (counted(found.len(), "record")) " found" }
        section.card { (order_rows(visit, shown.items.iter())) @if found.is_empty() { (nothing("No order fits these filters.")) } }
        (pager(visit.request, &shown))
    };
    page(visit, "Orders", "Orders", &content)
}

pub fn one(visit: &Visit<'_>, id: &str) -> Option<Response> {
    let desk = visit.desk;
    let order = desk.order(id)?;
    let customer = desk.customer(&order.customer);
    let content = html! {
        div.pair {
            section.card {
                h2 { "Order" }
                dl.facts {
                    dt { "Placed" } dd { (order.placed) }
                    dt { "Status" } dd { (status(order.status.code(), order.status.label())) }
                    dt { "Payment" } dd { (order.payment) }
                    dt { "Shipment" } dd {
                        @match &order.shipment {
                            Some(shipment) => { (shipment.carrier) ", " code { (shipment.tracking) } }
                            None => { "Not shipped" }
                        }
                    }
                }
            }
            section.card {
                h2 { "Customer" }
                @if let Some(customer) = customer {
                    dl.facts {
                        dt { "Name" } dd { a href={ "/customers/" (order.customer) } { (customer.name) } }
                        dt { "Email" } dd { (customer.email) }
                        dt { "Phone" } dd { (customer.phone) }
                        dt { "City" } dd { (customer.city) }
                        dt { "Group" } dd { (customer.group) }
                    }
                }
            }
        }
        section.card {
            h2 { "Items" }
            table {
                thead { tr { th { "Article" } th { "Product" } th.number { "Price" } th.number { "Quantity" } th.number { "Subtotal" } } }
                tbody { @for line in &order.lines {
                    tr {
                        td { (line.product) }
                        td { a href={ "/products/" (line.product) } { (desk.product_name(&line.product)) } }
                        td.number { (line.unit_cents) }
                        td.number { (line.quantity) }
                        td.number { (line.unit_cents.times(line.quantity)) }
                    }
                } }
                tfoot { tr { th colspan="4" { "Grand total" } td.number { strong { (order.total()) } } } }
            }
        }
        (handling(visit, id, order))
        (notes(id, order))
    };
    Some(page(visit, "Orders", &format!("Order {id}"), &content))
}

/// What can still be done with the goods.
fn handling(visit: &Visit<'_>, id: &str, order: &Order) -> Markup {
    let carriers: Vec<(&str, &str)> = CARRIERS.iter().map(|name| (*name, *name)).collect();
    html! {
        section.card {
            h2 { "Handling" }
            @if order.status.is_open() {
                form.row method="post" action={ "/orders/" (id) "/ship" } {
                    (choice("carrier", "Carrier", "Choose a carrier", &carriers, visit.typed("carrier", "")))
                    label { "Tracking number " input type="text" name="tracking" maxlength="40" value=(visit.typed("tracking", "")); }
                    button.primary type="submit" { "Create shipment" }
                }
                form.row method="post" action={ "/orders/" (id) "/cancel" } {
                    button.danger type="submit" { "Cancel order" }
                }
            } @else { p.muted { "This order is " (order.status.code()) " and can no longer be shipped or cancelled." } }
        }
    }
}

fn notes(id: &str, order: &Order) -> Markup {
    html! {
        section.card {
            h2 { "Comments" }
            ul.notes { @for note in &order.notes {
                li { (note.text) @if note.customer_notified { " " span.muted { "(customer notified)" } } }
            } }
            form method="post" action={ "/orders/" (id) "/note" } {
                div.field { label for="note" { "Comment" } textarea #note name="text" rows="3" maxlength="1000" {} }
                (tick("notify", "Notify customer by email", false))
                button type="submit" { "Submit comment" }
            }
        }
    }
}
