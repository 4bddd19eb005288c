//! Which function answers which path.

use http::{Method, StatusCode};
use serde_json::json;

use super::actions::Refusal;
use super::{Map, Visit, lookup, pages};
use crate::{Request, Response};

impl Map {
    pub(super) fn route(&mut self, request: &Request) -> Response {
        let segments = request.segments();
        match request.method {
            Method::GET | Method::HEAD => {
                let visit = self.visit(request, None);
                get(visit, &segments).unwrap_or_else(|| pages::not_found(visit))
            }
            Method::POST => match self.perform(request, &segments) {
                Ok(response) => response,
                Err(refusal) => self.refuse(request, &segments, &refusal),
            },
            _ => Response::empty().status(StatusCode::METHOD_NOT_ALLOWED),
        }
    }

    /// Invalid input shows the page of the form again, with what was typed; that page is found by going up from the
    /// address the form was sent to.
    fn refuse(&self, request: &Request, segments: &[&str], refusal: &Refusal) -> Response {
        match refusal {
            Refusal::Missing => pages::not_found(self.visit(request, None)),
            Refusal::Invalid(problem) => {
                let visit = self.visit(request, Some(problem));
                let page = (1..=segments.len()).rev().find_map(|length| get(visit, segments.get(..length)?));
                page.unwrap_or_else(|| pages::not_found(visit)).status(StatusCode::UNPROCESSABLE_ENTITY)
            }
        }
    }
}

/// `None` is a page that does not exist.
fn get(visit: Visit<'_>, segments: &[&str]) -> Option<Response> {
    Some(match segments {
        [] => pages::home::show(visit),
        ["static", name] => return pages::static_file(name),
        ["suggest"] => Response::json(&json!(lookup::suggestions(visit.catalogue, visit.asked("q")))),
        ["search"] => pages::search::show(visit),
        ["at"] => pages::at::show(visit),
        ["town", slug] => pages::town::show(visit, slug)?,
        ["towns"] => pages::town::all(visit),
        ["place", id] => pages::place::show(visit, id)?,
        ["place", id, "review"] => pages::contribute::review(visit, id)?,
        ["place", id, "suggest"] => pages::contribute::suggest(visit, id)?,
        ["route"] => pages::route::show(visit),
        ["lists"] => pages::lists::all(visit),
        ["lists", id] => pages::lists::one(visit, id)?,
        ["contributions"] => pages::contribute::all(visit),
        ["missing"] => pages::contribute::missing(visit),
        ["settings"] => pages::settings::show(visit),
        _ => return None,
    })
}
