//! A project's front page, its file browser and the page for forking it.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::Visit;
use super::layout::project_page;
use super::parts::{avatar, nothing, person, visibility_choice, when};
use crate::Response;
use crate::code::board::Repo;
use crate::code::catalogue::Commit;
use crate::kit::lists::counted;

pub fn overview(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let branch = repo.now.default_branch.as_str();
    let listing = repo.now.branches.get(branch).and_then(|_| listing(repo, branch, &[]));
    let content = html! {
        div.columns {
            section {
                @match &listing {
                    Some(listing) => {
                        (branch_bar(repo, branch, "tree"))
                        (listing)
                        @if let Some(text) = repo.file_text("README.md") {
                            article.readme { h2.file-name { "README.md" } (markdown(&text)) }
                        }
                    }
                    None => { (nothing("The repository is empty. Push something to it, or fork a project instead.")) }
                }
            }
            aside aria-label="About this project" {
                section.panel {
                    h2 { "About" }
                    p { (if repo.now.description.is_empty() { "No description." } else { &repo.now.description }) }
                    @if let Some(project) = repo.project() {
                        p { @for topic in project.words.topics { span.topic { (topic) } " " } }
                        dl.facts {
                            dt { "Language" } dd { (project.words.language.name()) }
                            dt { "Commits" } dd { (counted(project.commits.len(), "commit")) }
                            dt { "Branches" } dd { (repo.now.branches.len()) }
                            dt { "Created" } dd { (repo.created().day()) }
                        }
                    }
                }
                section.panel {
                    h2 { "Top contributors" }
                    ul.people {
                        @for (username, _) in repo.contributors().into_iter().take(4) {
                            li { (avatar(username, 24)) (person(username)) }
                        }
                    }
                }
            }
        }
    };
    project_page(visit, repo, "Files", repo.name(), &content)
}

pub fn tree(visit: &Visit<'_>, repo: &Repo<'_>, branch: &str, path: &[&str]) -> Option<Response> {
    let listing = listing(repo, branch, path)?;
    let content = html! { (branch_bar(repo, branch, "tree")) (crumbs(repo, branch, path)) (listing) };
    Some(project_page(visit, repo, "Files", &path.join("/"), &content))
}

pub fn blob(visit: &Visit<'_>, repo: &Repo<'_>, branch: &str, path: &[&str]) -> Option<Response> {
    let commits = repo.commits(repo.now.branches.get(branch)?);
    let file = path.join("/");
    let text = repo.file_text(&file)?;
    let touching = |commit: &&Commit| touches(repo, commit, &file);
    let content = html! {
        (branch_bar(repo, branch, "tree"))
        (crumbs(repo, branch, path))
        @if let Some(commit) = commits.iter().find(touching) { (commit_line(repo, commit)) }
        div.blob {
            p.blob-head { strong { (path.last().unwrap_or(&"")) }
                span.muted { (counted(text.lines().count(), "line")) " · " (counted(text.len(), "byte")) } }
            table.code aria-label={ "Contents of " (file) } {
                tbody { @for (at, line) in text.lines().enumerate() {
                    tr { td.number { (at + 1) } td { pre { (line) } } }
                } }
            }
        }
    };
    Some(project_page(visit, repo, "Files", &file, &content))
}

