//! The logarithm of the posterior density, and its gradient by hand.
//!
//! An attempt's cumulative hazard is a product: a factor of its task times a factor of its *cell*, which is what agent,
//! steps and exhaustion have in common with other attempts. So exponentials are taken once per task, agent and bin; a
//! failure costs one addition, because its log-likelihood is minus the hazard and hazards of one task add up; and only a
//! success costs a further exponential.

use super::attempts::Pool;
use super::cells::{Cell, Rows};
use super::elementary::functions::{exp, exp_m1, ln};
use super::layout::{Family, Layout, SumToZero};
use super::nuts::{Density, dot};
use super::steps::StepBins;

/// The paper gives no prior for the intercept: a success in about 20 steps, within a factor of 50 either way.
const INTERCEPT_MEAN: f64 = -3.0;
const INTERCEPT_SPREAD: f64 = 2.0;
const AGENT_SPREAD: f64 = 0.8;
const EXHAUSTED_SPREAD: f64 = 0.5;
/// Keeps every product of two factors a finite, normal number; no plausible parameter comes near.
const LARGEST_LOG_FACTOR: f64 = 300.0;

/// The model of a pool. Evaluating needs room to work in, so each chain has a clone of its own.
#[derive(Clone, Debug)]
pub struct Posterior {
    layout: Layout,
    basis: SumToZero,
    cells: Vec<Cell>,
    bin_of_cell: Vec<u32>,
    failures: Rows,
    successes: Rows,
    /// Site, template and category of each task.
    groups: [Vec<u32>; 3],
    /// Share of attempts of each site, template, category and bin, by which the level is centred.
    group_shares: [Vec<f64>; 4],
    /// How far each task's parameter is centred at what its relatives say: see [`centring`].
    centring: Vec<f64>,
    /// Scales that are known and not estimated, by family.
    fixed_scales: Option<[f64; 4]>,
    work: Work,
}

#[derive(Clone, Debug, Default)]
struct Work {
    effects: Effects,
    signed_scales: [f64; 4],
    mean_of_bins: f64,
    /// Logarithm of each task's factor if it were as hard as its relatives, from the prior's intercept.
    expected: Vec<f64>,
    task_factor: Vec<f64>,
    cell_factor: Vec<f64>,
    by_task: Vec<f64>,
    by_cell: Vec<f64>,
    hazard: Vec<f64>,
    success: Vec<f64>,
    by_agent: Vec<f64>,
    by_group: [Vec<f64>; 4],
    pulled: Vec<f64>,
}

/// Parameters in the units of the paper's equation 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    pub intercept: f64,
    pub exhausted: f64,
    pub agents: Vec<f64>,
    /// By family: site, template, category, bin.
    pub scales: [f64; 4],
    pub groups: [Vec<f64>; 4],
    /// Difficulty of each task beyond that of its site, template and category.
    pub tasks: Vec<f64>,
}

impl Posterior {
    pub fn of(pool: &Pool) -> Self {
        let layout = Layout::of(pool);
        let cells = Cell::all_of(pool);
        let bins = StepBins::of_budget(pool.budget);
        let bin_of_cell: Vec<u32> = cells.iter().map(|cell| bins.bin(f64::from(cell.steps)) as u32).collect();
        let index =
            |of: fn(&super::attempts::Task) -> usize| pool.tasks.iter().map(|task| of(task) as u32).collect();
        let mut group_shares = Family::ALL.map(|family| vec![0.0; layout.family(family).len()]);
        for row in &pool.rows {
            let task = &pool.tasks[row.task];
            let groups = [task.site, task.template, task.category, bins.bin(f64::from(row.steps))];
            for (shares, group) in group_shares.iter_mut().zip(groups) {
                shares[group] += 1.0 / pool.rows.len() as f64;
            }
        }
        let (failures, successes) = (Rows::of(pool, &cells, false), Rows::of(pool, &cells, true));
        let work = Work {
            effects: Effects {
                agents: vec![0.0; pool.agents.len()],
                groups: Family::ALL.map(|family| vec![0.0; layout.family(family).len()]),
                tasks: vec![0.0; pool.tasks.len()],
                ..Effects::default()
            },
            signed_scales: [0.0; 4],
            mean_of_bins: 0.0,
            expected: vec![0.0; pool.tasks.len()],
            task_factor: vec![0.0; pool.tasks.len()],
            cell_factor: vec![0.0; cells.len()],
            by_task: vec![0.0; pool.tasks.len()],
            by_cell: vec![0.0; cells.len()],
            hazard: vec![0.0; successes.cells.len()],
            success: vec![0.0; successes.cells.len()],
            by_agent: vec![0.0; pool.agents.len()],
            by_group: Family::ALL.map(|family| vec![0.0; layout.family(family).len()]),
            pulled: vec![0.0; layout.agents.len()],
        };
        Self {
            basis: SumToZero::of(pool.agents.len()),
            bin_of_cell,
            failures,
            successes,
            groups: [index(|task| task.site), index(|task| task.template), index(|task| task.category)],
            group_shares,
            centring: centring(pool),
            fixed_scales: None,
            layout,
            cells,
            work,
        }
    }

