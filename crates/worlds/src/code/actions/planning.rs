//! Labels, milestones and branches.

use super::{LONGEST_NAME, Outcome, Refusal, date, field, invalid, required};
use crate::Request;
use crate::code::CodeHost;
use crate::code::state::{Branch, Label, MergeRequest, Milestone, RequestState, Role};
use crate::kit::flash;

impl CodeHost {
    pub(in crate::code) fn create_label(&mut self, path: &str, request: &Request) -> Outcome {
        let project = self.project_for(path, Role::Reporter)?;
        let name = required(request, "name", "A name", 40)?;
        if project.labels.keys().any(|known| known.eq_ignore_ascii_case(&name)) {
            return invalid(format!("There is already a label “{name}”."));
        }
        let colour = field(request, "colour").to_lowercase();
        let digits = colour.strip_prefix('#').unwrap_or_default();
        if digits.len() != 6 || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return invalid("A colour is written like #c0392b.");
        }
        let description = field(request, "description").chars().take(LONGEST_NAME).collect();
        project.labels.insert(name, Label { colour, description });
        Ok(flash::then(&format!("/{path}/labels"), "label-created"))
    }

    pub(in crate::code) fn delete_label(&mut self, path: &str, name: &str) -> Outcome {
        self.project_for(path, Role::Reporter)?.labels.remove(name).ok_or(Refusal::Missing)?;
        Ok(flash::then(&format!("/{path}/labels"), "label-deleted"))
    }

    pub(in crate::code) fn create_milestone(&mut self, path: &str, request: &Request) -> Outcome {
        let project = self.project_for(path, Role::Reporter)?;
        let title = required(request, "title", "A title", LONGEST_NAME)?;
        if project.milestones.contains_key(&title) {
            return invalid(format!("There is already a milestone “{title}”."));
        }
        let due = date(request, "due", true)?;
        project.milestones.insert(title, Milestone { due, open: true });
        Ok(flash::then(&format!("/{path}/milestones"), "milestone-created"))
    }

    pub(in crate::code) fn set_milestone_open(&mut self, path: &str, title: &str, open: bool) -> Outcome {
        let project = self.project_for(path, Role::Reporter)?;
        project.milestones.get_mut(title).ok_or(Refusal::Missing)?.open = open;
        Ok(flash::then(&format!("/{path}/milestones"), "saved"))
    }

    pub(in crate::code) fn create_branch(&mut self, path: &str, request: &Request) -> Outcome {
        let project = self.project_for(path, Role::Developer)?;
        let name = required(request, "name", "A branch name", LONGEST_NAME)?;
        if !name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter)) {
            return invalid("A branch name has letters, digits, dots, hyphens and underscores only.");
        }
        if project.branches.contains_key(&name) {
            return invalid(format!("There is already a branch “{name}”."));
        }
        let Some(from) = project.branches.get(&field(request, "from")) else {
            return invalid("Choose the branch to start from.");
        };
        let branch = Branch { behind: from.behind, protected: false };
        project.branches.insert(name, branch);
        Ok(flash::then(&format!("/{path}/branches"), "branch-created"))
    }

    pub(in crate::code) fn delete_branch(&mut self, path: &str, name: &str) -> Outcome {
        let repo = self.repo(path)?;
        let in_use = |request: &MergeRequest| request.state == RequestState::Open && request.source == name;
        if repo.merge_requests().iter().any(|(_, request)| in_use(request)) {
            return invalid("An open merge request still needs this branch.");
        }
        let project = self.project_for(path, Role::Developer)?;
        let branch = project.branches.get(name).ok_or(Refusal::Missing)?;
        if branch.protected || *name == project.default_branch {
            return invalid("A protected branch cannot be deleted.");
        }
        project.branches.remove(name);
        Ok(flash::then(&format!("/{path}/branches"), "branch-deleted"))
    }
}
