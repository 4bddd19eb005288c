//! What was on the code host before the visitor came. It never changes, and is built once per seed and shared by all
//! worlds of that seed.

use std::collections::HashMap;
use std::sync::Arc;

use super::generate;
use super::state::{Issue, MergeRequest, ProjectState};
use super::vocabulary::ProjectWords;
use crate::kit::by_seed::BySeed;
use crate::kit::moment::Moment;

/// The account every visitor is signed in with.
pub const VISITOR: &str = "icalder";

pub struct Person {
    pub username: String,
    pub name: String,
    pub bio: &'static str,
    pub city: &'static str,
    pub joined: Moment,
}

pub struct Commit {
    pub sha: String,
    pub title: String,
    /// User name.
    pub author: Arc<str>,
    pub at: Moment,
    /// Positions in the project's files.
    pub touched: Vec<usize>,
}

impl Commit {
    pub fn short(&self) -> &str {
        self.sha.get(..8).unwrap_or(&self.sha)
    }
}

pub struct Project {
    /// `namespace/slug`.
    pub path: String,
    pub words: &'static ProjectWords,
    pub stars: usize,
    pub forks: usize,
    pub created: Moment,
    /// Newest first.
    pub commits: Vec<Commit>,
    /// Paths of files, sorted.
    pub files: Vec<String>,
    /// Number 1 first.
    pub issues: Vec<Issue>,
    /// Number 1 first.
    pub merge_requests: Vec<MergeRequest>,
    /// Settings, members and so on, as they were before the visitor came.
    pub opening: ProjectState,
}

pub struct Catalogue {
    pub seed: u64,
    pub people: Vec<Person>,
    pub projects: Vec<Project>,
    by_path: HashMap<String, usize>,
}

impl Catalogue {
    pub fn shared(seed: u64) -> Arc<Self> {
        static CATALOGUES: BySeed<Catalogue> = BySeed::new();
        CATALOGUES.get(seed, Self::generate)
    }

    fn generate(seed: u64) -> Self {
        let people = generate::people(seed);
        let projects = generate::projects(seed, &people);
        let by_path = projects.iter().enumerate().map(|(at, project)| (project.path.clone(), at)).collect();
        Self { seed, people, projects, by_path }
    }

    pub fn project(&self, path: &str) -> Option<&Project> {
        self.by_path.get(path).and_then(|&at| self.projects.get(at))
    }

    pub fn person(&self, username: &str) -> Option<&Person> {
        self.people.iter().find(|person| person.username == username)
    }
}
