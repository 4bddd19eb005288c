//! What the clerk can do. Each action checks, changes the state, and answers with a redirect, or says why not.

mod catalogue;
mod customers;
mod marketing;
mod orders;

use super::ShopAdmin;
use crate::kit::calendar::Day;
use crate::{Request, Response};

/// Why nothing was changed.
pub enum Refusal {
    /// There is no such thing.
    Missing,
    /// The input does not fit; the text is shown above the form.
    Invalid(String),
}

pub type Outcome = Result<Response, Refusal>;

fn invalid<T>(problem: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Invalid(problem.into()))
}

/// A trimmed form field, with the line ends that browsers send made plain.
fn field(request: &Request, name: &str) -> String {
    request.form(name).unwrap_or_default().replace("\r\n", "\n").trim().to_owned()
}

/// A field that has to have something in it, but not a book.
fn required(request: &Request, name: &str, what: &str, longest: usize) -> Result<String, Refusal> {
    let text = field(request, name);
    match text.chars().count() {
        0 => invalid(format!("{what} is missing.")),
        length if length > longest => invalid(format!("{what} has more than {longest} characters.")),
        _ => Ok(text),
    }
}

fn day(request: &Request, name: &str) -> Result<Day, Refusal> {
    Day::try_from(field(request, name)).or_else(|_| invalid("Dates are written like 2026-04-30."))
}

impl ShopAdmin {
    pub(super) fn perform(&mut self, request: &Request, segments: &[&str]) -> Outcome {
        match segments {
            ["products"] => self.change_products(request),
            ["products", id] => self.save_product(id, request),
            ["orders", id, "cancel"] => self.cancel_order(id),
            ["orders", id, "ship"] => self.ship_order(id, request),
            ["orders", id, "note"] => self.add_note(id, request),
            ["customers", "new"] => self.add_customer(request),
            ["customers", id] => self.save_customer(id, request),
            ["reviews", id] => self.save_review(id, request),
            ["reviews", id, "delete"] => self.delete_review(id),
            ["promotions", "new"] => self.add_promotion(request),
            ["promotions", id] => self.save_promotion(id, request),
            ["promotions", id, "delete"] => self.delete_promotion(id),
            ["pages", address] => self.save_page(address, request),
            _ => Err(Refusal::Missing),
        }
    }
}
