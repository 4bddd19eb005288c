//! What a subset is made from: attempts of several agents, cleaned as the model needs them.

use std::collections::{BTreeMap, BTreeSet};

/// One agent's attempt at one task, as recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    pub agent: String,
    pub task: String,
    /// A task of several sites is not modelled, and always taken.
    pub sites: Vec<String>,
    pub template: String,
    /// The kind of task, as somebody sorted the tasks of its site.
    pub category: String,
    pub steps: u32,
    pub success: bool,
    /// Whether it ended because its steps were used up. None: it failed and has as many steps as the budget allows.
    pub exhausted: Option<bool>,
}

#[derive(Clone, Debug)]
pub struct PoolSettings {
    /// Steps an attempt may take; more are counted as this many.
    pub budget: u32,
    /// Sites whose tasks are left out.
    pub excluded_sites: BTreeSet<String>,
}

impl Default for PoolSettings {
    fn default() -> Self {
        Self { budget: 30, excluded_sites: BTreeSet::new() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_field_names, reason = "they index the pool's lists of the same names")]
pub struct Row {
    pub agent: usize,
    pub task: usize,
    pub steps: u32,
    pub success: bool,
    pub exhausted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub name: String,
    pub site: usize,
    pub template: usize,
    /// Of its site: the same word on two sites is two categories.
    pub category: usize,
    /// How many agents attempted it.
    pub agents: usize,
}

/// Attempts at tasks of one site, one per agent and task, with names replaced by indices. Tasks are sorted by site,
/// category, template and name.
#[derive(Clone, Debug)]
pub struct Pool {
    pub agents: Vec<String>,
    pub sites: Vec<String>,
    pub templates: Vec<String>,
    /// Site and name.
    pub categories: Vec<(usize, String)>,
    pub tasks: Vec<Task>,
    pub rows: Vec<Row>,
    /// Tasks of several sites, by name.
    pub multi_site: Vec<String>,
    pub budget: u32,
    /// Attempts after the first of the same agent at the same task, which are not counted.
    pub repeated: usize,
    /// Attempts at tasks of excluded sites.
    pub excluded: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    #[error("there are {0} agents, but telling hard tasks from weak agents takes at least 2")]
    TooFewAgents(usize),
    #[error("there are {0} tasks of one site, but the model needs at least 2")]
    TooFewTasks(usize),
    #[error("no attempt succeeded")]
    NoSuccess,
    #[error("every attempt succeeded")]
    NoFailure,
    #[error("attempt {at} says that task `{task}` has {field} `{second}`, and an earlier one says `{first}`")]
    Contradiction {
        /// Index in the list of attempts.
        at: usize,
        task: String,
        field: &'static str,
        first: String,
        second: String,
    },
    #[error("attempt {at} at task `{task}` names no site")]
    NoSite { at: usize, task: String },
}

impl Pool {
    /// Keeps the first attempt of each agent at each task, and counts steps from 1 to the budget.
    pub fn new(attempts: &[Attempt], settings: &PoolSettings) -> Result<Self, PoolError> {
        let mut known: BTreeMap<&str, &Attempt> = BTreeMap::new();
        let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
        let mut kept = Vec::new();
        let mut multi_site = BTreeSet::new();
        let (mut repeated, mut excluded) = (0, 0);
        for (at, attempt) in attempts.iter().enumerate() {
            if attempt.sites.is_empty() {
                return Err(PoolError::NoSite { at, task: attempt.task.clone() });
            }
            let first = known.entry(&attempt.task).or_insert(attempt);
            agrees(at, first, attempt)?;
            if attempt.sites.len() > 1 {
                multi_site.insert(attempt.task.clone());
            } else if settings.excluded_sites.contains(&attempt.sites[0]) {
                excluded += 1;
            } else if seen.insert((&attempt.agent, &attempt.task)) {
                kept.push(attempt);
            } else {
                repeated += 1;
            }
        }
        let mut pool = Self::indexed(&kept, settings.budget.max(1));
        pool.multi_site = multi_site.into_iter().collect();
        (pool.repeated, pool.excluded) = (repeated, excluded);
        pool.enough().map(|()| pool)
    }

    fn indexed(kept: &[&Attempt], budget: u32) -> Self {
        let sorted = |name: fn(&Attempt) -> &str| -> Vec<String> {
            let names: BTreeSet<&str> = kept.iter().map(|attempt| name(attempt)).collect();
            names.into_iter().map(str::to_owned).collect()
        };
        let agents = sorted(|attempt| &attempt.agent);
        let sites = sorted(|attempt| &attempt.sites[0]);
        let templates = sorted(|attempt| &attempt.template);
        let site_of = |attempt: &Attempt| place(&sites, &attempt.sites[0]);
        let categories: Vec<(usize, String)> = kept
            .iter()
            .map(|attempt| (site_of(attempt), attempt.category.clone()))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let tasks: BTreeSet<(usize, usize, usize, &str)> = kept
            .iter()
            .map(|attempt| {
                let site = site_of(attempt);
                let category = place(&categories, &(site, attempt.category.clone()));
                (site, category, place(&templates, &attempt.template), attempt.task.as_str())
            })
            .collect();
        let mut tasks: Vec<Task> = tasks
            .into_iter()
            .map(|(site, category, template, name)| Task {
                name: name.to_owned(),
                site,
                template,
                category,
                agents: 0,
            })
            .collect();
        let task_at: BTreeMap<String, usize> =
            tasks.iter().enumerate().map(|(at, task)| (task.name.clone(), at)).collect();
        let mut rows: Vec<Row> = kept
            .iter()
            .map(|attempt| {
                let steps = attempt.steps.clamp(1, budget);
                Row {
                    agent: place(&agents, &attempt.agent),
                    task: task_at[&attempt.task],
                    steps,
                    success: attempt.success,
                    exhausted: attempt.exhausted.unwrap_or(!attempt.success && attempt.steps >= budget),
                }
            })
            .collect();
        rows.sort_by_key(|row| (row.task, row.agent));
        for row in &rows {
            tasks[row.task].agents += 1;
        }
        Self {
            agents,
            sites,
            templates,
            categories,
            tasks,
            rows,
            multi_site: Vec::new(),
            budget,
            repeated: 0,
            excluded: 0,
        }
    }

