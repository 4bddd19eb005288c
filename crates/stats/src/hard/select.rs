//! Which tasks to keep: the hardest of each category, so that no kind of task crowds out the others.

use std::collections::BTreeMap;

use serde::Serialize;

use super::attempts::Pool;
use super::fit::Fit;
use crate::median;

/// The policy's numbers; the default is the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Policy {
    /// A task is hard if an average agent succeeds at most this often.
    pub hard: f64,
    /// A category is very easy if its median reference success is at least this.
    pub easy: f64,
    /// Tasks of one category.
    pub cap: usize,
    /// Tasks of a very easy one.
    pub easy_cap: usize,
    /// Agents that must have attempted a task.
    pub agents: usize,
    /// Exactly so many tasks of one site, if there are enough. The paper's caps alone decide without it.
    pub size: Option<usize>,
}

impl Default for Policy {
    fn default() -> Self {
        Self { hard: 0.20, easy: 0.85, cap: 3, easy_cap: 2, agents: 4, size: None }
    }
}

/// What the policy looks at: one number of each kind per task.
#[derive(Clone, Debug)]
pub struct Scores {
    /// π: the probability of being hard.
    pub hardness: Vec<f64>,
    /// p̂: reference success.
    pub success: Vec<f64>,
}

impl Scores {
    pub fn of(fit: &Fit, hard: f64) -> Self {
        Self { hardness: fit.hardness(hard), success: fit.reference_successes().to_vec() }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    pub policy: Policy,
    /// Indices of tasks, hardest first within their category, categories in the pool's order.
    pub tasks: Vec<usize>,
    pub categories: Vec<Category>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Category {
    /// Median over its tasks of their reference success; none if too few agents attempted any of them.
    pub success: Option<f64>,
    pub very_easy: bool,
    pub available: usize,
    pub selected: usize,
}

pub fn select(pool: &Pool, scores: &Scores, policy: Policy) -> Selection {
    let ranked = ranked_categories(pool, scores, policy);
    let categories: Vec<(Option<f64>, bool)> = ranked
        .iter()
        .map(|tasks| {
            let success = median(&tasks.iter().map(|&task| scores.success[task]).collect::<Vec<_>>());
            (success, success.is_some_and(|success| success >= policy.easy))
        })
        .collect();
    let taken = |more: usize| -> Vec<&[usize]> {
        ranked
            .iter()
            .zip(&categories)
            .map(|(tasks, (_, very_easy))| {
                let cap = if *very_easy { policy.easy_cap } else { policy.cap };
                &tasks[..tasks.len().min(cap + more)]
            })
            .collect()
    };
    let mut selected = taken(0);
    if let Some(size) = policy.size {
        // Caps grow together until there are enough, so that categories stay as even as they can.
        let most: usize = ranked.iter().map(Vec::len).sum();
        let mut more = 0;
        while selected.iter().map(|tasks| tasks.len()).sum::<usize>() < size.min(most) {
            more += 1;
            selected = taken(more);
        }
    }
    let candidates: Vec<usize> = selected.concat();
    let tasks = match policy.size {
        Some(size) if size < candidates.len() => hardest(pool, scores, &candidates, size),
        _ => candidates,
    };
    let categories = categories
        .into_iter()
        .zip(&ranked)
        .enumerate()
        .map(|(at, ((success, very_easy), available))| Category {
            success,
            very_easy,
            available: available.len(),
            selected: tasks.iter().filter(|&&task| pool.tasks[task].category == at).count(),
        })
        .collect();
    Selection { policy, tasks, categories }
}

/// The tasks of each category that enough agents attempted, hardest first: by probability, then by reference success.
fn ranked_categories(pool: &Pool, scores: &Scores, policy: Policy) -> Vec<Vec<usize>> {
    let mut ranked = vec![Vec::new(); pool.categories.len()];
    for (at, task) in pool.tasks.iter().enumerate() {
        if task.agents >= policy.agents {
            ranked[task.category].push(at);
        }
    }
    for tasks in &mut ranked {
        tasks.sort_by(|&a, &b| harder(scores, a, b));
    }
    ranked
}

/// Of equals the one that comes first in the pool.
fn harder(scores: &Scores, a: usize, b: usize) -> std::cmp::Ordering {
    let by_hardness = scores.hardness[b].total_cmp(&scores.hardness[a]);
    by_hardness.then(scores.success[a].total_cmp(&scores.success[b])).then(a.cmp(&b))
}

/// The hardest of all candidates, in the candidates' order; of equally probable ones that of the site with fewest so far.
fn hardest(pool: &Pool, scores: &Scores, candidates: &[usize], size: usize) -> Vec<usize> {
    let mut left = candidates.to_vec();
    left.sort_by(|&a, &b| harder(scores, a, b));
    let mut of_site: BTreeMap<usize, usize> = BTreeMap::new();
    let mut chosen = Vec::with_capacity(size);
    while chosen.len() < size && !left.is_empty() {
        let best = scores.hardness[left[0]];
        let tied = left.iter().take_while(|&&task| scores.hardness[task].total_cmp(&best).is_eq()).count();
        let fewest = (0..tied)
            .min_by_key(|&at| of_site.get(&pool.tasks[left[at]].site).copied().unwrap_or(0))
            .unwrap_or(0);
        let task = left.remove(fewest);
        *of_site.entry(pool.tasks[task].site).or_default() += 1;
        chosen.push(task);
    }
    candidates.iter().copied().filter(|task| chosen.contains(task)).collect()
}

/// How much two selections have in common: tasks in both over tasks in either.
pub fn overlap(first: &[usize], second: &[usize]) -> f64 {
    let both = first.iter().filter(|task| second.contains(task)).count();
    let either = first.len() + second.len() - both;
    if either == 0 { 1.0 } else { both as f64 / either as f64 }
}

/// The paper's three policies (tables 11 and 12), of which the first is the one it released.
pub fn paper_policies() -> [Policy; 3] {
    let policy = |hard, cap, easy_cap, easy| Policy { hard, easy, cap, easy_cap, ..Policy::default() };
    [policy(0.20, 3, 2, 0.85), policy(0.25, 4, 2, 0.85), policy(0.30, 5, 3, 0.80)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::attempts::{Attempt, PoolSettings};
    use super::*;

    /// Tasks `0..n` in categories of six, alternating between two sites; the first of each category had one agent only.
    fn pool(tasks: usize) -> Pool {
        let attempt = |agent: usize, task: usize| Attempt {
            agent: format!("{agent}"),
            task: format!("{task:03}"),
            sites: vec![format!("site {}", task / 6 % 2)],
            template: format!("{}", task / 3),
            category: format!("{:03}", task / 6),
            steps: 4,
            success: agent == 0,
            exhausted: None,
        };
        let attempts: Vec<Attempt> = (0..tasks)
            .flat_map(|task| (0..if task % 6 == 0 { 1 } else { 4 }).map(move |agent| attempt(agent, task)))
            .collect();
        Pool::new(&attempts, &PoolSettings::default()).expect("a pool")
    }

    fn names(pool: &Pool, selection: &Selection) -> Vec<String> {
        selection.tasks.iter().map(|&task| pool.tasks[task].name.clone()).collect()
    }

    #[test]
    fn the_hardest_of_each_category_and_fewer_of_an_easy_one() {
        let pool = pool(12);
        let order: Vec<&str> = pool.tasks.iter().map(|task| task.name.as_str()).collect();
        assert_eq!(order[..6], ["000", "001", "002", "003", "004", "005"]);
        let scores = Scores {
            hardness: vec![1.0, 0.1, 0.4, 0.4, 0.9, 0.0, 0.9, 0.1, 0.1, 0.0, 0.0, 0.0],
            success: vec![0.0, 0.5, 0.3, 0.2, 0.1, 0.9, 0.0, 0.86, 0.86, 0.9, 0.9, 0.9],
        };
        let selection = select(&pool, &scores, Policy::default());
        assert_eq!(
            names(&pool, &selection),
            ["004", "003", "002", "007", "008"],
            "000 and 006 had one agent only"
        );
        assert_eq!(selection.categories[0].success, Some(0.3));
        assert!(selection.categories[1].very_easy);
        assert_eq!((selection.categories[1].available, selection.categories[1].selected), (5, 2));
    }

    #[test]
    fn a_size_takes_the_hardest_and_ties_favour_the_other_site() {
        let pool = pool(12);
        let scores = Scores {
            hardness: [0.9; 12].to_vec(),
            success: vec![0.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.0, 0.2, 0.2, 0.2, 0.2, 0.2],
        };
        let sized =
            |size| names(&pool, &select(&pool, &scores, Policy { size: Some(size), ..Policy::default() }));
        assert_eq!(sized(2), ["001", "007"]);
        assert_eq!(sized(4), ["001", "002", "007", "008"]);
        assert_eq!(sized(8).len(), 8, "caps grow");
        assert_eq!(sized(99).len(), 10, "there are no more");
    }

    proptest! {
        #[test]
        fn caps_hold_and_nobody_harder_is_left_out(
            hardness in proptest::collection::vec(0..5_u8, 60),
            success in proptest::collection::vec(0.0..1.0_f64, 60),
            cap in 0..4_usize,
        ) {
            let pool = pool(60);
            let scores = Scores { hardness: hardness.iter().map(|&h| f64::from(h) / 4.0).collect(), success };
            let policy = Policy { cap, easy_cap: 1, ..Policy::default() };
            let selection = select(&pool, &scores, policy);
            for (at, category) in selection.categories.iter().enumerate() {
                let most = if category.very_easy { 1 } else { cap };
                prop_assert!(category.selected <= most);
                let of = |selected: bool| -> Vec<f64> {
                    let tasks = pool.tasks.iter().enumerate();
                    let eligible = tasks.filter(|(_, task)| task.category == at && task.agents >= 4);
                    let wanted = eligible.filter(|(task, _)| selection.tasks.contains(task) == selected);
                    wanted.map(|(task, _)| scores.hardness[task]).collect()
                };
                let least = of(true).into_iter().fold(f64::INFINITY, f64::min);
                prop_assert!(of(false).into_iter().all(|left_out| left_out <= least));
            }
        }

        #[test]
        fn a_size_is_met(size in 0..60_usize) {
            let pool = pool(60);
            let scores = Scores { hardness: (0..60).map(|i| f64::from(i % 7) / 7.0).collect(), success: vec![0.5; 60] };
            let selection = select(&pool, &scores, Policy { size: Some(size), ..Policy::default() });
            prop_assert_eq!(selection.tasks.len(), size.min(50));
        }
    }
}
