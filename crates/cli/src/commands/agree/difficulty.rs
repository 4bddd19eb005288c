//! Success rates by agent and level, and what a step up in level costs.

use std::collections::BTreeMap;

use serde::Serialize;
use umpire_stats::agreement::Share;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difficulty {
    /// From easy to hard.
    pub levels: Vec<String>,
    /// One an agent, in the order of `levels`.
    pub agents: Vec<AgentByLevel>,
    pub drops: Vec<Drop>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentByLevel {
    pub agent: String,
    pub rates: Vec<Share>,
}

/// Mean over the agents, each counting once, of what the rate loses from one level to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drop {
    pub from: String,
    pub to: String,
    pub mean: Option<f64>,
    pub agents: usize,
}

/// From (agent, level, success); none with fewer than two levels.
pub fn by_difficulty<'a>(attempts: impl Iterator<Item = (&'a str, &'a str, bool)>) -> Option<Difficulty> {
    let mut counted: BTreeMap<(&str, &str), Share> = BTreeMap::new();
    let (mut agents, mut levels): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for (agent, level, success) in attempts {
        let share = counted.entry((agent, level)).or_default();
        share.count += usize::from(success);
        share.of += 1;
        for (known, new) in [(&mut agents, agent), (&mut levels, level)] {
            if !known.contains(&new) {
                known.push(new);
            }
        }
    }
    if levels.len() < 2 {
        return None;
    }
    agents.sort_unstable();
    levels.sort_by_key(|level| level_key(level));
    let rate = |agent: &str, level: &str| counted.get(&(agent, level)).copied().unwrap_or_default();
    let drops = levels
        .windows(2)
        .map(|step| {
            let lost: Vec<f64> = agents
                .iter()
                .filter_map(|agent| Some(rate(agent, step[0]).value()? - rate(agent, step[1]).value()?))
                .collect();
            Drop {
                from: step[0].to_owned(),
                to: step[1].to_owned(),
                mean: (!lost.is_empty()).then(|| lost.iter().sum::<f64>() / lost.len() as f64),
                agents: lost.len(),
            }
        })
        .collect();
    let agents = agents
        .iter()
        .map(|agent| AgentByLevel {
            agent: (*agent).to_owned(),
            rates: levels.iter().map(|level| rate(agent, level)).collect(),
        })
        .collect();
    Some(Difficulty { levels: levels.into_iter().map(str::to_owned).collect(), agents, drops })
}

/// Easy before medium before hard, numbers by size, the rest by name.
pub fn level_key(level: &str) -> (u8, u64, String) {
    let known = ["trivial", "easy", "medium", "hard", "very hard", "expert"];
    match (known.iter().position(|name| *name == level.to_lowercase()), level.parse()) {
        (Some(at), _) => (0, at as u64, String::new()),
        (None, Ok(number)) => (1, number, String::new()),
        (None, Err(_)) => (2, 0, level.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_counts_once_in_a_drop() {
        let attempts = [
            ("a", "hard", false),
            ("a", "easy", true),
            ("b", "easy", true),
            ("b", "easy", true),
            ("b", "hard", true),
        ];
        let got = by_difficulty(attempts.into_iter()).expect("two levels");
        assert_eq!(got.levels, ["easy", "hard"]);
        assert_eq!((got.drops[0].mean, got.drops[0].agents), (Some(0.5), 2));
    }

    #[test]
    fn one_level_is_no_difficulty() {
        assert_eq!(by_difficulty([("a", "easy", true)].into_iter()), None);
    }
}
