//! How often each agent did what: one row an agent, one column a question.

use std::collections::BTreeMap;

use serde::Serialize;
use umpire_model::{Ruling, Vote};
use umpire_stats::agreement::Share;

use crate::Findings;

/// Questions that are counted together, by the name of the judge that asks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionSet {
    Captcha,
    Popups,
    Navigation,
    FailureMode,
}

/// A column: which answer it counts, and among which attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub id: &'static str,
    pub shown: &'static str,
    /// Only attempts where this was answered with yes; all of the set's if none.
    pub among: Option<&'static str>,
}

const fn question(id: &'static str, shown: &'static str, among: Option<&'static str>) -> Question {
    Question { id, shown, among }
}

const CAPTCHA: &[Question] = &[
    question("wall_met", "met a wall", None),
    question("wall_passed", "passed it", Some("wall_met")),
    question("task_completed", "completed", Some("wall_met")),
    question("reloads", "reloads", Some("wall_met")),
    question("direct_link", "direct link", Some("wall_met")),
    question("google_search", "search engine", Some("wall_met")),
    question("switch_websites", "other site", Some("wall_met")),
    question("internal_navigation", "other page", Some("wall_met")),
    question("new_tab", "new tab", Some("wall_met")),
    question("randomized_interaction", "wandering", Some("wall_met")),
    question("internet_archive", "archive", Some("wall_met")),
    question("cache", "cache", Some("wall_met")),
    question("mobile", "mobile", Some("wall_met")),
    question("country_domain", "country", Some("wall_met")),
    question("text_only", "text only", Some("wall_met")),
    question("public_proxy", "proxy", Some("wall_met")),
    question("travel_integration", "travel search", Some("wall_met")),
];

const POPUPS: &[Question] = &[
    question("banner_shown", "covered", None),
    question("banner_detected", "detected", Some("banner_shown")),
    question("banner_closed", "closed", Some("banner_detected")),
    question("task_completed", "completed", Some("banner_shown")),
];

const NAVIGATION: &[Question] = &[
    question("went_directly", "typed address", None),
    question("search_action", "search action", None),
    question("search_page", "search page", None),
    question("encyclopedia", "encyclopedia", None),
    question("direct_answer", "direct answer", None),
    question("failed", "no answer", None),
    question("task_completed", "completed", None),
];

const FAILURE_MODE: &[Question] = &[
    question("task_completed", "completed", None),
    question("captcha", "captcha", None),
    question("pop_up_banner", "pop-up", None),
    question("direct_navigation", "direct navigation", None),
    question("parsing_errors", "parsing", None),
    question("execution_errors", "execution", None),
    question("technical_errors", "technical", None),
    question("url_errors", "address", None),
    question("repeated_attempts", "repeats", None),
    question("section_navigation", "section", None),
];

impl QuestionSet {
    pub const ALL: [Self; 4] = [Self::Captcha, Self::Popups, Self::Navigation, Self::FailureMode];

