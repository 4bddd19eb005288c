//! Pieces that several pages are made of.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::Visit;
use crate::code::board::{Board, Repo};
use crate::code::catalogue::VISITOR;
use crate::code::generate::replies;
use crate::code::state::{Issue, IssueState, Scope, Token, Visibility};
use crate::kit::lists::{counted, grouped};
use crate::kit::moment::Moment;

pub fn avatar(name: &str, size: u32) -> Markup {
    html! { img.avatar src={ "/img/" (name) ".svg" } alt="" width=(size) height=(size); }
}

pub fn when(at: Moment) -> Markup {
    html! { time datetime=(at) title=(at.day_and_time()) { (at.ago()) } }
}

pub fn person(username: &str) -> Markup {
    html! { a.person href={ "/" (username) } { (username) } }
}

pub fn paragraphs(text: &str) -> Markup {
    html! { @for paragraph in text.split("\n\n") { p { (paragraph) } } }
}

pub fn label(repo: &Repo<'_>, name: &str) -> Markup {
    let colour = repo.now.labels.get(name).map_or("#6c757d", |label| label.colour.as_str());
    html! { span.label style={ "background:" (colour) } { (name) } }
}

pub fn labels(repo: &Repo<'_>, names: &BTreeSet<String>) -> Markup {
    html! { @for name in names { (label(repo, name)) " " } }
}

/// A project in a list.
pub fn project_row(repo: &Repo<'_>) -> Markup {
    html! {
        li.row {
            (avatar(repo.name(), 40))
            div.row-main {
                h3 {
                    a href={ "/" (repo.path) } { (repo.path) }
                    @if repo.now.visibility != Visibility::Public { span.pill { (repo.now.visibility.label()) } }
                    @if repo.now.archived { span.pill.warn { "Archived" } }
                }
                p { (repo.now.description) }
                p.meta {
                    @if let Some(project) = repo.project() {
                        span.language {
                            i style={ "background:" (project.words.language.colour()) } {}
                            (project.words.language.name())
                        }
                    }
                    span { (counted(repo.stars(), "star")) }
                    span { (counted(repo.open_issues(), "open issue")) }
                    @if let Some(commit) = repo.last_commit() { span { "Updated " (when(commit.at)) } }
                }
            }
        }
    }
}

/// An issue in a list; with its project where the list has several.
pub fn issue_row(repo: &Repo<'_>, number: usize, issue: &Issue, with_project: bool) -> Markup {
    html! {
        li.row {
            (state_mark(issue.state.label(), issue.state == IssueState::Open))
            div.row-main {
                h3 {
                    a href={ "/" (repo.path) "/issues/" (number) } { (issue.title) }
                    " " (labels(repo, &issue.labels))
                }
                p.meta {
                    span { @if with_project { (repo.path) } "#" (number) }
                    span { "opened " (when(issue.created)) " by " (person(&issue.author)) }
                    @if let Some(milestone) = &issue.milestone { span { "Milestone " (milestone) } }
                    @if let Some(assignee) = &issue.assignee { span { "Assigned to " (person(assignee)) } }
                    span { (counted(issue.replies, "comment")) }
                }
            }
        }
    }
}

pub fn state_mark(name: &str, open: bool) -> Markup {
    html! { span.mark.open[open] title=(name) { (name) } }
}

/// A select with a first choice that means "no matter" or "nobody".
pub fn choice(name: &str, title: &str, empty: &str, options: &[(String, String)], chosen: &str) -> Markup {
    html! {
        select name=(name) aria-label=(title) {
            option value="" { (empty) }
            @for (value, text) in options { option value=(value) selected[value == chosen] { (text) } }
        }
    }
}

/// Members of a project as options.
pub fn member_options(repo: &Repo<'_>) -> Vec<(String, String)> {
    let names = repo.now.members.keys();
    names.map(|name| (name.clone(), format!("{} ({name})", repo.board.name_of(name)))).collect()
}

/// What others and the visitor said, and the form to say more.
pub fn conversation(
    visit: &Visit<'_>,
    key: &str,
    replies_before: usize,
    begun: Moment,
    action: &str,
) -> Markup {
    let board = visit.board;
    html! {
        section.thread aria-label="Comments" {
            @for (author, text, at) in replies(board.catalogue.seed, key, replies_before, begun, &board.catalogue.people) {
                (comment(board, &author, text, at))
            }
            @for (_, own) in board.comments_on(key) {
                (comment(board, VISITOR, &own.body, own.at))
            }
            form.comment-form method="post" action=(action) {
                label for="comment" { "Add a comment" }
                textarea #comment name="body" rows="4" maxlength="4000" {}
                button.primary type="submit" { "Comment" }
            }
        }
    }
}

fn comment(board: Board<'_>, author: &str, text: &str, at: Moment) -> Markup {
    html! {
        article.comment {
            (avatar(author, 32))
            div {
                p.meta { strong { (board.name_of(author)) } (person(author)) (when(at)) }
                (paragraphs(text))
            }
        }
    }
}

/// Tokens with their buttons, and the form for a new one.
pub fn token_list<'t>(
    visit: &Visit<'_>,
    base: &str,
    tokens: impl Iterator<Item = (&'t String, &'t Token)>,
) -> Markup {
    html! {
        table {
            thead { tr { th { "Token name" } th { "Scopes" } th { "Created" } th { "Expires" } th { span.hidden { "Actions" } } } }
            tbody {
                @for (id, token) in tokens {
                    tr {
                        td { strong { (token.name) } }
                        td { @for scope in &token.scopes { code { (scope.code()) } " " } }
                        td { (token.created.iso_day()) }
                        td { (token.expires.as_deref().unwrap_or("Never")) }
                        td.right {
                            form method="post" action={ (base) "/" (id) "/revoke" } {
                                button.danger type="submit" aria-label={ "Revoke " (token.name) } { "Revoke" }
                            }
                        }
                    }
                }
            }
        }
        h2 { "Add a new token" }
        form.stacked method="post" action=(base) {
            label for="token-name" { "Token name" }
            input #token-name type="text" name="name" maxlength="100" value=(visit.typed("name", ""));
            label for="token-expires" { "Expiration date" }
            input #token-expires type="text" name="expires" placeholder="YYYY-MM-DD" value=(visit.typed("expires", ""));
            p.hint { "Leave it empty for a token that does not expire." }
            fieldset {
                legend { "Scopes" }
                @for scope in Scope::ALL {
                    @let ticked = visit.request.form.iter().any(|(field, code)| field == "scope" && code == scope.code());
                    label.tick {
                        input type="checkbox" name="scope" value=(scope.code()) checked[ticked]
                            aria-label=(scope.code());
                        span { code { (scope.code()) } " " (scope.label()) }
                    }
                }
            }
            button.primary type="submit" { "Create token" }
        }
    }
}

/// Radio buttons for who can see a project.
pub fn visibility_choice(visit: &Visit<'_>, now: Visibility) -> Markup {
    let chosen = visit.typed("visibility", now.code());
    html! {
        fieldset {
            legend { "Visibility" }
            @for level in Visibility::ALL {
                label.tick {
                    input type="radio" name="visibility" value=(level.code()) checked[level.code() == chosen]
                        aria-label=(level.label());
                    span { strong { (level.label()) } " " span.muted { (super::layout::explain(*level)) } }
                }
            }
        }
    }
}

/// A heading with a number beside it.
pub fn heading(title: &str, count: usize) -> Markup {
    html! { h1 { (title) " " span.count { (grouped(count)) } } }
}

pub fn nothing(text: &str) -> Markup {
    html! { p.nothing { (text) } }
}
