//! Which function answers which path.

use http::StatusCode;

use super::actions::Refusal;
use super::board::Repo;
use super::pages::{self, Visit};
use super::state::Role;
use super::{CodeHost, art};
use crate::{Request, Response};

impl CodeHost {
    pub(super) fn route(&mut self, request: &Request) -> Response {
        let segments = request.segments();
        match request.method {
            http::Method::GET | http::Method::HEAD => {
                let visit = Visit { board: self.board(), request, problem: None };
                get(&visit, &segments).unwrap_or_else(|| pages::notice::not_found(&visit))
            }
            http::Method::POST => match self.perform(request, &segments) {
                Ok(response) => response,
                Err(refusal) => self.refuse(request, &segments, &refusal),
            },
            _ => Response::empty().status(StatusCode::METHOD_NOT_ALLOWED),
        }
    }

    /// Invalid input shows the page of the form again, with what was typed; that page is found by going up from the
    /// address the form was sent to.
    fn refuse(&self, request: &Request, segments: &[&str], refusal: &Refusal) -> Response {
        let visit = Visit { board: self.board(), request, problem: None };
        match refusal {
            Refusal::Missing => pages::notice::not_found(&visit),
            Refusal::Forbidden(reason) => pages::notice::forbidden(&visit, reason),
            Refusal::Invalid(problem) => {
                let visit = Visit { problem: Some(problem), ..visit };
                let page = (1..=segments.len()).rev().find_map(|length| get(&visit, segments.get(..length)?));
                page.unwrap_or_else(|| pages::notice::not_found(&visit))
                    .status(StatusCode::UNPROCESSABLE_ENTITY)
            }
        }
    }
}

/// `None` is a page that does not exist.
fn get(visit: &Visit<'_>, segments: &[&str]) -> Option<Response> {
    Some(match segments {
        [] => pages::dashboard::home(visit),
        ["static", name] => return pages::static_file(name),
        ["img", name] => Response::svg(art::avatar(name.strip_suffix(".svg")?)),
        ["explore"] => pages::explore::projects(visit),
        ["search"] => pages::explore::search(visit),
        ["new"] => pages::explore::new_project(visit),
        ["help"] => pages::notice::help(visit),
        ["-", "issues"] => pages::dashboard::issues(visit),
        ["-", "merge_requests"] => pages::dashboard::merge_requests(visit),
        ["-", "starred"] => pages::dashboard::starred(visit),
        ["-", "profile"] => pages::account::profile(visit),
        ["-", "tokens"] => pages::account::tokens(visit),
        [name] => pages::account::namespace(visit, name)?,
        [namespace, slug, rest @ ..] => {
            let repo = visit.board.repo(&format!("{namespace}/{slug}"))?;
            return repo_page(visit, &repo, rest);
        }
    })
}

fn repo_page(visit: &Visit<'_>, repo: &Repo<'_>, rest: &[&str]) -> Option<Response> {
    Some(match rest {
        [] => pages::files::overview(visit, repo),
        ["tree", branch, path @ ..] => pages::files::tree(visit, repo, branch, path)?,
        ["blob", branch, path @ ..] => pages::files::blob(visit, repo, branch, path)?,
        ["commits", branch] => pages::commits::list(visit, repo, branch)?,
        ["commit", sha] => pages::commits::one(visit, repo, sha)?,
        ["branches"] => pages::commits::branches(visit, repo),
        ["contributors"] => pages::commits::contributors(visit, repo),
        ["contributors.json"] => pages::commits::contributors_data(repo),
        ["issues"] => pages::issues::list(visit, repo),
        ["issues", "new"] => pages::issues::new(visit, repo),
        ["issues", number] => pages::issues::one(visit, repo, number.parse().ok()?)?,
        ["labels"] => pages::planning::labels(visit, repo),
        ["milestones"] => pages::planning::milestones(visit, repo),
        ["merge_requests"] => pages::requests::list(visit, repo),
        ["merge_requests", "new"] => pages::requests::new(visit, repo),
        ["merge_requests", number] => pages::requests::one(visit, repo, number.parse().ok()?)?,
        ["members"] => pages::members::page(visit, repo),
        ["fork"] => pages::files::fork(visit, repo),
        ["settings", section @ ..] => {
            if !repo.may(Role::Maintainer) {
                return Some(pages::notice::forbidden(
                    visit,
                    "Only maintainers and owners can see the settings.",
                ));
            }
            match section {
                [] => pages::settings::general(visit, repo),
                ["tokens"] => pages::settings::tokens(visit, repo),
                ["deploy_keys"] => pages::settings::deploy_keys(visit, repo),
                _ => return None,
            }
        }
        _ => return None,
    })
}
