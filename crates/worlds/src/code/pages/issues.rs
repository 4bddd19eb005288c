//! Issues: the list with its filters, one issue, the form for a new one.

use maud::{Markup, html};

use super::Visit;
use super::layout::project_page;
use super::parts::{
    choice, conversation, heading, issue_row, labels, member_options, nothing, paragraphs, person,
    state_mark, when,
};
use crate::Response;
use crate::code::board::Repo;
use crate::code::catalogue::VISITOR;
use crate::code::search::IssueFilter;
use crate::code::state::{Issue, IssueState, Role};
use crate::kit::lists::{link_with, page_of, pager};

const PER_PAGE: usize = 10;

pub fn list(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let request = visit.request;
    let filter = IssueFilter::of(request);
    let all = repo.issues();
    let count = |state| IssueFilter { state, ..IssueFilter::of(request) }.apply(all.clone()).len();
    let found = filter.apply(all.clone());
    let shown = page_of(request, &found, PER_PAGE);
    let same = |names: Vec<String>| names.into_iter().map(|name| (name.clone(), name)).collect::<Vec<_>>();
    let label_names = same(repo.now.labels.keys().cloned().collect());
    let mut authors: Vec<String> = all.iter().map(|(_, issue)| issue.author.clone()).collect();
    authors.sort_unstable();
    authors.dedup();
    let none = [("none".to_owned(), "None".to_owned())];
    let assignees: Vec<_> =
        none.iter().cloned().chain(same(repo.now.members.keys().cloned().collect())).collect();
    let milestones: Vec<_> =
        none.iter().cloned().chain(same(repo.now.milestones.keys().cloned().collect())).collect();
    let sorts = [("oldest", "Oldest"), ("comments", "Most commented")]
        .map(|(code, text)| (code.to_owned(), text.to_owned()));
    let content = html! {
        div.title-bar {
            (heading("Issues", found.len()))
            a.button href={ "/" (repo.path) "/labels" } { "Labels" }
            a.button.primary href={ "/" (repo.path) "/issues/new" } { "New issue" }
        }
        nav.views aria-label="Issue states" {
            @for (code, name, state) in [("open", "Open", Some(IssueState::Open)), ("closed", "Closed", Some(IssueState::Closed)), ("all", "All", None)] {
                span {
                    a href=(link_with(request, "state", code)) aria-current=[(filter.state == state).then_some("page")] { (name) }
                    span.count { (count(state)) }
                }
            }
        }
        form.filters method="get" action={ "/" (repo.path) "/issues" } data-filters {
            input type="hidden" name="state" value=(request.query("state").unwrap_or_default());
            input type="search" name="q" value=(filter.words) placeholder="Search in this list" aria-label="Filter issues";
            (choice("label", "Label", "Any label", &label_names, filter.label))
            (choice("author", "Author", "Any author", &same(authors), filter.author))
            (choice("assignee", "Assignee", "Any assignee", &assignees, filter.assignee))
            (choice("milestone", "Milestone", "Any milestone", &milestones, filter.milestone))
            (choice("sort", "Sort issues", "Newest", &sorts, filter.sort))
            button type="submit" { "Apply" }
        }
        ul.rows { @for (number, issue) in shown.items { (issue_row(repo, *number, issue, false)) } }
        @if found.is_empty() { (nothing("No issue fits these filters.")) }
        (pager(request, &shown))
    };
    project_page(visit, repo, "Issues", "Issues", &content)
}

pub fn one(visit: &Visit<'_>, repo: &Repo<'_>, number: usize) -> Option<Response> {
    let issue = repo.issue(number)?;
    let base = format!("/{}/issues/{number}", repo.path);
    let may_sort = repo.may(Role::Reporter) && !repo.now.archived;
    let may_edit = (may_sort || issue.author == VISITOR) && !repo.now.archived;
    let is_open = issue.state == IssueState::Open;
    let content = html! {
        div.title-bar {
            h1 { (issue.title) " " span.muted { "#" (number) } }
            @if may_edit {
                button type="button" aria-expanded="false" aria-controls="edit-issue" data-reveal { "Edit" }
                form method="post" action={ (base) "/state" } {
                    button type="submit" { (if is_open { "Close issue" } else { "Reopen issue" }) }
                }
            }
        }
        p.meta { (state_mark(issue.state.label(), is_open)) span { "Opened " (when(issue.created)) " by " (person(&issue.author)) } }
        @if may_edit {
            form #edit-issue.stacked.panel hidden method="post" action={ (base) "/edit" } {
                label for="edit-title" { "Title" }
                input #edit-title type="text" name="title" maxlength="160" value=(issue.title);
                label for="edit-body" { "Description" }
                textarea #edit-body name="body" rows="5" { (issue.body) }
                button.primary type="submit" { "Save changes" }
            }
        }
        div.columns {
            section {
                article.description { (paragraphs(&issue.body)) }
                (conversation(visit, &repo.issue_key(number), issue.replies, issue.created, &format!("{base}/comment")))
            }
            (sidebar(repo, issue, &base, may_sort))
        }
    };
    Some(project_page(visit, repo, "Issues", &issue.title, &content))
}

