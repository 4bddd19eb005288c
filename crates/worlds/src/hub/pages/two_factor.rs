//! The wizard for two-step verification. Its steps travel in hidden fields; only the last one changes the state.

use http::StatusCode;
use maud::{Markup, html};

use super::layout::{page, problem, radios};
use crate::hub::data::secret_characters;
use crate::hub::state::TwoFactor;
use crate::hub::{Hub, View};
use crate::{Request, Response};

const PATH: &str = "/security/two-factor";
const METHODS: [(&str, &str); 2] =
    [("app", "Authenticator app"), ("text", "Text message to my recovery phone")];

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    match view.state.security.two_factor {
        TwoFactor::Off => choose_method(view, None),
        method => manage(view, method),
    }
}

fn manage(view: &View<'_>, method: TwoFactor) -> Response {
    let content = html! {
        section.card {
            p { "Two-step verification is on. Codes come "
                @if method == TwoFactor::App { "from your authenticator app." } @else { "by text message." } }
            form method="post" action="/security/two-factor/off"
                data-confirm="Turn off two-step verification? Your account will be protected by your password alone." {
                button.danger type="submit" { "Turn off two-step verification" }
            }
        }
    };
    page(view, "Two-step verification", &content)
}

fn choose_method(view: &View<'_>, error: Option<&str>) -> Response {
    let body = html! {
        (problem(error))
        input type="hidden" name="step" value="method";
        (radios("method", "How do you want to get your codes?", &METHODS, ""))
        div.actions { button.primary type="submit" { "Continue" } a.button href="/security" { "Cancel" } }
    };
    wizard(view, 1, &body)
}

fn enter_code(view: &View<'_>, method: &str, error: Option<&str>) -> Response {
    let key = secret_characters(&mut view.account.random("authenticator"), 16).to_uppercase();
    let body = html! {
        (problem(error))
        input type="hidden" name="step" value="code";
        input type="hidden" name="method" value=(method);
        @if method == "app" {
            p { "Add this key to your authenticator app:" }
            p.secret { (key) }
        } @else {
            p { "We have sent a text message to your recovery phone." }
        }
        label.field { span { "6-digit code" }
            input type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="7"; }
        div.actions { button.primary type="submit" { "Verify code" } a.button href=(PATH) { "Start again" } }
    };
    wizard(view, 2, &body)
}

fn backup_codes(view: &View<'_>, method: &str, code: &str, error: Option<&str>) -> Response {
    let mut random = view.account.random("backup-codes");
    let codes: Vec<String> = (0..8)
        .map(|_| format!("{} {}", secret_characters(&mut random, 4), secret_characters(&mut random, 4)))
        .collect();
    let body = html! {
        (problem(error))
        input type="hidden" name="step" value="finish";
        input type="hidden" name="method" value=(method);
        input type="hidden" name="code" value=(code);
        p { "Keep these codes somewhere safe. Each works once, when you cannot get a code." }
        ul.codes { @for code in &codes { li { code { (code) } } } }
        label.choice { input type="checkbox" name="saved" value="yes"; span { "I have saved my backup codes" } }
        div.actions { button.primary type="submit" { "Turn on two-step verification" } }
    };
    wizard(view, 3, &body)
}

fn wizard(view: &View<'_>, step: u32, body: &Markup) -> Response {
    let content = html! {
        ol.steps aria-label="Progress" {
            @for (number, name) in [(1, "Method"), (2, "Code"), (3, "Backup codes")] {
                li aria-current=[(number == step).then_some("step")] { (name) }
            }
        }
        form.card.stack method="post" action=(PATH) { (body) }
    };
    page(view, "Two-step verification", &content)
}

pub(in crate::hub) fn step(hub: &mut Hub, request: &Request) -> Response {
    let refused = StatusCode::UNPROCESSABLE_ENTITY;
    let view = &hub.view(request);
    if hub.state.security.two_factor != TwoFactor::Off {
        return show(view).status(StatusCode::CONFLICT);
    }
    let code: String =
        request.form("code").unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    let (method, name, right_code) = match request.form("method") {
        Some("app") => (TwoFactor::App, "app", &view.account.app_code),
        Some("text") => (TwoFactor::Text, "text", &view.account.text_code),
        _ => return choose_method(view, Some("Choose how you want to get your codes.")).status(refused),
    };
    if request.form("step") == Some("method") {
        return enter_code(view, name, None);
    }
    if code != *right_code {
        return enter_code(view, name, Some("That code is not right. Codes change often; try the newest."))
            .status(refused);
    }
    if request.form("step") != Some("finish") {
        return backup_codes(view, name, &code, None);
    }
    if request.form("saved").is_none() {
        return backup_codes(view, name, &code, Some("Save your backup codes and confirm it."))
            .status(refused);
    }
    hub.state.security.two_factor = method;
    hub.note("recovery", "Two-step verification turned on".to_owned());
    Response::see_other("/security?done=two-factor-on")
}

pub(in crate::hub) fn turn_off(hub: &mut Hub, request: &Request) -> Response {
    if hub.state.security.two_factor == TwoFactor::Off {
        return show(&hub.view(request)).status(StatusCode::CONFLICT);
    }
    hub.state.security.two_factor = TwoFactor::Off;
    hub.note("recovery", "Two-step verification turned off".to_owned());
    Response::see_other("/security?done=two-factor-off")
}
