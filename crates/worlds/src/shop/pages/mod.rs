//! What the visitor sees. A page is a function of the visit; nothing here changes the state.

pub mod account;
pub mod addresses;
pub mod cart;
pub mod checkout;
pub mod help;
pub mod home;
pub mod layout;
pub mod listing;
pub mod newsletter;
pub mod orders;
pub mod product;
pub mod wishlist;

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::catalogue::Catalogue;
use super::state::State;
use crate::Request;

/// A request with everything a page is made from.
#[derive(Clone, Copy)]
pub struct Visit<'a> {
    pub request: &'a Request,
    pub catalogue: &'a Catalogue,
    pub state: &'a State,
}

impl Visit<'_> {
    /// Where a form on this page should lead back to. A page shown in answer to a refused form has no address.
    fn here(&self) -> &str {
        if self.request.is_post() { "/" } else { &self.request.target }
    }
}

/// What is wrong with a form, by field name.
pub type Problems = BTreeMap<&'static str, String>;

/// A labelled text field, with its problem below it.
fn text_field(name: &'static str, label: &str, kind: &str, value: &str, problems: &Problems) -> Markup {
    let problem = problems.get(name);
    let note = format!("{name}-problem");
    html! {
        div.field {
            label for=(name) { (label) }
            input id=(name) name=(name) type=(kind) value=(value)
                aria-invalid=[problem.map(|_| "true")] aria-describedby=[problem.map(|_| &note)];
            @if let Some(problem) = problem { p.problem id=(note) { (problem) } }
        }
    }
}

/// A summary on top of a form that was not accepted.
fn problem_summary(problems: &Problems) -> Markup {
    html! {
        @if !problems.is_empty() {
            div.notice.bad role="alert" {
                p { "Please check your entries:" }
                ul { @for problem in problems.values() { li { (problem) } } }
            }
        }
    }
}

/// `★★★★☆` with its meaning for a screen reader; tenths of stars.
fn stars(rating: u32) -> Markup {
    let full = ((rating + 5) / 10).min(5) as usize;
    html! {
        span.stars role="img" aria-label={ "Rated " (rating / 10) "." (rating % 10) " out of 5" } {
            ("★".repeat(full)) ("☆".repeat(5 - full))
        }
    }
}
