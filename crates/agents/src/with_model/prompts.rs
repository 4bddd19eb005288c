//! Prompts as template files: our words by default, the user's where a folder is given. `{{name}}` stands for what the
//! agent fills in; a name it does not know is an error before anything runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use umpire_model::Digest;
use umpire_model::template::{self, UnknownName};

use super::spec::ModelKind;

/// A template that comes with Umpire: file name, text, and the names it may hold.
type Own = (&'static str, &'static str, &'static [&'static str]);

macro_rules! own {
    ($file:literal, $names:expr) => {
        ($file, include_str!(concat!("../../prompts/", $file)), $names)
    };
}

const ANSWER: Own = own!("answer.md", &["kind"]);
const VOYAGER: [Own; 2] = [ANSWER, own!("voyager.md", &["answer", "account", "search_url"])];
const OCCAM: [Own; 2] = [ANSWER, own!("occam.md", &["answer"])];
const INDEXED: [Own; 3] = [
    ANSWER,
    own!("indexed.md", &["answer", "actions", "search_url"]),
    own!("indexed-extract.md", &["goal", "page"]),
];
const SEARCH: [Own; 4] = [
    ANSWER,
    own!("search-query.md", &["task"]),
    own!("search-choose.md", &["task", "results"]),
    own!("search-answer.md", &["task", "page", "answer"]),
];
/// Of every agent that looks into a history.
const HISTORY: [Own; 4] = [
    own!("history-plan.md", &["task"]),
    own!("history-need.md", &["task", "known", "title", "url", "page"]),
    own!("history-answer.md", &["query", "entries"]),
    own!("history-rewrite.md", &["task", "facts"]),
];
const KNOWLEDGE: [Own; 2] = [ANSWER, own!("knowledge.md", &["answer"])];

fn own(kind: ModelKind, looks_up: bool) -> Vec<Own> {
    let of_kind: &[Own] = match kind {
        ModelKind::Voyager => &VOYAGER,
        ModelKind::Occam => &OCCAM,
        ModelKind::Indexed => &INDEXED,
        ModelKind::Search => &SEARCH,
        ModelKind::Knowledge => &KNOWLEDGE,
    };
    let of_history: &[Own] = if looks_up { &HISTORY } else { &[] };
    of_kind.iter().chain(of_history).copied().collect()
}

#[derive(Debug, thiserror::Error)]
pub enum BadPrompts {
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{}:{}: {unknown}", path.display(), unknown.line)]
    UnknownName { path: PathBuf, unknown: UnknownName },
    #[error("{} is no template of this agent; its templates are {known}", path.display())]
    UnknownFile { path: PathBuf, known: String },
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
}

/// The templates of one agent, by file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompts(BTreeMap<&'static str, String>);

impl Prompts {
    /// Our templates, replaced by those that the folder has; with those for histories, if the agent looks into one.
    pub fn load(kind: ModelKind, looks_up: bool, folder: Option<&Path>) -> Result<Self, BadPrompts> {
        let own = own(kind, looks_up);
        let mut texts: BTreeMap<&'static str, String> =
            own.iter().map(|(file, text, _)| (*file, (*text).to_owned())).collect();
        if let Some(folder) = folder {
            for path in files_of(folder)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let known = || own.iter().map(|(file, ..)| *file).collect::<Vec<_>>().join(", ");
                let Some((file, _, names)) = own.iter().find(|(file, ..)| *file == name) else {
                    return Err(BadPrompts::UnknownFile { path, known: known() });
                };
                let text = std::fs::read_to_string(&path)
                    .map_err(|source| BadPrompts::Unreadable { path: path.clone(), source })?;
                check(&path, &text, names)?;
                texts.insert(file, text);
            }
        }
        Ok(Self(texts))
    }

    /// What the manifest keeps: another wording is another agent.
    pub fn digest(&self) -> Digest {
        Digest::of_json(&self.0)
    }

    /// A template with its names filled in.
    pub(super) fn fill(&self, file: &str, values: &[(&str, &str)]) -> String {
        self.0.get(file).map_or_else(String::new, |text| template::fill(text, values))
    }
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, BadPrompts> {
    let entries = std::fs::read_dir(folder).map_err(|_| BadPrompts::NoFolder(folder.to_owned()))?;
    let is_template = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(is_template).collect();
    files.sort();
    Ok(files)
}

fn check(path: &Path, text: &str, names: &[&str]) -> Result<(), BadPrompts> {
    template::check(text, names).map_err(|unknown| BadPrompts::UnknownName { path: path.to_owned(), unknown })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_templates_hold_only_names_that_are_filled_in() {
        for kind in ModelKind::ALL {
            for (file, text, names) in own(kind, true) {
                check(Path::new(file), text, names).expect(file);
                assert!(names.iter().all(|name| text.contains(&format!("{{{{{name}}}}}"))), "{file}");
            }
        }
    }

    #[test]
    fn a_folder_replaces_templates_and_changes_the_digest() {
        let folder = tempfile::tempdir().expect("folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("write");
        let load = || Prompts::load(ModelKind::Knowledge, false, Some(folder.path()));
        let own = Prompts::load(ModelKind::Knowledge, false, None).expect("own");
        assert_eq!(load().expect("empty folder").digest(), own.digest());
        write("knowledge.md", "Say it. {{answer}}");
        let mine = load().expect("one file");
        assert_ne!(mine.digest(), own.digest());
        assert_eq!(mine.fill("knowledge.md", &[("answer", "In {{kind}}.")]), "Say it. In {{kind}}.");
        write("knowledge.md", "One\n{{awnser}}");
        let error = load().expect_err("a misspelt name").to_string();
        assert!(error.contains("knowledge.md:2: there is no `{{awnser}}`"), "{error}");
        write("knowledge.md", "");
        write("voyager.md", "");
        assert!(matches!(load(), Err(BadPrompts::UnknownFile { .. })));
        assert!(matches!(
            Prompts::load(ModelKind::Search, false, Some(Path::new("/nowhere"))),
            Err(BadPrompts::NoFolder(_))
        ));
    }
}
