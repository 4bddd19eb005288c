//! One control, in each of the ways the web draws it.

use maud::{Markup, html};
use serde_json::Value;

use crate::settings::View;
use crate::settings::description::{ChoiceLook, Control, Kind, Look, Named, Saved};
use crate::settings::state::label_of;

/// How a control tells the script that it saves itself: its id, and what to ask before.
struct Saving {
    id: Option<&'static str>,
    question: Option<&'static str>,
    /// The form field it is, if a button saves it.
    name: Option<&'static str>,
}

pub(super) fn control(view: &View<'_>, control: &Control, saved: Saved) -> Markup {
    let saving = match saved {
        Saved::AtOnce => Saving { id: Some(control.id), question: control.confirm, name: None },
        Saved::Button(_) => Saving { id: None, question: None, name: Some(control.id) },
    };
    let value = view.state.settings.get(control.id).unwrap_or(&Value::Null);
    let chosen = value.as_str().unwrap_or_default();
    match control.kind {
        Kind::Toggle { look, inverted, .. } => {
            toggle(control, look, value.as_bool().unwrap_or(false) != inverted, &saving)
        }
        Kind::Choice { look: ChoiceLook::Radio, options, .. } => radios(control, options, chosen, &saving),
        Kind::Choice { look: ChoiceLook::Select, options, .. } => select(control, options, chosen, &saving),
        Kind::Choice { look: ChoiceLook::Listbox, options, .. } => listbox(control, options, chosen, &saving),
        Kind::Text { longest, .. } => text(control, longest, chosen),
    }
}

fn words(control: &Control) -> Markup {
    html! { div.words { b { (control.label) } small { (control.detail) } } }
}

fn toggle(control: &Control, look: Look, on: bool, saving: &Saving) -> Markup {
    let locked = control.locked;
    html! {
        @match look {
            Look::Checkbox => label.setting.tick {
                input type="checkbox" name=[saving.name] value="on" aria-label=(control.label) checked[on] disabled[locked]
                    data-save=[saving.id] data-question=[saving.question];
                (words(control))
            },
            Look::SwitchBox => label.setting {
                (words(control))
                input.switch-box type="checkbox" role="switch" name=[saving.name] value="on" aria-label=(control.label)
                    checked[on] disabled[locked] data-save=[saving.id] data-question=[saving.question];
            },
            Look::Switch => div.setting {
                (words(control))
                button.switch type="button" role="switch" aria-checked=(on) aria-label=(control.label) disabled[locked]
                    data-save=[saving.id] data-question=[saving.question] {}
                (field(saving, on))
            },
            Look::Pressed => div.setting {
                (words(control))
                button.press type="button" aria-pressed=(on) aria-label=(control.label) disabled[locked]
                    data-save=[saving.id] data-question=[saving.question] { span.when-on { "On" } span.when-off { "Off" } }
                (field(saving, on))
            },
            // No role and no state for assistive technology: only a name, a tab stop and a class.
            Look::Flip => div.setting {
                (words(control))
                div.flip.on[on] tabindex="0" aria-label=(control.label) data-save=[saving.id] data-question=[saving.question] { i {} }
                (field(saving, on))
            },
        }
    }
}

/// What a toggle that is no form field itself sends with its form; the script switches it along.
fn field(saving: &Saving, on: bool) -> Markup {
    html! {
        @if let Some(name) = saving.name { input type="hidden" name=(name) value="on" disabled[!on]; }
    }
}

fn radios(control: &Control, options: &[Named], chosen: &str, saving: &Saving) -> Markup {
    html! {
        fieldset.setting {
            legend { (control.label) }
            @if !control.detail.is_empty() { small { (control.detail) } }
            @for (id, label) in options {
                label.choice {
                    input type="radio" name=(control.id) value=(id) checked[*id == chosen]
                        data-save=[saving.id] data-question=[saving.question];
                    span { (label) }
                }
            }
        }
    }
}

fn select(control: &Control, options: &[Named], chosen: &str, saving: &Saving) -> Markup {
    html! {
        div.setting {
            (words(control))
            select name=[saving.name] aria-label=(control.label) data-save=[saving.id] data-question=[saving.question] {
                @for (id, label) in options { option value=(id) selected[*id == chosen] { (label) } }
            }
        }
    }
}

fn listbox(control: &Control, options: &[Named], chosen: &str, saving: &Saving) -> Markup {
    let list = format!("list-{}", control.id);
    let label = label_of(options, chosen);
    html! {
        div.setting {
            (words(control))
            div.listbox data-save=[saving.id] data-question=[saving.question] data-label=(control.label) {
                button.listbox-button type="button" aria-haspopup="listbox" aria-expanded="false" aria-controls=(list)
                    aria-label=(format!("{}: {label}", control.label)) { (label) }
                ul id=(list) role="listbox" aria-label=(control.label) hidden {
                    @for (id, label) in options {
                        li role="option" tabindex="-1" data-value=(id) aria-selected=(*id == chosen) { (label) }
                    }
                }
                @if let Some(name) = saving.name { input type="hidden" name=(name) value=(chosen); }
            }
        }
    }
}

/// Text has no script of its own: it is always saved with a button.
fn text(control: &Control, longest: usize, value: &str) -> Markup {
    html! {
        label.setting.field {
            span { (control.label) }
            @if longest > 80 {
                textarea name=(control.id) rows="3" aria-label=(control.label) { (value) }
            } @else {
                input type="text" name=(control.id) value=(value) aria-label=(control.label) autocomplete="off";
            }
            @if !control.detail.is_empty() { small { (control.detail) } }
        }
    }
}
