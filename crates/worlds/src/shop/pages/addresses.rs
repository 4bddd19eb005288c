use http::StatusCode;
use maud::html;

use super::account::{account_trail, framed};
use super::{Problems, Visit, problem_summary, text_field};
use crate::Response;
use crate::shop::state::Address;

pub fn list(visit: &Visit<'_>) -> Response {
    let state = visit.state;
    let body = html! {
        h1 { "Addresses" }
        p { a.button href="/account/addresses/new" { "Add an address" } }
        div.tiles.three {
            @for (id, address) in &state.addresses {
                @let is_default = *id == state.default_address;
                section.tile.address {
                    h2 { (address.label) @if is_default { " " span.pill.delivered { "Default" } } }
                    p {
                        (address.name) br;
                        (address.street) br;
                        (address.city) ", " (address.region) " " (address.postcode) br;
                        (address.phone)
                    }
                    a href={ "/account/addresses/" (id) } aria-label={ "Edit address " (address.label) } { "Edit" }
                    @if !is_default {
                        form method="post" action={ "/account/addresses/" (id) "/default" } {
                            button.link-button type="submit"
                                aria-label={ "Make " (address.label) " the default address" } { "Make default" }
                        }
                        button.link-button type="button" data-dialog={ "delete-" (id) }
                            aria-label={ "Delete address " (address.label) } { "Delete" }
                        dialog id={ "delete-" (id) } aria-label={ "Delete address " (address.label) "?" } {
                            form.stacked method="post" action={ "/account/addresses/" (id) "/delete" } {
                                p { "Delete the address “" (address.label) "”?" }
                                div.actions {
                                    button.danger type="submit" { "Yes, delete it" }
                                    button.secondary type="button" data-close { "Keep it" }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    framed(visit, "Addresses", account_trail(), &body)
}

/// The form for a new address, or for the one with this id.
pub fn form(visit: &Visit<'_>, id: Option<&str>, address: &Address, problems: &Problems) -> Response {
    let title = if id.is_some() { "Edit address" } else { "New address" };
    let body = html! {
        h1 { (title) }
        (problem_summary(problems))
        form.stacked method="post" action={ "/account/addresses/" (id.unwrap_or("new")) } {
            (text_field("label", "Label", "text", &address.label, problems))
            (text_field("name", "Recipient", "text", &address.name, problems))
            (text_field("street", "Street and number", "text", &address.street, problems))
            (text_field("city", "City", "text", &address.city, problems))
            (text_field("region", "State", "text", &address.region, problems))
            (text_field("postcode", "ZIP code", "text", &address.postcode, problems))
            (text_field("phone", "Phone number", "tel", &address.phone, problems))
            div.actions { button type="submit" { "Save address" } a href="/account/addresses" { "Cancel" } }
        }
    };
    let mut trail = account_trail();
    trail.push(("Addresses".to_owned(), "/account/addresses".to_owned()));
    let page = framed(visit, title, trail, &body);
    if problems.is_empty() { page } else { page.status(StatusCode::UNPROCESSABLE_ENTITY) }
}
