//! Merge requests: the list, one of them, the form for a new one.

use maud::{Markup, html};

use super::Visit;
use super::issues::{label_ticks, reveal};
use super::layout::project_page;
use super::parts::{
    choice, conversation, heading, labels, member_options, nothing, paragraphs, person, state_mark, when,
};
use crate::Response;
use crate::code::actions::obstacle;
use crate::code::board::Repo;
use crate::code::catalogue::VISITOR;
use crate::code::search::matches;
use crate::code::state::{MergeRequest, RequestState, Role};
use crate::kit::lists::{counted, link_with, page_of, pager};

const PER_PAGE: usize = 10;

pub fn request_row(repo: &Repo<'_>, number: usize, request: &MergeRequest, with_project: bool) -> Markup {
    html! {
        li.row {
            (state_mark(request.state.label(), request.state == RequestState::Open))
            div.row-main {
                h3 {
                    a href={ "/" (repo.path) "/merge_requests/" (number) } { (request.title) }
                    " " @if request.draft { span.pill { "Draft" } " " }
                    (labels(repo, &request.labels))
                }
                p.meta {
                    span { @if with_project { (repo.path) } "!" (number) }
                    span { "opened " (when(request.created)) " by " (person(&request.author)) }
                    span { code { (request.source) } " → " code { (request.target) } }
                    @if let Some(reviewer) = &request.reviewer { span { "Reviewer " (person(reviewer)) } }
                    span { (counted(request.replies, "comment")) }
                }
            }
        }
    }
}

pub fn list(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let request = visit.request;
    let value = |name| request.query(name).unwrap_or_default();
    let state = match value("state") {
        "all" => None,
        code => Some(RequestState::parse(code).unwrap_or(RequestState::Open)),
    };
    let all: Vec<_> = repo
        .merge_requests()
        .into_iter()
        .filter(|(_, merge)| matches(value("q"), &format!("{} {}", merge.title, merge.source)))
        .filter(|(_, merge)| value("author").is_empty() || merge.author == value("author"))
        .collect();
    let of = |state: Option<RequestState>| {
        let all = all.iter().copied();
        all.filter(|(_, merge)| state.is_none_or(|state| merge.state == state)).collect::<Vec<_>>()
    };
    let found = of(state);
    let shown = page_of(request, &found, PER_PAGE);
    let views = RequestState::ALL.iter().map(|state| (state.code(), state.label(), Some(*state)));
    let content = html! {
        div.title-bar {
            (heading("Merge requests", found.len()))
            @if repo.may(Role::Developer) {
                a.button.primary href={ "/" (repo.path) "/merge_requests/new" } { "New merge request" }
            }
        }
        nav.views aria-label="Merge request states" {
            @for (code, name, view) in views.chain([("all", "All", None)]) {
                span {
                    a href=(link_with(request, "state", code)) aria-current=[(view == state).then_some("page")] { (name) }
                    span.count { (of(view).len()) }
                }
            }
        }
        form.filters method="get" action={ "/" (repo.path) "/merge_requests" } data-filters {
            input type="hidden" name="state" value=(value("state"));
            input type="search" name="q" value=(value("q")) placeholder="Search in this list" aria-label="Filter merge requests";
            (choice("author", "Author", "Any author", &member_options(repo), value("author")))
            button type="submit" { "Apply" }
        }
        ul.rows { @for (number, merge) in shown.items { (request_row(repo, *number, merge, false)) } }
        @if found.is_empty() { (nothing("No merge request fits.")) }
        (pager(request, &shown))
    };
    project_page(visit, repo, "Merge requests", "Merge requests", &content)
}