    /// With known scales the density has one mode and no funnel: the scale parameters then stand still.
    #[must_use]
    pub fn with_scales(mut self, scales: [f64; 4]) -> Self {
        self.fixed_scales = Some(scales);
        self
    }

    /// The parameters as the paper writes them.
    pub fn effects(&mut self, at: &[f64]) -> &Effects {
        let effects = &mut self.work.effects;
        self.basis.expand(&at[self.layout.agents.clone()], &mut effects.agents);
        for effect in &mut effects.agents {
            *effect *= AGENT_SPREAD;
        }
        for family in Family::ALL {
            let which = family as usize;
            let signed = family.prior_scale() * at[self.layout.scale(family)];
            let scale = self.fixed_scales.map_or(signed, |known| known[which]);
            effects.scales[which] = scale.abs();
            self.work.signed_scales[which] = scale;
            for (effect, standard) in effects.groups[which].iter_mut().zip(&at[self.layout.family(family)]) {
                *effect = scale * standard;
            }
        }
        let [_, _, _, mean_of_bins] = &self.group_shares;
        let mean_of_bins = dot(&effects.groups[Family::Bin as usize], mean_of_bins);
        let mean_of_others: f64 = effects
            .groups
            .iter()
            .zip(&self.group_shares)
            .take(3)
            .map(|(effects, shares)| dot(effects, shares))
            .sum();
        effects.intercept = INTERCEPT_MEAN + at[self.layout.level] - mean_of_others - mean_of_bins;
        self.work.mean_of_bins = mean_of_bins;
        effects.exhausted = EXHAUSTED_SPREAD * at[self.layout.exhausted];
        let [sites, templates, categories, _] = &effects.groups;
        let level = at[self.layout.level] - mean_of_others;
        for (task, own) in at[self.layout.tasks.clone()].iter().enumerate() {
            let [site, template, category] = [0, 1, 2].map(|group| self.groups[group][task] as usize);
            // In the usual bin, so that bins may trade with the intercept without moving every task.
            let expected = level + sites[site] + templates[template] + categories[category];
            self.work.expected[task] = expected;
            effects.tasks[task] = self.centring[task] * expected - own;
        }
        effects
    }

    fn factors(&mut self) {
        let work = &mut self.work;
        let effects = &work.effects;
        let within = |log: f64| log.clamp(-LARGEST_LOG_FACTOR, LARGEST_LOG_FACTOR);
        let bins = &effects.groups[Family::Bin as usize];
        for ((log, expected), difficulty) in
            work.task_factor.iter_mut().zip(&work.expected).zip(&effects.tasks)
        {
            *log = within(INTERCEPT_MEAN - work.mean_of_bins + expected - difficulty);
        }
        for log in &mut work.task_factor {
            *log = exp(*log);
        }
        for ((factor, cell), bin) in work.cell_factor.iter_mut().zip(&self.cells).zip(&self.bin_of_cell) {
            let flagged = if cell.exhausted { effects.exhausted } else { 0.0 };
            *factor = within(effects.agents[cell.agent as usize] + bins[*bin as usize] + flagged);
        }
        for (factor, cell) in work.cell_factor.iter_mut().zip(&self.cells) {
            *factor = exp(*factor) * f64::from(cell.steps + 1);
        }
    }

