//! Success with and without each perturbation, paired by instance.

use maud::{Markup, html};

use crate::wording::{lapses, p_value, percent, points, points_interval};
use crate::{Robustness, Summary};

pub fn robustness(summary: &Summary) -> Markup {
    html! {
        @if !summary.robustness.is_empty() {
            section {
                h2 { "Robustness" }
                div.scroll tabindex="0" role="region" aria-label="Success with and without each perturbation" {
                    table.robustness {
                        thead {
                            tr {
                                th { "agent" } th { "perturbation" }
                                th.number title="The same instance and trial, without and with" { "pairs" }
                                th.number { "without %" } th.number { "with %" }
                                th.number title="Percentage points" { "difference" }
                                th.number title="Newcombe's paired score interval" { "95 %" }
                                th {}
                                th.number title="Passed without, not with" { "lost" }
                                th.number title="Passed with, not without" { "gained" }
                                th.number title="McNemar's exact test, two-sided" { "p" }
                                th.number title="Pairs left out because the harness lost an attempt" { "infra" }
                                th.number title="Pairs that are not complete yet" { "open" }
                                th { "talked into" }
                            }
                        }
                        tbody { @for (index, row) in summary.robustness.iter().enumerate() {
                            (table_row(row, index == 0 || summary.robustness[index - 1].agent != row.agent))
                        } }
                    }
                }
                p.muted {
                    "Each perturbed attempt is paired with the plain attempt of the same agent at the same instance. \
                    Pairs in which the harness lost an attempt are left out and counted under infra. Nothing here is \
                    part of the results above."
                }
            }
        }
    }
}

fn table_row(row: &Robustness, is_first_of_agent: bool) -> Markup {
    html! {
        tr.first[is_first_of_agent] {
            th scope="row" { @if is_first_of_agent { (row.agent) } }
            td { (row.perturbation) }
            td.number { (row.pairs.pairs()) }
            td.number { (percent(row.pairs.without())) }
            td.number { (percent(row.pairs.with())) }
            td.number { b { (points(row.difference)) } }
            td.number { (points_interval(&row.interval)) }
            td { (whisker(row)) }
            td.number { (row.pairs.lost) }
            td.number { (row.pairs.gained) }
            td.number { (p_value(row)) }
            td.number { (row.infra) }
            td.number { (row.open) }
            td { (lapses(row)) }
        }
    }
}

/// The difference and its interval on a scale from -100 to 100 points.
fn whisker(row: &Robustness) -> Markup {
    const WIDTH: f64 = 150.0;
    let x = |share: f64| format!("{:.1}", f64::midpoint(share, 1.0) * WIDTH);
    html! {
        svg.whisker width=(WIDTH) height="16" viewBox={ "0 0 " (WIDTH) " 16" } aria-hidden="true" {
            line.zero x1=(x(0.0)) x2=(x(0.0)) y1="0" y2="16" {}
            @if let Some(difference) = row.difference {
                line.span x1=(x(row.interval.low)) x2=(x(row.interval.high)) y1="8" y2="8" {}
                circle.dot cx=(x(difference)) cy="8" r="3.5" {}
            }
        }
    }
}
