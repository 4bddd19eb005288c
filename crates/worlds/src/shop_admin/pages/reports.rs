//! The reports.

use maud::{Markup, html};

use super::Visit;
use super::layout::page;
use super::parts::{choice, heads, nothing};
use crate::Response;
use crate::kit::lists::{counted, page_of, pager};
use crate::shop::money::Cents;
use crate::shop_admin::reports::{self, Span};

const PER_PAGE: usize = 25;

/// Fewer pieces than this on the shelf are few.
const LOW: u32 = 5;

/// The form that says which days are meant.
fn period_form(action: &str, span: Span, more: &Markup) -> Markup {
    html! {
        form.filters method="get" action=(action) {
            label { "From " input type="text" name="from" value=(span.from.iso()) size="10"; }
            label { "To " input type="text" name="to" value=(span.to.iso()) size="10"; }
            (more)
            button.primary type="submit" { "Show report" }
        }
    }
}

pub fn sales(visit: &Visit<'_>) -> Response {
    let span = Span::of(visit.request);
    let by_year = visit.asked("period") == "year";
    let rows = reports::sales(visit.desk, span, by_year);
    let orders: usize = rows.values().map(|row| row.orders).sum();
    let revenue: Cents = rows.values().map(|row| row.revenue).sum();
    let most = rows.values().map(|row| row.revenue.0).max().unwrap_or(1).max(1);
    let period =
        choice("period", "Period", "", &[("month", "Month"), ("year", "Year")], visit.asked("period"));
    let content = html! {
        (period_form("/reports/sales", span, &period))
        p.found { (counted(orders, "order")) ", cancelled ones left out" }
        section.card {
            table {
                thead { tr { th { "Interval" } th.number { "Orders" } th.number { "Items sold" } th.number { "Sales total" } th { span.hidden { "Chart" } } } }
                tbody { @for (period, row) in &rows {
                    tr {
                        td { (period) } td.number { (row.orders) } td.number { (row.pieces) } td.number { (row.revenue) }
                        td.chart { div.bar style={ "width:" (u64::from(row.revenue.0) * 100 / u64::from(most)) "%" } {} }
                    }
                } }
                tfoot { tr { th { "Total" } td.number { (orders) } td {} td.number { strong { (revenue) } } td {} } }
            }
            @if rows.is_empty() { (nothing("There were no orders in these days.")) }
        }
    };
    page(visit, "Sales report", "Sales report", &content)
}

pub fn bestsellers(visit: &Visit<'_>) -> Response {
    let span = Span::of(visit.request);
    let rows = reports::bestsellers(visit.desk, span);
    let shown = page_of(visit.request, &rows, PER_PAGE);
    let content = html! {
        (period_form("/reports/bestsellers", span, &html! {}))
        section.card {
            table {
                thead { tr { th { "Rank" } th { "Product" } th { "Article" } th.number { "Quantity sold" } th.number { "Revenue" } } }
                tbody { @for (at, (id, pieces, revenue)) in shown.items.iter().enumerate() {
                    tr {
                        td { ((shown.number - 1) * PER_PAGE + at + 1) }
                        td { a href={ "/products/" (id) } { (visit.desk.product_name(id)) } }
                        td { (id) } td.number { (pieces) } td.number { (revenue) }
                    }
                } }
            }
            @if rows.is_empty() { (nothing("Nothing was sold in these days.")) }
        }
        (pager(visit.request, &shown))
    };
    page(visit, "Bestsellers", "Bestsellers", &content)
}

pub fn customers(visit: &Visit<'_>) -> Response {
    let span = Span::of(visit.request);
    let rows = reports::best_customers(visit.desk, span);
    let shown = page_of(visit.request, &rows, PER_PAGE);
    let content = html! {
        (period_form("/reports/customers", span, &html! {}))
        section.card {
            table {
                thead { tr { th { "Customer" } th { "Number" } th.number { "Orders" } th.number { "Sales total" } } }
                tbody { @for (id, orders, revenue) in shown.items {
                    tr {
                        td { a href={ "/customers/" (id) } { (visit.desk.customer_name(id)) } }
                        td { (id) } td.number { (orders) } td.number { (revenue) }
                    }
                } }
            }
            @if rows.is_empty() { (nothing("Nobody bought anything in these days.")) }
        }
        (pager(visit.request, &shown))
    };
    page(visit, "Top customers", "Top customers", &content)
}

pub fn search_terms(visit: &Visit<'_>) -> Response {
    let words = visit.asked("q").to_lowercase();
    let mut rows: Vec<_> =
        visit.desk.ledger.search_terms.iter().filter(|term| term.text.contains(words.as_str())).collect();
    match visit.asked("sort") {
        "uses" => rows.sort_by_key(|term| std::cmp::Reverse(term.uses)),
        "results" => rows.sort_by_key(|term| std::cmp::Reverse(term.results)),
        "last" => rows.sort_by_key(|term| std::cmp::Reverse(term.last_used)),
        _ => rows.sort_by_key(|term| term.text),
    }
    let content = html! {
        form.filters method="get" action="/reports/search-terms" data-filters {
            input type="search" name="q" value=(visit.asked("q")) placeholder="Part of a term" aria-label="Search terms";
            button type="submit" { "Apply filters" }
        }
        section.card {
            table {
                (heads(visit, &[("", "Search query"), ("results", "Results"), ("uses", "Uses"), ("last", "Last used")]))
                tbody { @for term in &rows {
                    tr { td { (term.text) } td.number { (term.results) } td.number { (term.uses) } td { (term.last_used.iso()) } }
                } }
            }
            @if rows.is_empty() { (nothing("Nobody searched for that.")) }
        }
    };
    page(visit, "Search terms", "Search terms", &content)
}

pub fn low_stock(visit: &Visit<'_>) -> Response {
    let desk = visit.desk;
    let mut rows: Vec<_> = desk
        .products()
        .iter()
        .map(|product| (product, desk.listing(product)))
        .filter(|(_, listing)| listing.stock < LOW)
        .collect();
    rows.sort_by_key(|(_, listing)| listing.stock);
    let shown = page_of(visit.request, &rows, PER_PAGE);
    let content = html! {
        p.found { (counted(rows.len(), "product")) " with fewer than " (LOW) " pieces" }
        section.card {
            table {
                thead { tr { th { "Product" } th { "Article" } th { "Category" } th.number { "Quantity" } } }
                tbody { @for (product, listing) in shown.items {
                    tr {
                        td { a href={ "/products/" (product.id) } { (listing.name) } }
                        td { (product.id) } td { (product.category.name) } td.number { (listing.stock) }
                    }
                } }
            }
        }
        (pager(visit.request, &shown))
    };
    page(visit, "Low stock", "Low stock", &content)
}
