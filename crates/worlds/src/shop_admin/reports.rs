//! What the reports count. Cancelled orders are left out everywhere.

use std::collections::BTreeMap;

use super::desk::Desk;
use super::state::{Order, OrderStatus};
use crate::Request;
use crate::kit::calendar::{Day, TODAY};
use crate::shop::money::Cents;

/// The days a report covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Day,
    pub to: Day,
}

impl Span {
    /// From the request's `from` and `to`; what is missing or no date is the last 365 days.
    pub fn of(request: &Request) -> Self {
        let day = |name| request.query(name).and_then(|text| Day::try_from(text.to_owned()).ok());
        Self { from: day("from").unwrap_or(TODAY.minus(364)), to: day("to").unwrap_or(TODAY) }
    }

    fn holds(self, day: Day) -> bool {
        self.from <= day && day <= self.to
    }
}

fn counted(desk: Desk<'_>, span: Span) -> impl Iterator<Item = &Order> {
    let orders = desk.orders().into_iter().map(|(_, order)| order);
    orders.filter(move |order| order.status != OrderStatus::Cancelled && span.holds(order.placed))
}

#[derive(Default)]
pub struct SalesRow {
    pub orders: usize,
    pub pieces: u32,
    pub revenue: Cents,
}

/// Sales by `2026-03` or `2026`, oldest first.
pub fn sales(desk: Desk<'_>, span: Span, by_year: bool) -> BTreeMap<String, SalesRow> {
    let mut rows: BTreeMap<String, SalesRow> = BTreeMap::new();
    for order in counted(desk, span) {
        let day = order.placed.iso();
        let period = day.get(..if by_year { 4 } else { 7 }).unwrap_or(&day).to_owned();
        let row = rows.entry(period).or_default();
        row.orders += 1;
        row.pieces = row.pieces.saturating_add(order.pieces());
        row.revenue = row.revenue + order.total();
    }
    rows
}

/// Article numbers with pieces sold and revenue, most pieces first.
pub fn bestsellers(desk: Desk<'_>, span: Span) -> Vec<(String, u32, Cents)> {
    let mut sold: BTreeMap<&str, (u32, Cents)> = BTreeMap::new();
    for line in counted(desk, span).flat_map(|order| &order.lines) {
        let (pieces, revenue) = sold.entry(&line.product).or_default();
        *pieces = pieces.saturating_add(line.quantity);
        *revenue = *revenue + line.unit_cents.times(line.quantity);
    }
    let mut rows: Vec<(String, u32, Cents)> =
        sold.into_iter().map(|(product, (pieces, revenue))| (product.to_owned(), pieces, revenue)).collect();
    rows.sort_by_key(|(product, pieces, revenue)| {
        (std::cmp::Reverse(*pieces), std::cmp::Reverse(*revenue), product.clone())
    });
    rows
}

/// Customer numbers with orders and revenue, highest revenue first.
pub fn best_customers(desk: Desk<'_>, span: Span) -> Vec<(String, usize, Cents)> {
    let mut bought: BTreeMap<&str, (usize, Cents)> = BTreeMap::new();
    for order in counted(desk, span) {
        let (orders, revenue) = bought.entry(&order.customer).or_default();
        *orders += 1;
        *revenue = *revenue + order.total();
    }
    let mut rows: Vec<(String, usize, Cents)> = bought
        .into_iter()
        .map(|(customer, (orders, revenue))| (customer.to_owned(), orders, revenue))
        .collect();
    rows.sort_by_key(|(customer, _, revenue)| (std::cmp::Reverse(*revenue), customer.clone()));
    rows
}
