//! Pieces that several pages are made of.

use maud::{Markup, html};

use super::Visit;
use crate::kit::lists::link_with;
use crate::shop_admin::state::Order;

/// A select; the first option means "any".
pub fn choice(name: &str, title: &str, empty: &str, options: &[(&str, &str)], chosen: &str) -> Markup {
    html! {
        select name=(name) aria-label=(title) {
            @if !empty.is_empty() { option value="" { (empty) } }
            @for (value, text) in options { option value=(value) selected[*value == chosen] { (text) } }
        }
    }
}

pub fn status(code: &str, label: &str) -> Markup {
    html! { span class={ "status " (code) } { (label) } }
}

/// A line of text with its label.
pub fn line(visit: &Visit<'_>, name: &str, title: &str, now: &str) -> Markup {
    html! {
        div.field {
            label for=(name) { (title) }
            input id=(name) type="text" name=(name) value=(visit.typed(name, now)) maxlength="200";
        }
    }
}

pub fn tick(name: &str, title: &str, on: bool) -> Markup {
    html! { label.tick { input type="checkbox" name=(name) checked[on]; span { (title) } } }
}

/// Column heads that sort: code and title each; an empty code does not sort.
pub fn heads(visit: &Visit<'_>, columns: &[(&str, &str)]) -> Markup {
    let chosen = visit.asked("sort");
    html! {
        thead { tr { @for (code, title) in columns {
            th aria-sort=[(!code.is_empty() && *code == chosen).then_some("descending")] {
                @if code.is_empty() { (title) } @else { a href=(link_with(visit.request, "sort", code)) { (title) } }
            }
        } } }
    }
}

pub fn nothing(text: &str) -> Markup {
    html! { p.nothing { (text) } }
}

/// Orders as rows of a table.
pub fn order_rows<'o>(visit: &Visit<'_>, orders: impl Iterator<Item = &'o (String, &'o Order)>) -> Markup {
    html! {
        table {
            thead { tr { th { "Order" } th { "Placed" } th { "Customer" } th { "Pieces" } th.number { "Total" } th { "Payment" } th { "Status" } } }
            tbody {
                @for (id, order) in orders {
                    tr {
                        td { a href={ "/orders/" (id) } { (id) } }
                        td { (order.placed.iso()) }
                        td { a href={ "/customers/" (order.customer) } { (visit.desk.customer_name(&order.customer)) } }
                        td { (order.pieces()) }
                        td.number { (order.total()) }
                        td { (order.payment) }
                        td { (status(order.status.code(), order.status.label())) }
                    }
                }
            }
        }
    }
}
