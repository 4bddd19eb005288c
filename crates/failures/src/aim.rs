//! A task set aimed at one failure mode: the tasks of a suite that provoke it, with their twins that do not.

use serde::Serialize;
use thiserror::Error;
use umpire_model::{Instance, SUITE_VERSION, Suite, SuiteFile};

use crate::QuestionSet;
use crate::lexical::words;

/// A failure mode that built-in tasks provoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownMode {
    pub name: &'static str,
    /// Who answers what became of it.
    pub set: QuestionSet,
    /// Words that people use for it.
    words: &'static [&'static str],
    /// States of a task in which nothing is in the way.
    clear: &'static [&'static str],
    /// What `umpire run --perturb` puts in the way of any other task.
    pub perturbation: Option<&'static str>,
}

impl KnownMode {
    pub const ALL: [Self; 3] = [
        Self {
            name: "captcha",
            set: QuestionSet::Captcha,
            words: &[
                "captcha",
                "robot",
                "bot",
                "human",
                "wall",
                "verification",
                "verify",
                "blocked",
                "challenge",
                "puzzle",
                "denied",
                "traffic",
                "rate",
            ],
            clear: &["clear"],
            perturbation: None,
        },
        Self {
            name: "popups",
            set: QuestionSet::Popups,
            words: &[
                "popup",
                "pop",
                "banner",
                "cookie",
                "cookies",
                "consent",
                "overlay",
                "dialog",
                "modal",
                "newsletter",
                "advert",
                "privacy",
                "dismiss",
                "covered",
            ],
            clear: &["clear"],
            perturbation: Some("popups"),
        },
        Self {
            name: "direct-navigation",
            set: QuestionSet::Navigation,
            words: &[
                "direct",
                "directly",
                "address",
                "url",
                "navigate",
                "navigation",
                "search",
                "engine",
                "google",
                "typed",
            ],
            clear: &[],
            perturbation: None,
        },
    ];

    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name == name)
    }
}

/// The known mode that a group's salient terms speak of most, if any.
pub fn known_mode_of(terms: &[String]) -> Option<KnownMode> {
    let said: Vec<String> = terms.iter().flat_map(|term| words(term)).collect();
    let spoken = |mode: &KnownMode| {
        let of_mode: Vec<String> = mode.words.iter().flat_map(|word| words(word)).collect();
        // The first terms are the most salient ones.
        let weight = |at: usize| 1.0 / (1.0 + at as f64);
        said.iter()
            .enumerate()
            .filter(|(_, term)| of_mode.contains(term))
            .map(|(at, _)| weight(at))
            .sum::<f64>()
    };
    let best = KnownMode::ALL
        .into_iter()
        .map(|mode| (spoken(&mode), mode))
        .max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(score, _)| *score > 0.0).map(|(_, mode)| mode)
}

#[derive(Debug, Error)]
pub enum AimError {
    #[error("no task of suite `{suite}` has anything to do with {mode}")]
    NoTask { suite: String, mode: String },
    #[error("the suite could not be written: {0}")]
    Unwritable(String),
}

/// A suite to be written: `suite.toml` and `tasks.jsonl`.
#[derive(Clone, Debug, Serialize)]
pub struct Aimed {
    pub mode: String,
    pub suite_toml: String,
    pub tasks_jsonl: String,
    /// What else the suite's file names: name and content.
    pub more_files: Vec<(String, String)>,
    /// Instances that provoke the mode.
    pub provoking: usize,
    /// The same tasks with nothing in the way: what they cost by themselves.
    pub twins: usize,
}

