//! People and groups, and the visitor's own account.

use maud::{Markup, html};

use super::Visit;
use super::layout::page;
use super::parts::{avatar, nothing, project_row, token_list};
use crate::Response;
use crate::code::board::Repo;
use crate::code::catalogue::{Person, VISITOR};
use crate::code::state::Notifications;
use crate::code::vocabulary::{GROUPS, GroupWords};
use crate::kit::lists::counted;

/// The page of a person or a group.
pub fn namespace(visit: &Visit<'_>, name: &str) -> Option<Response> {
    if let Some(group) = GROUPS.iter().find(|group| group.slug == name) {
        return Some(group_page(visit, group));
    }
    visit.board.person(name).map(|person| person_page(visit, person))
}

fn group_page(visit: &Visit<'_>, group: &GroupWords) -> Response {
    let content = html! {
        div.profile {
            (avatar(group.slug, 72))
            div { h1 { (group.name) } p.muted { "@" (group.slug) } p { (group.about) } }
        }
        h2 { "Projects" }
        (projects(visit, |repo| repo.namespace() == group.slug))
    };
    page(visit, group.name, &content)
}

fn person_page(visit: &Visit<'_>, person: &Person) -> Response {
    let board = visit.board;
    let username = person.username.as_str();
    let own = (username == VISITOR).then_some(&board.state.profile);
    let commits: usize = board
        .repos()
        .iter()
        .map(|repo| repo.all_commits().iter().filter(|commit| &*commit.author == username).count())
        .sum();
    let (bio, place) = own.map_or((person.bio, person.city), |own| (own.bio.as_str(), own.location.as_str()));
    let content = html! {
        div.profile {
            (avatar(username, 72))
            div {
                h1 { (board.name_of(username)) }
                p.muted { "@" (username) " · joined " (person.joined.day()) }
                @if let Some(own) = own.filter(|own| !own.status.is_empty()) { p.status { (own.status) } }
                p { (bio) }
                p.meta {
                    span { (place) }
                    @if let Some(own) = own { span { a href=(own.website) { (own.website) } } }
                    span { (counted(commits, "commit")) }
                }
                @if own.is_some() { p { a.button href="/-/profile" { "Edit profile" } } }
            }
        }
        h2 { "Personal projects" }
        (projects(visit, |repo| repo.namespace() == username))
        h2 { "Member of" }
        (projects(visit, |repo| repo.namespace() != username && repo.now.members.contains_key(username)))
    };
    page(visit, board.name_of(username), &content)
}

fn projects(visit: &Visit<'_>, wanted: impl Fn(&Repo<'_>) -> bool) -> Markup {
    let found: Vec<_> = visit.board.repos().into_iter().filter(|repo| wanted(repo)).collect();
    html! {
        ul.rows { @for repo in &found { (project_row(repo)) } }
        @if found.is_empty() { (nothing("No projects.")) }
    }
}

fn account_sections(section: &str, content: &Markup) -> Markup {
    html! {
        div.settings {
            nav.sections aria-label="Account settings" {
                @for (name, path) in [("Profile", "/-/profile"), ("Access tokens", "/-/tokens")] {
                    a href=(path) aria-current=[(name == section).then_some("page")] { (name) }
                }
            }
            div { (content) }
        }
    }
}

pub fn profile(visit: &Visit<'_>) -> Response {
    let profile = &visit.board.state.profile;
    let lines = [
        ("name", "Full name", &profile.name),
        ("status", "Status message", &profile.status),
        ("bio", "Bio", &profile.bio),
        ("location", "Location", &profile.location),
        ("website", "Website", &profile.website),
    ];
    let notifications = visit.typed("notifications", profile.notifications.code());
    let content = html! {
        h1 { "Profile" }
        form.stacked method="post" action="/-/profile" {
            @for (name, title, value) in lines {
                label for=(name) { (title) }
                input id=(name) type="text" name=(name) maxlength="160" value=(visit.typed(name, value));
            }
            label.tick {
                input type="checkbox" role="switch" name="show_private_contributions"
                    checked[profile.show_private_contributions];
                span { "Count private contributions on my profile" }
            }
            label for="notifications" { "Notify me about" }
            select #notifications name="notifications" {
                @for level in Notifications::ALL {
                    option value=(level.code()) selected[level.code() == notifications] { (level.label()) }
                }
            }
            button.primary type="submit" { "Update profile" }
        }
    };
    page(visit, "Profile", &account_sections("Profile", &content))
}

pub fn tokens(visit: &Visit<'_>) -> Response {
    let content = html! {
        h1 { "Personal access tokens" }
        p.muted { "A token does what you can do, within its scopes." }
        (token_list(visit, "/-/tokens", visit.board.state.tokens.iter()))
    };
    page(visit, "Access tokens", &account_sections("Access tokens", &content))
}
