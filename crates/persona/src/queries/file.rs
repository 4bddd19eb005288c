//! Files of wishes: ours, and the lines that the benchmark released.

use serde::{Deserialize, Serialize};
use umpire_model::{Preference, Website};

use super::{Gold, QuerySet};

pub const QUERIES_VERSION: u32 = 1;

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadQueries {
    #[error("it has version {0}; this program knows version {QUERIES_VERSION}")]
    Version(u32),
    #[error("line {line}: {problem}")]
    Line { line: usize, problem: String },
    #[error("there are no wishes in it")]
    Empty,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct QueryFile<S> {
    version: u32,
    sets: S,
}

pub fn to_json(sets: &[QuerySet]) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&QueryFile { version: QUERIES_VERSION, sets })
}

/// Reads a file that [`to_json`] wrote, or else one set a line as the benchmark released them.
pub fn read_sets(text: &str) -> Result<Vec<QuerySet>, BadQueries> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let sets: Vec<QuerySet> = match serde_json::from_str::<QueryFile<Vec<QuerySet>>>(text) {
        Ok(file) if file.version == QUERIES_VERSION => file.sets,
        Ok(file) => return Err(BadQueries::Version(file.version)),
        // A mistake in a file of ours is told by where it is; lines have none in common with it.
        Err(error) if text.trim_start().starts_with("{\n") => {
            return Err(BadQueries::Line { line: error.line(), problem: error.to_string() });
        }
        Err(_) => lines().map(|(at, line)| released(at + 1, line)).collect::<Result<_, _>>()?,
    };
    if sets.is_empty() { Err(BadQueries::Empty) } else { Ok(sets) }
}

/// What of a released line is of use here.
#[derive(Deserialize)]
struct Released {
    query_id: String,
    level0: String,
    level1: String,
    level2: String,
    gt_websites: Vec<String>,
    gt_preferences: Vec<String>,
    gt_location: Option<ReleasedHome>,
}

#[derive(Deserialize)]
struct ReleasedHome {
    zip_code: Option<String>,
}

fn released(line: usize, text: &str) -> Result<QuerySet, BadQueries> {
    let read: Released =
        serde_json::from_str(text).map_err(|error| BadQueries::Line { line, problem: error.to_string() })?;
    let preference = |(at, value): (usize, String)| Preference {
        key: format!("preference {}", at + 1),
        value,
        text: None,
    };
    let gold = Gold {
        websites: read.gt_websites.into_iter().map(|host| Website { name: host.clone(), host }).collect(),
        preferences: read.gt_preferences.into_iter().enumerate().map(preference).collect(),
        // Level 1 may name the city as a preference there; only the ZIP code is the home's alone.
        home: read.gt_location.and_then(|home| home.zip_code).into_iter().collect(),
    };
    Ok(QuerySet { id: read.query_id, gold, texts: [read.level0, read.level1, read.level2] })
}
