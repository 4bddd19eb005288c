//! Finds and reads the shared vectors of ratings: battles with what public code made of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use umpire_stats::ratings::{Anchor, Battles, Models, Winner};

/// The folder of the vectors, or `None` with a notice if this machine has none.
pub fn folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("UMPIRE_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let folder = shared.join("vectors/arena");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} does not exist", folder.display());
    None
}

pub fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file of battles, and what is expected of it.
pub struct Set {
    pub name: String,
    pub battles: Battles,
    pub expected: Value,
    rows: Vec<BTreeMap<String, String>>,
    folder: PathBuf,
}

/// Every set there is; fails if there is none. `None` where there is no folder.
pub fn sets() -> Option<Vec<Set>> {
    let folder = folder()?;
    let mut found: Vec<Set> = fs::read_dir(&folder)
        .expect("a folder")
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().to_string_lossy().into_owned();
            let name = file.strip_suffix(".expected.json")?;
            let csv = folder.join(format!("{name}.csv"));
            csv.is_file().then(|| Set::read(&folder, name))
        })
        .collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(!found.is_empty(), "{} has no set", folder.display());
    Some(found)
}

impl Set {
    fn read(folder: &Path, name: &str) -> Self {
        let rows = table(&folder.join(format!("{name}.csv")));
        let mut battles = Battles::with_capacity(rows.len());
        for row in &rows {
            battles.push(&row["model_a"], &row["model_b"], Winner::from_label(&row["winner"]));
        }
        let expected = json(&folder.join(format!("{name}.expected.json")));
        Self { name: name.to_owned(), battles, expected, rows, folder: folder.to_owned() }
    }

    /// A column of the file.
    pub fn column(&self, name: &str) -> Vec<&str> {
        self.rows.iter().map(|row| row[name].as_str()).collect()
    }

    /// The features that both sides have a column for, as `FEATURE_a` and `FEATURE_b`, in the order of the file.
    pub fn features(&self) -> Vec<String> {
        let columns = self.expected["columns"].as_array().expect("columns");
        columns
            .iter()
            .filter_map(|column| column.as_str()?.strip_suffix("_a"))
            .filter(|feature| *feature != "model")
            .map(str::to_owned)
            .collect()
    }

    pub fn anchor(&self, models: &Models) -> Option<Anchor> {
        let scale = &self.expected["rating_scale"];
        let model = models.id(scale["anchor_model"].as_str()?)?;
        Some(Anchor { model, rating: scale["anchor_rating"].as_f64()? })
    }

    /// The resamples that the references drew, if they were kept: rows with their counts in every round.
    pub fn resamples(&self) -> Option<Vec<Resampled>> {
        let file = self.folder.join(format!("{}.boot.csv", self.name));
        if !file.is_file() {
            return None;
        }
        let order = self.expected["models_first_seen"].as_array().expect("models");
        let id = |index: &str| {
            let name = order[index.parse::<usize>().expect("an index")].as_str().expect("a name");
            self.battles.models.id(name).expect("a known model")
        };
        let rows = table(&file).into_iter().map(|row| {
            let winner = match row["outcome_a_x2"].as_str() {
                "2" => Winner::A,
                "0" => Winner::B,
                "1" => Winner::Tie,
                other => panic!("outcome {other}"),
            };
            let counts = (0..).map_while(|round| row.get(&format!("b{round}")));
            Resampled {
                models: (id(&row["model_a_idx"]), id(&row["model_b_idx"])),
                winner,
                counts: counts.map(|count| count.parse().expect("a count")).collect(),
            }
        });
        Some(rows.collect())
    }
}

pub struct Resampled {
    pub models: (u32, u32),
    pub winner: Winner,
    pub counts: Vec<f64>,
}

fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap_or_else(|error| panic!("{error}"));
    reader
        .deserialize()
        .map(|row| row.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .collect()
}

/// Collects what differs, so that one run tells all of it.
pub struct Comparison {
    what: &'static str,
    sets: usize,
    values: usize,
    worst: f64,
    mismatches: Vec<String>,
}

impl Comparison {
    pub fn of(what: &'static str) -> Self {
        Self { what, sets: 0, values: 0, worst: 0.0, mismatches: Vec::new() }
    }

    pub fn set(&mut self) {
        self.sets += 1;
    }

    pub fn near(&mut self, place: &str, got: f64, expected: f64, tolerance: f64) {
        self.values += 1;
        let difference = (got - expected).abs();
        self.worst = self.worst.max(difference);
        if difference.is_nan() || difference > tolerance {
            self.mismatches.push(format!("{place}: {got}, expected {expected}"));
        }
    }

    pub fn same<T: PartialEq + std::fmt::Debug>(&mut self, place: &str, got: &T, expected: &T) {
        self.values += 1;
        if got != expected {
            self.mismatches.push(format!("{place}: {got:?}, expected {expected:?}"));
        }
    }

    /// Compares values by the names of models with an object of the expected file.
    pub fn by_model(
        &mut self,
        place: &str,
        models: &Models,
        got: impl Fn(usize) -> f64,
        expected: &Value,
        tolerance: f64,
    ) {
        let expected = expected.as_object().unwrap_or_else(|| panic!("{place}: no object"));
        self.same(&format!("{place}: models"), &models.len(), &expected.len());
        for (name, value) in expected {
            let place = format!("{place} {name}");
            match (models.id(name), value.as_f64()) {
                (Some(id), Some(value)) => self.near(&place, got(id as usize), value, tolerance),
                (id, value) => self.mismatches.push(format!("{place}: model {id:?}, value {value:?}")),
            }
        }
    }

    /// Prints how much was compared; fails with the first mismatches if there are any, or if nothing was compared.
    pub fn conclude(self) {
        println!(
            "{}: {} sets, {} values compared, largest difference {:.1e}, {} mismatches",
            self.what,
            self.sets,
            self.values,
            self.worst,
            self.mismatches.len()
        );
        assert!(self.sets > 0 && self.values > 0, "{}: nothing was compared", self.what);
        let shown: Vec<&str> = self.mismatches.iter().take(20).map(String::as_str).collect();
        assert!(self.mismatches.is_empty(), "{}:\n{}", self.what, shown.join("\n"));
    }
}
