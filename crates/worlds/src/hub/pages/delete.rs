//! Deleting the account, behind a typed confirmation.

use http::StatusCode;
use maud::html;

use super::layout::{drop_down, page, problem};
use crate::hub::data::{HANDLE, days_ahead};
use crate::hub::settings::DELETION_REASONS;
use crate::hub::state::Deletion;
use crate::hub::{Hub, View};
use crate::{Request, Response};

const DAYS_OF_GRACE: i32 = 30;

pub(in crate::hub) fn show(view: &View<'_>, error: Option<&str>) -> Response {
    let content = html! {
        p.lead { "Mail, files, photos and everything else in this account will be erased after 30 days." }
        (problem(error))
        form.card.stack method="post" action="/delete" {
            (drop_down("reason", "Why are you leaving?", &DELETION_REASONS, ""))
            label.choice { input type="checkbox" name="understood" value="yes";
                span { "I understand that nothing can be restored" } }
            label.field { span { "Type your user name " code { (HANDLE) } " to confirm" }
                input type="text" name="confirmation" autocomplete="off" aria-label="Type your user name to confirm"; }
            div.actions { button.danger type="submit" { "Delete my account" } a.button href="/data" { "Save a copy first" } }
        }
    };
    page(view, "Delete account", &content)
}

pub(in crate::hub) fn schedule(hub: &mut Hub, request: &Request) -> Response {
    match read(request) {
        Ok(reason) => {
            let scheduled_for = days_ahead(DAYS_OF_GRACE).to_string();
            hub.state.deletion = Some(Deletion { reason: reason.to_owned(), scheduled_for });
            hub.note("privacy", "Deletion of the account scheduled".to_owned());
            Response::see_other("/?done=deletion")
        }
        Err(error) => show(&hub.view(request), Some(error)).status(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

fn read(request: &Request) -> Result<&'static str, &'static str> {
    let asked = request.form("reason").unwrap_or_default();
    let Some((reason, _)) = DELETION_REASONS.iter().find(|(id, _)| !id.is_empty() && *id == asked) else {
        return Err("Choose a reason.");
    };
    if request.form("understood").is_none() {
        return Err("Confirm that you understand what happens.");
    }
    if request.form("confirmation").map(str::trim) != Some(HANDLE) {
        return Err("The user name does not match.");
    }
    Ok(reason)
}

pub(in crate::hub) fn cancel(hub: &mut Hub) -> Response {
    if hub.state.deletion.take().is_some() {
        hub.note("privacy", "Deletion of the account cancelled".to_owned());
    }
    Response::see_other("/?done=deletion-cancelled")
}
