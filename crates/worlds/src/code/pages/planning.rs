//! Labels and milestones.

use maud::html;

use super::Visit;
use super::layout::project_page;
use super::parts::{heading, label, nothing};
use crate::Response;
use crate::code::board::Repo;
use crate::code::state::{IssueState, Role};

pub fn labels(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let may_change = repo.may(Role::Reporter) && !repo.now.archived;
    let issues = repo.issues();
    let open_with = |name: &str| {
        issues
            .iter()
            .filter(|(_, issue)| issue.state == IssueState::Open && issue.labels.contains(name))
            .count()
    };
    let content = html! {
        (heading("Labels", repo.now.labels.len()))
        table {
            thead { tr { th { "Label" } th { "Description" } th { "Open issues" } th { span.hidden { "Actions" } } } }
            tbody {
                @for (name, known) in &repo.now.labels {
                    tr {
                        td { (label(repo, name)) }
                        td { (known.description) }
                        td { (open_with(name)) }
                        td.right { @if may_change {
                            form method="post" action={ "/" (repo.path) "/labels/" (segment(name)) "/delete" } {
                                button.danger type="submit" aria-label={ "Delete label " (name) } { "Delete" }
                            }
                        } }
                    }
                }
            }
        }
        @if may_change {
            h2 { "New label" }
            form.inline method="post" action={ "/" (repo.path) "/labels" } {
                label for="label-name" { "Label name" }
                input #label-name type="text" name="name" maxlength="40" value=(visit.typed("name", ""));
                label for="label-colour" { "Colour" }
                input #label-colour type="text" name="colour" maxlength="7" value=(visit.typed("colour", "#1f7a8c"));
                label for="label-description" { "Description" }
                input #label-description type="text" name="description" maxlength="100" value=(visit.typed("description", ""));
                button.primary type="submit" { "Create label" }
            }
        }
    };
    project_page(visit, repo, "Issues", "Labels", &content)
}

pub fn milestones(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let may_change = repo.may(Role::Reporter) && !repo.now.archived;
    let issues = repo.issues();
    let content = html! {
        (heading("Milestones", repo.now.milestones.len()))
        ul.rows {
            @for (title, milestone) in &repo.now.milestones {
                @let of = issues.iter().filter(|(_, issue)| issue.milestone.as_ref() == Some(title)).collect::<Vec<_>>();
                @let closed = of.iter().filter(|(_, issue)| issue.state == IssueState::Closed).count();
                li.row {
                    div.row-main {
                        h3 {
                            a href={ "/" (repo.path) "/issues?state=all&milestone=" (segment(title)) } { (title) }
                            " " span.pill { (if milestone.open { "Open" } else { "Closed" }) }
                        }
                        p.meta {
                            span { "Due " (milestone.due.as_deref().unwrap_or("at some point")) }
                            span { (of.len()) " issues, " (closed) " closed" }
                        }
                        progress max=(of.len().max(1)) value=(closed) aria-label={ "Progress of " (title) } {}
                    }
                    @if may_change {
                        form method="post" action={ "/" (repo.path) "/milestones/" (segment(title)) (if milestone.open { "/close" } else { "/reopen" }) } {
                            button type="submit" aria-label={ (if milestone.open { "Close" } else { "Reopen" }) " milestone " (title) } {
                                (if milestone.open { "Close" } else { "Reopen" })
                            }
                        }
                    }
                }
            }
        }
        @if repo.now.milestones.is_empty() { (nothing("There are no milestones yet.")) }
        @if may_change {
            h2 { "New milestone" }
            form.inline method="post" action={ "/" (repo.path) "/milestones" } {
                label for="milestone-title" { "Milestone title" }
                input #milestone-title type="text" name="title" maxlength="100" value=(visit.typed("title", ""));
                label for="milestone-due" { "Due date" }
                input #milestone-due type="text" name="due" placeholder="YYYY-MM-DD" value=(visit.typed("due", ""));
                button.primary type="submit" { "Create milestone" }
            }
        }
    };
    project_page(visit, repo, "Milestones", "Milestones", &content)
}

/// A name as one segment of a path or one value of a query.
fn segment(name: &str) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    encoded.replace('+', "%20")
}
