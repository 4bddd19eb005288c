//! Finds and reads the shared vectors of retrieval, and the model they were made with.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the vectors, or `None` with a notice if this machine has none.
pub fn folder() -> Option<PathBuf> {
    let shared =
        std::env::var_os("UMPIRE_SHARED").map_or_else(|| workspace().join("../shared"), PathBuf::from);
    let folder = shared.join("vectors/persona2web");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} does not exist", folder.display());
    None
}

/// The folder of the model, or `None` with a notice that says how to come by it.
pub fn model() -> Option<PathBuf> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    let folder =
        std::env::var_os("UMPIRE_MINILM").map_or_else(|| target.join("models/minilm"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!(
        "skipped: there is no model in {}; `cargo xtask test` fetches it, or point UMPIRE_MINILM at a folder with its \
         model.safetensors and tokenizer.json",
        folder.display()
    );
    None
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn json<T: DeserializeOwned>(path: &Path) -> T {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every line of a JSONL file.
pub fn lines<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let parse =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text(path).lines().map(parse).collect()
}

/// Raw single floats, the least byte first.
pub fn floats(path: &Path) -> Vec<f32> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (whole, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty(), "{}: a torn number at its end", path.display());
    whole.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}
