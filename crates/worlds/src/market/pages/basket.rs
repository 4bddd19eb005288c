//! The basket of a shop, with its one-page checkout, and the orders placed.

use maud::html;

use super::Visit;
use super::layout::Page;
use crate::Response;
use crate::kit::money::Cents;
use crate::market::forms::{goods_worth, line_worth};
use crate::market::state::MOST_OF_ONE;

pub fn page(visit: &Visit<'_>, problem: Option<&str>) -> Response {
    let site = visit.storefront;
    let body = html! {
        h1 { (site.words.kept) }
        @if visit.account.basket.is_empty() {
            section.empty {
                p { "There is nothing here yet." }
                a.button href="/" { "Look around" }
            }
        } @else {
            div.checkout {
                table.lines {
                    thead { tr { th scope="col" { "Item" } th scope="col" { "Quantity" } th scope="col" { "Price" } } }
                    tbody {
                        @for (key, line) in &visit.account.basket {
                            tr {
                                td {
                                    a href={ "/item/" (line.item) } { (line.name) }
                                    @if let Some(option) = &line.option { br; small { (option) } }
                                }
                                td {
                                    form.inline method="post" action="/basket/change" {
                                        input type="hidden" name="line" value=(key);
                                        select name="quantity" aria-label={ "Quantity of " (line.name) } data-submits {
                                            @for count in 1..=MOST_OF_ONE {
                                                option value=(count) selected[count == line.quantity] { (count) }
                                            }
                                        }
                                    }
                                    form.inline method="post" action="/basket/change" {
                                        input type="hidden" name="line" value=(key);
                                        button.quiet type="submit" name="quantity" value="0"
                                            aria-label={ "Remove " (line.name) } { "Remove" }
                                    }
                                }
                                td.number { (line_worth(visit.stock, line)) }
                            }
                        }
                    }
                    tfoot { tr { th scope="row" colspan="2" { "Goods" } td.number { (goods_worth(visit.stock, visit.account)) } } }
                }
                form.delivery method="post" action="/checkout" {
                    h2 { "Checkout" }
                    @if let Some(problem) = problem { p.problem role="alert" { (problem) } }
                    fieldset.choices {
                        legend { "Delivery" }
                        @for (name, fee) in site.trade.deliveries() {
                            label.choice {
                                input type="radio" name="delivery" value=(name) aria-label=(name);
                                span { (name) }
                                small aria-hidden="true" { @if *fee == 0 { "free" } @else { (Cents(*fee)) } }
                            }
                        }
                    }
                    p.muted { "Paid with the card on file when the order leaves us." }
                    button.primary type="submit" { (site.words.confirm) }
                }
            }
        }
    };
    Page { title: site.words.kept, body }.respond(visit)
}

pub fn orders(visit: &Visit<'_>) -> Response {
    let body = html! {
        h1 { "Orders" }
        @if visit.account.orders.is_empty() {
            section.empty { p { "You have not ordered anything yet." } }
        }
        @for (number, order) in visit.account.orders.iter().rev() {
            section.order {
                h2 { "Order " (number) }
                p { (order.delivery) " · " strong { (order.total_cents) } }
                ul { @for line in order.lines.values() { li { (line.quantity) " × " (line.name) } } }
            }
        }
    };
    Page { title: "Orders", body }.respond(visit)
}
