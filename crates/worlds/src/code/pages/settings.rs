//! A project's settings.

use maud::{Markup, html};

use super::Visit;
use super::layout::project_page;
use super::parts::{nothing, token_list, visibility_choice};
use crate::Response;
use crate::code::board::Repo;
use crate::code::state::Role;

fn page(visit: &Visit<'_>, repo: &Repo<'_>, section: &str, content: &Markup) -> Response {
    let sections = [("General", ""), ("Access tokens", "/tokens"), ("Deploy keys", "/deploy_keys")];
    let content = html! {
        div.settings {
            nav.sections aria-label="Settings" {
                @for (name, path) in sections {
                    a href={ "/" (repo.path) "/settings" (path) } aria-current=[(name == section).then_some("page")] { (name) }
                }
            }
            div { (content) }
        }
    };
    project_page(visit, repo, "Settings", section, &content)
}

pub fn general(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let now = repo.now;
    let base = format!("/{}/settings", repo.path);
    let toggles = [
        ("issues_enabled", "Issues", now.issues_enabled),
        ("merge_requests_enabled", "Merge requests", now.merge_requests_enabled),
        ("pipeline_must_pass", "Pipelines must pass before merging", now.pipeline_must_pass),
    ];
    let content = html! {
        h1 { "General settings" }
        form.stacked method="post" action=(base) {
            label for="description" { "Project description" }
            textarea #description name="description" rows="3" { (visit.typed("description", &now.description)) }
            label for="default-branch" { "Default branch" }
            select #default-branch name="default_branch" {
                @for name in now.branches.keys() { option value=(name) selected[*name == now.default_branch] { (name) } }
            }
            fieldset {
                legend { "Features" }
                @for (name, title, on) in toggles {
                    label.tick { input type="checkbox" role="switch" name=(name) checked[on]; span { (title) } }
                }
            }
            button.primary type="submit" { "Save changes" }
        }
        @if repo.may(Role::Owner) { (owners_only(visit, repo, &base)) }
        @else { p.muted { "Visibility, archiving and deletion are up to the owners of the project." } }
    };
    page(visit, repo, "General", &content)
}

fn owners_only(visit: &Visit<'_>, repo: &Repo<'_>, base: &str) -> Markup {
    html! {
        form.stacked method="post" action={ (base) "/visibility" } {
            h2 { "Visibility" }
            (visibility_choice(visit, repo.now.visibility))
            button type="submit" { "Change visibility" }
        }
        section.danger-zone {
            h2 { "Danger zone" }
            form.stacked method="post" action={ (base) "/archive" } {
                p { "An archived project can be read, but not changed." }
                input type="hidden" name="archived" value=(if repo.now.archived { "no" } else { "yes" });
                button type="submit" { (if repo.now.archived { "Unarchive project" } else { "Archive project" }) }
            }
            form.stacked method="post" action={ (base) "/delete" } {
                p { "Deleting a project removes its code, issues and merge requests for good." }
                label for="confirmation" { "Type " code { (repo.path) } " to confirm" }
                input #confirmation type="text" name="confirmation" autocomplete="off";
                button.danger type="submit" { "Delete project" }
            }
        }
    }
}

pub fn tokens(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let content = html! {
        h1 { "Project access tokens" }
        p.muted { "Programs use these tokens to act on this project. They are not tied to a person." }
        (token_list(visit, &format!("/{}/settings/tokens", repo.path), repo.now.tokens.iter()))
    };
    page(visit, repo, "Access tokens", &content)
}

pub fn deploy_keys(visit: &Visit<'_>, repo: &Repo<'_>) -> Response {
    let base = format!("/{}/settings/deploy_keys", repo.path);
    let content = html! {
        h1 { "Deploy keys" }
        p.muted { "Machines with these keys can read the repository, and write to it where that is allowed." }
        table {
            thead { tr { th { "Title" } th { "Key" } th { "Access" } th { span.hidden { "Actions" } } } }
            tbody {
                @for (id, key) in &repo.now.deploy_keys {
                    tr {
                        td { strong { (key.title) } }
                        td { code.key { (key.key) } }
                        td { (if key.can_push { "Read and write" } else { "Read only" }) }
                        td.right {
                            form method="post" action={ (base) "/" (id) "/remove" } {
                                button.danger type="submit" aria-label={ "Remove key " (key.title) } { "Remove" }
                            }
                        }
                    }
                }
            }
        }
        @if repo.now.deploy_keys.is_empty() { (nothing("There are no deploy keys.")) }
        h2 { "Add a deploy key" }
        form.stacked method="post" action=(base) {
            label for="key-title" { "Title" }
            input #key-title type="text" name="title" maxlength="100" value=(visit.typed("title", ""));
            label for="key-text" { "Public key" }
            textarea #key-text name="key" rows="4" { (visit.typed("key", "")) }
            label.tick { input type="checkbox" name="can_push"; span { "Allow this key to push" } }
            button.primary type="submit" { "Add key" }
        }
    };
    page(visit, repo, "Deploy keys", &content)
}
