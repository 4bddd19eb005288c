//! Everything that is said about a subset, for people and for programs.

use serde_json::{Value, json};
use umpire_stats::hard::{Fit, LeftOut, Pool, Scores, Selection, Stability, Validation};

use crate::grid::count;

pub struct Card {
    pub pool: Pool,
    pub fit: Fit,
    pub scores: Scores,
    pub selection: Selection,
    pub validation: Validation,
    pub stability: Option<Stability>,
    pub left_out: Option<Vec<LeftOut>>,
    pub ablation: Option<Vec<Selection>>,
    pub seed: u64,
    /// Rows of the file that could not be used.
    pub unusable: usize,
}

impl Card {
    /// The subset: what was selected, and all tasks of several sites.
    pub fn tasks(&self) -> Vec<String> {
        let selected = self.selection.tasks.iter().map(|&task| self.pool.tasks[task].name.clone());
        selected.chain(self.pool.multi_site.iter().cloned()).collect()
    }

    /// Tasks selected of each site.
    pub fn of_sites(&self, selection: &Selection) -> Vec<usize> {
        let of = |site| selection.tasks.iter().filter(|&&task| self.pool.tasks[task].site == site).count();
        (0..self.pool.sites.len()).map(of).collect()
    }

    /// Selected tasks that are hard as far as one can tell, and those that are almost certainly so.
    pub fn hard(&self, selection: &Selection, hardness: &[f64]) -> (usize, usize) {
        let count = |is: &dyn Fn(usize) -> bool| selection.tasks.iter().filter(|&&task| is(task)).count();
        let likely = count(&|task| self.scores.success[task] <= selection.policy.hard);
        (likely, count(&|task| hardness[task] >= 0.9))
    }

    /// Why the subset should not be believed yet.
    pub fn warnings(&self) -> Vec<String> {
        let health = &self.fit.health;
        let mut warnings = Vec::new();
        if self.unusable > 0 {
            let rows = count(self.unusable);
            warnings
                .push(format!("{rows} rows are left out: infra, invalid, without an outcome, or perturbed"));
        }
        if health.r_hat.is_nan() || health.r_hat > 1.01 {
            warnings.push(format!(
                "the chains do not agree: R̂ is {:.3} ({}), above 1.01. Do not use this subset; try more --warmup and --draws",
                health.r_hat, health.r_hat_of
            ));
        }
        if health.divergences > 0 {
            warnings.push(format!(
                "{} of {} draws diverged, so a part of the posterior may be missing; try more --warmup or another --seed",
                health.divergences,
                health.chains * health.draws
            ));
        }
        if health.too_long > 0 {
            warnings.push(format!("{} trajectories were cut at their greatest length", health.too_long));
        }
        if let Some(size) = self.selection.policy.size.filter(|&size| size > self.selection.tasks.len()) {
            warnings
                .push(format!("there are only {} tasks to select, not {size}", self.selection.tasks.len()));
        }
        warnings
    }

    pub fn as_json(&self) -> Value {
        let (pool, fit) = (&self.pool, &self.fit);
        let selected = self.selection.tasks.iter().map(|&at| {
            let task = &pool.tasks[at];
            json!({
                "task": task.name, "site": pool.sites[task.site], "template": pool.templates[task.template],
                "category": pool.categories[task.category].1, "agents": task.agents,
                "hardness": self.scores.hardness[at], "reference_success": self.scores.success[at],
            })
        });
        let categories =
            self.selection.categories.iter().zip(&pool.categories).map(|(found, (site, name))| {
                json!({
                    "site": pool.sites[*site], "category": name, "reference_success": found.success,
                    "very_easy": found.very_easy, "available": found.available, "selected": found.selected,
                })
            });
        let reference: serde_json::Map<String, Value> =
            pool.sites.iter().cloned().zip(fit.reference_steps.iter().map(|&steps| json!(steps))).collect();
        let ablation = self.ablation.as_ref().map(|selections| {
            let one = |selection: &Selection| {
                let sites: serde_json::Map<String, Value> = pool
                    .sites
                    .iter()
                    .cloned()
                    .zip(self.of_sites(selection).into_iter().map(|n| json!(n)))
                    .collect();
                json!({"policy": selection.policy, "selected": selection.tasks.len(), "sites": sites})
            };
            selections.iter().map(one).collect::<Vec<_>>()
        });
        json!({
            "format": "umpire-hard-subset/1",
            "seed": self.seed,
            "pool": {
                "attempts": pool.rows.len(), "agents": pool.agents.len(), "tasks": pool.tasks.len(),
                "templates": pool.templates.len(), "success_rate": pool.success_rate(), "budget": pool.budget,
                "repeated": pool.repeated, "excluded": pool.excluded,
            },
            "health": fit.health,
            "warnings": self.warnings(),
            "effects": {
                "agents": fit.agents, "sites": fit.sites, "step_bins": fit.bins, "intercept": fit.intercept,
                "exhausted": fit.exhausted, "scales": fit.scales,
            },
            "reference_steps": reference,
            "policy": self.selection.policy,
            "tasks": self.tasks(),
            "selected": selected.collect::<Vec<_>>(),
            "multi_site": pool.multi_site,
            "categories": categories.collect::<Vec<_>>(),
            "validation": self.validation,
            "stability": self.stability,
            "leave_one_out": self.left_out,
            "ablation": ablation,
        })
    }
}
