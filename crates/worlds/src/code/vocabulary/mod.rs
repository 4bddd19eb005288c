//! The words of the code host. `{p}` stands for a part of a program.

mod people;
mod projects;
mod sentences;

pub use people::{CITIES, GIVEN_NAMES, ROLES, SURNAMES};
pub use projects::{GROUPS, GroupWords, Language, PROJECTS, ProjectWords};
pub use sentences::{
    BRANCH_VERBS, BUG_TITLES, COMMENT_LINES, COMMIT_TITLES, DOC_TITLES, FEATURE_TITLES, ISSUE_BODIES,
    REQUEST_BODIES, REQUEST_TITLES,
};

/// The labels every project starts with: name, colour, meaning.
pub const LABELS: [(&str, &str, &str); 9] = [
    ("bug", "#c0392b", "Something does not do what it says"),
    ("feature", "#1f7a8c", "Something new"),
    ("documentation", "#4a6fa5", "Words, not code"),
    ("performance", "#8e5a9b", "Slow, or too big"),
    ("security", "#7b241c", "Handle with care"),
    ("good first issue", "#3d8b5f", "A nice place to begin"),
    ("blocked", "#6c757d", "Waits for something else"),
    ("needs design", "#b9770e", "Somebody should draw this first"),
    ("regression", "#d35400", "It used to work"),
];

/// Milestones: title, due in how many days from today, and whether it is still open.
pub const MILESTONES: [(&str, i64, bool); 4] =
    [("1.8", -121, false), ("1.9", -37, false), ("2.0", 29, true), ("2.1", 112, true)];
