//! The first page: how business is going.

use maud::html;

use super::Visit;
use super::layout::page;
use super::parts::order_rows;
use crate::Response;
use crate::kit::lists::grouped;
use crate::shop::money::Cents;
use crate::shop_admin::reports::{self, Span};
use crate::shop_admin::state::OrderStatus;

fn figures(visit: &Visit<'_>) -> [(&'static str, String); 4] {
    let desk = visit.desk;
    let orders = desk.orders();
    let good: Vec<_> = orders.iter().filter(|(_, order)| order.status != OrderStatus::Cancelled).collect();
    let revenue: Cents = good.iter().map(|(_, order)| order.total()).sum();
    let average = Cents(revenue.0 / u32::try_from(good.len().max(1)).unwrap_or(1));
    [
        ("Lifetime sales", revenue.to_string()),
        ("Average order", average.to_string()),
        ("Orders", grouped(orders.len())),
        ("Open orders", grouped(orders.iter().filter(|(_, order)| order.status.is_open()).count())),
    ]
}

pub fn home(visit: &Visit<'_>) -> Response {
    let desk = visit.desk;
    let orders = desk.orders();
    let mut terms: Vec<_> = desk.ledger.search_terms.iter().collect();
    terms.sort_by_key(|term| std::cmp::Reverse(term.uses));
    let content = html! {
        dl.figures {
            @for (name, value) in figures(visit) { div { dt { (name) } dd { (value) } } }
        }
        section.card { h2 { "Latest orders" } (order_rows(visit, orders.iter().take(6))) }
        div.pair {
            section.card {
                h2 { "Bestsellers of the year" }
                table {
                    thead { tr { th { "Product" } th.number { "Pieces" } } }
                    tbody { @for (id, pieces, _) in reports::bestsellers(desk, Span::of(visit.request)).iter().take(5) {
                        tr { td { a href={ "/products/" (id) } { (desk.product_name(id)) } } td.number { (pieces) } }
                    } }
                }
            }
            section.card {
                h2 { "Top search terms" }
                table {
                    thead { tr { th { "Term" } th.number { "Results" } th.number { "Uses" } } }
                    tbody { @for term in terms.iter().take(5) {
                        tr { td { (term.text) } td.number { (term.results) } td.number { (term.uses) } }
                    } }
                }
            }
        }
    };
    page(visit, "Dashboard", "Dashboard", &content)
}
