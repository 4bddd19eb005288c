//! Commits, branches and contributors.

use maud::html;
use serde_json::json;

use super::Visit;
use super::files::branch_bar;
use super::layout::{project_page, scripted_project_page};
use super::parts::{avatar, choice, heading, nothing, person, when};
use crate::Response;
use crate::code::board::Repo;
use crate::code::catalogue::Commit;
use crate::code::search::matches;
use crate::code::state::Role;
use crate::kit::lists::{page_of, pager};

const PER_PAGE: usize = 25;

pub fn list(visit: &Visit<'_>, repo: &Repo<'_>, branch: &str) -> Option<Response> {
    let known = repo.now.branches.get(branch)?;
    let value = |name| visit.request.query(name).unwrap_or_default();
    let found: Vec<_> = repo
        .commits(known)
        .iter()
        .filter(|commit| value("author").is_empty() || &*commit.author == value("author"))
        .filter(|commit| matches(value("q"), &commit.title))
        .collect();
    let authors: Vec<(String, String)> =
        repo.contributors().into_iter().map(|(name, _)| (name.to_owned(), name.to_owned())).collect();
    let shown = page_of(visit.request, &found, PER_PAGE);
    let mut days: Vec<(String, Vec<&Commit>)> = Vec::new();
    for &commit in shown.items {
        let day = commit.at.day();
        match days.last_mut() {
            Some((last, commits)) if *last == day => commits.push(commit),
            _ => days.push((day, vec![commit])),
        }
    }
    let content = html! {
        (heading("Commits", found.len()))
        (branch_bar(repo, branch, "commits"))
        form.filters method="get" data-filters {
            input type="search" name="q" value=(value("q")) placeholder="Filter by message" aria-label="Filter commits";
            (choice("author", "Author", "Any author", &authors, value("author")))
            button type="submit" { "Apply" }
        }
        ul.rows.commits {
            @for (day, commits) in &days {
                li.day { (day) }
                @for commit in commits {
                    li.row {
                        (avatar(&commit.author, 32))
                        div.row-main {
                            h3 { a href={ "/" (repo.path) "/commit/" (commit.sha) } { (commit.title) } }
                            p.meta { span { (person(&commit.author)) " committed " (when(commit.at)) } }
                        }
                        code.sha { (commit.short()) }
                    }
                }
            }
        }
        @if found.is_empty() { (nothing("No commit fits.")) }
        (pager(visit.request, &shown))
    };
    Some(project_page(visit, repo, "Commits", "Commits", &content))
}

pub fn one(visit: &Visit<'_>, repo: &Repo<'_>, sha: &str) -> Option<Response> {
    // Short forms of eight digits are as good as the whole.
    let known = repo.all_commits().iter().find(|commit| sha.len() >= 8 && commit.sha.starts_with(sha))?;
    let files = repo.project().map(|project| project.files.as_slice()).unwrap_or_default();
    let mut touched: Vec<&str> =
        known.touched.iter().filter_map(|at| files.get(*at)).map(String::as_str).collect();
    touched.sort_unstable();
    touched.dedup();
    let content = html! {
        h1 { (known.title) }
        p.commit-line {
            (avatar(&known.author, 28)) (person(&known.author)) span { "committed on " (known.at.day_and_time()) }
            code { (known.sha) }
        }
        h2 { "Changed files " span.count { (touched.len()) } }
        ul.touched {
            @for file in touched {
                li { a href={ "/" (repo.path) "/blob/" (repo.now.default_branch) "/" (file) } { (file) } }
            }
        }
    };
    Some(project_page(visit, repo, "Commits", known.short(), &content))
}

pub fn branches(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let may_change = repo.may(Role::Developer) && !repo.now.archived;
    let content = html! {
        (heading("Branches", repo.now.branches.len()))
        table {
            thead { tr { th { "Branch" } th { "Last commit" } th { "Updated" } th { "Behind" } th { span.hidden { "Actions" } } } }
            tbody {
                @for (name, branch) in &repo.now.branches {
                    @let newest = repo.commits(branch).first();
                    tr {
                        td {
                            a href={ "/" (repo.path) "/tree/" (name) } { (name) }
                            @if *name == repo.now.default_branch { " " span.pill { "default" } }
                            @if branch.protected { " " span.pill { "protected" } }
                        }
                        td { @if let Some(commit) = newest { code { (commit.short()) } " " (commit.title) } }
                        td { @if let Some(commit) = newest { (when(commit.at)) } }
                        td { (branch.behind) }
                        td.right { @if may_change && !branch.protected {
                            form method="post" action={ "/" (repo.path) "/branches/" (name) "/delete" } {
                                button.danger type="submit" aria-label={ "Delete branch " (name) } { "Delete" }
                            }
                        } }
                    }
                }
            }
        }
        @if may_change {
            h2 { "New branch" }
            form.inline method="post" action={ "/" (repo.path) "/branches" } {
                label for="branch-name" { "Branch name" }
                input #branch-name type="text" name="name" maxlength="100" value=(visit.typed("name", ""));
                label for="branch-from" { "Create from" }
                select #branch-from name="from" {
                    @for name in repo.now.branches.keys() {
                        option value=(name) selected[*name == repo.now.default_branch] { (name) }
                    }
                }
                button.primary type="submit" { "Create branch" }
            }
        }
    };
    project_page(visit, repo, "Branches", "Branches", &content)
}

/// Drawn by a script from [`contributors_data`].
pub fn contributors(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let content = html! {
        h1 { "Contributors" }
        p.muted { "Commits to all branches, excluding merge commits." }
        ol #contributors.contributors data-source={ "/" (repo.path) "/contributors.json" } aria-busy="true" {}
        noscript { p { "This page needs JavaScript." } }
    };
    scripted_project_page(visit, repo, "Contributors", "Contributors", &["contributors.js"], &content)
}

pub fn contributors_data(repo: &Repo<'_>) -> Response {
    let people = repo.contributors().into_iter().map(|(username, commits)| {
        let own = || repo.all_commits().iter().filter(|commit| &*commit.author == username);
        let day = |commit: Option<&Commit>| commit.map(|commit| commit.at.day());
        json!({
            "username": username,
            "name": repo.board.name_of(username),
            "commits": commits,
            "first": day(own().next_back()),
            "latest": day(own().next()),
        })
    });
    Response::json(&json!({ "contributors": people.collect::<Vec<_>>() }))
}
