//! Judges as they are written down: ours, and a user's in `umpire.toml`.
//!
//! ```toml
//! [judges.polite]
//! like = "autonomous"            # everything that is not said here is as it is there
//! template = "polite.md"         # the prompt: what stands above the line `---` is the system's part
//! evidence = { screenshots = "last", answer = "shown" }
//! questions = [{ id = "polite", ask = "Was every message the agent sent polite?" }]
//! pass = "polite"
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use umpire_model::Digest;
use umpire_model::template::{self, UnknownName};

use crate::evidence::{EvidencePolicy, TEXT_NAMES};

/// A judge, complete.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Definition {
    pub name: String,
    pub about: String,
    pub pipeline: Pipeline,
    pub evidence: EvidencePolicy,
    /// Prompts by file name.
    pub templates: BTreeMap<String, String>,
    /// The one of them that asks for the ruling.
    pub main: String,
    pub questions: Vec<YesNo>,
    /// The question whose yes is a pass; `not ID` for its no. None if the answers are only noted.
    pub pass: Option<String>,
    /// Screenshots with this score or more are shown to the last call of `webjudge`.
    pub threshold: u8,
}

/// How the shared parts are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pipeline {
    /// One call: success or failure.
    Outcome,
    /// One call: an answer to each of a list of questions.
    Questions,
    /// Key points, a score for each screenshot, then the outcome.
    KeyScreenshots,
    /// Success or failure by the reference, then which kind of control a failure is owed to.
    Privacy,
    /// Points for website, preferences, location and intent.
    Persona,
    /// Which of two attempts did better.
    Pairwise,
}

/// A question of a schema that somebody wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct YesNo {
    pub id: String,
    pub ask: String,
}

/// What a file says of a judge; what it does not say is taken from `like`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    pub like: Option<String>,
    pub about: Option<String>,
    pub pipeline: Option<Pipeline>,
    pub evidence: Option<toml::Table>,
    /// Replaces the judge's only prompt, or its main one.
    pub template: Option<PathBuf>,
    /// A folder whose files replace the prompts of the same names.
    pub prompts: Option<PathBuf>,
    pub questions: Option<Vec<YesNo>>,
    pub pass: Option<String>,
    pub threshold: Option<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum BadJudge {
    #[error("there is no judge `{name}`; there are {}", known.join(", "))]
    Unknown { name: String, known: Vec<String> },
    #[error("judge `{judge}`: {}: {source}", path.display())]
    Unreadable { judge: String, path: PathBuf, source: std::io::Error },
    #[error("judge `{judge}`: {file}:{}: {unknown}", unknown.line)]
    UnknownName { judge: String, file: String, unknown: UnknownName },
    #[error("judge `{judge}`: {problem}")]
    Wrong { judge: String, problem: String },
}

macro_rules! builtin {
    ($($name:literal: [$($template:literal),*]),* $(,)?) => {
        [$(($name, include_str!(concat!("../builtin/", $name, ".toml")),
            &[$(($template, include_str!(concat!("../builtin/", $template)))),*] as &[(&str, &str)])),*]
    };
}

/// Name, definition, prompts; the first prompt is the main one.
type BuiltIn = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const BUILT_IN: [BuiltIn; 12] = builtin! {
    "webjudge": ["webjudge.md", "key-points.md", "key-screenshot.md"],
    "webjudge-general": ["webjudge-general.md", "key-points.md", "key-screenshot.md"],
    "autonomous": ["autonomous.md"],
    "agenttrek": ["agenttrek.md"],
    "webvoyager": ["webvoyager.md"],
    "privacy": ["privacy.md", "privacy-attribution.md"],
    "persona": ["persona.md"],
    "pairwise": ["pairwise.md"],
    "captcha": ["questions.md"],
    "popups": ["questions.md"],
    "navigation": ["questions.md"],
    "failure-mode": ["questions.md"],
};

