//! The folder of shared vectors: inputs with the answers the released evaluator gave.

use std::path::{Path, PathBuf};

use umpire_webarena::python::{Value, parse_json, repr_of};

/// The folder, or a notice that there is none.
pub fn vectors() -> Option<PathBuf> {
    let shared = std::env::var_os("UMPIRE_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let folder = shared.join("vectors/webarena-verified");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no vectors at {}", folder.display());
    None
}

/// Every case of a file of JSON lines, read one by one.
pub fn lines(folder: &Path, name: &str) -> impl Iterator<Item = Value> {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Vec<Value> = text.lines().map(|line| parse_json(line).expect("a case")).collect();
    assert!(!cases.is_empty(), "{} holds no case", path.display());
    cases.into_iter()
}

/// Collects what differs, so that one run shows all of it.
pub struct Mismatches {
    file: &'static str,
    compared: usize,
    found: Vec<String>,
}

impl Mismatches {
    pub fn new(file: &'static str) -> Self {
        Self { file, compared: 0, found: Vec::new() }
    }

    pub fn compare(&mut self, case: &Value, expected: &str, actual: &str) {
        self.compared += 1;
        if expected != actual {
            self.found.push(format!("{}\n  expected {expected}\n  got      {actual}", repr_of(case)));
        }
    }

    pub fn finish(self) {
        println!("{}: compared {} cases, {} differ", self.file, self.compared, self.found.len());
        assert!(self.compared > 0, "nothing in {} was compared", self.file);
        assert!(self.found.is_empty(), "{}", self.found.join("\n"));
    }
}
