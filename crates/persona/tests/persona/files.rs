//! Files outside of the crate.

use std::path::{Path, PathBuf};

use serde_json::Value;
use umpire_model::{Suite, Task};

pub fn suite_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/persona")
}

/// The tasks of the persona suite.
pub fn suite_tasks() -> Vec<Task> {
    let read = |name: &str| std::fs::read_to_string(suite_folder().join(name)).expect(name);
    let toml = read("suite.toml");
    let names = Suite::parse_file(Path::new("suite.toml"), &toml).expect("suite.toml").tasks;
    let files: Vec<(PathBuf, String)> = names.iter().map(|name| (name.into(), read(name))).collect();
    Suite::parse(Path::new("suite.toml"), &toml, &files, &[]).expect("a well-formed suite").tasks
}

/// The rows of a shared file; none, with a notice, where the folder is not there.
pub fn shared(file: &str) -> Option<Vec<Value>> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("UMPIRE_SHARED").map_or(default, PathBuf::from).join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return None;
    };
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    assert!(!rows.is_empty(), "{} is empty", path.display());
    Some(rows)
}
