//! The film strip and the steps below it.

use maud::{Markup, html};
use umpire_model::{Rect, Viewport};

use super::TO_ROOT;
use super::images::{Images, Picture};
use super::recording::{Act, Happening, Recording, Step, What};
use crate::wording::{bytes, clipped, seconds};

const TEXT_SHOWN: usize = 4000;
const URL_SHOWN: usize = 300;
/// A page can open dialogs and navigate for ever; the journal has them all.
const HAPPENINGS_SHOWN: usize = 20;

pub(super) fn film_strip(recording: &Recording<'_>, images: &Images) -> Markup {
    html! {
        nav.strip aria-label="Film strip" {
            @for step in &recording.steps {
                @if let Some(picture) = picture_of(step, images).and_then(Result::ok) {
                    @let failed = step.acts.iter().any(|act| act.error.is_some());
                    a href={ "#step-" (step.number) } class=[failed.then_some("failed")] {
                        img src={ (TO_ROOT) (picture.thumb) } alt={ "Step " (step.number) } loading="lazy" width="150" height="120";
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

pub(super) fn step_list(recording: &Recording<'_>, images: &Images) -> Markup {
    html! { @for step in &recording.steps { (one_step(step, recording.viewport, images)) } }
}

fn one_step(step: &Step<'_>, viewport: Viewport, images: &Images) -> Markup {
    html! {
        article.step id={ "step-" (step.number) } {
            div { (screenshot(step, viewport, images)) }
            div {
                (told_step(step))
            }
        }
    }
}

/// What a step saw, thought and did, and what happened meanwhile, in words.
pub fn told_step(step: &Step<'_>) -> Markup {
    html! {
        h3 {
            "Step " (step.number) " "
            span.muted { "at " (seconds(step.ms as f64 / 1000.0)) }
        }
        @if let Some(observed) = step.observed {
            p.where {
                span.said { (clipped(&observed.title, URL_SHOWN)) } br;
                span.muted.said { (clipped(&observed.url, URL_SHOWN)) }
                @if observed.tabs.len() > 1 { span.muted { " · " (observed.tabs.len()) " tabs" } }
            }
        }
        @for thought in &step.thoughts { p.thought.said { (clipped(thought, TEXT_SHOWN)) } }
        @for act in &step.acts { (one_act(act)) }
        @if !step.happenings.is_empty() {
            ul {
                @for happening in step.happenings.iter().take(HAPPENINGS_SHOWN) { li { (happened(happening)) } }
                @if step.happenings.len() > HAPPENINGS_SHOWN {
                    li { "and " (step.happenings.len() - HAPPENINGS_SHOWN) " more" }
                }
            }
        }
    }
}

pub fn one_act(act: &Act<'_>) -> Markup {
    html! {
        div.action {
            code.said { (clipped(&act.what.to_string(), TEXT_SHOWN)) }
            @if let What::Ours { action, took_ms } = act.what {
                span.muted { " " (took_ms) " ms" @if !action.is_counted() { ", not counted" } }
            }
            @if let Some(error) = act.error { div.bad.said { "No effect: " (clipped(error, TEXT_SHOWN)) } }
        }
    }
}

/// The step's picture, if one was taken; an error if it cannot be shown.
fn picture_of(step: &Step<'_>, images: &Images) -> Option<Result<Picture, String>> {
    Some(images.publish(step.observed?.screenshot.as_ref()?))
}

fn screenshot(step: &Step<'_>, viewport: Viewport, images: &Images) -> Markup {
    let Some(picture) = picture_of(step, images) else {
        return html! { p.muted { "No picture was taken in this step." } };
    };
    match picture {
        Err(problem) => html! { p.bad.said { "The screenshot cannot be shown: " (problem) } },
        Ok(picture) => html! {
            a.shot href={ (TO_ROOT) (picture.file) } {
                img src={ (TO_ROOT) (picture.file) } alt={ "The page at step " (step.number) } loading="lazy"
                    width=(viewport.width) height=(viewport.height);
                (overlay(&step.acts, viewport))
            }
        },
    }
}

/// Where the actions landed. The drawing has the viewport's coordinates and is stretched over the picture, so it
/// fits whatever the device's pixel ratio was.
pub fn overlay(acts: &[Act<'_>], viewport: Viewport) -> Markup {
    let places: Vec<(Rect, &What<'_>)> =
        acts.iter().filter_map(|act| act.at.map(|at| (at, &act.what))).collect();
    html! {
        @if !places.is_empty() {
            svg viewBox={ "0 0 " (viewport.width) " " (viewport.height) } preserveAspectRatio="none" aria-hidden="true" {
                @for (at, what) in places {
                    @let (x, y) = at.centre();
                    title { (clipped(&what.to_string(), 200)) }
                    @if at.width > 2.0 && at.height > 2.0 {
                        @for class in ["overlay-halo", "overlay-box"] {
                            rect class=(class) x=(px(at.x)) y=(px(at.y)) width=(px(at.width)) height=(px(at.height)) rx="4" {}
                        }
                    }
                    circle.overlay-dot cx=(px(x)) cy=(px(y)) r="9" {}
                }
            }
        }
    }
}

fn px(value: f64) -> String {
    format!("{value:.1}")
}

pub fn happened(happening: &Happening<'_>) -> Markup {
    let url = |url: &str| html! { span.said { (clipped(url, URL_SHOWN)) } };
    match happening {
        Happening::Navigated { url: to, same_document: false } => html! { "Loaded " (url(to)) },
        Happening::Navigated { url: to, same_document: true } => {
            html! { "Moved within the page to " (url(to)) }
        }
        Happening::TabOpened { url: to } => html! { "Tab opened: " (url(to)) },
        Happening::TabClosed => html! { "Tab closed" },
        Happening::TabCrashed => html! { b.bad { "Tab crashed" } },
        Happening::Dialog(dialog) => html! {
            "Dialog (" (dialog.kind) ", " @if dialog.accepted { "accepted" } @else { "dismissed" } "): "
            span.said { (clipped(&dialog.message, URL_SHOWN)) }
        },
        Happening::Download { name, bytes: size, state } => html! {
            "Download of " span.said { (clipped(name, URL_SHOWN)) } ", " (bytes(*size)) ", " (state)
        },
        Happening::EpisodeBegan(began) => html! {
            "Episode begun with seed " (began.seed) ": " q { (began.utterance) }
        },
        Happening::Rewarded(rewarded) => html! {
            "The page gave a reward of " (rewarded.raw)
            @if let Some(objection) = rewarded.objection() { ", but " b.bad { (objection) } }
        },
        Happening::Guarded(guarded) => html! {
            "Guard: " b { (guarded.kind) } " " (guarded.decision) ": "
            span.said { (clipped(&guarded.request, URL_SHOWN)) }
        },
        Happening::Staged(staged) => html! {
            "Initial state: " (clipped(&staged.what, URL_SHOWN))
            @match &staged.problem {
                Some(problem) => { ", " b.bad { "not reached" } ": " span.said { (clipped(problem, URL_SHOWN)) } }
                None if staged.steps > 0 => { ", " (staged.changed) " of " (staged.steps) " steps changed something" }
                None => {}
            }
            @for healed in &staged.healed { br; span.said { (clipped(healed, URL_SHOWN)) } }
        },
        Happening::HistoryAccessed(access) => html! {
            "Asked the history: " span.said { (clipped(&access.query, URL_SHOWN)) } " · "
            (access.kept().count()) " found"
            @if let Some(text) = access.error.as_ref().or(access.answer.as_ref()) {
                " · " span.said { (clipped(text, URL_SHOWN)) }
            }
        },
        Happening::TurnLost { reason } => html! { "No action: " span.said { (clipped(reason, URL_SHOWN)) } },
        Happening::Gate { decision, request } => html! {
            "Gate " (decision) ": " span.said { (clipped(request, URL_SHOWN)) }
        },
    }
}
