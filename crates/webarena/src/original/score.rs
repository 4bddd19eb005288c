//! What the original evaluator makes of an attempt, part by part.

use serde::{Serialize, Serializer};
use thiserror::Error;

/// The kinds of check a task may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EvalType {
    StringMatch,
    UrlMatch,
    ProgramHtml,
    /// A name the original evaluator refuses.
    Unknown,
}

impl EvalType {
    pub(super) fn named(name: &str) -> Self {
        match name {
            "string_match" => Self::StringMatch,
            "url_match" => Self::UrlMatch,
            "program_html" => Self::ProgramHtml,
            _ => Self::Unknown,
        }
    }
}

/// Why a check has no result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Undecided {
    #[error("the original asked a model, and none is given")]
    NeedsModel,
    #[error("the model gave no verdict: {0}")]
    ModelFailed(String),
    #[error("the URL the attempt ended on was not recorded")]
    LastUrlNotRecorded,
    #[error("the page {0} was not recorded")]
    PageNotRecorded(String),
    #[error("the HTML of {0} was not recorded")]
    HtmlNotRecorded(String),
    #[error("the site's answer to {0} was not recorded")]
    CallNotRecorded(String),
    #[error("the recorded HTML does not say what form fields held")]
    FormStateNotRecorded,
    #[error("the page is changed by {0} before it is read")]
    PreparedByScript(String),
    #[error("{expression} has no recorded result and is not read from HTML: {why}")]
    LocatorNotReadable { expression: String, why: String },
    #[error("whether {0:?} is a word of its own depends on where a trained model ends the sentence")]
    SentenceEnd(String),
    #[error("{0:?} as the only reference is split from the answer by rules not modelled here")]
    PunctuationReference(String),
}

impl Serialize for Undecided {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The result of a check: one, zero, or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    Met,
    Missed,
    Undecided(Undecided),
    /// The task makes the original evaluator stop with an exception, so that the attempt is not scored at all.
    Raises(String),
}

impl Finding {
    pub(super) fn of(met: bool) -> Self {
        if met { Self::Met } else { Self::Missed }
    }

    /// The product of findings: an exception spoils it, a zero decides it, an unknown factor leaves it unknown.
    pub(super) fn product<'a>(findings: impl IntoIterator<Item = &'a Self>) -> Self {
        let weight = |finding: &Self| match finding {
            Self::Met => 0,
            Self::Undecided(_) => 1,
            Self::Missed => 2,
            Self::Raises(_) => 3,
        };
        findings.into_iter().fold(Self::Met, |product, factor| {
            if weight(factor) > weight(&product) { factor.clone() } else { product }
        })
    }
}

/// One comparison within a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The rule by its name in the task file, such as `must_include`.
    pub rule: String,
    pub expected: String,
    /// The text the rule was applied to, shortened; absent when there was none to apply it to.
    pub seen: Option<String>,
    pub finding: Finding,
}

/// Enough of a text for a reader to recognize it; a whole page would drown the report.
const SHOWN_CHARACTERS: usize = 200;

impl Check {
    pub(super) fn new(rule: &str, expected: &str, seen: Option<&str>, finding: Finding) -> Self {
        let shorten = |text: &str| match text.char_indices().nth(SHOWN_CHARACTERS) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
        Self { rule: rule.to_owned(), expected: expected.to_owned(), seen: seen.map(shorten), finding }
    }
}

/// What one eval type of the task came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    pub eval_type: EvalType,
    pub finding: Finding,
    pub checks: Vec<Check>,
}

impl Part {
    pub(super) fn product(eval_type: EvalType, checks: Vec<Check>) -> Self {
        Self { eval_type, finding: Finding::product(checks.iter().map(|check| &check.finding)), checks }
    }

    pub(super) fn raising(eval_type: EvalType, why: String) -> Self {
        Self { eval_type, finding: Finding::Raises(why), checks: Vec::new() }
    }
}

/// The original evaluator's score of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// 1 or 0; none when a part is undecided and no other is zero, or when the original would have raised an exception.
    pub value: Option<f64>,
    pub parts: Vec<Part>,
}

impl Score {
    pub(super) fn of(parts: Vec<Part>) -> Self {
        let value = match Finding::product(parts.iter().map(|part| &part.finding)) {
            Finding::Met => Some(1.0),
            Finding::Missed => Some(0.0),
            Finding::Undecided(_) | Finding::Raises(_) => None,
        };
        Self { value, parts }
    }

    /// Why there is neither a 1 nor a 0, in words.
    pub fn why_undecided(&self) -> Option<String> {
        match Finding::product(self.parts.iter().map(|part| &part.finding)) {
            Finding::Met | Finding::Missed => None,
            Finding::Undecided(reason) => Some(reason.to_string()),
            Finding::Raises(problem) => {
                Some(format!("the original evaluator raises an exception: {problem}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_multiply() {
        let unknown = || Finding::Undecided(Undecided::NeedsModel);
        let raises = || Finding::Raises("no such rule".to_owned());
        for (factors, product) in [
            (vec![], Finding::Met),
            (vec![Finding::Met, Finding::Met], Finding::Met),
            (vec![Finding::Met, Finding::Missed], Finding::Missed),
            (vec![unknown(), Finding::Met], unknown()),
            (vec![unknown(), Finding::Missed], Finding::Missed),
            (vec![Finding::Missed, raises()], raises()),
        ] {
            assert_eq!(Finding::product(&factors), product, "{factors:?}");
        }
    }

    #[test]
    fn long_texts_are_shortened_between_characters() {
        let check = Check::new("must_include", "x", Some(&"é".repeat(500)), Finding::Missed);
        assert_eq!(check.seen.map(|seen| seen.chars().count()), Some(SHOWN_CHARACTERS + 1));
    }
}