    /// Leaves the derivatives by the logarithms of the task and cell factors.
    fn likelihood(&mut self) -> f64 {
        let work = &mut self.work;
        let mut total = 0.0;
        work.by_cell.fill(0.0);
        for (task, bounds) in self.failures.starts.windows(2).enumerate() {
            let factor = work.task_factor[task];
            let mut exposure = 0.0;
            for &cell in &self.failures.cells[bounds[0] as usize..bounds[1] as usize] {
                exposure += work.cell_factor[cell as usize];
                work.by_cell[cell as usize] -= factor;
            }
            let hazard = factor * exposure;
            work.by_task[task] = -hazard;
            total -= hazard;
        }
        for (by, factor) in work.by_cell.iter_mut().zip(&work.cell_factor) {
            *by *= factor;
        }

        let rows = &self.successes;
        for (bounds, factor) in rows.starts.windows(2).zip(&work.task_factor) {
            let range = bounds[0] as usize..bounds[1] as usize;
            for (hazard, &cell) in work.hazard[range.clone()].iter_mut().zip(&rows.cells[range]) {
                *hazard = factor * work.cell_factor[cell as usize];
            }
        }
        for (success, hazard) in work.success.iter_mut().zip(&mut work.hazard) {
            // ln p = ln(1 − e⁻ᴴ), whose derivative by ln H is H e⁻ᴴ / (1 − e⁻ᴴ).
            *success = -exp_m1(-*hazard);
            *hazard *= (1.0 - *success) / *success;
        }
        total += sum_of_logarithms(&work.success);
        for (bounds, by_task) in rows.starts.windows(2).zip(&mut work.by_task) {
            let range = bounds[0] as usize..bounds[1] as usize;
            for (by, &cell) in work.hazard[range.clone()].iter().zip(&rows.cells[range]) {
                *by_task += by;
                work.by_cell[cell as usize] += by;
            }
        }
        total
    }

    /// From derivatives by tasks and cells to derivatives by agents, groups and bins.
    fn sum_up_groups(&mut self) {
        let work = &mut self.work;
        for by in &mut work.by_group {
            by.fill(0.0);
        }
        let [by_site, by_template, by_category, by_bin] = &mut work.by_group;
        for (task, &by_factor) in work.by_task.iter().enumerate() {
            let centring = self.centring[task];
            let by = (1.0 - centring) * by_factor - centring * work.effects.tasks[task];
            by_site[self.groups[0][task] as usize] += by;
            by_template[self.groups[1][task] as usize] += by;
            by_category[self.groups[2][task] as usize] += by;
        }
        work.by_agent.fill(0.0);
        for ((cell, &bin), &by) in self.cells.iter().zip(&self.bin_of_cell).zip(&work.by_cell) {
            work.by_agent[cell.agent as usize] += by;
            by_bin[bin as usize] += by;
        }
    }

    /// Adds the priors, and writes the gradient by the parameters themselves.
    fn prior(&mut self, at: &[f64], gradient: &mut [f64]) -> f64 {
        let (layout, work) = (&self.layout, &mut self.work);
        let away = (work.effects.intercept - INTERCEPT_MEAN) / INTERCEPT_SPREAD;
        let by_level = work.by_group[Family::Site as usize].iter().sum::<f64>() - away / INTERCEPT_SPREAD;
        let by_mean_of_bins = work.by_task.iter().sum::<f64>() - away / INTERCEPT_SPREAD;
        let mut total = -0.5 * away * away;
        gradient[layout.level] = by_level;

        let flagged = self.cells.iter().zip(&work.by_cell).filter(|(cell, _)| cell.exhausted);
        let standard = at[layout.exhausted];
        gradient[layout.exhausted] = EXHAUSTED_SPREAD * flagged.map(|(_, by)| by).sum::<f64>() - standard;
        total -= 0.5 * standard * standard;

        self.basis.pull_back(&work.by_agent, &mut work.pulled);
        let agents = layout.agents.clone();
        for ((by, pulled), standard) in
            gradient[agents.clone()].iter_mut().zip(&work.pulled).zip(&at[agents.clone()])
        {
            *by = AGENT_SPREAD * pulled - standard;
        }
        total -= 0.5 * square(&at[agents]);

        // The level holds the mean effects, so raising one of them lowers the intercept by its share.
        let by_mean = [by_level, by_level, by_level, by_mean_of_bins];
        for ((by_effect, shares), by_mean) in work.by_group.iter_mut().zip(&self.group_shares).zip(by_mean) {
            for (by, share) in by_effect.iter_mut().zip(shares) {
                *by -= share * by_mean;
            }
        }
        for family in Family::ALL {
            let place = layout.family(family);
            let scale = work.signed_scales[family as usize];
            let by_effect = &work.by_group[family as usize];
            let mut by_scale = 0.0;
            for ((by, by_effect), standard) in
                gradient[place.clone()].iter_mut().zip(by_effect).zip(&at[place.clone()])
            {
                *by = scale * by_effect - standard;
                by_scale += by_effect * standard;
            }
            total -= 0.5 * square(&at[place]);
            let (place, by_scale) = match self.fixed_scales {
                None => (layout.scale(family), family.prior_scale() * by_scale),
                // A parameter without a meaning, left to its prior.
                Some(_) => (layout.scale(family), 0.0),
            };
            gradient[place] = by_scale - at[place];
            total -= 0.5 * at[place] * at[place];
        }

        let tasks = gradient[layout.tasks.clone()].iter_mut();
        for ((by, by_task), difficulty) in tasks.zip(&work.by_task).zip(&work.effects.tasks) {
            *by = by_task + difficulty;
        }
        total - 0.5 * square(&work.effects.tasks)
    }
}