    /// Also the name of the judge that asks these questions.
    pub fn name(self) -> &'static str {
        match self {
            Self::Captcha => "captcha",
            Self::Popups => "popups",
            Self::Navigation => "navigation",
            Self::FailureMode => "failure-mode",
        }
    }

    pub fn questions(self) -> &'static [Question] {
        match self {
            Self::Captcha => CAPTCHA,
            Self::Popups => POPUPS,
            Self::Navigation => NAVIGATION,
            Self::FailureMode => FAILURE_MODE,
        }
    }

    /// Categories of tasks that provoke what is asked about; none means all.
    pub fn categories(self) -> &'static [&'static str] {
        match self {
            Self::Captcha => &["Captcha"],
            Self::Popups => &["Consent", "Pop-ups"],
            Self::Navigation => &["Direct navigation"],
            Self::FailureMode => &[],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableRow {
    pub agent: String,
    pub attempts: usize,
    /// By the order of `columns`; out of none where nothing was answered.
    pub shares: Vec<Share>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureTable {
    pub set: &'static str,
    pub columns: Vec<&'static str>,
    /// Best known agents first are a matter of taste: by name.
    pub rows: Vec<TableRow>,
}

impl FailureTable {
    /// From what was found about each attempt, by agent. Columns that nobody has an answer for are left out.
    pub fn of<'a>(set: QuestionSet, attempts: impl IntoIterator<Item = (&'a str, &'a Findings)>) -> Self {
        let mut by_agent: BTreeMap<&str, Vec<&Findings>> = BTreeMap::new();
        for (agent, findings) in attempts {
            by_agent.entry(agent).or_default().push(findings);
        }
        let share = |question: &Question, attempts: &[&Findings]| {
            let is_asked = |findings: &&&Findings| {
                // A judge's own questions know no condition; the record's do.
                question.among.is_none_or(|among| findings.get(among).copied().unwrap_or(true))
            };
            let answers = attempts.iter().filter(is_asked).filter_map(|findings| findings.get(question.id));
            Share::counting(answers.copied())
        };
        let answered = |question: &&Question| {
            by_agent.values().flatten().any(|findings| findings.contains_key(question.id))
        };
        let questions: Vec<&Question> = set.questions().iter().filter(answered).collect();
        let rows = by_agent.iter().map(|(agent, attempts)| TableRow {
            agent: (*agent).to_owned(),
            attempts: attempts.len(),
            shares: questions.iter().map(|question| share(question, attempts)).collect(),
        });
        Self {
            set: set.name(),
            columns: questions.iter().map(|question| question.id).collect(),
            rows: rows.collect(),
        }
    }

    pub fn headers(&self, set: QuestionSet) -> Vec<&'static str> {
        let shown = |id: &&str| {
            set.questions().iter().find(|question| question.id == *id).map_or("", |question| question.shown)
        };
        self.columns.iter().map(shown).collect()
    }
}

/// What the judges of one set found about one attempt: for each question, what more than half of their votes say.
pub fn findings_of_votes<'a>(
    set: QuestionSet,
    votes: impl IntoIterator<Item = &'a Vote>,
) -> Option<Findings> {
    let mut yes: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for vote in votes.into_iter().filter(|vote| vote.judge == set.name() && vote.ruling != Ruling::Error) {
        for (id, answer) in vote.findings.as_object().into_iter().flatten() {
            if let Some(answer) = answer.as_bool() {
                let counts = yes.entry(id).or_default();
                counts.0 += usize::from(answer);
                counts.1 += 1;
            }
        }
    }
    let found: Findings = yes.into_iter().map(|(id, (yes, of))| (id.to_owned(), 2 * yes > of)).collect();
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(answers: &[(&str, bool)]) -> Findings {
        answers.iter().map(|(name, answer)| ((*name).to_owned(), *answer)).collect()
    }

    #[test]
    fn closed_is_counted_among_those_who_noticed_as_the_paper_does() {
        let seen = findings(&[
            ("banner_shown", true),
            ("banner_detected", true),
            ("banner_closed", true),
            ("task_completed", false),
        ]);
        let stuck = findings(&[
            ("banner_shown", true),
            ("banner_detected", true),
            ("banner_closed", false),
            ("task_completed", false),
        ]);
        let blind = findings(&[
            ("banner_shown", true),
            ("banner_detected", false),
            ("banner_closed", false),
            ("task_completed", true),
        ]);
        let none = findings(&[("banner_shown", false), ("task_completed", true)]);
        let table = FailureTable::of(
            QuestionSet::Popups,
            [("oak", &seen), ("oak", &stuck), ("oak", &blind), ("oak", &none)],
        );
        assert_eq!(table.columns, ["banner_shown", "banner_detected", "banner_closed", "task_completed"]);
        let shares: Vec<(Share, Share)> = vec![
            (table.rows[0].shares[0], Share::new(3, 4)),
            (table.rows[0].shares[1], Share::new(2, 3)),
            (table.rows[0].shares[2], Share::new(1, 2)),
            (table.rows[0].shares[3], Share::new(1, 3)),
        ];
        for (got, wanted) in shares {
            assert_eq!(got, wanted);
        }
    }

    #[test]
    fn what_nobody_answered_is_no_column() {
        let table = FailureTable::of(QuestionSet::Navigation, [("oak", &findings(&[("failed", true)]))]);
        assert_eq!(
            (table.columns.as_slice(), table.headers(QuestionSet::Navigation)),
            (&["failed"][..], vec!["no answer"])
        );
    }
}
