//! The film strip, the list of steps and the step in view. They work by links alone; a script adds keys and playing.

use maud::{Markup, html};
use umpire_model::{AttemptId, BlobRef, Digest, RunId, Viewport};
use umpire_report::clipped;
use umpire_report::html::{Recording, Step, overlay, told_step};

use super::attempt_path;
use super::timeline::{failed, timeline};

/// Where pictures and texts of an attempt are to be had.
pub(super) struct Sources<'a> {
    pub run: &'a RunId,
    /// None where not even the agent's name may show.
    pub attempt: Option<&'a AttemptId>,
}

impl Sources<'_> {
    fn shot(&self, blob: &BlobRef) -> Option<String> {
        // A digest from a journal is outside data until it has proved to be one.
        Digest::parse(blob.digest.as_str()).map(|digest| format!("/runs/{}/shots/{digest}", self.run))
    }

    pub(super) fn thumb(&self, blob: &BlobRef) -> Option<String> {
        Digest::parse(blob.digest.as_str()).map(|digest| format!("/runs/{}/thumbs/{digest}", self.run))
    }
}

/// Back, play, on and speed, for the script that plays a stage.
pub(super) fn player_controls() -> Markup {
    html! {
        span.player data-player hidden {
            button type="button" data-do="back" aria-keyshortcuts="k" title="Step back (k or ←)" { "◀" }
            button type="button" data-do="play" aria-keyshortcuts="p" title="Play (p)" aria-pressed="false" { "Play" }
            button type="button" data-do="on" aria-keyshortcuts="j" title="Step on (j or →)" { "▶" }
            label { "Speed "
                select data-speed {
                    @for speed in ["0.5", "1", "2", "5", "10"] { option value=(speed) selected[speed == "2"] { (speed) "×" } }
                }
            }
        }
    }
}

/// Everything between the head of an attempt's page and its tables. `extra` is put below each step.
pub(super) fn stage(
    recording: &Recording<'_>,
    sources: &Sources<'_>,
    chosen: Option<u32>,
    ended_ms: u64,
    extra: &dyn Fn(&Step<'_>) -> Markup,
) -> Markup {
    if recording.steps.is_empty() {
        return html! { p.muted { "No step was recorded." } };
    }
    let is_there = |number: &u32| recording.steps.iter().any(|step| step.number == *number);
    let chosen = chosen.filter(is_there).or(recording.steps.first().map(|step| step.number));
    html! {
        (strip(recording, sources, chosen))
        (timeline(recording, ended_ms))
        div.stage data-stage {
            div.stage-bar {
                (player_controls())
                label.toggle { input type="checkbox" id="after"; " Show the page after the step" }
                span.muted.keys data-player hidden { "j/k step · p play · b before/after" }
            }
            ol.step-list {
                @for step in &recording.steps {
                    li {
                        a href={ "#step-" (step.number) } data-step=(step.number)
                            class=[failed(step).then_some("failed")] aria-current=[(Some(step.number) == chosen).then_some("step")] {
                            b { (step.number) } " "
                            @match step.acts.first() {
                                Some(act) => span.said { (clipped(&act.what.to_string(), 60)) },
                                None => span.muted { "no action" },
                            }
                        }
                    }
                }
            }
            div.steps {
                @for (index, step) in recording.steps.iter().enumerate() {
                    @let after = recording.steps.get(index + 1);
                    (one_step(step, after, recording.viewport, sources, Some(step.number) == chosen, extra))
                }
            }
        }
    }
}

fn strip(recording: &Recording<'_>, sources: &Sources<'_>, chosen: Option<u32>) -> Markup {
    html! {
        nav.strip aria-label="Film strip" {
            @for step in &recording.steps {
                @if let Some(thumb) = step.observed.and_then(|seen| sources.thumb(seen.screenshot.as_ref()?)) {
                    a href={ "#step-" (step.number) } data-step=(step.number) class=[failed(step).then_some("failed")]
                        aria-current=[(Some(step.number) == chosen).then_some("step")] {
                        img src=(thumb) alt={ "Step " (step.number) } loading="lazy" width="150" height="120";
                        span.what.said {
                            b { (step.number) } " "
                            @if let Some(act) = step.acts.first() { (clipped(&act.what.to_string(), 60)) }
                        }
                    }
                }
            }
        }
    }
}

fn one_step(
    step: &Step<'_>,
    after: Option<&Step<'_>>,
    viewport: Viewport,
    sources: &Sources<'_>,
    is_chosen: bool,
    extra: &dyn Fn(&Step<'_>) -> Markup,
) -> Markup {
    let outline = step.observed.and_then(|seen| seen.outline.as_ref()).and(sources.attempt);
    html! {
        article.step.chosen[is_chosen] id={ "step-" (step.number) } data-number=(step.number) data-ms=(step.ms) {
            div {
                div.before { (picture(step, viewport, sources, true)) }
                div.after {
                    @match after {
                        Some(next) => (picture(next, viewport, sources, false)),
                        None => p.muted { "Nothing was recorded after this step." },
                    }
                }
            }
            div {
                (told_step(step))
                @if let Some(id) = outline {
                    @let text = format!("{}/outline/{}", attempt_path(sources.run, id), step.number);
                    details data-load=(text) {
                        summary { "Page outline" }
                        pre.said tabindex="0" { a href=(text) { "Open as text" } }
                    }
                }
                (extra(step))
            }
        }
    }
}

fn picture(step: &Step<'_>, viewport: Viewport, sources: &Sources<'_>, with_overlay: bool) -> Markup {
    let Some(shot) = step.observed.and_then(|seen| sources.shot(seen.screenshot.as_ref()?)) else {
        return html! { p.muted { "No picture was taken in this step." } };
    };
    html! {
        a.shot href=(shot) {
            img src=(shot) alt={ "The page at step " (step.number) } loading="lazy" width=(viewport.width) height=(viewport.height);
            @if with_overlay { (overlay(&step.acts, viewport)) }
        }
    }
}
