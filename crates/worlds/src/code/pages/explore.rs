//! Finding projects, issues and people; starting a project.

use maud::{Markup, html};

use super::Visit;
use super::layout::page;
use super::parts::{avatar, choice, heading, issue_row, nothing, project_row, visibility_choice};
use crate::Response;
use crate::code::board::Repo;
use crate::code::catalogue::VISITOR;
use crate::code::search;
use crate::code::state::Visibility;
use crate::code::vocabulary::Language;
use crate::kit::lists::{link_with, page_of, pager};

const PER_PAGE: usize = 15;

pub fn projects(visit: &Visit<'_>) -> Response {
    let request = visit.request;
    let value = |name| request.query(name).unwrap_or_default();
    let mut found = search::projects(visit.board, value("q"));
    found.retain(|repo| {
        value("language").is_empty()
            || repo.project().is_some_and(|project| project.words.language.name() == value("language"))
    });
    match value("sort") {
        "updated" => found.sort_by_key(|repo| std::cmp::Reverse(repo.last_commit().map(|commit| commit.at))),
        "name" => found.sort_by_key(Repo::name),
        "issues" => found.sort_by_key(|repo| std::cmp::Reverse(repo.open_issues())),
        _ => {}
    }
    let languages: Vec<(String, String)> = Language::ALL
        .iter()
        .map(|language| (language.name().to_owned(), language.name().to_owned()))
        .collect();
    let sorts = [("updated", "Recently updated"), ("name", "Name"), ("issues", "Most open issues")]
        .map(|(code, text)| (code.to_owned(), text.to_owned()));
    let shown = page_of(request, &found, PER_PAGE);
    let content = html! {
        (heading("Explore projects", found.len()))
        form.filters method="get" action="/explore" data-filters {
            input type="search" name="q" value=(value("q")) placeholder="Filter by name" aria-label="Filter projects";
            (choice("language", "Language", "Any language", &languages, value("language")))
            (choice("sort", "Sort projects", "Most stars", &sorts, value("sort")))
            button type="submit" { "Apply" }
        }
        ul.rows { @for repo in shown.items { (project_row(repo)) } }
        @if found.is_empty() { (nothing("No project fits. Try fewer words.")) }
        (pager(request, &shown))
    };
    page(visit, "Explore projects", &content)
}

pub fn search(visit: &Visit<'_>) -> Response {
    let request = visit.request;
    let question = request.query("q").unwrap_or_default().trim();
    let scope = request.query("scope").unwrap_or("projects");
    let (projects, issues, people) = if question.is_empty() {
        (Vec::new(), Vec::new(), Vec::new())
    } else {
        let board = visit.board;
        (search::projects(board, question), search::issues(board, question), search::people(board, question))
    };
    let tabs = [
        ("projects", "Projects", projects.len()),
        ("issues", "Issues", issues.len()),
        ("people", "People", people.len()),
    ];
    let (results, links): (Markup, Markup) = match scope {
        "issues" => {
            let shown = page_of(request, &issues, PER_PAGE);
            let rows = html! { ul.rows { @for (repo, number, issue) in shown.items { (issue_row(repo, *number, issue, true)) } } };
            (rows, pager(request, &shown))
        }
        "people" => {
            let shown = page_of(request, &people, PER_PAGE);
            let rows = html! {
                ul.rows { @for person in shown.items {
                    li.row {
                        (avatar(&person.username, 40))
                        div.row-main {
                            h3 { a href={ "/" (person.username) } { (person.username) } }
                            p { (person.name) " · " (person.city) }
                        }
                    }
                } }
            };
            (rows, pager(request, &shown))
        }
        _ => {
            let shown = page_of(request, &projects, PER_PAGE);
            (html! { ul.rows { @for repo in shown.items { (project_row(repo)) } } }, pager(request, &shown))
        }
    };
    let found_nothing = tabs.iter().any(|(code, _, count)| *code == scope && *count == 0);
    let content = html! {
        h1 { "Search" @if !question.is_empty() { " for “" (question) "”" } }
        nav.views aria-label="Kinds of results" {
            @for (code, name, count) in tabs {
                span {
                    a href=(link_with(request, "scope", code)) aria-current=[(code == scope).then_some("page")] { (name) }
                    span.count { (count) }
                }
            }
        }
        (results)
        @if question.is_empty() { (nothing("Type what you are looking for into the search field above.")) }
        @else if found_nothing { (nothing("Nothing was found. Other kinds of results are in the tabs above.")) }
        (links)
    };
    page(visit, "Search", &content)
}

pub fn new_project(visit: &Visit<'_>) -> Response {
    let content = html! {
        h1 { "Create a project" }
        form.stacked method="post" action="/new" {
            label for="name" { "Project name" }
            input #name type="text" name="name" maxlength="100" value=(visit.typed("name", ""));
            p.hint { "It will live at " code { "code.localhost/" (VISITOR) "/" } " followed by the name." }
            label for="description" { "Description (optional)" }
            textarea #description name="description" rows="3" { (visit.typed("description", "")) }
            (visibility_choice(visit, Visibility::Private))
            button.primary type="submit" { "Create project" }
        }
    };
    page(visit, "Create a project", &content)
}
