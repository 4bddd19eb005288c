//! The frame around every page, and the head that all pages of one project share.

use maud::{DOCTYPE, Markup, html};

use super::Visit;
use super::parts::avatar;
use crate::Response;
use crate::code::board::Repo;
use crate::code::catalogue::VISITOR;
use crate::code::state::{Role, Visibility};
use crate::kit::flash;
use crate::kit::lists::grouped;

const MESSAGES: flash::Messages = &[
    ("saved", "Your changes have been saved."),
    ("token-created", "The token has been created."),
    ("token-revoked", "The token has been revoked."),
    ("project-created", "The project has been created."),
    ("project-deleted", "The project has been deleted."),
    ("archived", "The project is archived now."),
    ("unarchived", "The project is active again."),
    ("forked", "This is your fork."),
    ("issue-opened", "The issue has been opened."),
    ("issue-closed", "The issue is closed."),
    ("issue-reopened", "The issue is open again."),
    ("commented", "Your comment has been added."),
    ("request-opened", "The merge request has been opened."),
    ("request-closed", "The merge request is closed."),
    ("request-reopened", "The merge request is open again."),
    ("approved", "You approved this merge request."),
    ("approval-withdrawn", "Your approval has been withdrawn."),
    ("merged", "The changes have been merged."),
    ("label-created", "The label has been created."),
    ("label-deleted", "The label has been deleted."),
    ("milestone-created", "The milestone has been created."),
    ("branch-created", "The branch has been created."),
    ("branch-deleted", "The branch has been deleted."),
    ("member-added", "The member has been added."),
    ("member-removed", "The member has been removed."),
    ("key-added", "The deploy key has been added."),
    ("key-removed", "The deploy key has been removed."),
];

pub fn page(visit: &Visit<'_>, title: &str, content: &Markup) -> Response {
    framed(visit, title, &[], &html! { main #main.plain { (notes(visit)) (content) } })
}

/// A page of a project; `tab` is the one that is marked.
pub fn project_page(
    visit: &Visit<'_>,
    repo: &Repo<'_>,
    tab: &str,
    title: &str,
    content: &Markup,
) -> Response {
    scripted_project_page(visit, repo, tab, title, &[], content)
}

pub fn scripted_project_page(
    visit: &Visit<'_>,
    repo: &Repo<'_>,
    tab: &str,
    title: &str,
    scripts: &[&str],
    content: &Markup,
) -> Response {
    let body = html! {
        (project_head(repo, tab))
        main #main { (notes(visit)) (content) }
    };
    framed(visit, &format!("{title} · {}", repo.path), scripts, &body)
}

fn notes(visit: &Visit<'_>) -> Markup {
    html! {
        @if let Some(message) = flash::message(visit.request, MESSAGES) { div.flash role="status" { (message) } }
        @if let Some(problem) = visit.problem { div.problem role="alert" { (problem) } }
    }
}

fn framed(visit: &Visit<'_>, title: &str, scripts: &[&str], body: &Markup) -> Response {
    Response::html(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · Keelson" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/static/style.css";
                @for script in ["keelson.js"].iter().chain(scripts) {
                    script type="module" src={ "/static/" (script) } {}
                }
            }
            body {
                a.skip href="#main" { "Skip to content" }
                (header(visit))
                (body)
                footer {
                    span { "Keelson · a home for code" }
                    nav aria-label="Footer" {
                        a href="/explore" { "Explore projects" }
                        a href="/help" { "Help" }
                    }
                }
            }
        }
    })
}