/// A task's parameter is minus its difficulty plus this share of what its relatives lead one to expect: all of it where
/// attempts say much about the task, nothing where they say nothing. With `k` the information that attempts give on the
/// log hazard, and 1 that of the prior, the share k / (k + 1) leaves both independent of each other, which a sampler
/// that looks at one parameter at a time is grateful for. It is a matter of coordinates only: the model is the same.
fn centring(pool: &Pool) -> Vec<f64> {
    let mut successes = vec![0.0; pool.tasks.len()];
    for row in pool.rows.iter().filter(|row| row.success) {
        successes[row.task] += 1.0;
    }
    pool.tasks
        .iter()
        .zip(successes)
        .map(|(task, successes)| {
            let attempts = task.agents as f64;
            let rate = (successes + 0.5) / (attempts + 1.0);
            let hazard = -ln(1.0 - rate);
            let information = attempts * hazard * hazard * (1.0 - rate) / rate;
            information / (information + 1.0)
        })
        .collect()
}

impl Density for Posterior {
    fn parameters(&self) -> usize {
        self.layout.len()
    }

    fn evaluate(&mut self, at: &[f64], gradient: &mut [f64]) -> f64 {
        self.effects(at);
        self.factors();
        let likelihood = self.likelihood();
        self.sum_up_groups();
        likelihood + self.prior(at, gradient)
    }
}

fn square(values: &[f64]) -> f64 {
    dot(values, values)
}

