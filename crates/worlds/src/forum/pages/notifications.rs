//! What happened while the visitor was away.

use maud::html;

use super::layout::Layout;
use super::{Visit, parts};
use crate::Response;

pub fn page(visit: &Visit<'_>) -> Response {
    let notifications = &visit.board.state.notifications;
    let content = html! {
        div.toolbar {
            h1 { "Notifications" }
            form method="post" action="/notifications/read" { button type="submit" { "Mark all as read" } }
        }
        @if notifications.is_empty() { p.empty { "Nothing has happened." } }
        ul.inbox {
            @for (id, notification) in notifications {
                li.unread[!notification.read] {
                    div {
                        p { a href={ "/notifications/" (id) } { (notification.text) } }
                        p.meta { (parts::when(notification.at)) @if !notification.read { span.tag { "New" } } }
                    }
                }
            }
        }
    };
    Layout { title: "Notifications", scripts: &[], sidebar: None, content }.page(visit)
}