fn sidebar(repo: &Repo<'_>, issue: &Issue, base: &str, may_sort: bool) -> Markup {
    let milestones: Vec<(String, String)> =
        repo.now.milestones.keys().map(|title| (title.clone(), title.clone())).collect();
    html! {
        aside aria-label="Details" {
            section.panel {
                h2 { "Assignee" }
                p { @match &issue.assignee { Some(name) => (person(name)), None => { span.muted { "Nobody" } } } }
                @if may_sort {
                    (reveal("Edit assignee", "set-assignee"))
                    form #set-assignee.stacked hidden method="post" action={ (base) "/assignee" } {
                        (choice("assignee", "Assignee", "Nobody", &member_options(repo), issue.assignee.as_deref().unwrap_or_default()))
                        button type="submit" { "Assign" }
                    }
                }
            }
            section.panel {
                h2 { "Labels" }
                p { (labels(repo, &issue.labels)) @if issue.labels.is_empty() { span.muted { "None" } } }
                @if may_sort {
                    (reveal("Edit labels", "set-labels"))
                    form #set-labels.stacked hidden method="post" action={ (base) "/labels" } {
                        (label_ticks(repo, |name| issue.labels.contains(name)))
                        button type="submit" { "Apply labels" }
                    }
                }
            }
            section.panel {
                h2 { "Milestone" }
                p { (issue.milestone.as_deref().unwrap_or("None")) }
                @if may_sort {
                    (reveal("Edit milestone", "set-milestone"))
                    form #set-milestone.stacked hidden method="post" action={ (base) "/milestone" } {
                        (choice("milestone", "Milestone", "None", &milestones, issue.milestone.as_deref().unwrap_or_default()))
                        button type="submit" { "Set milestone" }
                    }
                }
            }
        }
    }
}

/// A button that shows the form with this id.
pub fn reveal(name: &str, id: &str) -> Markup {
    html! { button.quiet type="button" aria-expanded="false" aria-controls=(id) data-reveal { (name) } }
}

pub fn label_ticks(repo: &Repo<'_>, is_set: impl Fn(&str) -> bool) -> Markup {
    html! {
        @for name in repo.now.labels.keys() {
            label.tick {
                input type="checkbox" name="label" value=(name) checked[is_set(name)];
                span { (name) }
            }
        }
    }
}

pub fn new(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let milestones: Vec<(String, String)> = repo
        .now
        .milestones
        .iter()
        .filter(|(_, milestone)| milestone.open)
        .map(|(title, _)| (title.clone(), title.clone()))
        .collect();
    let was_ticked =
        |name: &str| visit.request.form.iter().any(|(field, value)| field == "label" && value == name);
    let content = html! {
        h1 { "New issue" }
        @if !repo.now.issues_enabled { (nothing("Issues are switched off in this project.")) }
        @else if repo.now.archived { (nothing("This project is archived. It takes no new issues.")) }
        @else {
            form.stacked method="post" action={ "/" (repo.path) "/issues/new" } {
                label for="title" { "Title" }
                input #title type="text" name="title" maxlength="160" value=(visit.typed("title", ""));
                label for="body" { "Description" }
                textarea #body name="body" rows="8" { (visit.typed("body", "")) }
                @if repo.may(Role::Reporter) {
                    label { "Assignee" (choice("assignee", "Assignee", "Nobody", &member_options(repo), visit.typed("assignee", ""))) }
                    label { "Milestone" (choice("milestone", "Milestone", "None", &milestones, visit.typed("milestone", ""))) }
                    fieldset { legend { "Labels" } (label_ticks(repo, was_ticked)) }
                }
                button.primary type="submit" { "Create issue" }
            }
        }
    };
    project_page(visit, repo, "Issues", "New issue", &content)
}
