//! The four steps of the checkout. Each is a page with its own address; a step that is not reached yet leads back.

use http::StatusCode;
use maud::{Markup, html};

use super::cart::totals_table;
use super::layout::Page;
use super::{Problems, Visit, problem_summary};
use crate::Response;
use crate::shop::pricing::{self, shipping_price};
use crate::shop::state::{Payment, Shipping};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Address,
    Shipping,
    Payment,
    Review,
}

impl Step {
    const ALL: [Self; 4] = [Self::Address, Self::Shipping, Self::Payment, Self::Review];

    pub fn path(self) -> &'static str {
        match self {
            Self::Address => "/checkout/address",
            Self::Shipping => "/checkout/shipping",
            Self::Payment => "/checkout/payment",
            Self::Review => "/checkout/review",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.path().ends_with(&format!("/{name}")))
    }

    fn title(self) -> &'static str {
        match self {
            Self::Address => "Delivery address",
            Self::Shipping => "Shipping method",
            Self::Payment => "Payment",
            Self::Review => "Review your order",
        }
    }

    /// The furthest step the choices so far allow.
    pub fn reached(visit: &Visit<'_>) -> Self {
        let checkout = &visit.state.checkout;
        let has_address = checkout.address.as_ref().is_some_and(|id| visit.state.addresses.contains_key(id));
        match (has_address, checkout.shipping, checkout.payment) {
            (false, ..) => Self::Address,
            (_, None, _) => Self::Shipping,
            (.., None) => Self::Payment,
            _ => Self::Review,
        }
    }
}

pub fn page(visit: &Visit<'_>, step: Step, problems: &Problems) -> Response {
    if visit.state.cart.lines.is_empty() {
        return Response::see_other("/cart");
    }
    let reached = Step::reached(visit);
    if step > reached {
        return Response::see_other(reached.path());
    }
    let body = html! {
        (progress(step))
        h1 { (step.title()) }
        (problem_summary(problems))
        div.two-columns {
            form.stacked method="post" action=(step.path()) {
                @match step {
                    Step::Address => (address_choice(visit)),
                    Step::Shipping => (shipping_choice(visit)),
                    Step::Payment => (payment_choice(visit)),
                    Step::Review => (review(visit)),
                }
            }
            aside.summary {
                h2 { "Your order" }
                (lines(visit))
                @let method = visit.state.checkout.shipping.unwrap_or(Shipping::Standard);
                (totals_table(&pricing::totals(visit.state, visit.catalogue, method), method.label()))
            }
        }
    };
    let trail = vec![("Your cart".to_owned(), "/cart".to_owned())];
    let page = Page { title: step.title(), trail, scripts: &[], body }.respond(visit);
    if problems.is_empty() { page } else { page.status(StatusCode::UNPROCESSABLE_ENTITY) }
}

fn progress(current: Step) -> Markup {
    html! {
        ol.progress aria-label="Checkout steps" {
            @for step in Step::ALL {
                li.done[step < current] aria-current=[(step == current).then_some("step")] { (step.title()) }
            }
        }
    }
}

fn lines(visit: &Visit<'_>) -> Markup {
    html! {
        ul.plain {
            @for line in visit.state.cart.lines.values() {
                @if let Some(product) = visit.catalogue.product(&line.choice.product) {
                    li { (line.quantity) " × " (product.name) " " span.muted { "(" (line.choice.words()) ")" } }
                }
            }
        }
    }
}

fn option(group: &str, value: &str, checked: bool, title: &str, note: &str, price: Option<String>) -> Markup {
    html! {
        label.option {
            input type="radio" name=(group) value=(value) checked[checked] aria-label=(title);
            span { strong { (title) } span.muted { (note) } }
            @if let Some(price) = price { span.option-price { (price) } }
        }
    }
}

fn address_choice(visit: &Visit<'_>) -> Markup {
    let chosen = visit.state.checkout.address.as_ref().unwrap_or(&visit.state.default_address);
    html! {
        fieldset {
            legend { "Where should we send it?" }
            @for (id, address) in &visit.state.addresses {
                (option("address", id, id == chosen, &address.label, &address.one_line(), None))
            }
        }
        p { a href="/account/addresses/new" { "Add a new address" } }
        div.actions { button type="submit" { "Continue to shipping" } a href="/cart" { "Back to cart" } }
    }
}

fn shipping_choice(visit: &Visit<'_>) -> Markup {
    let subtotal = pricing::subtotal(visit.state, visit.catalogue);
    let chosen = visit.state.checkout.shipping.unwrap_or(Shipping::Standard);
    html! {
        fieldset {
            legend { "How should it travel?" }
            @for method in Shipping::ALL {
                @let price = shipping_price(method, subtotal);
                @let price = if price.0 == 0 { "Free".to_owned() } else { price.to_string() };
                (option("shipping", method.code(), method == chosen, method.label(), method.promise(), Some(price)))
            }
        }
        div.actions {
            button type="submit" { "Continue to payment" }
            a href=(Step::Address.path()) { "Back to address" }
        }
    }
}

fn payment_choice(visit: &Visit<'_>) -> Markup {
    html! {
        fieldset {
            legend { "How would you like to pay?" }
            @for payment in Payment::ALL {
                @let chosen = visit.state.checkout.payment == Some(payment);
                (option("payment", payment.code(), chosen, payment.label(), payment.note(), None))
            }
        }
        div.actions {
            button type="submit" { "Continue to review" }
            a href=(Step::Shipping.path()) { "Back to shipping" }
        }
    }
}

fn review(visit: &Visit<'_>) -> Markup {
    let checkout = &visit.state.checkout;
    let address = checkout.address.as_ref().and_then(|id| visit.state.addresses.get(id));
    html! {
        dl.facts {
            @if let Some(address) = address {
                dt { "Deliver to" } dd { (address.one_line()) " " a href=(Step::Address.path()) { "Change address" } }
            }
            @if let Some(method) = checkout.shipping {
                dt { "Shipping" }
                dd { (method.label()) ", " (method.promise()) " " a href=(Step::Shipping.path()) { "Change shipping" } }
            }
            @if let Some(payment) = checkout.payment {
                dt { "Payment" } dd { (payment.label()) " " a href=(Step::Payment.path()) { "Change payment" } }
            }
        }
        div.terms tabindex="0" role="region" aria-label="Terms of sale" {
            p { "Goods remain ours until they are paid for. You may send them back within 30 days of delivery, \
                unused and in their box. " }
            p { "We ship within two working days; if something is missing or broken, tell us within a week and \
                we will mend, replace or refund it." }
            p { "Orders can be cancelled free of charge for as long as they are being processed. Once a parcel \
                has left our warehouse it can only be returned." }
        }
        label.check { input type="checkbox" name="terms" value="1"; span { "I agree to the terms of sale" } }
        div.actions { button.big type="submit" { "Place order" } }
    }
}
