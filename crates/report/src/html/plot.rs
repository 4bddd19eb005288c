//! Inline drawings of the index: a row of a forest plot, and a bar of outcomes.

use maud::{Markup, html};
use umpire_model::Outcome;
use umpire_stats::{Rate, Tally};

use super::frame::outcome_word;
use crate::wording::{infra_bounds, interval, percent};

const WIDTH: f64 = 280.0;
const MARGIN: f64 = 12.0;

fn x(share: f64) -> String {
    format!("{:.1}", MARGIN + share.clamp(0.0, 1.0) * (WIDTH - 2.0 * MARGIN))
}

/// The scale above the rows.
pub fn axis() -> Markup {
    html! {
        svg width=(WIDTH) height="16" viewBox="0 0 280 16" aria-hidden="true" {
            @for quarter in 0..=4_u8 {
                @let share = f64::from(quarter) / 4.0;
                text x=(x(share)) y="12" text-anchor="middle" font-size="11" fill="var(--muted)" {
                    (quarter * 25)
                }
            }
        }
    }
}

/// The rate as a dot, its interval as a line, its infra bounds as a band behind.
pub fn forest_row(rate: &Rate) -> Markup {
    let label = format!(
        "{} percent, 95 percent interval {}, infra bounds {}",
        percent(rate.value()),
        interval(rate),
        infra_bounds(rate)
    );
    html! {
        svg width=(WIDTH) height="30" viewBox="0 0 280 30" role="img" aria-label=(label) {
            title { (label) }
            @for quarter in 0..=4_u8 {
                @let at = x(f64::from(quarter) / 4.0);
                line x1=(at) x2=(at) y1="0" y2="30" stroke="var(--line)" stroke-width="1" {}
            }
            @if rate.infra_high > rate.infra_low {
                @let width = (rate.infra_high - rate.infra_low) * (WIDTH - 2.0 * MARGIN);
                rect x=(x(rate.infra_low)) y="9" width=(format!("{width:.1}")) height="12" rx="2"
                    fill="var(--infra)" opacity="0.45" {}
            }
            line x1=(x(rate.interval.low)) x2=(x(rate.interval.high)) y1="15" y2="15"
                stroke="var(--ink)" stroke-width="1.5" {}
            @for end in [rate.interval.low, rate.interval.high] {
                line x1=(x(end)) x2=(x(end)) y1="11" y2="19" stroke="var(--ink)" stroke-width="1.5" {}
            }
            @if let Some(value) = rate.value() {
                circle cx=(x(value)) cy="15" r="5" fill="var(--accent)" stroke="var(--bg)" stroke-width="1.5" {}
            }
        }
    }
}

/// Shares of the outcomes as one bar, with the counts in words below it.
pub fn outcome_bar(tally: &Tally) -> Markup {
    let parts: Vec<(Option<Outcome>, usize)> = Outcome::ALL
        .into_iter()
        .map(|outcome| (Some(outcome), tally.count(outcome)))
        .chain([(None, tally.open)])
        .filter(|(_, count)| *count > 0)
        .collect();
    let words: Vec<String> =
        parts.iter().map(|(outcome, count)| format!("{count} {}", outcome_word(*outcome))).collect();
    html! {
        (bar(&parts))
        span.counts { (words.join(" · ")) }
    }
}

/// Widths are attributes of a drawing, not styles: pages that allow no inline style show it all the same.
fn bar(parts: &[(Option<Outcome>, usize)]) -> Markup {
    let total: usize = parts.iter().map(|(_, count)| count).sum();
    let mut from = 0;
    let places: Vec<(Option<Outcome>, usize, usize)> = parts
        .iter()
        .map(|&(outcome, count)| {
            from += count;
            (outcome, from - count, count)
        })
        .collect();
    html! {
        svg.bar viewBox={ "0 0 " (total.max(1)) " 1" } preserveAspectRatio="none" aria-hidden="true" {
            @for (outcome, from, count) in places {
                rect class={ "o-" (outcome_word(outcome)) } x=(from) y="0" width=(count) height="1" {}
            }
        }
    }
}
