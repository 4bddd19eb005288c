//! What a person says about an attempt: the file annotators fill in, and what a run keeps of it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{AttemptId, FailureCategory};

pub const LABEL_VERSION: u32 = 1;

/// Who settles a disagreement signs with this before their name; no account is named so.
pub const ADJUDICATOR: &str = "adjudicator:";

/// One person's opinion on one attempt; a line of a labels file.
///
/// As exported it is empty but for what says which attempt it is about; a line that nobody filled in is no label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HumanLabel {
    pub version: u32,
    pub attempt: AttemptId,
    /// The intent, in the words the agent was given. Tasks have changed under the same name before: a label is about these
    /// words.
    pub task: String,
    /// The recorded trajectory, as its folder within the run, and which try of it.
    pub trajectory: String,
    pub r#try: u32,
    /// `None` until somebody decides.
    pub success: Option<Success>,
    /// What went wrong, in any number of categories of any taxonomy.
    #[serde(default)]
    pub failures: Vec<FailureCategory>,
    /// Opinions on single steps; those without one are not judged.
    #[serde(default)]
    pub steps: Vec<StepLabel>,
    /// Whatever else is to be said.
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub annotator: String,
    /// When it was said; empty until it is imported, if the annotator gave none.
    #[serde(default)]
    pub time: Option<LabelTime>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Success {
    Success,
    Failure,
    /// Nobody could have done it: the site is gone, or what is asked for does not exist.
    Unexecutable,
    /// Looked at, and not decided.
    Unsure,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLabel {
    /// As `umpire show` and the report number them.
    pub step: u32,
    pub verdict: StepVerdict,
    #[serde(default)]
    pub failures: Vec<FailureCategory>,
    #[serde(default)]
    pub text: String,
}

/// Whether a step did what it was meant to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepVerdict {
    Ok,
    Wrong,
    Unsure,
}

/// A moment, written `2026-03-16T09:30:00Z`; any offset is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LabelTime(jiff::Timestamp);

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("`{0}` is not a time such as 2026-03-16T09:30:00Z")]
pub struct BadLabelTime(String);

impl LabelTime {
    pub fn new(moment: jiff::Timestamp) -> Self {
        Self(moment)
    }
}

impl FromStr for LabelTime {
    type Err = BadLabelTime;
    fn from_str(text: &str) -> Result<Self, BadLabelTime> {
        text.parse().map(Self).map_err(|_| BadLabelTime(text.to_owned()))
    }
}

impl TryFrom<String> for LabelTime {
    type Error = BadLabelTime;
    fn try_from(text: String) -> Result<Self, BadLabelTime> {
        text.parse()
    }
}

impl From<LabelTime> for String {
    fn from(time: LabelTime) -> Self {
        time.to_string()
    }
}

impl fmt::Display for LabelTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl HumanLabel {
    /// The line an annotator is given.
    pub fn empty(attempt: AttemptId, r#try: u32, task: &str) -> Self {
        Self {
            version: LABEL_VERSION,
            task: task.to_owned(),
            trajectory: Self::trajectory_of(&attempt),
            attempt,
            r#try,
            success: None,
            failures: Vec::new(),
            steps: Vec::new(),
            text: String::new(),
            annotator: String::new(),
            time: None,
        }
    }

    pub fn trajectory_of(attempt: &AttemptId) -> String {
        format!("attempts/{attempt}")
    }

    /// Whether anybody said anything in it.
    pub fn is_filled_in(&self) -> bool {
        self.success.is_some()
            || !self.failures.is_empty()
            || !self.steps.is_empty()
            || !self.text.trim().is_empty()
    }
}

/// The labels that stand: of several by one annotator on one attempt, the one said last; in the order of the file.
pub fn standing_labels(labels: &[HumanLabel]) -> Vec<&HumanLabel> {
    let mut last: BTreeMap<(&AttemptId, &str), usize> = BTreeMap::new();
    for (at, label) in labels.iter().enumerate() {
        let standing = last.entry((&label.attempt, label.annotator.as_str())).or_insert(at);
        if label.time >= labels[*standing].time {
            *standing = at;
        }
    }
    let mut standing: Vec<usize> = last.into_values().collect();
    standing.sort_unstable();
    standing.into_iter().map(|at| &labels[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(attempt: &str, annotator: &str, time: &str, success: Success) -> HumanLabel {
        HumanLabel {
            success: Some(success),
            annotator: annotator.to_owned(),
            time: Some(time.parse().expect("a time")),
            ..HumanLabel::empty(attempt.parse().expect("an attempt"), 1, "Buy a lamp")
        }
    }

    #[test]
    fn a_label_is_one_line_of_json_that_reads_back() {
        let mut full = label("kite/t1/1", "ann", "2026-03-16T10:30:00+01:00", Success::Failure);
        full.failures = vec!["websp-eval/partial-completion".parse().expect("known")];
        full.steps = vec![StepLabel {
            step: 3,
            verdict: StepVerdict::Wrong,
            failures: Vec::new(),
            text: "wrong size".to_owned(),
        }];
        let line = serde_json::to_string(&full).expect("plain data");
        assert!(
            line.contains(r#""success":"failure","failures":["websp-eval/partial-completion"]"#),
            "{line}"
        );
        assert!(line.contains(r#""time":"2026-03-16T09:30:00Z""#), "{line}");
        assert_eq!(serde_json::from_str::<HumanLabel>(&line).expect("our own"), full);
    }

    #[test]
    fn an_exported_line_is_not_yet_a_label() {
        let empty = HumanLabel::empty("kite/t1/1".parse().expect("an attempt"), 2, "Buy a lamp");
        assert!(!empty.is_filled_in());
        assert_eq!(empty.trajectory, "attempts/kite/t1/1");
        assert!(HumanLabel { text: "unclear".to_owned(), ..empty }.is_filled_in());
    }

    #[test]
    fn unknown_fields_and_categories_are_refused() {
        let line = r#"{"version":1,"attempt":"a/t/1","task":"","trajectory":"","try":1,"success":null,"failures":["websp-eval/laziness"]}"#;
        assert!(
            serde_json::from_str::<HumanLabel>(line).expect_err("unknown").to_string().contains("laziness")
        );
        let line = r#"{"version":1,"attempt":"a/t/1","task":"","trajectory":"","try":1,"success":null,"sucess":true}"#;
        assert!(serde_json::from_str::<HumanLabel>(line).expect_err("a typo").to_string().contains("sucess"));
    }

    #[test]
    fn whoever_says_it_again_later_has_changed_their_mind() {
        let labels = [
            label("kite/t1/1", "ann", "2026-03-16T10:00:00Z", Success::Success),
            label("kite/t1/1", "ben", "2026-03-16T10:00:00Z", Success::Success),
            // Imported late, said early: the offset counts, not the text.
            label("kite/t1/1", "ann", "2026-03-16T11:30:00+02:00", Success::Unsure),
            label("kite/t1/1", "ben", "2026-03-16T10:00:00.5Z", Success::Failure),
        ];
        let standing: Vec<_> = standing_labels(&labels)
            .into_iter()
            .map(|label| (label.annotator.as_str(), label.success))
            .collect();
        assert_eq!(standing, [("ann", Some(Success::Success)), ("ben", Some(Success::Failure))]);
    }
}
