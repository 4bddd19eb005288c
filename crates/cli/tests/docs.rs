//! Every command in the README and in `docs/` works as it is written there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crate::support::folder;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("repository")
}

/// The lines of all `sh` blocks of a page, without comments.
fn commands_of(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            let command = line.split(" #").next().unwrap_or_default().trim();
            if !command.is_empty() && !command.starts_with('#') {
                commands.push(command.to_owned());
            }
        }
    }
    commands
}

/// Runs a page's commands in one shell, as a reader would, stopping at the first that fails.
fn run_page(page: &Path) -> usize {
    let text = fs::read_to_string(page).expect("page");
    // `cargo xtask test` is what runs this; the other chore builds this very command and runs `umpire demo`.
    let commands: Vec<String> = commands_of(&text)
        .into_iter()
        .filter(|command| command != "cargo xtask test")
        .map(|command| if command == "cargo xtask demo" { "umpire demo".to_owned() } else { command })
        .collect();
    let dir = folder();
    std::os::unix::fs::symlink(root().join("examples"), dir.path().join("examples")).expect("linked");
    let program = Path::new(env!("CARGO_BIN_EXE_umpire"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().expect("folder of the binary").display());
    let script = format!("set -e\n{}\n", commands.join("\n"));
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(dir.path())
        .env("PATH", path)
        .output()
        .expect("sh starts");
    assert!(
        output.status.success(),
        "{}: {}\n{}",
        page.display(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    commands.len()
}

#[test]
fn commands_of_the_readme_run() {
    assert!(run_page(&root().join("README.md")) >= 4);
}

#[test]
fn commands_of_the_book_run() {
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let listed = fs::read_dir(root().join("docs")).expect("docs").flatten();
    let pages: Vec<PathBuf> = listed.map(|entry| entry.path()).filter(is_page).collect();
    // Two readers: most commands wait for something most of the time.
    let (next, commands) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let read = || {
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let began = Instant::now();
            let found = run_page(page);
            commands.fetch_add(found, Ordering::Relaxed);
            println!("{:5.1} s  {found:2} commands  {}", began.elapsed().as_secs_f64(), page.display());
        }
    };
    thread::scope(|scope| {
        scope.spawn(read);
        scope.spawn(read);
    });
    let commands = commands.into_inner();
    println!("{commands} commands of {} pages", pages.len());
    assert!(commands >= 8, "only {commands} commands were found");
}

/// The blocks of a page in one language.
fn blocks_of(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

#[test]
fn every_check_in_the_book_is_one() {
    let page = fs::read_to_string(root().join("docs/suites.md")).expect("page");
    let mut checks = 0;
    for block in blocks_of(&page, "json") {
        for check in serde_json::Deserializer::from_str(&block).into_iter::<umpire_model::Check>() {
            check.unwrap_or_else(|error| panic!("{error} in {block}"));
            checks += 1;
        }
    }
    assert!(checks >= 8, "only {checks} checks were found");
}

#[test]
fn every_page_that_is_linked_exists() {
    for page in ["README.md", "docs/architecture.md", "docs/using.md", "docs/agents.md", "docs/suites.md"] {
        let text = fs::read_to_string(root().join(page)).expect(page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !link.contains("://") {
                let target = root().join(page).parent().expect("folder").join(link);
                assert!(target.exists(), "{page} links to {link}");
            }
        }
    }
}
