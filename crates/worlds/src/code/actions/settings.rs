//! A project's settings, members, tokens and deploy keys.

use super::{
    LONGEST_NAME, LONGEST_TEXT, Outcome, Refusal, date, field, invalid, is_checked, required, token,
};
use crate::Request;
use crate::code::CodeHost;
use crate::code::catalogue::VISITOR;
use crate::code::state::{DeployKey, Member, ProjectState, Role, Visibility};
use crate::kit::flash;

impl CodeHost {
    pub(in crate::code) fn save_settings(&mut self, path: &str, request: &Request) -> Outcome {
        let project = self.project_for(path, Role::Maintainer)?;
        let description = field(request, "description");
        if description.chars().count() > LONGEST_TEXT {
            return invalid("The description is too long.");
        }
        let default_branch = field(request, "default_branch");
        if !project.branches.contains_key(&default_branch) {
            return invalid("Choose an existing branch as the default.");
        }
        project.description = description;
        project.default_branch = default_branch;
        project.issues_enabled = is_checked(request, "issues_enabled");
        project.merge_requests_enabled = is_checked(request, "merge_requests_enabled");
        project.pipeline_must_pass = is_checked(request, "pipeline_must_pass");
        Ok(flash::then(&format!("/{path}/settings"), "saved"))
    }

    pub(in crate::code) fn set_visibility(&mut self, path: &str, request: &Request) -> Outcome {
        let project = self.project_for(path, Role::Owner)?;
        let Some(visibility) = Visibility::parse(&field(request, "visibility")) else {
            return invalid("Choose who can see the project.");
        };
        project.visibility = visibility;
        Ok(flash::then(&format!("/{path}/settings"), "saved"))
    }

    pub(in crate::code) fn set_archived(&mut self, path: &str, request: &Request) -> Outcome {
        let project = self.project_for(path, Role::Owner)?;
        project.archived = field(request, "archived") == "yes";
        let message = if project.archived { "archived" } else { "unarchived" };
        Ok(flash::then(&format!("/{path}/settings"), message))
    }

    pub(in crate::code) fn delete_project(&mut self, path: &str, request: &Request) -> Outcome {
        self.project_for(path, Role::Owner)?;
        if field(request, "confirmation") != path {
            return invalid("Type the full path of the project to confirm that it is to be deleted.");
        }
        self.state.projects.remove(path);
        self.state.issues.retain(|key, _| key.split('#').next() != Some(path));
        self.state.merge_requests.retain(|key, _| key.split('!').next() != Some(path));
        self.state.comments.retain(|_, comment| comment.on.split(['#', '!']).next() != Some(path));
        self.state.stars.remove(path);
        Ok(flash::then("/", "project-deleted"))
    }

    pub(in crate::code) fn create_project_token(&mut self, path: &str, request: &Request) -> Outcome {
        self.project_for(path, Role::Maintainer)?;
        let token = token(request)?;
        let id = self.state.take_id("token");
        self.project_for(path, Role::Maintainer)?.tokens.insert(id, token);
        Ok(flash::then(&format!("/{path}/settings/tokens"), "token-created"))
    }

    pub(in crate::code) fn revoke_project_token(&mut self, path: &str, id: &str) -> Outcome {
        self.project_for(path, Role::Maintainer)?.tokens.remove(id).ok_or(Refusal::Missing)?;
        Ok(flash::then(&format!("/{path}/settings/tokens"), "token-revoked"))
    }

    pub(in crate::code) fn add_deploy_key(&mut self, path: &str, request: &Request) -> Outcome {
        self.project_for(path, Role::Maintainer)?;
        let title = required(request, "title", "A title", LONGEST_NAME)?;
        let key = required(request, "key", "A public key", 800)?;
        if !["ssh-ed25519 ", "ssh-rsa ", "ecdsa-sha2-nistp256 "].iter().any(|kind| key.starts_with(kind)) {
            return invalid(
                "That is not a public SSH key: it has to begin with ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256.",
            );
        }
        let id = self.state.take_id("key");
        let key = DeployKey { title, key, can_push: is_checked(request, "can_push") };
        self.project_for(path, Role::Maintainer)?.deploy_keys.insert(id, key);
        Ok(flash::then(&format!("/{path}/settings/deploy_keys"), "key-added"))
    }

    pub(in crate::code) fn remove_deploy_key(&mut self, path: &str, id: &str) -> Outcome {
        self.project_for(path, Role::Maintainer)?.deploy_keys.remove(id).ok_or(Refusal::Missing)?;
        Ok(flash::then(&format!("/{path}/settings/deploy_keys"), "key-removed"))
    }

    pub(in crate::code) fn add_member(&mut self, path: &str, request: &Request) -> Outcome {
        self.project_for(path, Role::Maintainer)?;
        let username = required(request, "username", "A user name", LONGEST_NAME)?;
        if self.catalogue.person(&username).is_none() {
            return invalid(format!("There is nobody called “{username}” here."));
        }
        let role = self.role_to_give(path, request)?;
        let expires = date(request, "expires", true)?;
        let project = self.project_for(path, Role::Maintainer)?;
        if project.members.contains_key(&username) {
            return invalid(format!("{username} is already a member."));
        }
        project.members.insert(username, Member { role, expires });
        Ok(flash::then(&format!("/{path}/members"), "member-added"))
    }

    pub(in crate::code) fn set_role(&mut self, path: &str, username: &str, request: &Request) -> Outcome {
        self.project_for(path, Role::Maintainer)?;
        let role = self.role_to_give(path, request)?;
        let project = self.project_for(path, Role::Maintainer)?;
        let member = project.members.get(username).ok_or(Refusal::Missing)?;
        if member.role == Role::Owner && role != Role::Owner {
            keep_an_owner(project, username)?;
        }
        if let Some(member) = project.members.get_mut(username) {
            member.role = role;
        }
        Ok(flash::then(&format!("/{path}/members"), "saved"))
    }

    pub(in crate::code) fn remove_member(&mut self, path: &str, username: &str) -> Outcome {
        let project = self.project_for(path, Role::Maintainer)?;
        if username == VISITOR {
            return invalid("Ask another maintainer to take you off the list.");
        }
        keep_an_owner(project, username)?;
        project.members.remove(username).ok_or(Refusal::Missing)?;
        Ok(flash::then(&format!("/{path}/members"), "member-removed"))
    }

    /// Nobody gives away more than they have.
    fn role_to_give(&self, path: &str, request: &Request) -> Result<Role, Refusal> {
        let Some(role) = Role::parse(&field(request, "role")) else {
            return invalid("Choose a role.");
        };
        if !self.repo(path)?.may(role) {
            return invalid("You cannot give a role above your own.");
        }
        Ok(role)
    }
}

/// A project without an owner could never be changed again.
fn keep_an_owner(project: &ProjectState, leaving: &str) -> Result<(), Refusal> {
    let stays = |(username, member): (&String, &Member)| member.role == Role::Owner && username != leaving;
    if project.members.iter().any(stays) { Ok(()) } else { invalid("A project needs at least one owner.") }
}
