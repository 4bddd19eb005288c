//! Where the histories of a suite's people come from, and how they are searched.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use umpire_llm::{Caller, Gateway};
use umpire_model::{Digest, HistorySettings, Suite};
use umpire_persona::{Histories as Recipe, History, Tables};
use umpire_recall::{Bank, Bm25, Embed, Encoder, Entry, Keys, Method};
use umpire_runner::{Histories, Memories, Models, Plan};

use crate::args::{HistoryArgs, MethodArg};
use crate::config::Config;
use crate::embedder::{Embedder, embedder};
use crate::failure::Failure;

/// How histories are asked if nobody says it: the suite's own, by words.
pub fn plain_settings() -> HistorySettings {
    by_words(&HistoryArgs::default())
}

/// How histories are asked, with which they are and what embeds them: other histories make another run.
pub fn settings(args: &HistoryArgs, config: &Config) -> Result<HistorySettings, Failure> {
    let named = args.embedder.as_deref().filter(|_| args.history_method != MethodArg::Lexical);
    Ok(HistorySettings {
        embedder: named.map(|named| embedder_identity(named, config)).transpose()?.flatten(),
        histories: args.histories.as_deref().map(digest_of_folder).transpose()?,
        ..by_words(args)
    })
}

fn by_words(args: &HistoryArgs) -> HistorySettings {
    HistorySettings {
        method: args.history_method.name().to_owned(),
        keys: args.history_keys.clone(),
        most: args.history_most,
        threshold: args.history_threshold,
        accesses: args.history_accesses,
        embedder: None,
        histories: None,
    }
}

/// None for a model that nobody knows, which is said once somebody wants it to embed something.
fn embedder_identity(named: &str, config: &Config) -> Result<Option<Digest>, Failure> {
    let folder = Path::new(named);
    if folder.is_dir() {
        let encoder = Encoder::open(folder).map_err(|error| Failure::new(error.to_string()))?;
        return Ok(Some(encoder.identity()));
    }
    Ok(config.model_identity(named).map(|identity| Digest::of(identity.as_bytes())))
}

/// Of the histories in a folder, by their files' names.
fn digest_of_folder(folder: &Path) -> Result<Digest, Failure> {
    let unreadable =
        |path: &Path, error: &std::io::Error| Failure::new(format!("{}: {error}", path.display()));
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if path.is_file() && path.extension().is_some_and(|extension| extension == "json") {
            let content = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.insert(name, Digest::of(&content));
        }
    }
    Ok(Digest::of_json(&files))
}

/// What attempts of this plan may ask. Nothing is made before somebody asks, but what cannot work is said now.
pub fn memories(args: &HistoryArgs, plan: &Plan, models: &Models) -> Result<Memories, Failure> {
    let keys: Keys = args.history_keys.parse().map_err(Failure::new)?;
    let source = source(args.histories.as_deref(), &plan.suite)?;
    let personas = plan.instances.iter().filter_map(|instance| instance.persona.as_ref());
    let people: BTreeSet<&str> = personas.map(|persona| persona.id.as_str()).collect();
    if let Some(folder) = args.histories.as_deref().filter(|_| plan.asks_histories()) {
        for person in &people {
            read(folder, person).map_err(|problem| {
                Failure::new(problem).help("--histories DIR has a history of everybody, PERSON.json")
            })?;
        }
    }
    let method = args.history_method;
    let named = if plan.asks_histories() { embedder_of(args)? } else { None };
    let find = |named| Embedder::find(named, &models.gateway, models.are_limited());
    let embedder = named.map(find).transpose()?;
    let has_vectors = embedder.is_some();
    let searching = move |caller: Caller| match &embedder {
        Some(embedder) => Ok(with(method, embedder.on_behalf_of(caller)?)),
        None => Ok(Method::Lexical(Bm25::default())),
    };
    let memories = Memories::new(plan.request.history.clone(), source, keys, Arc::new(searching));
    let Some(folder) = args.history_index.clone().filter(|_| plan.asks_histories()) else {
        return Ok(memories);
    };
    if !has_vectors {
        return Err(Failure::new("--history-index keeps vectors, and the method `lexical` has none")
            .help("words are counted anew in milliseconds"));
    }
    memories.kept_in(folder, people).map_err(|problem| {
        Failure::new(problem).help("remove it, or name another folder with --history-index")
    })
}

/// How a command that is no run searches.
pub fn method(args: &HistoryArgs, gateway: &Arc<Gateway>) -> Result<Method, Failure> {
    Ok(match embedder_of(args)? {
        Some(named) => with(args.history_method, embedder(named, gateway)?),
        None => Method::Lexical(Bm25::default()),
    })
}

fn with(method: MethodArg, embed: Arc<dyn Embed>) -> Method {
    match method {
        MethodArg::Lexical => Method::Lexical(Bm25::default()),
        MethodArg::Dense => Method::Dense(embed),
        MethodArg::Hybrid => Method::Hybrid(embed, Bm25::default()),
    }
}

/// The embedding model's name, where the method needs one.
fn embedder_of(args: &HistoryArgs) -> Result<Option<&str>, Failure> {
    if args.history_method == MethodArg::Lexical {
        return Ok(None);
    }
    let name = args.history_method.name();
    let named = args.embedder.as_deref().ok_or_else(|| {
        Failure::new(format!("the method `{name}` needs an embedding model")).help(
            "--embedder DIR names the folder of all-MiniLM-L6-v2; docs/retrieval.md says where it comes from",
        )
    })?;
    Ok(Some(named))
}

