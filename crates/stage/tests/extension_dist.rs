//! The compiled extension in the repository is what its sources compile to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn extension() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../extension").canonicalize().expect("the extension")
}

/// Files below a folder by their path in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let place = path.strip_prefix(folder).expect("below").to_owned();
                found.insert(place, std::fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

#[test]
fn dist_is_what_the_sources_compile_to() {
    let Some(clients) = std::env::var_os("UMPIRE_TEST_CLIENTS") else {
        println!("skipped: the TypeScript compiler is fetched by `cargo xtask test`");
        return;
    };
    let compiler = Path::new(&clients).join("node_modules/.bin/tsc");
    let fresh = tempfile::tempdir().expect("a folder");
    let out = Command::new(&compiler)
        .arg("--project")
        .arg(extension())
        .arg("--outDir")
        .arg(fresh.path())
        .output()
        .expect("tsc starts");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
    let mut expected = files(fresh.path());
    expected.extend(files(&extension().join("public")));
    let dist = files(&extension().join("dist"));
    assert_eq!(
        dist.keys().collect::<Vec<_>>(),
        expected.keys().collect::<Vec<_>>(),
        "run `npm run build` in extension/"
    );
    for (path, content) in &dist {
        assert!(*content == expected[path], "{} is old: run `npm run build` in extension/", path.display());
    }
    println!("{} files", dist.len());
    assert!(dist.len() > 20);
}

#[test]
fn the_manifest_names_scripts_that_are_there_and_all_of_them() {
    let dist = files(&extension().join("dist"));
    let manifest: serde_json::Value =
        serde_json::from_slice(&dist[Path::new("manifest.json")]).expect("JSON");
    let scripts = manifest["content_scripts"].as_array().expect("scripts");
    let named: Vec<&str> = scripts
        .iter()
        .flat_map(|script| script["js"].as_array().expect("a list"))
        .filter_map(serde_json::Value::as_str)
        .collect();
    for name in &named {
        assert!(dist.contains_key(Path::new(name)), "{name}");
    }
    for icon in manifest["icons"].as_object().expect("icons").values() {
        let file = Path::new(icon.as_str().expect("a path"));
        assert!(dist[file].starts_with(b"\x89PNG"), "{}", file.display());
    }
    let pages = dist.keys().filter(|path| path.starts_with("page")).count();
    assert_eq!(named.len(), pages + 1, "every script of the page's, and the one in its own world");
}
