//! Which part of a case a judge is shown, and in which words.

use serde::{Deserialize, Serialize};
use umpire_model::BlobSource;

use crate::case::{Case, Turn};
use crate::fence::{Fences, canaries};

/// A judge's choice of evidence. What it does not ask for it is not shown.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a line that a user writes, independent of the others"
)]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvidencePolicy {
    pub screenshots: Screenshots,
    /// Frames in one prompt at most; the last ones are always among them.
    pub most_screenshots: usize,
    /// Pixels of a picture's longer side at most; 0 leaves pictures as they are.
    pub longest_side: u32,
    /// Neighbouring screenshots that show the same become one.
    pub collapse: bool,
    pub answer: Answer,
    /// The reasons the agent gave itself.
    pub thoughts: bool,
    /// What somebody did who did the task right.
    pub reference: bool,
    /// Characters of the last page's accessibility outline.
    pub outline: usize,
    /// Documents loaded, and requests that may have changed something.
    pub network: bool,
    /// What the harness read back from the site when the attempt was over.
    pub state: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Screenshots {
    None,
    Last,
    All,
}

/// The agent's own words at its end. They claim success as a rule, and judges tend to believe them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Shown,
    /// That there was one is told, not what it said.
    Masked,
    Hidden,
}

impl Default for EvidencePolicy {
    fn default() -> Self {
        Self {
            screenshots: Screenshots::All,
            most_screenshots: 50,
            longest_side: 1_568,
            collapse: true,
            answer: Answer::Masked,
            thoughts: false,
            reference: false,
            outline: 0,
            network: false,
            state: false,
        }
    }
}

/// The texts of a case, fenced, by the name they have in templates.
#[derive(Clone, Debug)]
pub struct Texts {
    pub task: String,
    pub start: String,
    pub actions: String,
    pub answer: String,
    pub ending: String,
    pub reference: String,
    pub ui_elements: String,
    pub outline: String,
    pub requests: String,
    pub changes: String,
    pub fence_rule: String,
    pub canaries: u32,
    pub fences: Fences,
}

impl Texts {
    /// An outline that cannot be read is left out: the judge is told so.
    pub fn of(case: &Case, policy: &EvidencePolicy, blobs: &dyn BlobSource) -> Self {
        let outline = match policy.outline {
            0 => String::new(),
            most => outline(case, blobs, most),
        };
        let fences = Fences::around(case.hostile().chain([outline.as_str()]));
        let canaries = case.hostile().chain([outline.as_str()]).map(canaries).sum();
        let wrap = |text: String| if text.is_empty() { text } else { fences.wrap(&text) };
        Self {
            task: case.intent.clone(),
            start: case.start_urls.join(", "),
            actions: or_none(wrap(actions(case, policy)), "(the agent did nothing)"),
            answer: answer(case, policy, &fences),
            ending: ending(case),
            reference: if policy.reference { numbered(&case.reference) } else { String::new() },
            ui_elements: case.ui_elements.join(", "),
            outline: wrap(outline),
            requests: if policy.network { wrap(case.requests.join("\n")) } else { String::new() },
            changes: match (policy.state, case.changes.is_empty()) {
                (false, _) => String::new(),
                (true, true) => "(nothing changed on the site)".to_owned(),
                (true, false) => wrap(case.changes.join("\n")),
            },
            fence_rule: fences.rule(),
            canaries,
            fences,
        }
    }

    /// For [`umpire_model::template::fill`].
    pub fn values(&self) -> [(&'static str, &str); 11] {
        [
            ("task", &self.task),
            ("start", &self.start),
            ("actions", &self.actions),
            ("answer", &self.answer),
            ("ending", &self.ending),
            ("reference", &self.reference),
            ("ui_elements", &self.ui_elements),
            ("outline", &self.outline),
            ("requests", &self.requests),
            ("changes", &self.changes),
            ("fences", &self.fence_rule),
        ]
    }
}

/// Names that every template may use.
pub const TEXT_NAMES: [&str; 11] = [
    "task",
    "start",
    "actions",
    "answer",
    "ending",
    "reference",
    "ui_elements",
    "outline",
    "requests",
    "changes",
    "fences",
];

fn or_none(text: String, none: &str) -> String {
    if text.is_empty() { none.to_owned() } else { text }
}

pub(crate) fn numbered(lines: &[String]) -> String {
    lines.iter().zip(1..).map(|(line, number)| format!("{number}. {line}")).collect::<Vec<_>>().join("\n")
}

fn actions(case: &Case, policy: &EvidencePolicy) -> String {
    let steps = case.turns.iter().map(|turn| step(turn, policy)).filter(|step| !step.is_empty());
    steps.collect::<Vec<_>>().join("\n")
}

fn step(turn: &Turn, policy: &EvidencePolicy) -> String {
    let mut lines = Vec::new();
    if let Some(thought) = turn.thought.as_ref().filter(|_| policy.thoughts) {
        lines.push(format!("step {}, the agent's reason: {}", turn.step, thought.trim()));
    }
    for deed in &turn.deeds {
        let text = match (deed.is_answer, policy.answer) {
            (true, Answer::Hidden) => continue,
            (true, Answer::Masked) => "answer (its text is withheld)",
            _ => deed.text.as_str(),
        };
        let failed = deed.error.as_ref().map(|error| format!("; had no effect: {error}")).unwrap_or_default();
        let place = if turn.url.is_empty() { String::new() } else { format!(" on {}", turn.url) };
        lines.push(format!("step {}{place}: {text}{failed}", turn.step));
    }
    lines.join("\n")
}

fn answer(case: &Case, policy: &EvidencePolicy, fences: &Fences) -> String {
    match (&case.answer, policy.answer) {
        (_, Answer::Hidden) => String::new(),
        (None, _) => "(the agent gave no answer)".to_owned(),
        (Some(_), Answer::Masked) => "(the agent gave an answer; its text is withheld)".to_owned(),
        (Some(text), Answer::Shown) => fences.wrap(text),
    }
}

fn ending(case: &Case) -> String {
    use umpire_model::End;
    let Some((end, _)) = &case.end else { return "The recording has no end.".to_owned() };
    match end {
        End::Answered => "The agent ended by itself, with an answer.",
        End::Stopped | End::Over => "The agent ended without an answer.",
        End::Time => "The attempt's time ran out before the agent ended.",
        End::Actions => "The agent used up its actions before it ended.",
        End::Money => "The agent's budget ran out before it ended.",
        End::Blocked => "The site kept the agent out.",
        End::Invalid => "The task could not be asked.",
        End::Infra => "The harness failed.",
    }
    .to_owned()
}

fn outline(case: &Case, blobs: &dyn BlobSource, most: usize) -> String {
    let last = case.turns.iter().rev().find_map(|turn| turn.outline.as_ref());
    let Some(blob) = last else { return String::new() };
    let Ok(text) = blobs.read(blob) else { return "(the last page's outline cannot be read)".to_owned() };
    let text = String::from_utf8_lossy(&text).into_owned();
    if text.len() <= most {
        return text;
    }
    format!("{}\n(cut here: {} characters more)", &text[..text.floor_char_boundary(most)], text.len() - most)
}