/// Names that only some prompts use.
const MORE_NAMES: [&str; 9] = [
    "key_points",
    "reasons",
    "count",
    "questions",
    "wish",
    "other_actions",
    "other_answer",
    "other_ending",
    "failure",
];

impl Definition {
    pub fn built_in_names() -> Vec<&'static str> {
        BUILT_IN.iter().map(|(name, ..)| *name).collect()
    }

    /// One of ours, by name.
    pub fn built_in(name: &str) -> Option<Self> {
        let (name, text, templates) = BUILT_IN.iter().find(|(known, ..)| *known == name)?;
        let written: Written = toml::from_str(text).ok()?;
        let base = Self {
            name: (*name).to_owned(),
            about: String::new(),
            pipeline: Pipeline::Outcome,
            evidence: EvidencePolicy::default(),
            templates: templates
                .iter()
                .map(|(file, text)| ((*file).to_owned(), (*text).to_owned()))
                .collect(),
            main: templates.first().map(|(file, _)| (*file).to_owned()).unwrap_or_default(),
            questions: Vec::new(),
            pass: None,
            threshold: 3,
        };
        base.with(&written, Path::new("")).ok()
    }

    /// One of the user's, or one of ours.
    pub fn find(name: &str, written: &BTreeMap<String, Written>, folder: &Path) -> Result<Self, BadJudge> {
        let Some(own) = written.get(name) else {
            return Self::built_in(name).ok_or_else(|| BadJudge::Unknown {
                name: name.to_owned(),
                known: Self::built_in_names()
                    .into_iter()
                    .map(str::to_owned)
                    .chain(written.keys().cloned())
                    .collect(),
            });
        };
        let like = own.like.as_deref().unwrap_or(match &own.questions {
            Some(_) => "captcha",
            None => "autonomous",
        });
        let mut base = Self::built_in(like).ok_or_else(|| BadJudge::Unknown {
            name: like.to_owned(),
            known: Self::built_in_names().into_iter().map(str::to_owned).collect(),
        })?;
        name.clone_into(&mut base.name);
        let built = base.with(own, folder)?;
        built.check()?;
        Ok(built)
    }

    fn with(mut self, written: &Written, folder: &Path) -> Result<Self, BadJudge> {
        let wrong = |problem: String| BadJudge::Wrong { judge: self.name.clone(), problem };
        if let Some(table) = &written.evidence {
            // Said over what the judge it is like says.
            let mut whole =
                toml::Table::try_from(&self.evidence).map_err(|error| wrong(error.to_string()))?;
            whole.extend(table.clone());
            self.evidence =
                whole.try_into().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
        }
        if let Some(pipeline) = written.pipeline {
            self.pipeline = pipeline;
        }
        if let Some(about) = &written.about {
            self.about.clone_from(about);
        }
        if let Some(questions) = &written.questions {
            self.questions.clone_from(questions);
            self.pass = None;
        }
        self.pass = written.pass.clone().or(self.pass);
        self.threshold = written.threshold.unwrap_or(self.threshold);
        let judge = self.name.clone();
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|source| BadJudge::Unreadable {
                judge: judge.clone(),
                path: path.to_owned(),
                source,
            })
        };
        if let Some(main) = &written.template {
            let text = read(&folder.join(main))?;
            self.templates.insert(self.main.clone(), text);
        }
        if let Some(prompts) = &written.prompts {
            for (file, text) in &mut self.templates {
                let path = folder.join(prompts).join(file);
                if path.exists() {
                    *text = read(&path)?;
                }
            }
        }
        Ok(self)
    }

    fn check(&self) -> Result<(), BadJudge> {
        let names: Vec<&str> = TEXT_NAMES.into_iter().chain(MORE_NAMES).collect();
        for (file, text) in &self.templates {
            template::check(text, &names).map_err(|unknown| BadJudge::UnknownName {
                judge: self.name.clone(),
                file: file.clone(),
                unknown,
            })?;
        }
        let wrong = |problem: String| Err(BadJudge::Wrong { judge: self.name.clone(), problem });
        if self.pipeline == Pipeline::Questions && self.questions.is_empty() {
            return wrong("it has no `questions`".to_owned());
        }
        for question in &self.questions {
            let is_name = !question.id.is_empty()
                && question.id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
            if !is_name {
                return wrong(format!("`{}` is no name for a question", question.id));
            }
        }
        if let Some(pass) = &self.pass {
            let id = pass.strip_prefix("not ").unwrap_or(pass);
            if !self.questions.iter().any(|question| question.id == id) {
                return wrong(format!("`pass` names `{id}`, which is none of its questions"));
            }
        }
        if !(1..=5).contains(&self.threshold) {
            return wrong(format!("`threshold` is {}; scores go from 1 to 5", self.threshold));
        }
        Ok(())
    }

    /// System and user part of a prompt, filled in.
    pub fn prompt(&self, file: &str, values: &[(&str, &str)]) -> (String, String) {
        let text = self.templates.get(file).map_or("", String::as_str);
        match text.split_once("\n---\n") {
            Some((system, user)) => (template::fill(system, values), template::fill(user, values)),
            None => (String::new(), template::fill(text, values)),
        }
    }

    pub fn digest(&self) -> Digest {
        Digest::of_json(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> BTreeMap<String, Written> {
        toml::from_str(text).expect("toml")
    }

    #[test]
    fn every_built_in_judge_is_whole() {
        for name in Definition::built_in_names() {
            let judge = Definition::built_in(name).unwrap_or_else(|| panic!("{name}"));
            judge.check().expect(name);
            assert!(!judge.about.is_empty(), "{name}");
            assert!(judge.templates.contains_key(&judge.main), "{name}");
            for file in judge.templates.keys() {
                let (system, user) = judge.prompt(file, &[("task", "T"), ("fences", "F")]);
                assert!(system.contains('F'), "{name}: {file} says what fences mean");
                assert!(!user.is_empty(), "{name}: {file}");
            }
        }
    }

    #[test]
    fn a_user_changes_what_they_say_and_nothing_else() {
        let own = written("[mine]\nlike = \"webvoyager\"\nevidence = { answer = \"hidden\" }\n");
        let mine = Definition::find("mine", &own, Path::new("")).expect("mine");
        let theirs = Definition::built_in("webvoyager").expect("built in");
        assert_eq!(mine.evidence.answer, crate::evidence::Answer::Hidden);
        assert_eq!(mine.evidence.screenshots, theirs.evidence.screenshots);
        assert_eq!(mine.templates, theirs.templates);
        assert_ne!(mine.digest(), theirs.digest());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, problem) in [
            ("[a]\nlike = \"nobody\"", "there is no judge `nobody`; there are webjudge,"),
            ("[a]\nquestions = []", "judge `a`: it has no `questions`"),
            (
                "[a]\nquestions = [{ id = \"x y\", ask = \"?\" }]",
                "judge `a`: `x y` is no name for a question",
            ),
            ("[a]\nquestions = [{ id = \"x\", ask = \"?\" }]\npass = \"y\"", "judge `a`: `pass` names `y`"),
            ("[a]\nthreshold = 9", "judge `a`: `threshold` is 9"),
            ("[a]\nevidence = { screenshots = \"some\" }", "judge `a`: unknown variant `some`"),
            ("[a]\ntemplate = \"none.md\"", "judge `a`: none.md: No such file"),
        ] {
            let error = Definition::find("a", &written(text), Path::new("")).expect_err(text).to_string();
            assert!(error.starts_with(problem), "{error}");
        }
        let error = Definition::find("b", &BTreeMap::new(), Path::new("")).expect_err("unknown").to_string();
        assert!(error.starts_with("there is no judge `b`; there are webjudge"), "{error}");
    }
}
