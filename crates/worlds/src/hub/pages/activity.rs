//! The activity log: the page is a shell with a filter, a script fetches and draws the entries.

use maud::html;
use serde_json::json;

use super::layout::page;
use crate::Response;
use crate::hub::View;
use crate::hub::settings::{LOG_KINDS, label_of};
use crate::hub::state::LogEntry;

const PER_PAGE: usize = 15;

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    let chosen = view.request.query("kind").unwrap_or_default();
    let content = html! {
        p.lead { "What happened with your account. If something was not you, change your password." }
        form.card.bar action="/activity" {
            label.field { span { "Show" }
                select name="kind" {
                    option value="" { "All events" }
                    @for (id, label) in LOG_KINDS { option value=(id) selected[id == chosen] { (label) } }
                }
            }
            button type="submit" { "Apply filter" }
        }
        section.card {
            div data-activity="paged" data-kind=(chosen) data-page=(page_number(view)) aria-busy="true" {
                p.quiet { "Loading…" }
            }
        }
        script src="/assets/activity.js" defer {}
    };
    page(view, "Activity log", &content)
}

pub(in crate::hub) fn json(view: &View<'_>) -> Response {
    let kind = view.request.query("kind").unwrap_or_default();
    let new = view.state.activity.values().rev();
    let entries: Vec<&LogEntry> =
        new.chain(&view.account.log).filter(|entry| kind.is_empty() || entry.kind == kind).collect();
    let pages = entries.len().div_ceil(PER_PAGE).max(1);
    let number = page_number(view).min(pages);
    let shown: Vec<_> = entries
        .iter()
        .skip((number - 1) * PER_PAGE)
        .take(PER_PAGE)
        .map(|entry| {
            let kind = label_of(&LOG_KINDS, &entry.kind);
            json!({"at": entry.at, "kind": kind, "detail": entry.detail, "place": entry.place})
        })
        .collect();
    Response::json(&json!({"page": number, "pages": pages, "total": entries.len(), "entries": shown}))
}

fn page_number(view: &View<'_>) -> usize {
    view.request.query("page").and_then(|text| text.parse().ok()).unwrap_or(1).max(1)
}
