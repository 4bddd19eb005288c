//! The part of a run's page that changes while the run goes on; the page has it from the start, and gets it anew.

use maud::{Markup, html};
use umpire_report::{clipped, count};

use super::attempt_path;
use crate::index::IndexedRun;
use crate::live::Running;

pub(crate) fn live_part(indexed: &IndexedRun, is_live: bool, running: &[Running]) -> Markup {
    let summary = &indexed.summary;
    let planned = summary.attempts.len();
    let done = planned - summary.open();
    let run = &summary.manifest.run;
    html! {
        div.progress-line {
            progress max=(planned) value=(done) aria-label="Attempts with an outcome" {}
            span { b { (done) } " of " (count(planned, "attempt")) " have an outcome" }
            @if is_live { span.live { "running" } } @else if done < planned { span.muted { "nobody is running it" } }
        }
        @if !running.is_empty() {
            ul.running aria-label="Attempts under way" {
                @for one in running {
                    li {
                        a href=(attempt_path(run, &one.id)) {
                            @match one.look.as_ref().and_then(|look| look.screenshot.as_ref()) {
                                Some(shot) => img src={ "/runs/" (run) "/thumbs/" (shot.digest) } alt="" width="150" height="120";,
                                None => span.no-shot { "no picture yet" },
                            }
                            span.what { b { (one.id.agent) } " " (one.id.instance) }
                        }
                        @if let Some(look) = &one.look { span.muted { "step " (look.step) " · " } }
                        span.muted.said { (one.action.as_deref().map(|action| clipped(action, 80)).unwrap_or_default()) }
                    }
                }
            }
        }
    }
}