pub fn one(visit: &Visit<'_>, repo: &Repo<'_>, number: usize) -> Option<Response> {
    let request = repo.merge_request(number)?;
    let base = format!("/{}/merge_requests/{number}", repo.path);
    let is_open = request.state == RequestState::Open;
    let may_change = repo.may(Role::Developer) && !repo.now.archived && request.state != RequestState::Merged;
    let content = html! {
        div.title-bar {
            h1 { (request.title) " " span.muted { "!" (number) } @if request.draft { " " span.pill { "Draft" } } }
            @if may_change {
                form method="post" action={ (base) "/draft" } {
                    button type="submit" { (if request.draft { "Mark as ready" } else { "Mark as draft" }) }
                }
                form method="post" action={ (base) "/state" } {
                    button type="submit" { (if is_open { "Close merge request" } else { "Reopen merge request" }) }
                }
            }
        }
        p.meta {
            (state_mark(request.state.label(), is_open))
            span { (person(&request.author)) " wants to merge " code { (request.source) } " into " code { (request.target) }
                " · opened " (when(request.created)) }
        }
        div.columns {
            section {
                article.description { (paragraphs(&request.body)) }
                (merge_box(repo, request, &base, may_change))
                (conversation(visit, &repo.request_key(number), request.replies, request.created, &format!("{base}/comment")))
            }
            aside aria-label="Details" {
                section.panel {
                    h2 { "Assignee" }
                    p { @match &request.assignee { Some(name) => (person(name)), None => { span.muted { "Nobody" } } } }
                }
                section.panel {
                    h2 { "Reviewer" }
                    p { @match &request.reviewer { Some(name) => (person(name)), None => { span.muted { "Nobody" } } } }
                    @if may_change {
                        (reveal("Edit reviewer", "set-reviewer"))
                        form #set-reviewer.stacked hidden method="post" action={ (base) "/reviewer" } {
                            (choice("reviewer", "Reviewer", "Nobody", &member_options(repo), request.reviewer.as_deref().unwrap_or_default()))
                            button type="submit" { "Request review" }
                        }
                    }
                }
                section.panel {
                    h2 { "Labels" }
                    p { (labels(repo, &request.labels)) @if request.labels.is_empty() { span.muted { "None" } } }
                }
            }
        }
    };
    Some(project_page(visit, repo, "Merge requests", &request.title, &content))
}

/// Pipeline, approvals, and the button if there is nothing in the way.
fn merge_box(repo: &Repo<'_>, request: &MergeRequest, base: &str, may_change: bool) -> Markup {
    let is_open = request.state == RequestState::Open;
    let approved = request.approved_by.contains(VISITOR);
    html! {
        section.panel.merge-box aria-label="Merge" {
            p { "Pipeline " strong class={ "pipeline-" (request.pipeline.code()) } { (request.pipeline.code()) } }
            p { (counted(request.approved_by.len(), "approval"))
                @for name in &request.approved_by { " · " (person(name)) } }
            @if is_open {
                @if let Some(problem) = obstacle(repo, request) { p.obstacle { (problem) } }
                @if may_change {
                    div.buttons {
                        @if request.author != VISITOR {
                            form method="post" action={ (base) "/approve" } {
                                button type="submit" { (if approved { "Withdraw approval" } else { "Approve" }) }
                            }
                        }
                        @if obstacle(repo, request).is_none() {
                            form method="post" action={ (base) "/merge" } { button.primary type="submit" { "Merge" } }
                        }
                    }
                } @else { p.muted { "Members with the Developer role can approve and merge." } }
            } @else { p.muted { "This merge request is " (request.state.code()) "." } }
        }
    }
}

pub fn new(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let branches: Vec<(String, String)> =
        repo.now.branches.keys().map(|name| (name.clone(), name.clone())).collect();
    let was_ticked =
        |name: &str| visit.request.form.iter().any(|(field, value)| field == "label" && value == name);
    let content = html! {
        h1 { "New merge request" }
        @if !repo.may(Role::Developer) {
            (nothing("You need at least the Developer role in this project. Fork it to propose changes."))
        } @else {
            form.stacked method="post" action={ "/" (repo.path) "/merge_requests/new" } {
                label { "Source branch" (choice("source", "Source branch", "Choose a branch", &branches, visit.typed("source", ""))) }
                label { "Target branch" (choice("target", "Target branch", "Choose a branch", &branches, visit.typed("target", &repo.now.default_branch))) }
                label for="title" { "Title" }
                input #title type="text" name="title" maxlength="160" value=(visit.typed("title", ""));
                label for="body" { "Description" }
                textarea #body name="body" rows="6" { (visit.typed("body", "")) }
                label { "Assignee" (choice("assignee", "Assignee", "Nobody", &member_options(repo), visit.typed("assignee", ""))) }
                label { "Reviewer" (choice("reviewer", "Reviewer", "Nobody", &member_options(repo), visit.typed("reviewer", ""))) }
                fieldset { legend { "Labels" } (label_ticks(repo, was_ticked)) }
                label.tick { input type="checkbox" name="draft"; span { "This is a draft" } }
                button.primary type="submit" { "Create merge request" }
            }
        }
    };
    project_page(visit, repo, "Merge requests", "New merge request", &content)
}
