//! Which function answers which path.

use http::StatusCode;

use super::ShopAdmin;
use super::actions::Refusal;
use super::pages::{self, Visit};
use crate::{Request, Response};

impl ShopAdmin {
    pub(super) fn route(&mut self, request: &Request) -> Response {
        let segments = request.segments();
        match request.method {
            http::Method::GET | http::Method::HEAD => {
                let visit = Visit { desk: self.desk(), request, problem: None };
                get(&visit, &segments).unwrap_or_else(|| pages::not_found(&visit))
            }
            http::Method::POST => match self.perform(request, &segments) {
                Ok(response) => response,
                Err(refusal) => self.refuse(request, &segments, &refusal),
            },
            _ => Response::empty().status(StatusCode::METHOD_NOT_ALLOWED),
        }
    }

    /// Invalid input shows the page of the form again, with what was typed; that page is found by going up from the
    /// address the form was sent to.
    fn refuse(&self, request: &Request, segments: &[&str], refusal: &Refusal) -> Response {
        let visit = Visit { desk: self.desk(), request, problem: None };
        match refusal {
            Refusal::Missing => pages::not_found(&visit),
            Refusal::Invalid(problem) => {
                let visit = Visit { problem: Some(problem), ..visit };
                let page = (1..=segments.len()).rev().find_map(|length| get(&visit, segments.get(..length)?));
                page.unwrap_or_else(|| pages::not_found(&visit)).status(StatusCode::UNPROCESSABLE_ENTITY)
            }
        }
    }
}

/// `None` is a page that does not exist.
fn get(visit: &Visit<'_>, segments: &[&str]) -> Option<Response> {
    Some(match segments {
        [] => pages::dashboard::home(visit),
        ["static", name] => return pages::static_file(name),
        ["products"] => pages::products::list(visit),
        ["products", id] => pages::products::one(visit, id)?,
        ["orders"] => pages::orders::list(visit),
        ["orders", id] => pages::orders::one(visit, id)?,
        ["customers"] => pages::customers::list(visit),
        ["customers", "new"] => pages::customers::new(visit),
        ["customers", id] => pages::customers::one(visit, id)?,
        ["reviews"] => pages::reviews::list(visit),
        ["reviews", id] => pages::reviews::one(visit, id)?,
        ["reports", "sales"] => pages::reports::sales(visit),
        ["reports", "bestsellers"] => pages::reports::bestsellers(visit),
        ["reports", "search-terms"] => pages::reports::search_terms(visit),
        ["reports", "customers"] => pages::reports::customers(visit),
        ["reports", "low-stock"] => pages::reports::low_stock(visit),
        ["promotions"] => pages::marketing::promotions(visit),
        ["promotions", "new"] => pages::marketing::new_promotion(visit),
        ["promotions", id] => pages::marketing::promotion(visit, id)?,
        ["pages"] => pages::marketing::content_pages(visit),
        ["pages", address] => pages::marketing::content_page(visit, address)?,
        _ => return None,
    })
}
