//! The catalogue with the visitor's changes laid over it: what pages show and actions check.

use std::collections::BTreeMap;

use super::catalogue::{Catalogue, Commit, Person, Project, VISITOR};
use super::generate::tree;
use super::state::{
    Branch, Comment, Issue, IssueState, MergeRequest, ProjectState, RequestState, Role, State, Visibility,
};
use crate::kit::moment::Moment;

#[derive(Clone, Copy)]
pub struct Board<'a> {
    pub catalogue: &'a Catalogue,
    pub state: &'a State,
}

/// One project as the visitor sees it.
#[derive(Clone, Copy)]
pub struct Repo<'a> {
    pub board: Board<'a>,
    pub path: &'a str,
    pub now: &'a ProjectState,
    /// Where its code comes from: itself or what it was forked from; none for a project that the visitor created.
    code: Option<&'a Project>,
}

impl<'a> Board<'a> {
    /// The project at this path, if the visitor may know of it.
    pub fn repo(self, path: &str) -> Option<Repo<'a>> {
        let known = self.catalogue.project(path);
        if let Some((path, now)) = self.state.projects.get_key_value(path) {
            let code = known.or_else(|| self.catalogue.project(now.forked_from.as_deref()?));
            return Some(Repo { board: self, path, now, code });
        }
        // Projects in which the visitor has a role live in the state: one that is not there has been deleted.
        let project = known.filter(|project| !project.opening.members.contains_key(VISITOR))?;
        (project.opening.visibility != Visibility::Private).then_some(Repo {
            board: self,
            path: &project.path,
            now: &project.opening,
            code: Some(project),
        })
    }

    /// All projects the visitor may know of, in the order of the catalogue, the visitor's new ones last.
    pub fn repos(self) -> Vec<Repo<'a>> {
        let known = self.catalogue.projects.iter().map(|project| project.path.as_str());
        let new = self.state.projects.keys().filter(|path| self.catalogue.project(path).is_none());
        known.chain(new.map(String::as_str)).filter_map(|path| self.repo(path)).collect()
    }

    pub fn person(self, username: &str) -> Option<&'a Person> {
        self.catalogue.person(username)
    }

    /// The name shown for an account; the visitor's can be edited.
    pub fn name_of(self, username: &'a str) -> &'a str {
        if username == VISITOR {
            return &self.state.profile.name;
        }
        self.person(username).map_or(username, |person| person.name.as_str())
    }

    pub fn comments_on(self, key: &str) -> impl Iterator<Item = (&'a String, &'a Comment)> {
        self.state.comments.iter().filter(move |(_, comment)| comment.on == key)
    }
}

impl<'a> Repo<'a> {
    pub fn namespace(&self) -> &'a str {
        self.path.split_once('/').map_or(self.path, |(namespace, _)| namespace)
    }

    pub fn name(&self) -> &'a str {
        self.path.split_once('/').map_or(self.path, |(_, name)| name)
    }

    /// The project of the catalogue at this very path, with its issues and merge requests; a fork has only the code.
    pub fn origin(&self) -> Option<&'a Project> {
        self.code.filter(|project| project.path == self.path)
    }

    pub fn project(&self) -> Option<&'a Project> {
        self.code
    }

    pub fn role(&self) -> Option<Role> {
        self.now.members.get(VISITOR).map(|member| member.role)
    }

    pub fn may(&self, least: Role) -> bool {
        self.role().is_some_and(|role| role >= least)
    }

    pub fn stars(&self) -> usize {
        self.origin().map_or(0, |project| project.stars) + usize::from(self.is_starred())
    }

    pub fn is_starred(&self) -> bool {
        self.board.state.stars.get(self.path).copied().unwrap_or_default()
    }

    pub fn created(&self) -> Moment {
        self.origin().map_or_else(Moment::now, |project| project.created)
    }

    pub fn last_commit(&self) -> Option<&'a Commit> {
        self.code.and_then(|project| project.commits.first())
    }

    /// Commits of a branch, newest first.
    pub fn commits(&self, branch: &Branch) -> &'a [Commit] {
        self.code.and_then(|project| project.commits.get(branch.behind..)).unwrap_or_default()
    }

    pub fn all_commits(&self) -> &'a [Commit] {
        self.code.map(|project| project.commits.as_slice()).unwrap_or_default()
    }

    /// Commits by author, most first.
    pub fn contributors(&self) -> Vec<(&'a str, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for commit in self.all_commits() {
            *counts.entry(&commit.author).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(author, count)| (std::cmp::Reverse(*count), *author));
        counts
    }

    pub fn file_text(&self, file: &str) -> Option<String> {
        let project = self.code?;
        project
            .files
            .binary_search_by(|known| known.as_str().cmp(file))
            .ok()
            .map(|_| tree::text(self.board.catalogue.seed, project.words, file))
    }

    pub fn issue_key(&self, number: usize) -> String {
        format!("{}#{number}", self.path)
    }

    pub fn request_key(&self, number: usize) -> String {
        format!("{}!{number}", self.path)
    }

    pub fn issue(&self, number: usize) -> Option<&'a Issue> {
        let known = || self.origin()?.issues.get(number.checked_sub(1)?);
        self.board.state.issues.get(&self.issue_key(number)).or_else(known)
    }

    pub fn merge_request(&self, number: usize) -> Option<&'a MergeRequest> {
        let known = || self.origin()?.merge_requests.get(number.checked_sub(1)?);
        self.board.state.merge_requests.get(&self.request_key(number)).or_else(known)
    }

    /// Newest first.
    pub fn issues(&self) -> Vec<(usize, &'a Issue)> {
        (1..self.next_issue()).rev().filter_map(|number| Some((number, self.issue(number)?))).collect()
    }

    /// Newest first.
    pub fn merge_requests(&self) -> Vec<(usize, &'a MergeRequest)> {
        (1..self.next_request())
            .rev()
            .filter_map(|number| Some((number, self.merge_request(number)?)))
            .collect()
    }

    pub fn open_issues(&self) -> usize {
        self.issues().iter().filter(|(_, issue)| issue.state == IssueState::Open).count()
    }

    pub fn open_requests(&self) -> usize {
        self.merge_requests().iter().filter(|(_, request)| request.state == RequestState::Open).count()
    }

    pub fn next_issue(&self) -> usize {
        next_number(
            self.origin().map_or(0, |project| project.issues.len()),
            self.board.state.issues.keys().filter_map(|key| key.strip_prefix(self.path)?.strip_prefix('#')),
        )
    }

    pub fn next_request(&self) -> usize {
        next_number(
            self.origin().map_or(0, |project| project.merge_requests.len()),
            self.board
                .state
                .merge_requests
                .keys()
                .filter_map(|key| key.strip_prefix(self.path)?.strip_prefix('!')),
        )
    }
}

/// One more than the highest number in use. What a patched state brings along is kept within reason.
fn next_number<'k>(known: usize, added: impl Iterator<Item = &'k str>) -> usize {
    let highest = added.filter_map(|number| number.parse().ok()).max().unwrap_or(0);
    highest.max(known).min(100_000) + 1
}
