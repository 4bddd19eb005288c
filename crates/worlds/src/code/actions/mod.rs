//! What a visitor can do. Each action checks, changes the state, and answers with a redirect, or says why not.

mod account;
mod issues;
mod planning;
mod projects;
mod requests;
mod settings;

pub use requests::obstacle;

use std::collections::BTreeSet;

use super::CodeHost;
use super::board::Repo;
use super::state::{ProjectState, Role, Scope, Token};
use crate::kit::moment::Moment;
use crate::{Clock, Request, Response};

pub const LONGEST_TEXT: usize = 4_000;
const LONGEST_NAME: usize = 100;

/// Why nothing was changed.
pub enum Refusal {
    /// There is no such thing.
    Missing,
    /// The visitor's role does not allow it; the text is shown.
    Forbidden(&'static str),
    /// The input does not fit; the text is shown above the form.
    Invalid(String),
}

pub type Outcome = Result<Response, Refusal>;

fn invalid<T>(problem: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Invalid(problem.into()))
}

fn forbidden<T>(reason: &'static str) -> Result<T, Refusal> {
    Err(Refusal::Forbidden(reason))
}

/// A trimmed form field, with the line ends that browsers send made plain.
fn field(request: &Request, name: &str) -> String {
    request.form(name).unwrap_or_default().replace("\r\n", "\n").trim().to_owned()
}

/// A field that has to have something in it, but not a book.
fn required(request: &Request, name: &str, what: &str, longest: usize) -> Result<String, Refusal> {
    let text = field(request, name);
    match text.chars().count() {
        0 => invalid(format!("{what} is missing.")),
        length if length > longest => invalid(format!("{what} has more than {longest} characters.")),
        _ => Ok(text),
    }
}

fn optional(request: &Request, name: &str) -> Option<String> {
    Some(field(request, name)).filter(|text| !text.is_empty())
}

fn is_checked(request: &Request, name: &str) -> bool {
    request.form(name).is_some()
}

/// A date from a date field; empty is no date. `after_today` refuses the past.
fn date(request: &Request, name: &str, after_today: bool) -> Result<Option<String>, Refusal> {
    let Some(text) = optional(request, name) else { return Ok(None) };
    let Ok(day) = text.parse::<jiff::civil::Date>() else {
        return invalid("Dates are written like 2026-04-30.");
    };
    let text = day.to_string();
    if after_today && text.as_str() <= Clock::TODAY {
        return invalid("The date has to be in the future.");
    }
    Ok(Some(text))
}

/// The token a form describes.
fn token(request: &Request) -> Result<Token, Refusal> {
    let name = required(request, "name", "A token name", LONGEST_NAME)?;
    let codes = request.form.iter().filter(|(field, _)| field == "scope").map(|(_, code)| code.as_str());
    let scopes: BTreeSet<Scope> = codes.filter_map(Scope::parse).collect();
    if scopes.is_empty() {
        return invalid("Choose at least one scope.");
    }
    Ok(Token { name, scopes, expires: date(request, "expires", true)?, created: Moment::now() })
}

impl CodeHost {
    pub(super) fn perform(&mut self, request: &Request, segments: &[&str]) -> Outcome {
        match segments {
            ["new"] => self.create_project(request),
            ["-", "profile"] => self.save_profile(request),
            ["-", "tokens"] => self.create_token(request),
            ["-", "tokens", id, "revoke"] => self.revoke_token(id),
            [namespace, slug, rest @ ..] => {
                let path = format!("{namespace}/{slug}");
                let repo = self.board().repo(&path).ok_or(Refusal::Missing)?;
                match rest {
                    ["star"] => return self.star(&path, request),
                    ["settings", "archive"] => return self.set_archived(&path, request),
                    _ if repo.now.archived => {
                        return forbidden("This project is archived. It can be read, but not changed.");
                    }
                    _ => {}
                }
                self.perform_in(&path, request, rest)
            }
            _ => Err(Refusal::Missing),
        }
    }

    fn perform_in(&mut self, path: &str, request: &Request, rest: &[&str]) -> Outcome {
        let number = |text: &str| text.parse::<usize>().map_err(|_| Refusal::Missing);
        match rest {
            ["fork"] => self.fork(path, request),
            ["issues", "new"] => self.open_issue(path, request),
            ["issues", issue, action] => self.change_issue(path, number(issue)?, action, request),
            ["merge_requests", "new"] => self.open_request(path, request),
            ["merge_requests", id, action] => self.change_request(path, number(id)?, action, request),
            ["labels"] => self.create_label(path, request),
            ["labels", name, "delete"] => self.delete_label(path, name),
            ["milestones"] => self.create_milestone(path, request),
            ["milestones", title, action @ ("close" | "reopen")] => {
                self.set_milestone_open(path, title, *action == "reopen")
            }
            ["branches"] => self.create_branch(path, request),
            ["branches", name, "delete"] => self.delete_branch(path, name),
            ["members"] => self.add_member(path, request),
            ["members", username, "role"] => self.set_role(path, username, request),
            ["members", username, "remove"] => self.remove_member(path, username),
            ["settings"] => self.save_settings(path, request),
            ["settings", "visibility"] => self.set_visibility(path, request),
            ["settings", "delete"] => self.delete_project(path, request),
            ["settings", "tokens"] => self.create_project_token(path, request),
            ["settings", "tokens", id, "revoke"] => self.revoke_project_token(path, id),
            ["settings", "deploy_keys"] => self.add_deploy_key(path, request),
            ["settings", "deploy_keys", id, "remove"] => self.remove_deploy_key(path, id),
            _ => Err(Refusal::Missing),
        }
    }

    fn repo(&self, path: &str) -> Result<Repo<'_>, Refusal> {
        self.board().repo(path).ok_or(Refusal::Missing)
    }

    /// The changeable side of a project, for visitors with at least this role in it.
    fn project_for(&mut self, path: &str, least: Role) -> Result<&mut ProjectState, Refusal> {
        if !self.repo(path)?.may(least) {
            return forbidden(match least {
                Role::Owner => "Only owners of this project can do that.",
                Role::Maintainer => "Only maintainers and owners of this project can do that.",
                Role::Developer => "You need at least the Developer role in this project to do that.",
                _ => "You need at least the Reporter role in this project to do that.",
            });
        }
        self.state.projects.get_mut(path).ok_or(Refusal::Missing)
    }
}
