//! Attempts made up by the model itself, so that what a fit finds can be compared with the truth.

use umpire_model::Random;

use super::attempts::{Attempt, Pool, PoolError, PoolSettings};
use super::elementary::functions::{exp, ln};
use super::hardness::{Reference, success};
use super::layout::Family;
use super::nuts::Noise;
use super::posterior::Effects;
use super::stability::quick_successes;
use super::steps::StepBins;

#[derive(Clone, Debug)]
pub struct SiteShape {
    pub name: &'static str,
    pub tasks: usize,
    pub templates: usize,
    pub categories: usize,
    /// Up to tasks × agents; the others are missing at random.
    pub attempts: usize,
}

#[derive(Clone, Debug)]
pub struct Shape {
    pub agents: usize,
    pub sites: Vec<SiteShape>,
    /// Share of attempts that are expected to succeed, to which the intercept is set.
    pub success_rate: f64,
    pub budget: u32,
}

impl Shape {
    /// The paper's tables 4 and 6. Templates are counted in the released task file; the number of categories is what its
    /// tables 11 and 12 allow: with at most 3, 4 or 5 tasks each they give what was selected.
    pub fn paper() -> Self {
        let site = |name, tasks, templates, categories, attempts| SiteShape {
            name,
            tasks,
            templates,
            categories,
            attempts,
        };
        Self {
            agents: 8,
            sites: vec![
                site("admin", 182, 41, 19, 1423),
                site("gitlab", 180, 41, 19, 1422),
                site("reddit", 106, 21, 14, 845),
                site("shopping", 187, 48, 19, 1483),
            ],
            success_rate: 0.369,
            budget: 30,
        }
    }
}

/// What is true of the effects that are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth {
    /// Of site, template, category and bin effects.
    pub scales: [f64; 4],
    pub exhausted: f64,
}

impl Truth {
    /// Spreads of the size that the priors expect.
    pub const TYPICAL: Self = Self { scales: [0.3, 0.5, 0.5, 0.2], exhausted: -0.4 };

    /// Drawn from the priors, so that intervals cover the truth as often as they say.
    pub fn from_priors(seed: u64) -> Self {
        let mut noise = Noise::new(Random::stream(seed, "truth"));
        Self {
            scales: Family::ALL.map(|family| family.prior_scale() * noise.normal().abs()),
            exhausted: 0.5 * noise.normal(),
        }
    }
}

pub struct Simulated {
    pub attempts: Vec<Attempt>,
    pub pool: Pool,
    pub truth: Effects,
}

impl Simulated {
    /// Reference success of every task as it truly is.
    pub fn reference_successes(&self) -> Vec<f64> {
        let reference = Reference::of(&self.pool);
        reference.log_hazards(&self.pool, &self.truth).into_iter().map(success).collect()
    }

    /// What one would say of every task who knows the scales, and has to learn the rest from the attempts: as good as a fit
    /// can be expected to get. None if that was not found.
    pub fn oracle_successes(&self) -> Option<Vec<f64>> {
        quick_successes(&self.pool, self.truth.scales)
    }
}

/// Draws effects, then attempts: how many steps one takes is its agent's habit and chance, and whether it succeeds is
/// equation 2's.
pub fn simulate(shape: &Shape, truth: Truth, seed: u64) -> Result<Simulated, PoolError> {
    let mut noise = Noise::new(Random::stream(seed, "simulation"));
    let mut attempts = design(shape, &mut noise);
    // Outcomes come last; until then every other attempt succeeds, because a pool needs both.
    for (at, attempt) in attempts.iter_mut().enumerate() {
        attempt.success = at % 2 == 0;
    }
    let settings = PoolSettings { budget: shape.budget, ..PoolSettings::default() };
    let mut pool = Pool::new(&attempts, &settings)?;
    let mut effects = draw_effects(&pool, truth, &mut noise);
    effects.intercept = intercept_for(&pool, &effects, shape.success_rate);
    let chances = chances(&pool, &effects);
    for (row, chance) in pool.rows.iter_mut().zip(chances) {
        row.success = noise.uniform() < chance;
    }
    let attempts: Vec<Attempt> = pool
        .rows
        .iter()
        .map(|row| {
            let task = &pool.tasks[row.task];
            Attempt {
                agent: pool.agents[row.agent].clone(),
                task: task.name.clone(),
                sites: vec![pool.sites[task.site].clone()],
                template: pool.templates[task.template].clone(),
                category: pool.categories[task.category].1.clone(),
                steps: row.steps,
                success: row.success,
                exhausted: Some(row.exhausted),
            }
        })
        .collect();
    let pool = Pool::new(&attempts, &settings)?;
    Ok(Simulated { attempts, pool, truth: effects })
}

