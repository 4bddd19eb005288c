//! Where the histories of a suite's people come from, and how they are searched.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use umpire_model::{HistorySettings, Suite};
use umpire_persona::{Histories as Recipe, History, Tables};
use umpire_recall::{Bank, Bm25, Encoder, Entry, Keys, Method};
use umpire_runner::{Histories, Memories};

use crate::args::{HistoryArgs, MethodArg};
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

/// What attempts at this suite may ask. Nothing is made or read before somebody asks, but what cannot work is said now.
pub fn memories(args: &HistoryArgs, suite: &Suite, is_asked: bool) -> Result<Memories, Failure> {
    let keys: Keys = args.history_keys.parse().map_err(Failure::new)?;
    let method = if is_asked { method(args)? } else { Method::Lexical(Bm25::default()) };
    Ok(Memories::new(settings(args), source(args.histories.as_deref(), suite)?, keys, method))
}

pub fn method(args: &HistoryArgs) -> Result<Method, Failure> {
    if args.history_method == MethodArg::Lexical {
        return Ok(Method::Lexical(Bm25::default()));
    }
    let name = args.history_method.name();
    let folder = args.embedder.as_deref().ok_or_else(|| {
        Failure::new(format!("the method `{name}` needs an embedding model")).help(
            "--embedder DIR names the folder of all-MiniLM-L6-v2; docs/retrieval.md says where it comes from",
        )
    })?;
    let encoder = Encoder::open(folder).map_err(|error| Failure::new(error.to_string()))?;
    let embed = Arc::new(encoder);
    Ok(match args.history_method {
        MethodArg::Hybrid => Method::Hybrid(embed, Bm25::default()),
        _ => Method::Dense(embed),
    })
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

pub fn bank_of(history: &History) -> Bank {
    let entry = |entry: &umpire_persona::Entry| Entry {
        timestamp: entry.timestamp.to_string(),
        kind: entry.kind.name().to_owned(),
        object: entry.object.clone(),
        website: entry.website.clone(),
    };
    Bank::new(history.entries.iter().map(entry).collect())
}
