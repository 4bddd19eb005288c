//! Privacy: native checkboxes that need their button, switches that save at once, and toggles made of bare `div`s.

use http::StatusCode;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::layout::page;
use crate::hub::settings::{PRIVACY, PURPOSES, PrivacySetting, Widget, privacy_setting};
use crate::hub::{Hub, View};
use crate::{Request, Response};

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    let content = html! {
        p.lead { "Who can find you, and what is kept about what you do." }
        form.card.stack method="post" action="/privacy/visibility" {
            h2 { "Who can find you" }
            @for setting in with(Widget::Checkbox) {
                label.choice {
                    input type="checkbox" name=(setting.id) value="on" checked[shown_on(view, setting)]
                        aria-label=(setting.label);
                    span { (setting.label) small { (setting.detail) } }
                }
            }
            div.actions { button.primary type="submit" { "Save visibility" } }
        }
        section.card {
            h2 { "What is kept" }
            p.quiet { "Changes are saved at once." }
            @for setting in with(Widget::Switch) { (switch_row(setting, shown_on(view, setting))) }
        }
        section.card {
            h2 { "Messages" }
            p.quiet { "Changes are saved at once." }
            @for setting in with(Widget::Flip) { (flip_row(setting, shown_on(view, setting))) }
        }
        (cookie_section(view))
        script src="/assets/settings.js" defer {}
    };
    page(view, "Privacy", &content)
}

fn switch_row(setting: &PrivacySetting, on: bool) -> Markup {
    html! {
        div.setting {
            div { b { (setting.label) } small { (setting.detail) } }
            button.switch type="button" role="switch" aria-checked=(on) aria-label=(setting.label)
                data-setting=(setting.id) {}
        }
    }
}

/// No role and no state for assistive technology: only a name, a tab stop and a class.
fn flip_row(setting: &PrivacySetting, on: bool) -> Markup {
    html! {
        div.setting {
            div { small { (setting.detail) } }
            div.flip.on[on] tabindex="0" aria-label=(setting.label) data-setting=(setting.id) { span.flip-label { (setting.label) } i.flip-track {} }
        }
    }
}

fn cookie_section(view: &View<'_>) -> Markup {
    let consent = &view.state.consent;
    html! {
        section.card {
            h2 { "Cookie choices" }
            @if consent.answered {
                ul.ticks {
                    @for (id, label, _) in PURPOSES {
                        @let allowed = consent.purposes.get(id).copied().unwrap_or(false);
                        li { (label) ": " b { @if allowed { "allowed" } @else { "refused" } } }
                    }
                }
                @if let Some(receipt) = &consent.receipt { p { "Receipt " b { (receipt) } } }
                form method="post" action="/privacy/cookies" { button type="submit" { "Change cookie choices" } }
            } @else {
                p { "You have not chosen yet. Please use the banner." }
            }
        }
    }
}

fn with(widget: Widget) -> impl Iterator<Item = &'static PrivacySetting> {
    PRIVACY.iter().filter(move |setting| setting.widget == widget)
}

/// Whether the control is drawn as on, which for an inverted wording is the opposite of the stored value.
fn shown_on(view: &View<'_>, setting: &PrivacySetting) -> bool {
    view.state.privacy.get(setting.id).copied().unwrap_or(false) != setting.inverted
}

pub(in crate::hub) fn save_visibility(hub: &mut Hub, request: &Request) -> Response {
    for setting in with(Widget::Checkbox) {
        hub.state.privacy.insert(setting.id.to_owned(), request.form(setting.id).is_some());
    }
    Response::see_other("/privacy?done=visibility")
}

/// `{"setting": id, "on": bool}`, where `on` is how the control is drawn.
pub(in crate::hub) fn save_one(hub: &mut Hub, request: &Request) -> Response {
    let wanted = request.json.as_ref().and_then(|json| {
        let setting = privacy_setting(json.get("setting")?.as_str()?)?;
        Some((setting, json.get("on").and_then(Value::as_bool)?))
    });
    match wanted {
        Some((setting, on)) if setting.widget != Widget::Checkbox => {
            hub.state.privacy.insert(setting.id.to_owned(), on != setting.inverted);
            Response::json(&json!({"setting": setting.id, "on": on}))
        }
        _ => Response::json(&json!({"error": "no such setting"})).status(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

pub(in crate::hub) fn ask_for_consent_again(hub: &mut Hub) -> Response {
    hub.state.consent.answered = false;
    Response::see_other("/privacy?done=cookies")
}
