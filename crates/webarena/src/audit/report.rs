//! What an audit found, and its table.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

/// The format a task is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    Original,
    Verified,
}

/// What is wrong with a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// A text may stand anywhere in the page's source.
    PageContent,
    /// A text may stand anywhere in the visible text of a located element.
    LocatorSubstring,
    /// A text may stand anywhere in another property of a located element, or in a helper function's answer.
    OtherLocatorSubstring,
    /// A text may stand anywhere in the agent's answer.
    ResponseSubstring,
    /// `N/A` is right, whatever the agent did before.
    Unachievable,
    /// A model decides.
    ModelJudged,
    /// Alternatives are compared as one text, which no honest answer contains.
    LiteralAlternatives,
    /// The evaluator stops with an exception.
    BrokenCheck,
    /// A template variable was never filled in.
    UnsubstitutedPlaceholder,
    /// Two events are expected of what can only be one request.
    ContradictoryEvents,
    /// `retrieved_data` is absent, which no answer matches.
    OmittedRetrievedData,
    /// A list of one is read as alternatives, of which there must be two.
    OneElementAlternatives,
    /// Opening the start page is all that is asked.
    StartPageSuffices,
    /// The right words are all that is asked.
    ClaimSuffices,
    /// Nothing the browser did is looked at.
    NoActivity,
    /// Clearly different values are taken for the same.
    WideTolerance,
}

impl Category {
    const OF_ORIGINAL: [Self; 8] = [
        Self::PageContent,
        Self::LocatorSubstring,
        Self::OtherLocatorSubstring,
        Self::ResponseSubstring,
        Self::Unachievable,
        Self::ModelJudged,
        Self::LiteralAlternatives,
        Self::BrokenCheck,
    ];
    const OF_VERIFIED: [Self; 8] = [
        Self::UnsubstitutedPlaceholder,
        Self::ContradictoryEvents,
        Self::OmittedRetrievedData,
        Self::OneElementAlternatives,
        Self::StartPageSuffices,
        Self::ClaimSuffices,
        Self::NoActivity,
        Self::WideTolerance,
    ];
    /// Expectations no run can meet.
    pub const UNPASSABLE: [Self; 4] = [
        Self::UnsubstitutedPlaceholder,
        Self::ContradictoryEvents,
        Self::OmittedRetrievedData,
        Self::OneElementAlternatives,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Self::PageContent => "page content",
            Self::LocatorSubstring => "locator substring",
            Self::OtherLocatorSubstring => "other locator substring",
            Self::ResponseSubstring => "response substring",
            Self::Unachievable => "unachievable",
            Self::ModelJudged => "model-judged",
            Self::LiteralAlternatives => "literal alternatives",
            Self::BrokenCheck => "broken check",
            Self::UnsubstitutedPlaceholder => "unsubstituted placeholder",
            Self::ContradictoryEvents => "contradictory events",
            Self::OmittedRetrievedData => "omitted retrieved_data",
            Self::OneElementAlternatives => "one-element alternatives",
            Self::StartPageSuffices => "start page suffices",
            Self::ClaimSuffices => "claim suffices",
            Self::NoActivity => "no activity checked",
            Self::WideTolerance => "wide tolerance",
        }
    }

    /// What the paper counts among the 812 original tasks.
    fn published(self) -> Option<usize> {
        match self {
            Self::PageContent => Some(92),
            Self::LocatorSubstring => Some(164),
            Self::ResponseSubstring => Some(176),
            Self::Unachievable => Some(36),
            Self::ModelJudged => Some(118),
            _ => None,
        }
    }
}

/// One reason to distrust a task's checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub task_id: i64,
    pub category: Category,
    /// Where in the task, such as `eval.program_html[0].locator`.
    pub place: String,
    pub reason: String,
    /// The text that gives offence.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { task_id, category, place, reason, text } = self;
        write!(formatter, "task {task_id}: {}: {place}: {reason}: {text:?}", category.label())
    }
}

/// How many tasks a category, or a union of categories, concerns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SummaryRow {
    pub name: &'static str,
    pub tasks: usize,
    /// The paper's count, where the file is the one it counted.
    pub published: Option<usize>,
}

/// The audit of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditReport {
    /// The formats met, with how many tasks are written in each.
    pub formats: Vec<(Format, usize)>,
    pub tasks: usize,
    pub summary: Vec<SummaryRow>,
    pub findings: Vec<Finding>,
}

impl AuditReport {
    /// The tasks with a finding in any of the categories.
    pub fn tasks_in(&self, categories: &[Category]) -> BTreeSet<i64> {
        tasks_in(&self.findings, categories)
    }
}

fn tasks_in(findings: &[Finding], categories: &[Category]) -> BTreeSet<i64> {
    let concerned = findings.iter().filter(|finding| categories.contains(&finding.category));
    concerned.map(|finding| finding.task_id).collect()
}

/// How many tasks the file has that the paper counted.
pub(super) const PUBLISHED_TASKS: usize = 812;

#[derive(Default)]
pub(super) struct Collected {
    original_tasks: usize,
    verified_tasks: usize,
    findings: Vec<Finding>,
}

impl Collected {
    pub(super) fn add(&mut self, format: Format, findings: Vec<Finding>) {
        match format {
            Format::Original => self.original_tasks += 1,
            Format::Verified => self.verified_tasks += 1,
        }
        self.findings.extend(findings);
    }

    pub(super) fn into_report(self) -> AuditReport {
        let is_published = self.original_tasks == PUBLISHED_TASKS && self.verified_tasks == 0;
        let row = |name, categories: &[Category], published: Option<usize>| SummaryRow {
            name,
            tasks: tasks_in(&self.findings, categories).len(),
            published: published.filter(|_| is_published),
        };
        let mut summary = Vec::new();
        if self.original_tasks > 0 {
            use Category::{LocatorSubstring, OtherLocatorSubstring, PageContent, ResponseSubstring};
            summary.extend(
                Category::OF_ORIGINAL
                    .map(|category| row(category.label(), &[category], category.published())),
            );
            summary.push(row("any substring", &[LocatorSubstring, ResponseSubstring], None));
            summary.push(row(
                "permissive matching",
                &[PageContent, LocatorSubstring, OtherLocatorSubstring, ResponseSubstring],
                Some(506),
            ));
        }
        if self.verified_tasks > 0 {
            summary.extend(Category::OF_VERIFIED.map(|category| row(category.label(), &[category], None)));
            summary.push(row("unpassable", &Category::UNPASSABLE, None));
        }
        let formats = [(Format::Original, self.original_tasks), (Format::Verified, self.verified_tasks)];
        AuditReport {
            formats: formats.into_iter().filter(|(_, tasks)| *tasks > 0).collect(),
            tasks: self.original_tasks + self.verified_tasks,
            summary,
            findings: self.findings,
        }
    }
}

impl fmt::Display for AuditReport {
    /// The summary as a table, with the paper's counts where they apply.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_published = self.summary.iter().any(|row| row.published.is_some());
        let width = self.summary.iter().map(|row| row.name.len()).max().unwrap_or_default();
        write!(formatter, "{:width$}  tasks", format!("of {} tasks", self.tasks))?;
        writeln!(formatter, "{}", if has_published { "  paper" } else { "" })?;
        for row in &self.summary {
            write!(formatter, "{:width$}  {:5}", row.name, row.tasks)?;
            match row.published {
                Some(published) => writeln!(formatter, "  {published:5}")?,
                None => writeln!(formatter)?,
            }
        }
        Ok(())
    }
}