/// Picks the tasks of a suite that provoke a mode: by category where the mode is known, by shared words where it is only a
/// group of complaints. At most `most` instances that provoke it, spread over templates; twins come on top.
pub fn aim(suite: &Suite, mode: Option<KnownMode>, terms: &[String], most: usize) -> Result<Aimed, AimError> {
    let name = mode.map_or_else(|| terms.join(", "), |mode| mode.name.to_owned());
    let nothing = || AimError::NoTask { suite: suite.file.name.clone(), mode: name.clone() };
    let instances = suite.instances();
    let is_clear = |instance: &Instance| {
        mode.is_some_and(|mode| instance.state.as_deref().is_some_and(|state| mode.clear.contains(&state)))
    };
    let fits = |instance: &Instance| match mode {
        Some(mode) => mode.set.categories().contains(&instance.category.as_str()),
        None => shares_words(instance, terms),
    };
    let provoking: Vec<&Instance> =
        instances.iter().filter(|instance| fits(instance) && !is_clear(instance)).collect();
    let chosen = spread(&provoking, most);
    if chosen.is_empty() {
        return Err(nothing());
    }
    let is_task_chosen = |instance: &Instance| chosen.iter().any(|other| other.task == instance.task);
    let twins: Vec<&Instance> = instances
        .iter()
        .filter(|instance| fits(instance) && is_clear(instance) && is_task_chosen(instance))
        .collect();
    let mut only: Vec<String> = chosen.iter().chain(&twins).map(|instance| instance.id.clone()).collect();
    only.sort();
    let mut jsonl = String::new();
    for task in suite.tasks.iter().filter(|task| chosen.iter().any(|instance| instance.task == task.id)) {
        let line = serde_json::to_string(task).map_err(|error| AimError::Unwritable(error.to_string()))?;
        jsonl.push_str(&line);
        jsonl.push('\n');
    }
    let slug: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let slug = slug.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let sessions: Vec<(String, String)> = suite
        .sessions
        .values()
        .enumerate()
        .map(|(at, text)| (format!("session-{}.json", at + 1), text.clone()))
        .collect();
    let histories = suite.histories.clone().map(|text| ("histories.toml".to_owned(), text));
    let file = SuiteFile {
        version: SUITE_VERSION,
        name: format!("{}-{}", suite.file.name, if slug.is_empty() { "aimed" } else { &slug })
            .chars()
            .take(100)
            .collect(),
        description: format!("Tasks of {} that provoke: {name}", suite.file.name),
        tasks: vec!["tasks.jsonl".to_owned()],
        only,
        sessions: sessions.iter().map(|(name, _)| name.clone()).collect(),
        histories: histories.as_ref().map(|(name, _)| name.clone()),
        ..suite.file.clone()
    };
    let suite_toml = toml::to_string(&file).map_err(|error| AimError::Unwritable(error.to_string()))?;
    Ok(Aimed {
        mode: name,
        suite_toml,
        tasks_jsonl: jsonl,
        more_files: sessions.into_iter().chain(histories).collect(),
        provoking: chosen.len(),
        twins: twins.len(),
    })
}

fn shares_words(instance: &Instance, terms: &[String]) -> bool {
    let text = format!(
        "{} {} {} {} {}",
        instance.intent,
        instance.category,
        instance.template.replace('-', " "),
        instance.state.as_deref().unwrap_or_default(),
        instance.ui_elements.join(" ")
    );
    let of_task = words(&text);
    let wanted: Vec<String> = terms.iter().flat_map(|term| words(term)).collect();
    // One word in common may be an accident, unless there is only one.
    let common = wanted.iter().filter(|word| of_task.contains(word)).count();
    common >= 2.min(wanted.len()) && common > 0
}

/// One instance of each template in turn.
fn spread<'a>(instances: &[&'a Instance], most: usize) -> Vec<&'a Instance> {
    let mut templates: Vec<&str> = instances.iter().map(|instance| instance.template.as_str()).collect();
    templates.sort_unstable();
    templates.dedup();
    let mut by_template: Vec<Vec<&Instance>> = templates
        .iter()
        .map(|template| {
            let own = instances.iter().filter(|instance| instance.template == *template).copied();
            own.rev().collect()
        })
        .collect();
    let mut chosen = Vec::new();
    while chosen.len() < most && by_template.iter().any(|left| !left.is_empty()) {
        for left in &mut by_template {
            if chosen.len() < most {
                chosen.extend(left.pop());
            }
        }
    }
    chosen
}
