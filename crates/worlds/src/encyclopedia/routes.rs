//! Which function answers which path.

use http::{Method, StatusCode};
use serde_json::json;

use super::actions::Refusal;
use super::pages::{self, Visit};
use super::{Encyclopedia, search};
use crate::{Request, Response};

impl Encyclopedia {
    pub(super) fn route(&mut self, request: &Request) -> Response {
        let segments = request.segments();
        match request.method {
            Method::GET | Method::HEAD => {
                let visit = Visit { desk: self.desk(), request, problem: None };
                get(visit, &segments).unwrap_or_else(|| pages::notice::not_found(visit))
            }
            Method::POST => match self.perform(request, &segments) {
                Ok(response) => response,
                Err(refusal) => self.refuse(request, &segments, &refusal),
            },
            _ => Response::empty().status(StatusCode::METHOD_NOT_ALLOWED),
        }
    }

    fn refuse(&self, request: &Request, segments: &[&str], refusal: &Refusal) -> Response {
        let visit = Visit { desk: self.desk(), request, problem: None };
        match refusal {
            Refusal::Missing => pages::notice::not_found(visit),
            Refusal::SignedOut => pages::notice::signed_out(visit).status(StatusCode::UNAUTHORIZED),
            Refusal::Protected => pages::notice::protected(visit).status(StatusCode::FORBIDDEN),
            Refusal::Invalid(problem) => {
                let visit = Visit { problem: Some(problem), ..visit };
                // The page of the form, with what was typed; found by going up from where the form was sent.
                let page = (1..=segments.len()).rev().find_map(|length| get(visit, segments.get(..length)?));
                page.unwrap_or_else(|| pages::notice::not_found(visit))
                    .status(StatusCode::UNPROCESSABLE_ENTITY)
            }
        }
    }
}

/// `None` is a page that does not exist.
fn get(visit: Visit<'_>, segments: &[&str]) -> Option<Response> {
    Some(match segments {
        [] => pages::home::show(visit),
        ["static", name] => return pages::static_file(name),
        ["suggest"] => Response::json(&json!(search::suggestions(visit.desk, visit.asked("q")))),
        ["search"] => pages::search::show(visit),
        ["random"] => pages::home::random(visit),
        ["index"] => pages::index::letters(visit, "A"),
        ["index", letter] => pages::index::letters(visit, letter),
        ["categories"] => pages::index::categories(visit),
        ["category", slug] => pages::index::category(visit, slug)?,
        ["article", slug] => pages::article::show(visit, slug)?,
        ["article", slug, "edit"] => pages::edit::show(visit, slug)?,
        ["article", slug, "history"] => pages::history::show(visit, slug)?,
        ["article", slug, "revision", number] => pages::history::revision(visit, slug, number)?,
        ["article", slug, "talk"] => pages::talk::show(visit, slug)?,
        ["article", slug, "links"] => pages::index::links(visit, slug)?,
        ["watchlist"] => pages::account::watchlist(visit),
        ["contributions"] => pages::account::contributions(visit),
        ["preferences"] => pages::account::preferences(visit),
        ["sign-in"] => pages::account::sign_in(visit),
        _ => return None,
    })
}
