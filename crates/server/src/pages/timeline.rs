//! Where the time of an attempt went: a band a step, the share of models within it below.

use maud::{Markup, html};
use umpire_report::html::{Recording, Step};
use umpire_report::{clipped, seconds};

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 28.0;

pub(super) fn timeline(recording: &Recording<'_>, ended_ms: u64) -> Markup {
    let steps = &recording.steps;
    // Where no times were recorded every step is as wide as the next.
    let is_timed = steps.first().map(|step| step.ms) != steps.last().map(|step| step.ms);
    let starts: Vec<u64> =
        if is_timed { steps.iter().map(|step| step.ms).collect() } else { (0..steps.len() as u64).collect() };
    let end = if is_timed { ended_ms } else { steps.len() as u64 };
    let last = starts.last().copied().unwrap_or(0).max(end).max(1);
    let length =
        if is_timed { format!("Timeline of {}", seconds(last as f64 / 1000.0)) } else { "Steps".to_owned() };
    let x = |ms: u64| format!("{:.2}", ms.min(last) as f64 / last as f64 * WIDTH);
    let wide = |ms: u64| format!("{:.2}", (ms.min(last) as f64 / last as f64 * WIDTH).max(1.5));
    html! {
        @if steps.len() > 1 {
            svg.timeline viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="group"
                aria-label=(length) {
                @for (index, step) in steps.iter().enumerate() {
                    @let from = starts[index];
                    @let until = starts.get(index + 1).copied().unwrap_or(last).max(from);
                    @let asked = if is_timed { asked_ms(recording, step.number).min(until - from) } else { 0 };
                    a href={ "#step-" (step.number) } data-step=(step.number) tabindex="-1" {
                        title { (words(step, is_timed.then_some(until - from), asked)) }
                        rect class={ "band" @if index % 2 == 1 { " odd" } @if failed(step) { " failed" } }
                            x=(x(from)) y="0" width=(wide(until - from)) height="20" {}
                        @if asked > 0 { rect.asked x=(x(from)) y="21" width=(wide(asked)) height="7" {} }
                    }
                }
            }
        }
    }
}

pub(super) fn failed(step: &Step<'_>) -> bool {
    step.acts.iter().any(|act| act.error.is_some())
}

fn asked_ms(recording: &Recording<'_>, step: u32) -> u64 {
    recording.calls.iter().filter(|(at, _)| *at == step).map(|(_, call)| call.took_ms).sum()
}

fn words(step: &Step<'_>, took: Option<u64>, asked: u64) -> String {
    let took = took.map(|ms| format!(", {}", seconds(ms as f64 / 1000.0))).unwrap_or_default();
    let what = step.acts.first().map(|act| clipped(&act.what.to_string(), 80)).unwrap_or_default();
    let models =
        if asked > 0 { format!(", {} in models", seconds(asked as f64 / 1000.0)) } else { String::new() };
    format!("Step {}{took}{models}: {what}", step.number)
}
