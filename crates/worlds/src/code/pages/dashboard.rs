//! The visitor's own pages: where to go on, what is assigned, what is starred.

use maud::{Markup, html};

use super::Visit;
use super::layout::page;
use super::parts::{avatar, heading, issue_row, nothing, person, project_row, when};
use super::requests::request_row;
use crate::Response;
use crate::code::board::Repo;
use crate::code::catalogue::VISITOR;
use crate::code::state::{Issue, IssueState, MergeRequest, RequestState};

pub fn home(visit: &Visit<'_>) -> Response {
    let board = visit.board;
    let mine: Vec<Repo<'_>> = board.repos().into_iter().filter(|repo| repo.role().is_some()).collect();
    let mut recent: Vec<_> = mine
        .iter()
        .flat_map(|repo| repo.all_commits().iter().take(4).map(move |commit| (repo, commit)))
        .collect();
    recent.sort_by_key(|(_, commit)| std::cmp::Reverse(commit.at));
    let content = html! {
        h1 { "Good morning, " (board.state.profile.name.split(' ').next().unwrap_or_default()) }
        div.columns {
            section {
                h2 { "Your projects" }
                ul.rows { @for repo in &mine { (project_row(repo)) } }
            }
            aside aria-label="Activity" {
                section.panel {
                    h2 { "Waiting for you" }
                    p { a href="/-/issues" { "Issues assigned to you" } " " span.count { (assigned(visit).len()) } }
                    p { a href="/-/merge_requests" { "Merge requests to review" } " "
                        span.count { (to_review(visit).len()) } }
                }
                section.panel {
                    h2 { "Recent commits" }
                    ul.feed {
                        @for (repo, commit) in recent.iter().take(12) {
                            li {
                                (avatar(&commit.author, 22))
                                span { (person(&commit.author)) " in " a href={ "/" (repo.path) } { (repo.name()) } br;
                                    a.title href={ "/" (repo.path) "/commit/" (commit.sha) } { (commit.title) } " "
                                    span.muted { (when(commit.at)) } }
                            }
                        }
                    }
                }
            }
        }
    };
    page(visit, "Home", &content)
}

fn assigned<'a>(visit: &Visit<'a>) -> Vec<(Repo<'a>, usize, &'a Issue)> {
    everything(visit)
        .into_iter()
        .flat_map(|repo| repo.issues().into_iter().map(move |(number, issue)| (repo, number, issue)))
        .filter(|(_, _, issue)| issue.state == IssueState::Open && issue.assignee.as_deref() == Some(VISITOR))
        .collect()
}

fn to_review<'a>(visit: &Visit<'a>) -> Vec<(Repo<'a>, usize, &'a MergeRequest)> {
    everything(visit)
        .into_iter()
        .flat_map(|repo| {
            repo.merge_requests().into_iter().map(move |(number, request)| (repo, number, request))
        })
        .filter(|(_, _, request)| {
            request.state == RequestState::Open && request.reviewer.as_deref() == Some(VISITOR)
        })
        .collect()
}

fn everything<'a>(visit: &Visit<'a>) -> Vec<Repo<'a>> {
    visit.board.repos()
}

/// Links between the views of a personal list.
fn views(visit: &Visit<'_>, base: &str, names: &[(&str, &str)]) -> Markup {
    let chosen = visit.request.query("view").unwrap_or_default();
    html! {
        nav.views aria-label="Views" {
            @for (code, name) in names {
                a href={ (base) @if !code.is_empty() { "?view=" (code) } }
                    aria-current=[(*code == chosen).then_some("page")] { (name) }
            }
        }
    }
}

pub fn issues(visit: &Visit<'_>) -> Response {
    let created = visit.request.query("view") == Some("created");
    let found: Vec<_> = if created {
        everything(visit)
            .into_iter()
            .flat_map(|repo| repo.issues().into_iter().map(move |(number, issue)| (repo, number, issue)))
            .filter(|(_, _, issue)| issue.author == VISITOR)
            .collect()
    } else {
        assigned(visit)
    };
    let content = html! {
        (heading("My issues", found.len()))
        (views(visit, "/-/issues", &[("", "Assigned to me"), ("created", "Created by me")]))
        ul.rows { @for (repo, number, issue) in &found { (issue_row(repo, *number, issue, true)) } }
        @if found.is_empty() { (nothing("Nothing here. Enjoy the quiet.")) }
    };
    page(visit, "My issues", &content)
}

pub fn merge_requests(visit: &Visit<'_>) -> Response {
    let created = visit.request.query("view") == Some("created");
    let found: Vec<_> = if created {
        everything(visit)
            .into_iter()
            .flat_map(|repo| {
                repo.merge_requests().into_iter().map(move |(number, request)| (repo, number, request))
            })
            .filter(|(_, _, request)| request.author == VISITOR)
            .collect()
    } else {
        to_review(visit)
    };
    let content = html! {
        (heading("My merge requests", found.len()))
        (views(visit, "/-/merge_requests", &[("", "Review requests"), ("created", "Created by me")]))
        ul.rows { @for (repo, number, request) in &found { (request_row(repo, *number, request, true)) } }
        @if found.is_empty() { (nothing("No merge request needs you right now.")) }
    };
    page(visit, "My merge requests", &content)
}

pub fn starred(visit: &Visit<'_>) -> Response {
    let found: Vec<_> = visit.board.repos().into_iter().filter(Repo::is_starred).collect();
    let content = html! {
        (heading("Starred projects", found.len()))
        ul.rows { @for repo in &found { (project_row(repo)) } }
        @if found.is_empty() { (nothing("You have not starred any project yet.")) }
    };
    page(visit, "Starred projects", &content)
}
