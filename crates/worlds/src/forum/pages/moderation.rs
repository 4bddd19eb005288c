//! The moderators' pages of the community the visitor moderates.

use maud::{Markup, html};

use super::layout::Layout;
use super::{Visit, parts};
use crate::Response;
use crate::forum::actions::BAN_LENGTHS;
use crate::forum::catalogue::Community;
use crate::forum::state::{QueueEntry, QueueStatus, Subject};

fn frame(visit: &Visit<'_>, community: &Community, tab: &str, content: &Markup) -> Response {
    let slug = community.words.slug;
    let content = html! {
        nav.crumbs aria-label="Breadcrumb" {
            a href={ "/c/" (slug) } { (community.words.name) } " › " span { "Moderation" }
        }
        h1 { "Moderating " (community.words.name) }
        nav.tabs aria-label="Moderation" {
            @for (value, label) in [("", "Queue"), ("/log", "Log"), ("/banned", "Banned people")] {
                a href={ "/c/" (slug) "/mod" (value) } aria-current=[(tab == label).then_some("page")] { (label) }
            }
        }
        (content)
    };
    let sidebar = Some(parts::community_sidebar(visit.board, community));
    Layout { title: "Moderation", scripts: &[], sidebar, content }.page(visit)
}

pub fn queue(visit: &Visit<'_>, community: &Community) -> Response {
    let queue = &visit.board.state.moderation.queue;
    let pending = || queue.iter().filter(|(_, entry)| entry.status == QueueStatus::Pending);
    let content = html! {
        p.muted { (parts::counted(pending().count(), "report")) " waiting" }
        @for (id, entry) in pending() { (card(visit, community, id, entry)) }
        @if pending().next().is_none() { p.empty { "The queue is empty. Well done." } }
    };
    frame(visit, community, "Queue", &content)
}

fn card(visit: &Visit<'_>, community: &Community, id: &str, entry: &QueueEntry) -> Markup {
    let board = visit.board;
    let comment = match entry.about {
        Subject::Post(_) => None,
        Subject::Comment(comment) => board.comment(comment),
    };
    html! {
        @if let Some(post) = board.post_of(entry.about) {
            @let author = comment.as_ref().map_or(post.author, |comment| comment.author);
            @let kind = if comment.is_some() { "comment" } else { "post" };
            @let what = format!("{kind} by {author}");
            article.card.plain.queued {
                p.meta {
                    span.tag.bad { (entry.reason) }
                    span { (parts::counted(entry.reports as usize, "report")) }
                    span { (kind) " by " (parts::person(author)) }
                }
                h3 { a href=(post.path()) { (post.title) } }
                p.excerpt {
                    @match &comment { Some(comment) => (comment.body), None => (parts::excerpt(post.body)) }
                }
                form.buttons method="post" action={ "/c/" (community.words.slug) "/mod/queue/" (id) } {
                    button name="decision" value="approve" aria-label={ "Approve " (what) } { "Approve" }
                    button.danger name="decision" value="remove" aria-label={ "Remove " (what) } { "Remove" }
                }
            }
        }
    }
}

pub fn log(visit: &Visit<'_>, community: &Community) -> Response {
    let content = html! {
        table.log {
            thead { tr { th { "When" } th { "Moderator" } th { "Action" } th { "Target" } } }
            tbody {
                @for entry in visit.board.state.moderation.log.values().rev() {
                    tr {
                        td { (entry.at.day()) } td { (parts::person(&entry.moderator)) }
                        td { (entry.action) } td { (entry.target) }
                    }
                }
            }
        }
    };
    frame(visit, community, "Log", &content)
}

pub fn banned(visit: &Visit<'_>, community: &Community, problem: Option<&str>) -> Response {
    let slug = community.words.slug;
    let form = |name: &str| visit.request.form(name).unwrap_or_default();
    let content = html! {
        table.log {
            thead { tr { th { "Person" } th { "Since" } th { "Length" } th { "Reason" } th { "" } } }
            tbody {
                @for (name, ban) in &visit.board.state.moderation.banned {
                    tr {
                        td { (parts::person(name)) } td { (ban.since.day()) }
                        td { @match ban.days { Some(days) => (parts::counted(days as usize, "day")), None => "Permanent" } }
                        td { (ban.reason) }
                        td { form method="post" action={ "/c/" (slug) "/mod/banned/" (name) "/lift" } {
                            button type="submit" aria-label={ "Lift ban of " (name) } { "Lift" }
                        } }
                    }
                }
            }
        }
        h2 { "Ban somebody" }
        (parts::problem(problem))
        form.sheet method="post" action={ "/c/" (slug) "/mod/banned" } novalidate {
            label for="user" { "User name" }
            input #user type="text" name="user" value=(form("user")) autocomplete="off";
            label for="length" { "Length of the ban" }
            select #length name="length" {
                option value="" { "Choose" }
                @for (value, label, _) in BAN_LENGTHS { option value=(value) selected[form("length") == value] { (label) } }
            }
            label for="reason" { "Reason" }
            input #reason type="text" name="reason" maxlength="200" value=(form("reason")) autocomplete="off";
            div.buttons { button.danger type="submit" { "Ban this person" } }
        }
    };
    frame(visit, community, "Banned people", &content)
}