/// Files of a folder by person, or else what the suite says they are.
pub fn source(folder: Option<&Path>, suite: &Suite) -> Result<Histories, Failure> {
    if let Some(folder) = folder {
        if !folder.is_dir() {
            return Err(Failure::new(format!("{}: there is no such folder", folder.display())));
        }
        let folder = folder.to_owned();
        return Ok(Arc::new(move |person: &str| Ok(bank_of(&read(&folder, person)?))));
    }
    let recipe = recipe(suite)?;
    let tasks = suite.tasks.clone();
    Ok(Arc::new(move |person: &str| {
        let recipe =
            recipe.as_ref().ok_or("the suite says nothing of histories; --histories DIR names them")?;
        let made = recipe.history(Tables::embedded(), &tasks, person).map_err(|error| error.to_string())?;
        Ok(bank_of(&made))
    }))
}

/// A person's history from a folder; as strict as who scores attempts with it.
pub fn read(folder: &Path, person: &str) -> Result<History, String> {
    let file = file_of(folder, person);
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    History::parse(&text).map_err(|error| format!("{}: {error}", file.display()))
}

pub fn recipe(suite: &Suite) -> Result<Option<Recipe>, Failure> {
    let named = suite.file.histories.as_deref().unwrap_or_default();
    let read = suite.histories.as_deref().map(Recipe::parse).transpose();
    read.map_err(|error| Failure::new(format!("suite `{}`, {named}: {error}", suite.file.name)))
}

/// A person's name becomes a file's only as far as it cannot lead elsewhere.
pub fn file_of(folder: &Path, person: &str) -> PathBuf {
    folder.join(format!("{}.json", person.replace(['/', '\\'], "_")))
}

fn bank_of(history: &History) -> Bank {
    Bank::new(history.entries.iter().map(as_searched).collect())
}

pub fn as_searched(entry: &umpire_persona::Entry) -> Entry {
    Entry {
        timestamp: entry.timestamp.to_string(),
        kind: entry.kind.name().to_owned(),
        object: entry.object.clone(),
        website: entry.website.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(folder: &Path, files: &[(&str, &str)]) {
        for (name, content) in files {
            std::fs::write(folder.join(name), content).expect("written");
        }
    }

    /// Settings with a folder of these files.
    fn settings_with(files: &[(&str, &str)]) -> HistorySettings {
        let folder = tempfile::tempdir().expect("a folder");
        written(folder.path(), files);
        let args = HistoryArgs { histories: Some(folder.path().to_owned()), ..HistoryArgs::default() };
        settings(&args, &Config::default()).expect("settings")
    }

    #[test]
    fn other_histories_are_other_settings_and_the_same_ones_are_not() {
        let own = settings(&HistoryArgs::default(), &Config::default()).expect("settings");
        assert_eq!(own, plain_settings());
        let written = serde_json::to_value(&own).expect("json");
        let keys: Vec<&str> = written.as_object().expect("fields").keys().map(String::as_str).collect();
        assert_eq!(keys, ["method", "keys", "most", "accesses"], "runs are called what they always were");
        let mine = settings_with(&[("ida.json", "[]"), ("ole.json", "[1]")]);
        for (files, is_same) in [
            (&[("ole.json", "[1]"), ("ida.json", "[]")][..], true),
            (&[("ida.json", "[]"), ("ole.json", "[1]"), ("notes.txt", "x")], true),
            (&[("ida.json", "[]"), ("ole.json", "[2]")], false),
            (&[("ida.json", "[1]"), ("ole.json", "[]")], false),
            (&[("ida.json", "[]")], false),
            (&[], false),
        ] {
            assert_eq!(settings_with(files) == mine, is_same, "{files:?}");
            assert_ne!(settings_with(files), own, "{files:?}");
        }
        let nowhere = HistoryArgs { histories: Some("nowhere".into()), ..HistoryArgs::default() };
        assert!(settings(&nowhere, &Config::default()).is_err());
    }

    #[test]
    fn other_embedders_are_other_settings_where_anything_is_embedded() {
        let folder = tempfile::tempdir().expect("a folder");
        let config = |model: &str| {
            let text = format!(
                "[models.small]\nprovider = \"openai-compatible\"\nmodel = \"{model}\"\nbase_url = \"http://localhost:1\"\n"
            );
            written(folder.path(), &[("umpire.toml", &text)]);
            Config::load(Some(&folder.path().join("umpire.toml"))).expect("configuration")
        };
        let with = |history_method, model: &str| {
            let embedder = Some("small".to_owned());
            let args = HistoryArgs { history_method, embedder, ..HistoryArgs::default() };
            settings(&args, &config(model)).expect("settings")
        };
        assert_eq!(with(MethodArg::Dense, "a"), with(MethodArg::Dense, "a"));
        assert_ne!(with(MethodArg::Dense, "a"), with(MethodArg::Dense, "b"));
        assert_eq!(with(MethodArg::Lexical, "a"), plain_settings());
    }

    #[test]
    fn histories_are_read_as_strictly_as_they_are_scored() {
        let folder = tempfile::tempdir().expect("a folder");
        written(folder.path(), &[("ida.json", r#"[{"object": "oat milk"}]"#)]);
        for (person, problem) in [("ida", "entry 0: no `type`"), ("ole", "ole.json: ")] {
            let error = read(folder.path(), person).expect_err(person);
            assert!(error.contains(problem), "{error}");
        }
    }
}
