//! Projects as a whole: create, fork, star.

use std::collections::BTreeMap;

use serde_json::json;

use super::{LONGEST_NAME, LONGEST_TEXT, Outcome, Refusal, field, invalid, required};
use crate::code::CodeHost;
use crate::code::catalogue::VISITOR;
use crate::code::state::{Branch, Label, Member, ProjectState, Role, Visibility};
use crate::code::vocabulary::LABELS;
use crate::kit::flash;
use crate::kit::text::{bounded, slug};
use crate::{Request, Response};

impl CodeHost {
    pub(in crate::code) fn create_project(&mut self, request: &Request) -> Outcome {
        let name = required(request, "name", "A project name", LONGEST_NAME)?;
        let slug = slug(&name);
        if slug.is_empty() {
            return invalid("A project name needs at least one letter or digit.");
        }
        let description = field(request, "description");
        if description.chars().count() > LONGEST_TEXT {
            return invalid("The description is too long.");
        }
        let Some(visibility) = Visibility::parse(&field(request, "visibility")) else {
            return invalid("Choose who can see the project.");
        };
        let project = ProjectState { description, visibility, ..blank() };
        self.add_own_project(&slug, project, "project-created")
    }

    pub(in crate::code) fn fork(&mut self, path: &str, request: &Request) -> Outcome {
        let repo = self.repo(path)?;
        let slug = slug(&bounded(&field(request, "name"), LONGEST_NAME));
        if slug.is_empty() {
            return invalid("A fork needs a name.");
        }
        let Some(visibility) = Visibility::parse(&field(request, "visibility")) else {
            return invalid("Choose who can see the fork.");
        };
        if repo.now.visibility < visibility {
            return invalid("A fork cannot be more visible than the original.");
        }
        let project = ProjectState {
            description: repo.now.description.clone(),
            visibility,
            default_branch: repo.now.default_branch.clone(),
            branches: repo.now.branches.clone(),
            forked_from: Some(path.to_owned()),
            ..blank()
        };
        self.add_own_project(&slug, project, "forked")
    }

    fn add_own_project(&mut self, slug: &str, project: ProjectState, message: &'static str) -> Outcome {
        let path = format!("{VISITOR}/{slug}");
        if self.state.projects.contains_key(&path) {
            return invalid(format!("You already have a project named “{slug}”."));
        }
        let location = format!("/{path}");
        self.state.projects.insert(path, project);
        Ok(flash::then(&location, message))
    }

    /// Sent by a button, which wants to know the new number.
    pub(in crate::code) fn star(&mut self, path: &str, request: &Request) -> Outcome {
        let wanted = request.json.as_ref().and_then(|json| json.get("starred")?.as_bool());
        let wanted = wanted.ok_or_else(|| Refusal::Invalid("Say whether to star or not.".to_owned()))?;
        if wanted {
            self.state.stars.insert(path.to_owned(), true);
        } else {
            self.state.stars.remove(path);
        }
        Ok(Response::json(&json!({"starred": wanted, "stars": self.repo(path)?.stars()})))
    }
}

/// A project with nothing in it, owned by the visitor.
fn blank() -> ProjectState {
    let labels = LABELS.iter().take(3).map(|(name, colour, meaning)| {
        ((*name).to_owned(), Label { colour: (*colour).to_owned(), description: (*meaning).to_owned() })
    });
    ProjectState {
        description: String::new(),
        visibility: Visibility::Private,
        archived: false,
        default_branch: "main".to_owned(),
        issues_enabled: true,
        merge_requests_enabled: true,
        pipeline_must_pass: false,
        forked_from: None,
        members: [(VISITOR.to_owned(), Member { role: Role::Owner, expires: None })].into(),
        labels: labels.collect(),
        milestones: BTreeMap::new(),
        branches: [("main".to_owned(), Branch { behind: 0, protected: true })].into(),
        deploy_keys: BTreeMap::new(),
        tokens: BTreeMap::new(),
    }
}
