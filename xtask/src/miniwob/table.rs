//! What came of the comparison, in lines.

use std::collections::{BTreeMap, BTreeSet};

use super::episodes::{Episode, Replayed};

/// Rewards are computed by the same page; only a rounding in a fraction may differ.
const SAME: f64 = 1e-9;

/// An episode that did not come to the same, and how.
fn difference(episode: &Episode, replayed: Option<&Replayed>) -> Option<String> {
    let Some(replayed) = replayed else { return Some("it was not done again".to_owned()) };
    if let Some(error) = &replayed.error {
        return Some(error.clone());
    }
    if replayed.utterance.as_deref() != Some(episode.utterance.as_str()) {
        return Some(format!("another task: {:?}, not {:?}", replayed.utterance, episode.utterance));
    }
    let theirs = replayed.raw.filter(|_| replayed.done);
    let is_same = match (episode.raw, theirs) {
        (Some(ours), Some(theirs)) => (ours - theirs).abs() < SAME,
        (None, None) => true,
        _ => false,
    };
    (!is_same).then(|| format!("{:?} here, {theirs:?} there", episode.raw))
}

fn by_episode(replayed: &[Replayed]) -> BTreeMap<(&str, u64), &Replayed> {
    replayed.iter().map(|one| ((one.environment.as_str(), one.seed), one)).collect()
}

pub fn differing(episodes: &[Episode], replayed: &[Replayed]) -> usize {
    let found = by_episode(replayed);
    let differs =
        |one: &&Episode| difference(one, found.get(&(one.environment.as_str(), one.seed)).copied()).is_some();
    episodes.iter().filter(differs).count()
}

/// Environments with a whole reward on every seed.
pub fn solved(episodes: &[Episode]) -> BTreeSet<&str> {
    let all: BTreeSet<&str> = episodes.iter().map(|one| one.environment.as_str()).collect();
    let failed: BTreeSet<&str> =
        episodes.iter().filter(|one| !one.is_solved()).map(|one| one.environment.as_str()).collect();
    all.difference(&failed).copied().collect()
}

/// As Markdown, for the book.
pub fn print(episodes: &[Episode], replayed: &[Replayed]) {
    let found = by_episode(replayed);
    let mut rows = Vec::new();
    let mut differences = Vec::new();
    let mut totals = [0; 3];
    for group in episodes.chunk_by(|a, b| a.environment == b.environment) {
        let mut same = 0;
        for one in group {
            match difference(one, found.get(&(one.environment.as_str(), one.seed)).copied()) {
                None => same += 1,
                Some(how) => differences.push(format!("{}, seed {}: {how}", one.environment, one.seed)),
            }
        }
        let passed = group.iter().filter(|one| one.is_solved()).count();
        let row = [group.len(), passed, same];
        rows.push(line(&format!("`{}`", group[0].environment), row));
        totals.iter_mut().zip(row).for_each(|(total, part)| *total += part);
    }
    println!("\n{:32} | episodes | reward 1 | same reward in the package |", "| environment");
    println!("|{}|---:|---:|---:|", "-".repeat(31));
    println!("{}", line(&format!("all {}", rows.len()), totals));
    for row in &rows {
        println!("{row}");
    }
    println!("\n{} environments solved on every seed", solved(episodes).len());
    for line in differences {
        println!("  {line}");
    }
}

fn line(name: &str, [episodes, passed, same]: [usize; 3]) -> String {
    format!("| {name:30} | {episodes:>8} | {passed:>8} | {same:>26} |")
}
