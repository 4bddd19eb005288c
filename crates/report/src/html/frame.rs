//! What all pages share: the head, and the small pieces an outcome is shown with.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use umpire_model::Outcome;

pub const STYLE: &str = include_str!("style.css");

/// Nothing runs and nothing is fetched but images beside the page, whatever hostile text it shows.
const POLICY: &str = "default-src 'none'; img-src 'self' file: http: https:; style-src 'unsafe-inline'";

pub(super) fn page(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to content" }
                (body)
            }
        }
    }
}

pub fn outcome_word(outcome: Option<Outcome>) -> &'static str {
    outcome.map_or("open", Outcome::as_str)
}

pub fn badge(outcome: Option<Outcome>) -> Markup {
    let word = outcome_word(outcome);
    html! { span class={ "badge b-" (word) } { (word) } }
}

/// One letter in a coloured square, for tables of many attempts.
pub fn letter(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "·",
        Some(Outcome::Pass) => "P",
        Some(Outcome::Fail) => "F",
        Some(Outcome::Timeout) => "T",
        Some(Outcome::Budget) => "B",
        Some(Outcome::Blocked) => "X",
        Some(Outcome::Invalid) => "?",
        Some(Outcome::Infra) => "I",
    }
}
