//! Issues: open, edit, close, label, assign, comment.

use std::collections::BTreeSet;

use super::{LONGEST_TEXT, Outcome, Refusal, field, forbidden, invalid, optional, required};
use crate::Request;
use crate::code::CodeHost;
use crate::code::board::Repo;
use crate::code::catalogue::VISITOR;
use crate::code::state::{Comment, Issue, IssueState, Role};
use crate::kit::flash;
use crate::kit::moment::Moment;

const LONGEST_TITLE: usize = 160;

impl CodeHost {
    pub(in crate::code) fn open_issue(&mut self, path: &str, request: &Request) -> Outcome {
        let repo = self.repo(path)?;
        if !repo.now.issues_enabled {
            return forbidden("Issues are switched off in this project.");
        }
        let mut issue = Issue {
            title: required(request, "title", "A title", LONGEST_TITLE)?,
            body: body(request)?,
            author: VISITOR.to_owned(),
            state: IssueState::Open,
            labels: BTreeSet::new(),
            assignee: None,
            milestone: None,
            created: Moment::now(),
            replies: 0,
        };
        // Only people with a role sort issues; the form does not offer it to others.
        if repo.may(Role::Reporter) {
            issue.labels = labels(&repo, request)?;
            issue.assignee = assignee(&repo, request)?;
            issue.milestone = milestone(&repo, request)?;
        }
        let (key, number) = (repo.issue_key(repo.next_issue()), repo.next_issue());
        self.state.issues.insert(key, issue);
        Ok(flash::then(&format!("/{path}/issues/{number}"), "issue-opened"))
    }

    pub(in crate::code) fn change_issue(
        &mut self,
        path: &str,
        number: usize,
        action: &str,
        request: &Request,
    ) -> Outcome {
        let repo = self.repo(path)?;
        let known = repo.issue(number).ok_or(Refusal::Missing)?;
        let (is_author, may_sort) = (known.author == VISITOR, repo.may(Role::Reporter));
        let mut issue = known.clone();
        let message = match action {
            "comment" => {
                let key = repo.issue_key(number);
                self.comment(key, request)?;
                return Ok(flash::then(&format!("/{path}/issues/{number}"), "commented"));
            }
            "state" | "edit" if !is_author && !may_sort => {
                return forbidden("Only the author and members of the project can change this issue.");
            }
            "labels" | "assignee" | "milestone" if !may_sort => {
                return forbidden("You need at least the Reporter role in this project to do that.");
            }
            "state" => {
                let closes = issue.state == IssueState::Open;
                issue.state = if closes { IssueState::Closed } else { IssueState::Open };
                if closes { "issue-closed" } else { "issue-reopened" }
            }
            "edit" => {
                issue.title = required(request, "title", "A title", LONGEST_TITLE)?;
                issue.body = body(request)?;
                "saved"
            }
            "labels" => {
                issue.labels = labels(&repo, request)?;
                "saved"
            }
            "assignee" => {
                issue.assignee = assignee(&repo, request)?;
                "saved"
            }
            "milestone" => {
                issue.milestone = milestone(&repo, request)?;
                "saved"
            }
            _ => return Err(Refusal::Missing),
        };
        let key = repo.issue_key(number);
        // A record that says what the catalogue says is no change.
        let is_as_before =
            repo.origin().and_then(|project| project.issues.get(number.wrapping_sub(1))) == Some(&issue);
        if is_as_before {
            self.state.issues.remove(&key);
        } else {
            self.state.issues.insert(key, issue);
        }
        Ok(flash::then(&format!("/{path}/issues/{number}"), message))
    }

    /// Adds the form's comment to the thread with this key.
    pub(super) fn comment(&mut self, key: String, request: &Request) -> Result<(), Refusal> {
        let body = required(request, "body", "A comment", LONGEST_TEXT)?;
        let id = self.state.take_id("comment");
        self.state.comments.insert(id, Comment { on: key, body, at: Moment::now() });
        Ok(())
    }
}

pub(super) fn body(request: &Request) -> Result<String, Refusal> {
    let text = field(request, "body");
    if text.chars().count() > LONGEST_TEXT {
        return invalid(format!("The description has more than {LONGEST_TEXT} characters."));
    }
    Ok(text)
}

pub(super) fn labels(repo: &Repo<'_>, request: &Request) -> Result<BTreeSet<String>, Refusal> {
    let names = request.form.iter().filter(|(field, _)| field == "label").map(|(_, name)| name.clone());
    let names: BTreeSet<String> = names.collect();
    match names.iter().find(|name| !repo.now.labels.contains_key(*name)) {
        Some(stranger) => invalid(format!("This project has no label “{stranger}”.")),
        None => Ok(names),
    }
}

pub(super) fn assignee(repo: &Repo<'_>, request: &Request) -> Result<Option<String>, Refusal> {
    member(repo, request, "assignee")
}

pub(super) fn member(repo: &Repo<'_>, request: &Request, name: &str) -> Result<Option<String>, Refusal> {
    match optional(request, name) {
        Some(username) if !repo.now.members.contains_key(&username) => {
            invalid(format!("{username} is not a member of this project."))
        }
        choice => Ok(choice),
    }
}

fn milestone(repo: &Repo<'_>, request: &Request) -> Result<Option<String>, Refusal> {
    match optional(request, "milestone") {
        Some(title) if !repo.now.milestones.contains_key(&title) => {
            invalid(format!("This project has no milestone “{title}”."))
        }
        choice => Ok(choice),
    }
}