fn header(visit: &Visit<'_>) -> Markup {
    let here = |path: &str| visit.request.target.starts_with(path).then_some("page");
    html! {
        header.top {
            a.logo href="/" aria-label="Keelson home" {
                svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" {
                    path d="M3 14h26c-2 9-7 13-13 13S5 23 3 14z" fill="currentColor" {}
                    path d="M16 3v9M16 4l8 8h-8" stroke="currentColor" stroke-width="2" fill="none" {}
                }
                span { "Keelson" }
            }
            nav.main aria-label="Main" {
                a href="/explore" aria-current=[here("/explore")] { "Explore" }
                a href="/-/issues" aria-current=[here("/-/issues")] { "My issues" }
                a href="/-/merge_requests" aria-current=[here("/-/merge_requests")] { "My merge requests" }
            }
            form.search role="search" action="/search" method="get" {
                input type="search" name="q" value=(visit.request.query("q").filter(|_| here("/search").is_some())
                    .unwrap_or_default()) placeholder="Search or jump to…" aria-label="Search Keelson" autocomplete="off";
            }
            a.button.new href="/new" { "New project" }
            div.menu {
                button.user type="button" aria-haspopup="menu" aria-expanded="false" aria-controls="user-menu"
                    aria-label="Account menu" { (avatar(VISITOR, 28)) }
                div #user-menu role="menu" aria-label="Account" hidden {
                    a role="menuitem" href={ "/" (VISITOR) } { "Your profile" }
                    a role="menuitem" href="/-/starred" { "Starred projects" }
                    a role="menuitem" href="/-/profile" { "Edit profile" }
                    a role="menuitem" href="/-/tokens" { "Access tokens" }
                }
            }
        }
    }
}

fn project_head(repo: &Repo<'_>, tab: &str) -> Markup {
    let path = repo.path;
    let default = &repo.now.default_branch;
    let tabs: [(&str, String, Option<usize>, bool); 9] = [
        ("Files", format!("/{path}"), None, true),
        ("Commits", format!("/{path}/commits/{default}"), None, true),
        ("Branches", format!("/{path}/branches"), None, true),
        ("Issues", format!("/{path}/issues"), Some(repo.open_issues()), repo.now.issues_enabled),
        (
            "Merge requests",
            format!("/{path}/merge_requests"),
            Some(repo.open_requests()),
            repo.now.merge_requests_enabled,
        ),
        ("Milestones", format!("/{path}/milestones"), None, true),
        ("Contributors", format!("/{path}/contributors"), None, true),
        ("Members", format!("/{path}/members"), None, true),
        ("Settings", format!("/{path}/settings"), None, repo.may(Role::Maintainer)),
    ];
    html! {
        div.project-head {
            div.project-title {
                (avatar(repo.name(), 36))
                p.crumbs {
                    a href={ "/" (repo.namespace()) } { (repo.namespace()) } span.slash { " / " }
                    a.name href={ "/" (path) } { (repo.name()) }
                }
                span.pill { (repo.now.visibility.label()) }
                @if repo.now.archived { span.pill.warn { "Archived" } }
                div.project-actions {
                    span.joined {
                        button type="button" data-star=(path) aria-pressed=(repo.is_starred()) {
                            (if repo.is_starred() { "Unstar" } else { "Star" })
                        }
                        span.count data-stars { (grouped(repo.stars())) }
                    }
                    span.joined {
                        a.button href={ "/" (path) "/fork" } { "Fork" }
                        span.count { (repo.origin().map_or(0, |project| project.forks)) }
                    }
                }
            }
            @if let Some(original) = &repo.now.forked_from {
                p.muted { "Forked from " a href={ "/" (original) } { (original) } }
            }
            nav.tabs aria-label="Project" {
                @for (name, href, count, shown) in &tabs {
                    @if *shown {
                        span {
                            a href=(href) aria-current=[(*name == tab).then_some("page")] { (name) }
                            @if let Some(count) = count { span.count { (count) } }
                        }
                    }
                }
            }
        }
    }
}

/// Who can see a project, in a sentence.
pub fn explain(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Private => "Only members can see it.",
        Visibility::Internal => "Everyone who is signed in can see it.",
        Visibility::Public => "Anyone on the internet can see it.",
    }
}
