//! Connected apps, removed through a native `dialog`.

use maud::html;

use super::layout::{nice_date, not_found, page};
use crate::hub::settings::{PERMISSIONS, label_of};
use crate::hub::state::App;
use crate::hub::{Hub, View};
use crate::{Request, Response};

pub(in crate::hub) fn show(view: &View<'_>) -> Response {
    let mut apps: Vec<(&String, &App)> = view.state.apps.iter().collect();
    apps.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    let content = html! {
        p.lead { "Companies you gave access to your account. They keep it until you remove it." }
        @if apps.is_empty() { p.quiet { "No apps are connected." } }
        @for (id, app) in &apps {
            article.card.app {
                div.app-mark aria-hidden="true" { (app.name.chars().next().unwrap_or('?')) }
                div {
                    h2 { (app.name) }
                    p.quiet { "by " (app.publisher) " · connected " (nice_date(&app.connected))
                        " · last used " (nice_date(&app.last_used)) }
                    ul.ticks { @for permission in &app.permissions { li { (label_of(&PERMISSIONS, permission)) } } }
                }
                button.plain type="button" aria-label=(format!("Remove access of {}", app.name))
                    data-shows-dialog=(format!("remove-{id}")) { "Remove access" }
            }
            dialog id=(format!("remove-{id}")) aria-label=(format!("Remove {}", app.name)) {
                h2 { "Remove " (app.name) "?" }
                p { "It can no longer use your account. Data it has already copied stays with " (app.publisher) "." }
                form.actions method="post" action=(format!("/apps/{id}/remove")) {
                    button type="button" data-closes-dialog="true" { "Keep" }
                    button.danger type="submit" { "Remove " (app.name) }
                }
            }
        }
    };
    page(view, "Connected apps", &content)
}

pub(in crate::hub) fn remove(hub: &mut Hub, request: &Request, id: &str) -> Response {
    match hub.state.apps.remove(id) {
        Some(app) => {
            hub.note("apps", format!("{} lost access", app.name));
            Response::see_other("/apps?done=app")
        }
        None => not_found(&hub.view(request)),
    }
}
