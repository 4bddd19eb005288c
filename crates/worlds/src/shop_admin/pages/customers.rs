//! Customers: the grid, the form of one, the form for a new one.

use maud::{Markup, html};

use super::Visit;
use super::layout::page;
use super::parts::{choice, line, nothing, order_rows, tick};
use crate::Response;
use crate::kit::lists::{counted, page_of, pager};
use crate::shop::money::Cents;
use crate::shop_admin::state::{Customer, GROUPS, OrderStatus};

const PER_PAGE: usize = 20;

pub fn list(visit: &Visit<'_>) -> Response {
    let words = visit.asked("q").to_lowercase();
    let group = visit.asked("group");
    let found: Vec<(String, &Customer)> = visit
        .desk
        .customers()
        .into_iter()
        .filter(|(id, customer)| {
            let text =
                format!("{id} {} {} {} {}", customer.name, customer.email, customer.phone, customer.city)
                    .to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
                && (group.is_empty() || customer.group == group)
        })
        .collect();
    let shown = page_of(visit.request, &found, PER_PAGE);
    let groups = GROUPS.map(|group| (group, group));
    let content = html! {
        form.filters method="get" action="/customers" data-filters {
            input type="search" name="q" value=(visit.asked("q")) placeholder="Name, email, phone or city" aria-label="Search customers";
            (choice("group", "Group", "All groups", &groups, group))
            button type="submit" { "Apply filters" }
            a href="/customers" { "Clear" }
            a.button.primary href="/customers/new" { "Add new customer" }
        }
        p.found { (counted(found.len(), "record")) " found" }
        section.card {
            table {
                thead { tr { th { "Number" } th { "Name" } th { "Email" } th { "Phone" } th { "City" } th { "Group" } th { "Customer since" } } }
                tbody { @for (id, customer) in shown.items {
                    tr {
                        td { (id) }
                        td { a href={ "/customers/" (id) } { (customer.name) } }
                        td { (customer.email) } td { (customer.phone) } td { (customer.city) } td { (customer.group) }
                        td { (customer.since.iso()) }
                    }
                } }
            }
            @if found.is_empty() { (nothing("No customer fits these filters.")) }
        }
        (pager(visit.request, &shown))
    };
    page(visit, "All customers", "Customers", &content)
}

pub fn one(visit: &Visit<'_>, id: &str) -> Option<Response> {
    let customer = visit.desk.customer(id)?;
    let orders: Vec<_> = visit.desk.orders().into_iter().filter(|(_, order)| order.customer == id).collect();
    let spent: Cents = orders
        .iter()
        .filter(|(_, order)| order.status != OrderStatus::Cancelled)
        .map(|(_, order)| order.total())
        .sum();
    let content = html! {
        div.pair {
            (form(visit, &format!("/customers/{id}"), Some(customer)))
            section.card {
                h2 { "At a glance" }
                dl.facts {
                    dt { "Number" } dd { (id) }
                    dt { "Customer since" } dd { (customer.since) }
                    dt { "Orders" } dd { (orders.len()) }
                    dt { "Lifetime value" } dd { (spent) }
                }
            }
        }
        section.card { h2 { "Orders" } (order_rows(visit, orders.iter())) @if orders.is_empty() { (nothing("No orders yet.")) } }
    };
    Some(page(visit, "All customers", &customer.name, &content))
}

pub fn new(visit: &Visit<'_>) -> Response {
    page(visit, "All customers", "New customer", &form(visit, "/customers/new", None))
}

fn form(visit: &Visit<'_>, action: &str, now: Option<&Customer>) -> Markup {
    let groups = GROUPS.map(|group| (group, group));
    let value = |read: fn(&Customer) -> &String| now.map(read).map(String::as_str).unwrap_or_default();
    html! {
        form.card method="post" action=(action) {
            (line(visit, "name", "Full name", value(|customer| &customer.name)))
            (line(visit, "email", "Email", value(|customer| &customer.email)))
            (line(visit, "phone", "Phone", value(|customer| &customer.phone)))
            (line(visit, "city", "City", value(|customer| &customer.city)))
            div.field { span.label { "Customer group" }
                (choice("group", "Customer group", "", &groups, visit.typed("group", now.map_or(GROUPS[0], |now| &now.group)))) }
            (tick("newsletter", "Subscribed to the newsletter", now.is_some_and(|now| now.newsletter)))
            button.primary type="submit" { "Save customer" }
        }
    }
}
