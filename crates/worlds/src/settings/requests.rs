//! What the law lets people ask for: a copy of their data, and its deletion.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::account::{days_ahead, nice_date};
use super::description::{DELETION_REASONS, EXPORT_FORMATS, Holds};
use super::state::{Deletion, Export, ExportStatus, has_id, label_of};
use super::{SettingsSite, View, draw};
use crate::{Clock, Request, Response};

/// Days between asking for deletion and the deletion.
const GRACE_DAYS: i32 = 30;

pub(super) fn export(view: &View<'_>) -> Markup {
    let parts_of = |export: &Export| {
        let parts = export.parts.iter().map(|part| label_of(view.description.export_parts, part));
        parts.collect::<Vec<_>>().join(", ")
    };
    html! {
        form method="post" action="/settings/export" {
            fieldset {
                legend { "What to include" }
                @for (id, label) in view.description.export_parts {
                    label.choice { input type="checkbox" name="part" value=(id); span { (label) } }
                }
            }
            label.field { span { "File format" }
                select name="format" { @for (id, label) in EXPORT_FORMATS { option value=(id) { (label) } } }
            }
            div.actions {
                button.primary type="submit" disabled[view.state.has_pending_export()] { "Request a copy" }
            }
        }
        @if !view.state.exports.is_empty() {
            h3 { "Earlier requests" }
            ul.rows {
                @for (id, export) in &view.state.exports {
                    li {
                        div.words {
                            b { (parts_of(export)) }
                            small { (label_of(&EXPORT_FORMATS, &export.format)) " · asked for on " (nice_date(&export.requested)) }
                        }
                        @match export.status {
                            ExportStatus::Pending => {
                                form method="post" action=(format!("/settings/export/{id}/cancel")) {
                                    button.small type="submit" { "Cancel the request" }
                                }
                            }
                            ExportStatus::Cancelled => { span.badge { "Cancelled" } }
                            ExportStatus::Expired => { span.badge { "Expired" } }
                        }
                    }
                }
            }
        }
    }
}

fn export_home(site: &SettingsSite) -> String {
    site.brand.description().home_of(|holds| matches!(holds, Holds::Export))
}

pub(super) fn order_export(site: &mut SettingsSite, request: &Request) -> Response {
    let home = export_home(site);
    let sent: BTreeSet<&str> =
        request.form.iter().filter(|(name, _)| name == "part").map(|(_, value)| value.as_str()).collect();
    let known = site.brand.description().export_parts.iter().filter(|(id, _)| sent.contains(id));
    let parts: BTreeSet<String> = known.map(|(id, _)| (*id).to_owned()).collect();
    let format = request.form("format").unwrap_or_default();
    if parts.is_empty() {
        return Response::see_other(&format!("{home}?problem=export-empty"));
    }
    if site.state.has_pending_export() || !has_id(&EXPORT_FORMATS, format) {
        return Response::see_other(&format!("{home}?problem=export-pending"));
    }
    let export = Export {
        parts,
        format: format.to_owned(),
        status: ExportStatus::Pending,
        requested: Clock::TODAY.to_owned(),
    };
    let id = site.state.next_id("export");
    site.state.exports.insert(id, export);
    Response::see_other(&format!("{home}?done=export"))
}

pub(super) fn cancel_export(site: &mut SettingsSite, request: &Request, id: &str) -> Response {
    match site.state.exports.get_mut(id).filter(|export| export.status == ExportStatus::Pending) {
        Some(export) => {
            export.status = ExportStatus::Cancelled;
            Response::see_other(&format!("{}?done=export-cancelled", export_home(site)))
        }
        None => draw::not_found(&site.view(request)),
    }
}

pub(super) fn deletion(view: &View<'_>) -> Markup {
    let handle = view.description.owner.handle;
    html! {
        @match &view.state.deletion {
            Some(deletion) => {
                p { "The account will be deleted on " b { (nice_date(&deletion.scheduled_for)) } "." }
                form method="post" action="/settings/deletion/cancel" {
                    button.primary type="submit" { "Keep my account" }
                }
            }
            None => {
                p { "Everything goes after " (GRACE_DAYS) " days: what you wrote, what you bought, whom you know." }
                button.danger type="button" data-opens="delete-account" { "Delete my account" }
                dialog id="delete-account" aria-label="Delete your account?" {
                    h2 { "Delete your account?" }
                    form method="post" action="/settings/deletion" {
                        label.field { span { "Why are you leaving?" }
                            select name="reason" {
                                @for (id, label) in DELETION_REASONS { option value=(id) { (label) } }
                            }
                        }
                        label.field { span { "Type " (handle) " to confirm" } input type="text" name="handle" autocomplete="off"; }
                        div.actions {
                            button type="button" data-closes { "Keep it" }
                            button.danger type="submit" { "Delete for good" }
                        }
                    }
                }
            }
        }
    }
}

fn deletion_home(site: &SettingsSite) -> String {
    site.brand.description().home_of(|holds| matches!(holds, Holds::Deletion))
}

pub(super) fn schedule_deletion(site: &mut SettingsSite, request: &Request) -> Response {
    let home = deletion_home(site);
    let reason = request.form("reason").unwrap_or_default();
    if request.form("handle").map(str::trim) != Some(site.brand.description().owner.handle) {
        return Response::see_other(&format!("{home}?problem=handle"));
    }
    if reason.is_empty() || !has_id(&DELETION_REASONS, reason) {
        return Response::see_other(&format!("{home}?problem=reason"));
    }
    site.state.deletion =
        Some(Deletion { reason: reason.to_owned(), scheduled_for: days_ahead(GRACE_DAYS).to_string() });
    Response::see_other(&format!("{home}?done=deletion"))
}

pub(super) fn keep_account(site: &mut SettingsSite) -> Response {
    site.state.deletion = None;
    Response::see_other(&format!("{}?done=kept", deletion_home(site)))
}