/// As logarithms of products, one for some hundred factors, taken before a product could leave the range of numbers.
fn sum_of_logarithms(probabilities: &[f64]) -> f64 {
    const SMALL: f64 = 1e-18;
    let mut total = 0.0;
    let mut products = [1.0_f64; 4];
    let (chunks, rest) = probabilities.as_chunks::<16>();
    for chunk in chunks {
        if chunk.iter().any(|&probability| probability < SMALL) {
            total += chunk.iter().map(|&probability| ln(probability)).sum::<f64>();
            continue;
        }
        for (at, product) in products.iter_mut().enumerate() {
            *product *= (chunk[at] * chunk[at + 4]) * (chunk[at + 8] * chunk[at + 12]);
        }
        // Another chunk takes a product down by 10⁻⁷² at most.
        if products.iter().any(|&product| product < 1e-200) {
            total += products.iter().map(|&product| ln(product)).sum::<f64>();
            products = [1.0; 4];
        }
    }
    let products = products.iter().map(|&product| ln(product)).sum::<f64>();
    total + products + rest.iter().map(|&probability| ln(probability)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::attempts::{Attempt, PoolSettings};
    use super::*;

    fn pool_of(outcomes: &[(u8, u8, u8, bool, bool)]) -> Pool {
        let mut attempts: Vec<Attempt> = outcomes
            .iter()
            .map(|&(agent, task, steps, success, exhausted)| Attempt {
                agent: format!("agent {}", agent % 5),
                task: format!("task {}", task % 17),
                sites: vec![format!("site {}", task % 17 % 3)],
                template: format!("template {}", task % 17 % 7),
                category: format!("category {}", task % 17 % 2),
                steps: u32::from(steps % 34),
                success,
                exhausted: Some(exhausted),
            })
            .collect();
        let one = |agent: &str, task, success| Attempt {
            agent: agent.to_owned(),
            task: format!("task {task}"),
            sites: vec![format!("site {}", task % 3)],
            template: format!("template {}", task % 7),
            category: format!("category {}", task % 2),
            steps: 3,
            success,
            exhausted: None,
        };
        attempts.extend([one("agent x", 0, true), one("agent y", 1, false)]);
        Pool::new(&attempts, &PoolSettings::default()).expect("a pool")
    }

    /// Equation 2 and the priors row by row, with the platform's functions and no shortcut.
    fn by_the_book(pool: &Pool, posterior: &mut Posterior, at: &[f64]) -> f64 {
        let effects = posterior.effects(at).clone();
        let bins = StepBins::of_budget(pool.budget);
        let likelihood: f64 = pool
            .rows
            .iter()
            .map(|row| {
                let task = &pool.tasks[row.task];
                let steps = f64::from(row.steps);
                let log_hazard = (1.0 + steps).ln() + effects.intercept + effects.agents[row.agent]
                    - effects.tasks[row.task]
                    + effects.groups[0][task.site]
                    + effects.groups[1][task.template]
                    + effects.groups[2][task.category]
                    + effects.groups[3][bins.bin(steps)]
                    + if row.exhausted { effects.exhausted } else { 0.0 };
                let hazard = log_hazard.exp();
                if row.success { (-(-hazard).exp_m1()).ln() } else { -hazard }
            })
            .sum();
        let normal = |value: f64, spread: f64| -0.5 * (value / spread).powi(2);
        let mut prior = normal(effects.intercept + 3.0, 2.0) + normal(effects.exhausted, 0.5);
        // On the plane of vectors that sum to zero the density of independent normals has the same exponent.
        prior += effects.agents.iter().map(|effect| normal(*effect, 0.8)).sum::<f64>();
        prior += effects.tasks.iter().map(|effect| normal(*effect, 1.0)).sum::<f64>();
        for (which, half_normal) in [0.5, 0.5, 0.5, 0.3].into_iter().enumerate() {
            let scale = effects.scales[which];
            prior += normal(scale, half_normal);
            prior += effects.groups[which].iter().map(|effect| normal(*effect, scale)).sum::<f64>();
        }
        likelihood + prior
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn density_is_the_papers_and_gradient_its_slope(
            outcomes in proptest::collection::vec(any::<(u8, u8, u8, bool, bool)>(), 0..120),
            noise in proptest::collection::vec(-1.2..1.2_f64, 64),
        ) {
            let pool = pool_of(&outcomes);
            let mut posterior = Posterior::of(&pool);
            let n = posterior.parameters();
            let at: Vec<f64> = (0..n).map(|i| noise[i % 64]).collect();
            let mut gradient = vec![0.0; n];
            let here = posterior.evaluate(&at, &mut gradient);
            let book = by_the_book(&pool, &mut posterior, &at);
            prop_assert!((here - book).abs() < 1e-9 * book.abs().max(1.0), "{here} {book}");
            let mut unused = vec![0.0; n];
            for i in 0..n {
                let step = 1e-5;
                let mut beside = at.clone();
                beside[i] = at[i] + step;
                let above = posterior.evaluate(&beside, &mut unused);
                beside[i] = at[i] - step;
                let below = posterior.evaluate(&beside, &mut unused);
                let slope = (above - below) / (2.0 * step);
                prop_assert!(
                    (slope - gradient[i]).abs() < 1e-5 * gradient[i].abs().max(1.0),
                    "parameter {i} of {n}: {} but the slope is {slope}", gradient[i]
                );
            }
        }

        #[test]
        fn products_of_probabilities_do_not_vanish(exponents in proptest::collection::vec(-290..0_i32, 0..90)) {
            let probabilities: Vec<f64> = exponents.iter().map(|&e| 10_f64.powi(e)).collect();
            let exact = f64::from(exponents.iter().sum::<i32>()) * std::f64::consts::LN_10;
            prop_assert!((sum_of_logarithms(&probabilities) - exact).abs() < 1e-10 * exact.abs().max(1.0));
        }
    }

    #[test]
    fn known_scales_are_used() {
        let pool = pool_of(&[(0, 3, 4, true, false), (1, 5, 6, false, true)]);
        let mut posterior = Posterior::of(&pool).with_scales([0.1, 0.2, 0.3, 0.4]);
        let at = vec![0.5; posterior.parameters()];
        assert_eq!(posterior.effects(&at).groups[1][0].to_bits(), (0.2_f64 * 0.5).to_bits());
    }
}
