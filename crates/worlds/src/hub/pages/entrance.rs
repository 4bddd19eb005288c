//! Signing in and out.

use http::StatusCode;
use maud::{DOCTYPE, html};

use super::layout::{head, problem};
use crate::hub::data::{EMAIL, fingerprint};
use crate::hub::{Hub, View, visitors};
use crate::{Request, Response};

pub(in crate::hub) fn show(view: &View<'_>, error: Option<&str>) -> Response {
    if visitors::is_in(view.state, view.request) {
        return Response::see_other("/");
    }
    Response::html(html! {
        (DOCTYPE)
        html lang="en" data-theme="light" {
            (head("Sign in"))
            body.entrance {
                main {
                    form.card.stack method="post" action="/sign-in" {
                        h1 { "Sign in to Orrery" }
                        (problem(error))
                        label.field { span { "E-mail" } input type="email" name="email" autocomplete="username" required; }
                        label.field { span { "Password" }
                            input type="password" name="password" autocomplete="current-password" required; }
                        div.actions { button.primary type="submit" { "Sign in" } }
                    }
                }
            }
        }
    })
}

pub(in crate::hub) fn sign_in(hub: &mut Hub, request: &Request) -> Response {
    let email = request.form("email").unwrap_or_default().trim();
    let password = request.form("password").unwrap_or_default();
    if !email.eq_ignore_ascii_case(EMAIL) || fingerprint(password) != hub.state.security.password {
        return show(&hub.view(request), Some("E-mail or password is not right."))
            .status(StatusCode::UNAUTHORIZED);
    }
    visitors::enter(hub, Response::see_other("/?done=signed-in"))
}

pub(in crate::hub) fn sign_out(hub: &mut Hub, request: &Request) -> Response {
    visitors::leave(hub, request, Response::see_other("/sign-in"))
}
