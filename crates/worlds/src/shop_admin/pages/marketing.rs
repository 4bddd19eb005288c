//! Promotions and content pages.

use maud::{Markup, html};

use super::Visit;
use super::layout::page;
use super::parts::{choice, line, status, tick};
use super::products::enabled_mark;
use crate::Response;
use crate::kit::calendar::TODAY;
use crate::shop_admin::state::{Discount, Promotion};

/// A discount in words.
fn words(discount: Discount) -> String {
    match discount {
        Discount::Percent(percent) => format!("{percent}% off"),
        Discount::AmountCents(amount) => format!("{amount} off"),
        Discount::FreeShipping => "Free shipping".to_owned(),
    }
}

pub fn promotions(visit: &Visit<'_>) -> Response {
    let content = html! {
        div.toolbar { a.button.primary href="/promotions/new" { "Add promotion" } }
        section.card {
            table {
                thead { tr { th { "Name" } th { "Coupon code" } th { "Discount" } th { "From" } th { "To" } th.number { "Uses" } th { "Status" } } }
                tbody { @for (id, promotion) in &visit.desk.state.promotions {
                    tr {
                        td { a href={ "/promotions/" (id) } { (promotion.name) } }
                        td { @if promotion.code.is_empty() { span.muted { "No code" } } @else { code { (promotion.code) } } }
                        td { (words(promotion.discount)) }
                        td { (promotion.starts.iso()) } td { (promotion.ends.iso()) }
                        td.number { (promotion.uses) }
                        td {
                            @if promotion.ends < TODAY { (status("cancelled", "Expired")) }
                            @else if promotion.active { (status("approved", "Active")) }
                            @else { (status("rejected", "Inactive")) }
                        }
                    }
                } }
            }
        }
    };
    page(visit, "Promotions", "Promotions", &content)
}

pub fn new_promotion(visit: &Visit<'_>) -> Response {
    page(visit, "Promotions", "New promotion", &promotion_form(visit, "/promotions/new", None))
}

pub fn promotion(visit: &Visit<'_>, id: &str) -> Option<Response> {
    let promotion = visit.desk.state.promotions.get(id)?;
    let content = html! {
        (promotion_form(visit, &format!("/promotions/{id}"), Some(promotion)))
        form.card method="post" action={ "/promotions/" (id) "/delete" } {
            p { "A deleted promotion stops at once and is gone for good." }
            button.danger type="submit" { "Delete promotion" }
        }
    };
    Some(page(visit, "Promotions", &promotion.name, &content))
}

fn promotion_form(visit: &Visit<'_>, action: &str, now: Option<&Promotion>) -> Markup {
    let (kind, amount) = match now.map(|now| now.discount) {
        Some(Discount::AmountCents(amount)) => ("amount", amount.to_string().replace(['$', ','], "")),
        Some(Discount::FreeShipping) => ("shipping", String::new()),
        Some(Discount::Percent(percent)) => ("percent", percent.to_string()),
        None => ("percent", String::new()),
    };
    let kinds =
        [("percent", "Percent of the price"), ("amount", "Fixed amount"), ("shipping", "Free shipping")];
    let value = |read: fn(&Promotion) -> String| now.map(read).unwrap_or_default();
    html! {
        form.card method="post" action=(action) {
            (line(visit, "name", "Rule name", &value(|now| now.name.clone())))
            (line(visit, "code", "Coupon code", &value(|now| now.code.clone())))
            div.field { span.label { "Discount" } (choice("kind", "Discount", "", &kinds, visit.typed("kind", kind))) }
            (line(visit, "amount", "Discount amount", &amount))
            (line(visit, "starts", "From", &value(|now| now.starts.iso())))
            (line(visit, "ends", "To", &value(|now| now.ends.iso())))
            (tick("active", "Active", now.is_none_or(|now| now.active)))
            button.primary type="submit" { "Save promotion" }
        }
    }
}

pub fn content_pages(visit: &Visit<'_>) -> Response {
    let content = html! {
        section.card {
            table {
                thead { tr { th { "Title" } th { "Address" } th { "Status" } } }
                tbody { @for (address, known) in &visit.desk.state.pages {
                    tr {
                        td { a href={ "/pages/" (address) } { (known.title) } }
                        td { code { "/" (address) } }
                        td { (enabled_mark(known.enabled)) }
                    }
                } }
            }
        }
    };
    page(visit, "Content pages", "Content pages", &content)
}

pub fn content_page(visit: &Visit<'_>, address: &str) -> Option<Response> {
    let known = visit.desk.state.pages.get(address)?;
    let content = html! {
        form.card method="post" action={ "/pages/" (address) } {
            (line(visit, "title", "Page title", &known.title))
            div.field { label for="content" { "Content" }
                textarea #content name="content" rows="8" maxlength="4000" { (visit.typed("content", &known.content)) } }
            (tick("enabled", "Enable page", known.enabled))
            button.primary type="submit" { "Save page" }
        }
    };
    Some(page(visit, "Content pages", &known.title, &content))
}
