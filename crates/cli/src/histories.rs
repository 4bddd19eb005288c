//! Where the histories of a suite's people come from, and how they are searched.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use umpire_llm::{Caller, Gateway};
use umpire_model::{HistorySettings, Suite};
use umpire_persona::{Histories as Recipe, History, Tables};
use umpire_recall::{Bank, Bm25, Embed, Entry, Keys, Method};
use umpire_runner::{Histories, Memories, Models, Plan};

use crate::args::{HistoryArgs, MethodArg};
use crate::embedder::{Embedder, embedder};
use crate::failure::Failure;

pub fn settings(args: &HistoryArgs) -> HistorySettings {
    HistorySettings {
        method: args.history_method.name().to_owned(),
        keys: args.history_keys.clone(),
        most: args.history_most,
        threshold: args.history_threshold,
        accesses: args.history_accesses,
    }
}

/// What attempts of this plan may ask. Nothing is made before somebody asks, but what cannot work is said now.
pub fn memories(args: &HistoryArgs, plan: &Plan, models: &Models) -> Result<Memories, Failure> {
    let keys: Keys = args.history_keys.parse().map_err(Failure::new)?;
    let source = source(args.histories.as_deref(), &plan.suite)?;
    let method = args.history_method;
    let named = if plan.asks_histories() { embedder_of(args)? } else { None };
    let find = |named| Embedder::find(named, &models.gateway, models.are_limited());
    let embedder = named.map(find).transpose()?;
    let has_vectors = embedder.is_some();
    let searching = move |caller: Caller| match &embedder {
        Some(embedder) => Ok(with(method, embedder.on_behalf_of(caller)?)),
        None => Ok(Method::Lexical(Bm25::default())),
    };
    let memories = Memories::new(settings(args), source, keys, Arc::new(searching));
    let Some(folder) = args.history_index.clone().filter(|_| plan.asks_histories()) else {
        return Ok(memories);
    };
    if !has_vectors {
        return Err(Failure::new("--history-index keeps vectors, and the method `lexical` has none")
            .help("words are counted anew in milliseconds"));
    }
    let personas = plan.instances.iter().filter_map(|instance| instance.persona.as_ref());
    let people: BTreeSet<&str> = personas.map(|persona| persona.id.as_str()).collect();
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
        return Ok(Arc::new(move |person: &str| {
            Bank::read(&file_of(&folder, person)).map_err(|error| error.to_string())
        }));
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
