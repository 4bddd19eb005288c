//! An agent made for `BrowserGym` in `BrowserGym`'s own environment of `MiniWoB++` and in ours: the same goals, the same rewards?
//!
//! `BrowserGym` gives 1 for any raw reward above 0, Umpire for a whole one. On these pages there is nothing in between.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::{ensure_package, import_pages, pages_of, program};
use crate::setup::{Done, cargo, ensure_chromium, ensure_python, root, run, target_dir};

const PACKAGES: [(&str, &str); 2] = [
    ("browsergym-core==0.14.*", "browsergym.core"),
    // Its module cannot be imported before the pages have an address.
    ("browsergym-miniwob==0.14.*", "browsergym"),
];

/// Pages whose elements both environments tell apart, and that give all or nothing.
const ENVIRONMENTS: [&str; 9] = [
    "choose-list",
    "click-button",
    "click-option",
    "click-test",
    "click-test-2",
    "enter-password",
    "enter-text",
    "focus-text",
    "login-user",
];

/// One episode in both, theirs first.
#[derive(Deserialize)]
struct Pair {
    environment: String,
    seed: u64,
    #[serde(default)]
    goal: Vec<String>,
    #[serde(default)]
    reward: Vec<f64>,
    #[serde(default)]
    done: Vec<bool>,
    error: Option<String>,
}

impl Pair {
    fn difference(&self) -> Option<String> {
        if let Some(error) = &self.error {
            return Some(error.clone());
        }
        let is_same = self.goal.len() == 2
            && self.goal[0] == self.goal[1]
            && self.reward[0].total_cmp(&self.reward[1]).is_eq()
            && self.done[0] == self.done[1];
        (!is_same).then(|| format!("{:?}, rewards {:?}, over {:?}", self.goal, self.reward, self.done))
    }
}

pub fn browsergym(arguments: &[&str]) -> Done {
    let seeds = arguments.first().copied().unwrap_or("20");
    let count: u64 = seeds.parse().map_err(|_| format!("`{seeds}` is not a number of seeds"))?;
    let environments: Vec<&str> = match arguments.get(1..) {
        Some(named) if !named.is_empty() => named.to_vec(),
        _ => ENVIRONMENTS.to_vec(),
    };
    ensure_chromium()?;
    let pages = pages_of(&ensure_package(&target_dir().join("miniwob"))?)
        .ok_or("the package says nothing about its pages")?;
    let venv = target_dir().join("clients/venv-browsergym");
    ensure_python(&venv, &PACKAGES)?;
    run(cargo().args(["build", "--quiet", "--package", "umpire"]))?;
    let folder = target_dir().join("browsergym");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    import_pages(&pages, &folder.join("suite"), seeds)?;
    let pairs = play(&venv, &folder, &pages, seeds, &environments)?;
    print(&pairs);
    let differing = pairs.iter().filter(|pair| pair.difference().is_some()).count();
    let missing = environments.len() as u64 * count - pairs.len() as u64;
    match (differing, missing) {
        (0, 0) => Ok(()),
        _ => Err(format!("{differing} episodes differ, {missing} were not played")),
    }
}

fn play(
    venv: &Path,
    folder: &Path,
    pages: &Path,
    seeds: &str,
    environments: &[&str],
) -> Result<Vec<Pair>, String> {
    let mut child = Command::new(venv.join("bin/python3"))
        .current_dir(folder)
        .arg(root().join("xtask/miniwob/both_gyms.py"))
        .arg(target_dir().join("debug/umpire"))
        .arg(program("UMPIRE_CHROMIUM", "/usr/bin/chromium"))
        .arg(pages)
        .arg(folder.join("suite"))
        .arg(seeds)
        .args(environments)
        .env("PYTHONPATH", root().join("clients/python"))
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("python could not be started: {error}"))?;
    let lines = BufReader::new(child.stdout.take().ok_or("python has no output")?).lines();
    let pairs = lines.map_while(Result::ok).filter_map(|line| serde_json::from_str(&line).ok()).collect();
    child.wait().map_err(|error| error.to_string())?;
    Ok(pairs)
}

fn print(pairs: &[Pair]) {
    println!(
        "\n{:20} {:>8} {:>16} {:>16} {:>6}",
        "environment", "episodes", "reward 1 there", "reward 1 here", "same"
    );
    let rewarded = |group: &[Pair], side: usize| {
        group.iter().filter(|pair| pair.reward.get(side).is_some_and(|reward| *reward > 0.0)).count()
    };
    let line = |name: &str, group: &[Pair]| {
        let same = group.iter().filter(|pair| pair.difference().is_none()).count();
        println!(
            "{name:20} {:>8} {:>16} {:>16} {same:>6}",
            group.len(),
            rewarded(group, 0),
            rewarded(group, 1)
        );
    };
    for group in pairs.chunk_by(|a, b| a.environment == b.environment) {
        line(&group[0].environment, group);
    }
    line("all", pairs);
    for pair in pairs {
        if let Some(how) = pair.difference() {
            println!("  {}, seed {}: {how}", pair.environment, pair.seed);
        }
    }
}