fn design(shape: &Shape, noise: &mut Noise) -> Vec<Attempt> {
    let habits: Vec<f64> = (0..shape.agents).map(|_| ln(8.0) + 0.2 * noise.normal()).collect();
    let mut attempts = Vec::new();
    let mut task_id = 0;
    for site in &shape.sites {
        let mut of_site = Vec::new();
        for task in 0..site.tasks {
            let template = task * site.templates / site.tasks;
            let category = template * site.categories / site.templates;
            for (agent, habit) in habits.iter().enumerate() {
                let steps = (exp(habit + 0.7 * noise.normal()).round() as u32).clamp(1, shape.budget);
                of_site.push(Attempt {
                    agent: format!("agent-{}", agent + 1),
                    task: format!("{task_id}"),
                    sites: vec![site.name.to_owned()],
                    template: format!("{}-{template}", site.name),
                    category: format!("category-{category}"),
                    steps,
                    success: false,
                    exhausted: Some(steps == shape.budget),
                });
            }
            task_id += 1;
        }
        while of_site.len() > site.attempts {
            of_site.swap_remove(noise.below(of_site.len()));
        }
        attempts.append(&mut of_site);
    }
    attempts
}

fn draw_effects(pool: &Pool, truth: Truth, noise: &mut Noise) -> Effects {
    let mut draws =
        |count: usize, scale: f64| -> Vec<f64> { (0..count).map(|_| scale * noise.normal()).collect() };
    let mut agents = draws(pool.agents.len(), 0.8);
    let mean = agents.iter().sum::<f64>() / agents.len() as f64;
    for agent in &mut agents {
        *agent -= mean;
    }
    let bins = StepBins::of_budget(pool.budget).count();
    let counts = [pool.sites.len(), pool.templates.len(), pool.categories.len(), bins];
    Effects {
        intercept: 0.0,
        exhausted: truth.exhausted,
        agents,
        scales: truth.scales,
        groups: std::array::from_fn(|family| draws(counts[family], truth.scales[family])),
        tasks: draws(pool.tasks.len(), 1.0),
    }
}

/// Success of every row.
fn chances(pool: &Pool, effects: &Effects) -> Vec<f64> {
    let bins = StepBins::of_budget(pool.budget);
    let [sites, templates, categories, by_bin] = &effects.groups;
    pool.rows
        .iter()
        .map(|row| {
            let task = &pool.tasks[row.task];
            let steps = f64::from(row.steps);
            let flagged = if row.exhausted { effects.exhausted } else { 0.0 };
            success(
                ln(1.0 + steps) + effects.intercept + effects.agents[row.agent] - effects.tasks[row.task]
                    + sites[task.site]
                    + templates[task.template]
                    + categories[task.category]
                    + by_bin[bins.bin(steps)]
                    + flagged,
            )
        })
        .collect()
}

/// By halving: the rate grows with the intercept.
fn intercept_for(pool: &Pool, effects: &Effects, rate: f64) -> f64 {
    let (mut low, mut high) = (-20.0, 20.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let chances = chances(pool, &Effects { intercept: middle, ..effects.clone() });
        if chances.iter().sum::<f64>() / (chances.len() as f64) < rate {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}
