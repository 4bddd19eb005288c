//! Which projects, issues and people a search finds, and which issues a filter leaves.

use super::board::{Board, Repo};
use super::catalogue::Person;
use super::state::{Issue, IssueState};
use crate::Request;

/// Every word of the question stands somewhere in the text, whatever the case.
pub fn matches(question: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    question.split_whitespace().all(|word| text.contains(&word.to_lowercase()))
}

pub fn projects<'a>(board: Board<'a>, question: &str) -> Vec<Repo<'a>> {
    let mut found: Vec<Repo<'a>> = board
        .repos()
        .into_iter()
        .filter(|repo| {
            let topics = repo.origin().map(|project| project.words.topics.join(" ")).unwrap_or_default();
            matches(question, &format!("{} {} {topics}", repo.path, repo.now.description))
        })
        .collect();
    found.sort_by_key(|repo| std::cmp::Reverse(repo.stars()));
    found
}

/// Newest first.
pub fn issues<'a>(board: Board<'a>, question: &str) -> Vec<(Repo<'a>, usize, &'a Issue)> {
    let mut found: Vec<(Repo<'a>, usize, &'a Issue)> = board
        .repos()
        .into_iter()
        .flat_map(|repo| repo.issues().into_iter().map(move |(number, issue)| (repo, number, issue)))
        .filter(|(_, _, issue)| matches(question, &format!("{} {}", issue.title, issue.body)))
        .collect();
    found.sort_by_key(|(_, _, issue)| std::cmp::Reverse(issue.created));
    found
}

pub fn people<'a>(board: Board<'a>, question: &str) -> Vec<&'a Person> {
    let people = board.catalogue.people.iter();
    people.filter(|person| matches(question, &format!("{} {}", person.username, person.name))).collect()
}

/// What the issue list is narrowed to.
pub struct IssueFilter<'a> {
    /// None shows both.
    pub state: Option<IssueState>,
    pub words: &'a str,
    pub label: &'a str,
    pub author: &'a str,
    /// A user name, or `none`.
    pub assignee: &'a str,
    /// A title, or `none`.
    pub milestone: &'a str,
    pub sort: &'a str,
}

impl<'a> IssueFilter<'a> {
    pub fn of(request: &'a Request) -> Self {
        let value = |name| request.query(name).unwrap_or_default();
        Self {
            state: match value("state") {
                "all" => None,
                code => Some(IssueState::parse(code).unwrap_or(IssueState::Open)),
            },
            words: value("q"),
            label: value("label"),
            author: value("author"),
            assignee: value("assignee"),
            milestone: value("milestone"),
            sort: value("sort"),
        }
    }

    pub fn apply<'b>(&self, mut issues: Vec<(usize, &'b Issue)>) -> Vec<(usize, &'b Issue)> {
        let fits = |wanted: &str, value: Option<&String>| match wanted {
            "" => true,
            "none" => value.is_none(),
            _ => value.is_some_and(|value| value == wanted),
        };
        issues.retain(|(_, issue)| {
            self.state.is_none_or(|state| issue.state == state)
                && matches(self.words, &format!("{} {}", issue.title, issue.body))
                && (self.label.is_empty() || issue.labels.contains(self.label))
                && (self.author.is_empty() || issue.author == self.author)
                && fits(self.assignee, issue.assignee.as_ref())
                && fits(self.milestone, issue.milestone.as_ref())
        });
        match self.sort {
            "oldest" => issues.reverse(),
            "comments" => issues.sort_by_key(|(_, issue)| std::cmp::Reverse(issue.replies)),
            _ => {}
        }
        issues
    }
}
