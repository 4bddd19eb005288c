//! Finds and reads the shared vectors: inputs with the answers the released evaluator gave.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use umpire_webarena::reference::results::EvaluatorResult;

/// The folder of a kind of shared files, or `None` with a notice if this machine has none.
pub fn shared_folder(kind: &str) -> Option<PathBuf> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("UMPIRE_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let folder = shared.join(kind).join("webarena-verified");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} does not exist", folder.display());
    None
}

/// Every case of a vector file; fails if there is none.
pub fn vector_cases(file: &str) -> Option<Vec<Value>> {
    let path = shared_folder("vectors")?.join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a case is a line of JSON")).collect();
    assert!(!cases.is_empty(), "{} is empty", path.display());
    Some(cases)
}

/// Prints how many cases were compared; fails with the first mismatches if there are any.
pub fn conclude(what: &str, compared: usize, mismatches: &[String]) {
    println!("{what}: {compared} cases compared, {} mismatches", mismatches.len());
    assert!(compared > 0, "{what}: no cases");
    let shown: Vec<&str> = mismatches.iter().take(20).map(String::as_str).collect();
    assert!(mismatches.is_empty(), "{what}: {} of {compared} differ\n{}", mismatches.len(), shown.join("\n"));
}

/// A vector file that is one JSON document.
pub fn vector_json<T: serde::de::DeserializeOwned>(file: &str) -> T {
    let path = shared_folder("vectors").expect("the folder of the cases").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The status and the sorted assertion names of an evaluator in a vector.
pub fn outcome(evaluator: &Value) -> (String, Vec<String>) {
    let assertions = evaluator["assertions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut names: Vec<String> =
        assertions.iter().map(|assertion| assertion["name"].as_str().expect("a name").to_owned()).collect();
    names.sort();
    (evaluator["status"].as_str().expect("a status").to_owned(), names)
}

/// The same of a result of ours.
pub fn evaluator_outcome(result: &EvaluatorResult) -> (String, Vec<String>) {
    let assertions = result.assertions.iter().flatten();
    let mut names: Vec<String> = assertions.map(|assertion| assertion.assertion_name.clone()).collect();
    names.sort();
    (result.status.name().to_owned(), names)
}