    fn enough(&self) -> Result<(), PoolError> {
        match (self.agents.len(), self.tasks.len()) {
            (_, tasks @ 0..2) => Err(PoolError::TooFewTasks(tasks)),
            (agents @ 0..2, _) => Err(PoolError::TooFewAgents(agents)),
            _ if self.rows.iter().all(|row| !row.success) => Err(PoolError::NoSuccess),
            _ if self.rows.iter().all(|row| row.success) => Err(PoolError::NoFailure),
            _ => Ok(()),
        }
    }

    pub fn success_rate(&self) -> f64 {
        self.rows.iter().filter(|row| row.success).count() as f64 / self.rows.len() as f64
    }

    /// The pool with other attempts at the same tasks: agents are numbered anew from what `rows` name. For resampling.
    pub(super) fn with_rows(&self, agents: Vec<String>, mut rows: Vec<Row>) -> Self {
        rows.sort_by_key(|row| (row.task, row.agent));
        let mut pool = Self { agents, rows, ..self.clone() };
        for task in &mut pool.tasks {
            task.agents = 0;
        }
        for row in &pool.rows {
            pool.tasks[row.task].agents += 1;
        }
        pool
    }

    /// The pool without one agent's attempts. A task that nobody else attempted stays, known by its relatives only.
    pub(super) fn without_agent(&self, agent: usize) -> Self {
        let agents =
            self.agents.iter().enumerate().filter(|(at, _)| *at != agent).map(|(_, name)| name.clone());
        let rows = self.rows.iter().filter(|row| row.agent != agent);
        let rows = rows.map(|row| Row { agent: row.agent - usize::from(row.agent > agent), ..*row });
        self.with_rows(agents.collect(), rows.collect())
    }
}

fn place<T: Ord>(sorted: &[T], value: &T) -> usize {
    sorted.partition_point(|other| other < value)
}

fn agrees(at: usize, first: &Attempt, second: &Attempt) -> Result<(), PoolError> {
    let sites = |attempt: &Attempt| {
        let mut sites = attempt.sites.clone();
        sites.sort();
        sites.join("+")
    };
    for (field, a, b) in [
        ("sites", sites(first), sites(second)),
        ("template", first.template.clone(), second.template.clone()),
        ("category", first.category.clone(), second.category.clone()),
    ] {
        if a != b {
            return Err(PoolError::Contradiction {
                at,
                task: second.task.clone(),
                field,
                first: a,
                second: b,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(agent: &str, task: &str, site: &str, steps: u32, success: bool) -> Attempt {
        Attempt {
            agent: agent.to_owned(),
            task: task.to_owned(),
            sites: site.split('+').map(str::to_owned).collect(),
            template: format!("template of {task}"),
            category: "buying".to_owned(),
            steps,
            success,
            exhausted: None,
        }
    }

    fn pool(attempts: &[Attempt]) -> Result<Pool, PoolError> {
        Pool::new(
            attempts,
            &PoolSettings { excluded_sites: ["map".to_owned()].into(), ..PoolSettings::default() },
        )
    }

    #[test]
    fn cleaned_as_the_model_needs_it() {
        let pool = pool(&[
            attempt("b", "1", "shop", 0, true),
            attempt("a", "1", "shop", 90, false),
            attempt("a", "1", "shop", 3, true),
            attempt("a", "2", "forum", 30, true),
            attempt("a", "3", "map", 4, true),
            attempt("a", "4", "shop+forum", 4, true),
        ])
        .expect("a pool");
        assert_eq!(pool.agents, ["a", "b"]);
        assert_eq!(pool.sites, ["forum", "shop"]);
        assert_eq!(pool.categories, [(0, "buying".to_owned()), (1, "buying".to_owned())]);
        assert_eq!(pool.multi_site, ["4"]);
        assert_eq!((pool.repeated, pool.excluded), (1, 1));
        let row = |agent, task, steps, success, exhausted| Row { agent, task, steps, success, exhausted };
        assert_eq!(
            pool.rows,
            [row(0, 0, 30, true, false), row(0, 1, 30, false, true), row(1, 1, 1, true, false)],
            "only a failure is exhausted, and steps stay within 1 and the budget"
        );
        assert_eq!(pool.tasks.iter().map(|task| task.agents).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn what_cannot_be_modelled_is_refused() {
        let two = |success| [attempt("a", "1", "shop", 3, success), attempt("b", "2", "shop", 3, success)];
        assert_eq!(pool(&[]).expect_err("refused"), PoolError::TooFewTasks(0));
        assert_eq!(pool(&two(false)).expect_err("refused"), PoolError::NoSuccess);
        assert_eq!(pool(&two(true)).expect_err("refused"), PoolError::NoFailure);
        let alone = [attempt("a", "1", "shop", 3, true), attempt("a", "2", "shop", 3, false)];
        assert_eq!(pool(&alone).expect_err("refused"), PoolError::TooFewAgents(1));
        let moved = [attempt("a", "1", "shop", 3, true), attempt("b", "1", "forum", 3, false)];
        assert!(matches!(pool(&moved), Err(PoolError::Contradiction { at: 1, field: "sites", .. })));
    }
}
