//! Suites by name (built in) or by folder.

use std::path::{Path, PathBuf};

use umpire_model::{Suite, SuiteError};

struct BuiltIn {
    name: &'static str,
    toml: &'static str,
    tasks: &'static [(&'static str, &'static str)],
    sessions: &'static [(&'static str, &'static str)],
    histories: &'static [(&'static str, &'static str)],
}

macro_rules! built_in {
    ($name:literal: $($file:literal),+ $(; $sessions:literal)? $(| $histories:literal)?) => {
        BuiltIn {
            name: $name,
            toml: include_str!(concat!("../../../suites/", $name, "/suite.toml")),
            tasks: &[$(($file, include_str!(concat!("../../../suites/", $name, "/", $file)))),+],
            sessions: &[$(($sessions, include_str!(concat!("../../../suites/", $name, "/", $sessions))))?],
            histories: &[$(($histories, include_str!(concat!("../../../suites/", $name, "/", $histories))))?],
        }
    };
}

const SUITES: &[BuiltIn] = &[
    built_in!("demo": "shop.jsonl", "forum.jsonl", "hub.jsonl"),
    built_in!("obstacles": "popups.jsonl", "captcha.jsonl", "direct.jsonl"),
    built_in!(
        "persona": "groceries.jsonl",
        "electronics.jsonl",
        "apparel.jsonl",
        "books.jsonl",
        "hotels.jsonl",
        "flights.jsonl",
        "restaurants.jsonl",
        "doctors.jsonl",
        "courses.jsonl",
        "concerts.jsonl"
        | "histories.toml"
    ),
    built_in!(
        "privacy": "social.jsonl",
        "video.jsonl",
        "learning.jsonl",
        "gazette.jsonl",
        "games.jsonl",
        "models.jsonl",
        "hub.jsonl";
        "sessions.jsonl"
    ),
    built_in!(
        "smoke": "../demo/shop.jsonl",
        "../demo/forum.jsonl",
        "../demo/hub.jsonl",
        "../verified/code.jsonl",
        "../verified/shop-admin.jsonl",
        "../verified/map.jsonl",
        "../verified/encyclopedia.jsonl",
        "../verified/search.jsonl",
        "../privacy/social.jsonl",
        "../privacy/video.jsonl",
        "../privacy/learning.jsonl",
        "../privacy/gazette.jsonl",
        "../privacy/games.jsonl",
        "../privacy/models.jsonl",
        "../obstacles/popups.jsonl",
        "../obstacles/captcha.jsonl",
        "../obstacles/direct.jsonl",
        "../persona/courses.jsonl";
        "../privacy/sessions.jsonl"
    ),
    built_in!(
        "verified": "code.jsonl",
        "shop-admin.jsonl",
        "shop.jsonl",
        "forum.jsonl",
        "encyclopedia.jsonl",
        "map.jsonl",
        "search.jsonl",
        "multi.jsonl"
    ),
];

pub const BUILT_IN_SUITES: &[&str] = &["demo", "obstacles", "persona", "privacy", "smoke", "verified"];

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("there is no suite `{name}`: it is neither built in ({}) nor a folder with a suite.toml", BUILT_IN_SUITES.join(", "))]
    Unknown { name: String },
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Broken(#[from] SuiteError),
}

/// Loads a built-in suite by name, or the suite in a folder.
pub fn load_suite(name_or_dir: &str) -> Result<Suite, LoadError> {
    if let Some(suite) = SUITES.iter().find(|suite| suite.name == name_or_dir) {
        return load_built_in(suite);
    }
    let dir = Path::new(name_or_dir);
    let toml_path = dir.join("suite.toml");
    if !toml_path.exists() {
        return Err(LoadError::Unknown { name: name_or_dir.to_owned() });
    }
    let toml_text = read(&toml_path)?;
    let file = Suite::parse_file(&toml_path, &toml_text)?;
    let read_all = |names: &[String]| -> Result<Vec<(PathBuf, String)>, LoadError> {
        names.iter().map(|name| dir.join(name)).map(|path| Ok((path.clone(), read(&path)?))).collect()
    };
    let (tasks, sessions) = (read_all(&file.tasks)?, read_all(&file.sessions)?);
    let histories = file.histories.as_ref().map(|name| read(&dir.join(name))).transpose()?;
    let suite = Suite::parse(&toml_path, &toml_text, &tasks, &sessions)?;
    let mut suite = match histories {
        Some(text) => suite.with_histories(text),
        None => suite,
    };
    // Their files are meant relative to the suite's; where the suite lies changes nothing about it.
    suite.file.accounts =
        suite.file.accounts.into_iter().map(|(name, spec)| (name, spec.anchored(dir))).collect();
    Ok(suite)
}

fn load_built_in(suite: &BuiltIn) -> Result<Suite, LoadError> {
    let dir = Path::new("suites").join(suite.name);
    let owned = |files: &[(&str, &str)]| -> Vec<(PathBuf, String)> {
        files.iter().map(|(file, text)| (dir.join(file), (*text).to_owned())).collect()
    };
    let toml = dir.join("suite.toml");
    let parsed = Suite::parse(&toml, suite.toml, &owned(suite.tasks), &owned(suite.sessions))?;
    Ok(match suite.histories.first() {
        Some((_, text)) => parsed.with_histories((*text).to_owned()),
        None => parsed,
    })
}

fn read(path: &Path) -> Result<String, LoadError> {
    std::fs::read_to_string(path).map_err(|source| LoadError::Unreadable { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_suite_loads_and_lists_its_files() {
        for name in BUILT_IN_SUITES {
            let suite = load_suite(name).expect(name);
            assert_eq!(&suite.file.name, name);
            let embedded = SUITES.iter().find(|s| s.name == *name).expect("embedded");
            let names =
                |files: &[(&'static str, &str)]| files.iter().map(|(file, _)| *file).collect::<Vec<_>>();
            assert_eq!(suite.file.tasks, names(embedded.tasks));
            assert_eq!(suite.file.sessions, names(embedded.sessions));
            assert_eq!(suite.file.histories.as_deref(), names(embedded.histories).first().copied());
        }
    }

    #[test]
    fn a_missing_suite_says_what_there_is() {
        let error = load_suite("nowhere").expect_err("missing").to_string();
        assert!(error.contains("demo"), "{error}");
    }
}
