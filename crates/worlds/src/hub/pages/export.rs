//! Data and export: asking for a copy in three steps, which then stays pending.

use std::collections::BTreeSet;

use http::StatusCode;
use maud::{Markup, html};

use super::layout::{nice_date, not_found, page, problem, radios};
use crate::hub::settings::{EXPORT_DELIVERIES, EXPORT_FORMATS, EXPORT_PARTS, label_of};
use crate::hub::state::{Export, ExportStatus};
use crate::hub::{Hub, View};
use crate::{Clock, Request, Response};

const PATH: &str = "/data/request";

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    list(view, None)
}

fn list(view: &View<'_>, error: Option<&str>) -> Response {
    let content = html! {
        p.lead { "Take your data with you. A copy takes up to two days to prepare." }
        (problem(error))
        section.card {
            h2 { "Copies" }
            ul.rows {
                @for (id, export) in view.state.exports.iter().rev() {
                    li {
                        div {
                            b { (part_names(&export.parts)) } br;
                            span.quiet { (label_of(&EXPORT_FORMATS, &export.format)) " · "
                                (label_of(&EXPORT_DELIVERIES, &export.delivery)) " · requested "
                                (nice_date(&export.requested)) }
                        }
                        span.badge { (status_name(export.status)) }
                        @if export.status == ExportStatus::Pending {
                            form method="post" action=(format!("/data/{id}/cancel")) {
                                button.plain type="submit" { "Cancel export" }
                            }
                        }
                    }
                }
            }
            @if view.state.has_pending_export() {
                p.quiet { "One copy at a time: this one is being prepared." }
            } @else {
                p { a.button.primary href=(PATH) { "Request a copy" } }
            }
        }
    };
    page(view, "Data & export", &content)
}

pub(in crate::hub) fn first_step(view: &View<'_>) -> Response {
    if view.state.has_pending_export() {
        return list(view, Some("A copy is being prepared already.")).status(StatusCode::CONFLICT);
    }
    choose_parts(view, None)
}

fn choose_parts(view: &View<'_>, error: Option<&str>) -> Response {
    let body = html! {
        (problem(error))
        input type="hidden" name="step" value="parts";
        fieldset.choices {
            legend { "What should the copy contain?" }
            @for (id, label) in EXPORT_PARTS {
                label.choice { input type="checkbox" name="part" value=(id); span { (label) } }
            }
        }
        div.actions { button.primary type="submit" { "Continue" } a.button href="/data" { "Cancel" } }
    };
    wizard(view, 1, &body)
}

fn choose_format(view: &View<'_>, parts: &BTreeSet<String>, error: Option<&str>) -> Response {
    let body = html! {
        (problem(error))
        input type="hidden" name="step" value="format";
        (hidden_parts(parts))
        (radios("format", "Format", &EXPORT_FORMATS, ""))
        (radios("delivery", "How should we hand it over?", &EXPORT_DELIVERIES, "link"))
        div.actions { button.primary type="submit" { "Continue" } a.button href=(PATH) { "Back" } }
    };
    wizard(view, 2, &body)
}

fn review(view: &View<'_>, export: &Export) -> Response {
    let body = html! {
        input type="hidden" name="step" value="confirm";
        (hidden_parts(&export.parts))
        input type="hidden" name="format" value=(export.format);
        input type="hidden" name="delivery" value=(export.delivery);
        dl.facts {
            dt { "Contains" } dd { (part_names(&export.parts)) }
            dt { "Format" } dd { (label_of(&EXPORT_FORMATS, &export.format)) }
            dt { "Delivery" } dd { (label_of(&EXPORT_DELIVERIES, &export.delivery)) }
        }
        div.actions { button.primary type="submit" { "Request export" } a.button href=(PATH) { "Start again" } }
    };
    wizard(view, 3, &body)
}

fn wizard(view: &View<'_>, step: u32, body: &Markup) -> Response {
    let content = html! {
        ol.steps aria-label="Progress" {
            @for (number, name) in [(1, "Content"), (2, "Format"), (3, "Review")] {
                li aria-current=[(number == step).then_some("step")] { (name) }
            }
        }
        form.card.stack method="post" action=(PATH) { (body) }
    };
    page(view, "Request a copy", &content)
}

fn hidden_parts(parts: &BTreeSet<String>) -> Markup {
    html! { @for part in parts { input type="hidden" name="part" value=(part); } }
}

pub(in crate::hub) fn step(hub: &mut Hub, request: &Request) -> Response {
    let view = &hub.view(request);
    let refused = StatusCode::UNPROCESSABLE_ENTITY;
    if view.state.has_pending_export() {
        return first_step(view);
    }
    let parts: BTreeSet<String> = request
        .form
        .iter()
        .filter(|(name, value)| name == "part" && EXPORT_PARTS.iter().any(|(id, _)| id == value))
        .map(|(_, value)| value.clone())
        .collect();
    if parts.is_empty() {
        return choose_parts(view, Some("Choose at least one thing.")).status(refused);
    }
    if request.form("step") == Some("parts") {
        return choose_format(view, &parts, None);
    }
    let offered = |table: &[(&str, &str)], field: &str| {
        request.form(field).filter(|value| table.iter().any(|(id, _)| id == value)).map(str::to_owned)
    };
    let (Some(format), Some(delivery)) =
        (offered(&EXPORT_FORMATS, "format"), offered(&EXPORT_DELIVERIES, "delivery"))
    else {
        return choose_format(view, &parts, Some("Choose a format.")).status(refused);
    };
    let export =
        Export { parts, format, delivery, status: ExportStatus::Pending, requested: Clock::TODAY.to_owned() };
    if request.form("step") != Some("confirm") {
        return review(view, &export);
    }
    let id = hub.state.next_id("export");
    hub.state.exports.insert(id, export);
    hub.note("privacy", "Copy of your data requested".to_owned());
    Response::see_other("/data?done=export")
}

pub(in crate::hub) fn cancel(hub: &mut Hub, request: &Request, id: &str) -> Response {
    match hub.state.exports.get_mut(id) {
        Some(export) if export.status == ExportStatus::Pending => {
            export.status = ExportStatus::Cancelled;
            Response::see_other("/data?done=export-cancelled")
        }
        Some(_) => {
            list(&hub.view(request), Some("That copy cannot be cancelled.")).status(StatusCode::CONFLICT)
        }
        None => not_found(&hub.view(request)),
    }
}

fn part_names(parts: &BTreeSet<String>) -> String {
    parts.iter().map(|part| label_of(&EXPORT_PARTS, part)).collect::<Vec<_>>().join(", ")
}

fn status_name(status: ExportStatus) -> &'static str {
    match status {
        ExportStatus::Pending => "Being prepared",
        ExportStatus::Cancelled => "Cancelled",
        ExportStatus::Expired => "Expired",
    }
}
