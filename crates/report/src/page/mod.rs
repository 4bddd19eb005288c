//! The report as one file: opens from the disk, fetches nothing, and its list of attempts stays quick however many there
//! are.
//!
//! Everything but the list is plain markup and reads without a script. The one script is ours, named by its hash in the
//! page's policy; what it shows of pages and agents it sets as text, never as markup.

mod data;
mod pictures;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use umpire_model::{Digest, Outcome};
use umpire_stats::AttemptRow;

use crate::html::{STYLE, manifest_block, not_complete, results, robustness, slices};
use crate::wording::count;
use crate::{ReportError, Summary};
use data::ListData;

const LIST_STYLE: &str = include_str!("list.css");
const LIST_SCRIPT: &str = include_str!("list.js");

/// The page of a counted run; `rows` are those of its attempts, in the same order.
pub fn page(summary: &Summary, rows: &[AttemptRow]) -> Result<String, ReportError> {
    if rows.len() != summary.attempts.len() {
        return Err(ReportError::Rows { rows: rows.len(), attempts: summary.attempts.len() });
    }
    let manifest = &summary.manifest;
    let drawn = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (manifest.run) " · Umpire" }
                style { (PreEscaped(STYLE)) (PreEscaped(LIST_STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to content" }
                header {
                    span.muted { "Umpire report" }
                    h1 { (manifest.run) }
                    p.muted { "Suite " (manifest.suite) ", " (summary.arithmetic()) " planned, begun " (manifest.created) }
                }
                main id="main" {
                    (not_complete(summary))
                    (results(summary))
                    (plots(summary, rows))
                    (robustness(summary))
                    (slices(summary))
                    (list(summary))
                    (manifest_block(manifest))
                }
                footer { "Written by Umpire " (env!("CARGO_PKG_VERSION")) ". Nothing on this page needs a network." }
                script id="attempts-data" type="application/json" { (PreEscaped(ListData::of(summary, rows).embedded())) }
                script { (PreEscaped(LIST_SCRIPT)) }
            }
        }
    };
    Ok(drawn.0)
}

/// Nothing is fetched, and no script runs but the one with this hash.
fn policy() -> String {
    let digest = Digest::of(LIST_SCRIPT.as_bytes());
    let hex = digest.as_str().trim_start_matches("sha256:");
    let bytes: Vec<u8> = (0..hex.len() / 2)
        .filter_map(|index| u8::from_str_radix(hex.get(index * 2..index * 2 + 2)?, 16).ok())
        .collect();
    format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'", STANDARD.encode(bytes))
}

fn plots(summary: &Summary, rows: &[AttemptRow]) -> Markup {
    let plots = pictures::plots(summary, rows);
    html! {
        @if !plots.is_empty() {
            section.plots aria-label="Plots" {
                h2 { "Plots" }
                @for plot in &plots { figure { (PreEscaped(plot)) } }
            }
        }
    }
}

fn list(summary: &Summary) -> Markup {
    let outcomes = Outcome::ALL.map(Outcome::as_str).into_iter().chain(["open"]);
    html! {
        section id="attempts" {
            h2 { "Attempts" }
            noscript {
                p { (count(summary.attempts.len(), "attempt")) ". The list is shown by a script of this page; \
                    " code { "umpire report --format csv" } " writes the same." }
            }
            form.filters id="filters" hidden {
                label { "Find " input type="search" name="text" placeholder="instance or reason" autocomplete="off"; }
                label { "Agent " select name="agent" { option value="" { "all" } } }
                label { "Outcome "
                    select name="outcome" {
                        option value="" { "all" }
                        option value="not-pass" { "not passed" }
                        @for outcome in outcomes { option value=(outcome) { (outcome) } }
                    }
                }
                label { "Site " select name="site" { option value="" { "all" } } }
                label { "Category " select name="category" { option value="" { "all" } } }
                output.muted id="shown" aria-live="polite" {}
            }
            div.window id="window" tabindex="0" role="region" aria-label="Attempts; arrow keys move, Enter shows" hidden {
                table.list aria-describedby="shown" { thead {} tbody {} }
            }
            div.detail id="detail" aria-live="polite" hidden {}
        }
    }
}
