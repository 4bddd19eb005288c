//! Merge requests: open, review, merge, close, comment.

use std::collections::BTreeSet;

use super::issues::{assignee, body, labels, member};
use super::{Outcome, Refusal, field, forbidden, invalid, is_checked, required};
use crate::Request;
use crate::code::CodeHost;
use crate::code::board::Repo;
use crate::code::catalogue::VISITOR;
use crate::code::state::{MergeRequest, Pipeline, RequestState, Role};
use crate::kit::flash;
use crate::kit::moment::Moment;

const LONGEST_TITLE: usize = 160;

/// Why a merge request cannot be merged now, if it cannot; also shown on its page.
pub fn obstacle(repo: &Repo<'_>, request: &MergeRequest) -> Option<&'static str> {
    if request.draft {
        Some("This merge request is still a draft.")
    } else if request.conflicts {
        Some("There are merge conflicts. Resolve them on the source branch first.")
    } else if repo.now.pipeline_must_pass && request.pipeline != Pipeline::Passed {
        Some("The pipeline has to pass before this can be merged.")
    } else {
        None
    }
}

impl CodeHost {
    pub(in crate::code) fn open_request(&mut self, path: &str, request: &Request) -> Outcome {
        let repo = self.repo(path)?;
        if !repo.may(Role::Developer) {
            return forbidden("You need at least the Developer role in this project to do that.");
        }
        if !repo.now.merge_requests_enabled {
            return forbidden("Merge requests are switched off in this project.");
        }
        let (source, target) = (field(request, "source"), field(request, "target"));
        if !repo.now.branches.contains_key(&source) || !repo.now.branches.contains_key(&target) {
            return invalid("Choose a source and a target branch.");
        }
        if source == target {
            return invalid("Source and target have to be different branches.");
        }
        let merge_request = MergeRequest {
            title: required(request, "title", "A title", LONGEST_TITLE)?,
            body: body(request)?,
            author: VISITOR.to_owned(),
            state: RequestState::Open,
            source,
            target,
            labels: labels(&repo, request)?,
            assignee: assignee(&repo, request)?,
            reviewer: member(&repo, request, "reviewer")?,
            draft: is_checked(request, "draft"),
            approved_by: BTreeSet::new(),
            pipeline: Pipeline::Running,
            conflicts: false,
            created: Moment::now(),
            replies: 0,
        };
        let number = repo.next_request();
        let key = repo.request_key(number);
        self.state.merge_requests.insert(key, merge_request);
        Ok(flash::then(&format!("/{path}/merge_requests/{number}"), "request-opened"))
    }

    pub(in crate::code) fn change_request(
        &mut self,
        path: &str,
        number: usize,
        action: &str,
        request: &Request,
    ) -> Outcome {
        let repo = self.repo(path)?;
        let known = repo.merge_request(number).ok_or(Refusal::Missing)?;
        let is_author = known.author == VISITOR;
        let key = repo.request_key(number);
        let page = format!("/{path}/merge_requests/{number}");
        if action == "comment" {
            self.comment(key, request)?;
            return Ok(flash::then(&page, "commented"));
        }
        let may = repo.may(Role::Developer) || is_author && action == "state";
        if !may {
            return forbidden("You need at least the Developer role in this project to do that.");
        }
        let mut changed = known.clone();
        let message = match action {
            _ if known.state == RequestState::Merged => {
                return invalid("This merge request has been merged.");
            }
            "approve" if is_author => return invalid("You cannot approve your own merge request."),
            "approve" => {
                if changed.approved_by.insert(VISITOR.to_owned()) {
                    "approved"
                } else {
                    changed.approved_by.remove(VISITOR);
                    "approval-withdrawn"
                }
            }
            "merge" if known.state == RequestState::Closed => {
                return invalid("This merge request is closed. Reopen it first.");
            }
            "merge" => {
                let is_protected =
                    repo.now.branches.get(&known.target).is_some_and(|branch| branch.protected);
                if is_protected && !repo.may(Role::Maintainer) {
                    return forbidden("Only maintainers and owners can merge into a protected branch.");
                }
                if let Some(problem) = obstacle(&repo, known) {
                    return invalid(problem);
                }
                changed.state = RequestState::Merged;
                "merged"
            }
            "state" => {
                let closes = known.state == RequestState::Open;
                changed.state = if closes { RequestState::Closed } else { RequestState::Open };
                if closes { "request-closed" } else { "request-reopened" }
            }
            "reviewer" => {
                changed.reviewer = member(&repo, request, "reviewer")?;
                "saved"
            }
            "draft" => {
                changed.draft = !known.draft;
                "saved"
            }
            _ => return Err(Refusal::Missing),
        };
        let before = repo.origin().and_then(|project| project.merge_requests.get(number.wrapping_sub(1)));
        if before == Some(&changed) {
            self.state.merge_requests.remove(&key);
        } else {
            self.state.merge_requests.insert(key, changed);
        }
        Ok(flash::then(&page, message))
    }
}
