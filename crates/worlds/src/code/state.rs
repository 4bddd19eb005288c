//! Everything the visitor can change. Issues and merge requests that nobody touched live in the catalogue; one that
//! was opened or changed here has its whole record in the state, under `namespace/project#4` or `namespace/project!4`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::kit::moment::Moment;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Number of the next comment, token or key.
    pub next_id: u32,
    pub profile: Profile,
    /// The visitor's personal access tokens.
    pub tokens: BTreeMap<String, Token>,
    /// Paths of projects the visitor has starred.
    pub stars: BTreeMap<String, bool>,
    /// Projects in which the visitor has a role, by path.
    pub projects: BTreeMap<String, ProjectState>,
    pub issues: BTreeMap<String, Issue>,
    pub merge_requests: BTreeMap<String, MergeRequest>,
    /// What the visitor wrote under issues and merge requests.
    pub comments: BTreeMap<String, Comment>,
}

impl State {
    /// `token-901`: unique in this world.
    pub fn take_id(&mut self, kind: &str) -> String {
        let id = format!("{kind}-{}", self.next_id);
        self.next_id = self.next_id.saturating_add(1);
        id
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: String,
    pub status: String,
    pub bio: String,
    pub location: String,
    pub website: String,
    /// Whether contributions to private projects are counted on the public profile.
    pub show_private_contributions: bool,
    pub notifications: Notifications,
}

macro_rules! choices {
    ($(#[$note:meta])* $name:ident { $($variant:ident $code:literal $label:literal),+ $(,)? }) => {
        $(#[$note])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $(#[serde(rename = $code)] $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// As in the state, in forms and in URLs.
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label),+ }
            }

            pub fn parse(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|choice| choice.code() == code)
            }
        }
    };
}

choices!(Notifications {
    All "all" "Everything I can see",
    Participating "participating" "Only threads I take part in",
    Mentions "mentions" "Only when I am mentioned",
    Off "off" "Nothing",
});

choices!(Visibility {
    Private "private" "Private",
    Internal "internal" "Internal",
    Public "public" "Public",
});

choices!(
    /// In the order of what they may do.
    Role {
        Guest "guest" "Guest",
        Reporter "reporter" "Reporter",
        Developer "developer" "Developer",
        Maintainer "maintainer" "Maintainer",
        Owner "owner" "Owner",
    }
);

choices!(IssueState { Open "open" "Open", Closed "closed" "Closed" });

choices!(RequestState { Open "open" "Open", Merged "merged" "Merged", Closed "closed" "Closed" });

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pipeline {
    Passed,
    Failed,
    Running,
}

impl Pipeline {
    pub fn code(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Running => "running",
        }
    }
}

choices!(Scope {
    ReadApi "read_api" "Read the API",
    Api "api" "Use the whole API",
    ReadRepository "read_repository" "Read repositories",
    WriteRepository "write_repository" "Write to repositories",
    ReadUser "read_user" "Read the user's profile",
});

/// A personal or project access token. What it opens is shown once and not kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    pub name: String,
    pub scopes: BTreeSet<Scope>,
    /// ISO date, or none for a token that does not expire.
    pub expires: Option<String>,
    pub created: Moment,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the settings page")]
pub struct ProjectState {
    pub description: String,
    pub visibility: Visibility,
    pub archived: bool,
    pub default_branch: String,
    pub issues_enabled: bool,
    pub merge_requests_enabled: bool,
    /// A merge request needs a pipeline that passed.
    pub pipeline_must_pass: bool,
    pub forked_from: Option<String>,
    /// By user name.
    pub members: BTreeMap<String, Member>,
    /// By name.
    pub labels: BTreeMap<String, Label>,
    /// By title.
    pub milestones: BTreeMap<String, Milestone>,
    /// By name.
    pub branches: BTreeMap<String, Branch>,
    pub deploy_keys: BTreeMap<String, DeployKey>,
    pub tokens: BTreeMap<String, Token>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    pub role: Role,
    /// ISO date on which the membership ends.
    pub expires: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    pub colour: String,
    pub description: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Milestone {
    /// ISO date.
    pub due: Option<String>,
    pub open: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// How many of the project's commits, from the newest, this branch does not have.
    pub behind: usize,
    pub protected: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeployKey {
    pub title: String,
    pub key: String,
    pub can_push: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    pub title: String,
    pub body: String,
    pub author: String,
    pub state: IssueState,
    pub labels: BTreeSet<String>,
    pub assignee: Option<String>,
    pub milestone: Option<String>,
    pub created: Moment,
    /// How many comments others had left before the visitor came.
    pub replies: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MergeRequest {
    pub title: String,
    pub body: String,
    pub author: String,
    pub state: RequestState,
    pub source: String,
    pub target: String,
    pub labels: BTreeSet<String>,
    pub assignee: Option<String>,
    pub reviewer: Option<String>,
    pub draft: bool,
    pub approved_by: BTreeSet<String>,
    pub pipeline: Pipeline,
    pub conflicts: bool,
    pub created: Moment,
    pub replies: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comment {
    /// Key of the issue or merge request.
    pub on: String,
    pub body: String,
    pub at: Moment,
}