/// Folders first, then files, each with its newest commit on the branch.
fn listing(repo: &Repo<'_>, branch: &str, path: &[&str]) -> Option<Markup> {
    let project = repo.project()?;
    let commits = repo.commits(repo.now.branches.get(branch)?);
    let prefix = if path.is_empty() { String::new() } else { format!("{}/", path.join("/")) };
    // Name of the entry and whether it is a folder, to the files below it.
    let mut entries: BTreeMap<(bool, &str), Vec<usize>> = BTreeMap::new();
    for (at, file) in project.files.iter().enumerate() {
        let Some(rest) = file.strip_prefix(&prefix) else { continue };
        let entry = match rest.split_once('/') {
            Some((folder, _)) => (false, folder),
            None => (true, rest),
        };
        entries.entry(entry).or_default().push(at);
    }
    if entries.is_empty() {
        return None;
    }
    Some(html! {
        @if path.is_empty() { @if let Some(commit) = commits.first() { (commit_line(repo, commit)) } }
        table.files {
            thead { tr { th { "Name" } th { "Last commit" } th { "Last update" } } }
            tbody {
                @for ((is_file, name), files) in &entries {
                    @let newest = commits.iter().find(|commit| commit.touched.iter().any(|at| files.contains(at)));
                    tr {
                        td {
                            span.icon aria-hidden="true" { (if *is_file { "▤" } else { "▸" }) }
                            a href={ "/" (repo.path) (if *is_file { "/blob/" } else { "/tree/" }) (branch) "/" (prefix) (name) } { (name) }
                        }
                        td { @if let Some(commit) = newest {
                            a.quiet href={ "/" (repo.path) "/commit/" (commit.sha) } { (commit.title) }
                        } }
                        td { @if let Some(commit) = newest { (when(commit.at)) } }
                    }
                }
            }
        }
    })
}

fn touches(repo: &Repo<'_>, commit: &Commit, file: &str) -> bool {
    let files = repo.project().map(|project| project.files.as_slice()).unwrap_or_default();
    commit.touched.iter().any(|at| files.get(*at).is_some_and(|known| known == file))
}

fn commit_line(repo: &Repo<'_>, commit: &Commit) -> Markup {
    html! {
        p.commit-line {
            (avatar(&commit.author, 24)) (person(&commit.author))
            a.title href={ "/" (repo.path) "/commit/" (commit.sha) } { (commit.title) }
            code { (commit.short()) } (when(commit.at))
        }
    }
}

/// The branch menu: a form, so that it works without scripts too.
pub fn branch_bar(repo: &Repo<'_>, branch: &str, kind: &str) -> Markup {
    html! {
        form.branch-bar data-branches={ "/" (repo.path) "/" (kind) "/" } {
            label for="branch" { "Branch" }
            select #branch name="branch" {
                @for name in repo.now.branches.keys() { option value=(name) selected[name == branch] { (name) } }
            }
            @if let Some(known) = repo.now.branches.get(branch) {
                span.muted { (counted(repo.commits(known).len(), "commit")) " on this branch" }
            }
        }
    }
}

fn crumbs(repo: &Repo<'_>, branch: &str, path: &[&str]) -> Markup {
    html! {
        nav.path aria-label="Path" {
            a href={ "/" (repo.path) "/tree/" (branch) } { (repo.name()) }
            @for (at, segment) in path.iter().enumerate() {
                " / "
                @if at + 1 == path.len() { span { (segment) } }
                @else { a href={ "/" (repo.path) "/tree/" (branch) "/" (path[..=at].join("/")) } { (segment) } }
            }
        }
    }
}

/// The little of Markdown that the files here use: headings, lists and paragraphs.
fn markdown(text: &str) -> Markup {
    html! {
        @for block in text.split("\n\n").map(str::trim) {
            @if let Some(title) = block.strip_prefix("# ") { h1 { (title) } }
            @else if let Some(title) = block.strip_prefix("## ") { h2 { (title) } }
            @else if block.starts_with("- ") {
                ul { @for item in block.lines() { li { (item.trim_start_matches("- ")) } } }
            }
            @else { p { (block) } }
        }
    }
}

pub fn fork(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let content = html! {
        h1 { "Fork " (repo.path) }
        p { "A fork is your own copy. You can change it without asking anybody." }
        form.stacked method="post" action={ "/" (repo.path) "/fork" } {
            label for="name" { "Project name" }
            input #name type="text" name="name" maxlength="100" value=(visit.typed("name", repo.name()));
            (visibility_choice(visit, repo.now.visibility))
            button.primary type="submit" { "Fork project" }
        }
    };
    project_page(visit, repo, "", "Fork", &content)
}
