//! The plots that a run's own summary can fill.

use std::collections::BTreeMap;

use umpire_model::Outcome;
use umpire_stats::Bootstrap;
use umpire_stats::{AttemptRow, Reliabilities, Tally, against};

use crate::plots::{
    CostPlot, Costed, Difference, DifferencePlot, EcdfPlot, Estimate, ForestPlot, HeatMap, Reliability,
    ReliabilityPlot, Sample, Unit, cost_against_success, differences, ecdf, forest, heat_map, ranking,
    reliability,
};
use crate::wording::p_value;
use crate::{Dimension, Summary};

/// More rows than this are a table, not a picture.
const MOST_ROWS: usize = 40;
const MOST_COLUMNS: usize = 24;
const MOST_CURVES: usize = 20;

/// Each plot that has something to show.
pub(super) fn plots(summary: &Summary, rows: &[AttemptRow]) -> Vec<String> {
    [
        agents(summary),
        against_the_best(summary, rows),
        over_trials(summary, rows),
        by_category(summary),
        agents_by_category(summary),
        perturbations(summary),
        costs(summary, rows),
        steps(summary, rows),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn estimate(label: &str, tally: &Tally) -> Estimate {
    let rate = tally.rate();
    Estimate {
        label: label.to_owned(),
        value: rate.value(),
        low: rate.interval.low,
        high: rate.interval.high,
        band: Some((rate.infra_low, rate.infra_high)),
        note: format!("{}/{}", rate.passed, rate.planned),
    }
}

fn agents(summary: &Summary) -> Option<String> {
    let judged = summary.agents.iter().filter(|agent| agent.headline().is_some());
    let rows: Vec<Estimate> =
        judged.map(|agent| estimate(&agent.name, &agent.outcomes)).take(MOST_ROWS).collect();
    (rows.len() > 1).then(|| {
        forest(&ForestPlot {
            title: "Agents".to_owned(),
            axis: "passed, % of planned attempts".to_owned(),
            unit: Unit::Percent,
            range: Some((0.0, 1.0)),
            rows,
        })
    })
}

/// Template by template, so that agents can be told apart whose own intervals overlap.
fn against_the_best(summary: &Summary, rows: &[AttemptRow]) -> Option<String> {
    let success = |agent: &crate::AgentSummary| agent.headline().unwrap_or(-1.0);
    let best = summary.agents.iter().max_by(|a, b| success(a).total_cmp(&success(b)))?;
    let plain: Vec<AttemptRow> = rows.iter().filter(|row| row.perturbation.is_none()).cloned().collect();
    let undrawn = Bootstrap { draws: 0, seed: 0 };
    let rows: Vec<Difference> = against(&plain, &best.name, undrawn)
        .into_iter()
        .take(MOST_ROWS)
        .filter_map(|one| {
            let mean = one.by_template?;
            let interval = mean.interval?;
            Some(Difference {
                label: one.agent,
                value: Some(mean.value),
                low: interval.low,
                high: interval.high,
                note: format!(
                    "{} templates, {} lost, {} gained",
                    mean.units, one.attempts.lost, one.attempts.gained
                ),
            })
        })
        .collect();
    (!rows.is_empty()).then(|| {
        differences(&DifferencePlot {
            title: format!("Against {}, the best", best.name),
            axis: "mean difference by template, percentage points, 95 % t interval".to_owned(),
            rows,
        })
    })
}

fn over_trials(summary: &Summary, rows: &[AttemptRow]) -> Option<String> {
    if summary.manifest.trials < 2 {
        return None;
    }
    let agents = summary.agents.iter().take(MOST_CURVES).map(|agent| {
        let own = rows.iter().filter(|row| row.agent == agent.name && row.perturbation.is_none());
        let curve = Reliabilities::of(own).curve;
        Reliability {
            label: agent.name.clone(),
            at: curve.iter().map(|k| k.once.value).collect(),
            all: curve.iter().map(|k| k.always.value).collect(),
        }
    });
    Some(reliability(&ReliabilityPlot { title: "Over trials".to_owned(), agents: agents.collect() }))
}

/// Agents are counted together, so that the order is that of the tasks.
fn by_category(summary: &Summary) -> Option<String> {
    let mut pooled: BTreeMap<&str, Tally> = BTreeMap::new();
    for agent in &summary.agents {
        for slice in agent.slices.iter().filter(|slice| slice.by == Dimension::Category) {
            let tally = pooled.entry(&slice.value).or_default();
            for (outcome, count) in &slice.outcomes.outcomes {
                *tally.outcomes.entry(*outcome).or_default() += count;
            }
            tally.open += slice.outcomes.open;
        }
    }
    let rows: Vec<Estimate> = pooled.iter().map(|(name, tally)| estimate(name, tally)).collect();
    (2..=MOST_ROWS).contains(&rows.len()).then(|| {
        ranking(&ForestPlot {
            title: "Categories, all agents together".to_owned(),
            axis: "passed, % of planned attempts".to_owned(),
            unit: Unit::Percent,
            range: Some((0.0, 1.0)),
            rows,
        })
    })
}

fn agents_by_category(summary: &Summary) -> Option<String> {
    let (by, columns) = summary
        .telling_dimensions()
        .into_iter()
        .filter(|(by, values)| {
            matches!(by, Dimension::Category | Dimension::Site) && values.len() <= MOST_COLUMNS
        })
        .max_by_key(|(by, _)| *by == Dimension::Category)?;
    let share = |agent: &crate::AgentSummary, value: &String| {
        agent.slice(by, value).and_then(|slice| slice.rate.value())
    };
    let rows: Vec<(String, Vec<Option<f64>>)> = summary
        .agents
        .iter()
        .take(MOST_ROWS)
        .map(|agent| (agent.name.clone(), columns.iter().map(|value| share(agent, value)).collect()))
        .collect();
    (rows.len() > 1).then(|| {
        heat_map(&HeatMap {
            title: format!("Agents by {}", by.title()),
            columns,
            rows,
            axis: "passed, % of planned attempts".to_owned(),
            unit: Unit::Percent,
        })
    })
}

fn perturbations(summary: &Summary) -> Option<String> {
    let rows: Vec<Difference> = summary
        .robustness
        .iter()
        .take(MOST_ROWS)
        .map(|row| Difference {
            label: format!("{} · {}", row.agent, row.perturbation),
            value: row.difference,
            low: row.interval.low,
            high: row.interval.high,
            note: format!("{} pairs, p {}", row.pairs.pairs(), p_value(row)),
        })
        .collect();
    (!rows.is_empty()).then(|| {
        differences(&DifferencePlot {
            title: "What perturbations change".to_owned(),
            axis: "with − without, percentage points".to_owned(),
            rows,
        })
    })
}

/// The mean over an agent's plain attempts; an agent of which one attempt's cost is unknown has no place.
fn costs(summary: &Summary, rows: &[AttemptRow]) -> Option<String> {
    let agents: Vec<Costed> = summary
        .agents
        .iter()
        .filter_map(|agent| {
            let own = rows
                .iter()
                .filter(|row| row.agent == agent.name && row.perturbation.is_none() && row.outcome.is_some());
            let costs: Option<Vec<f64>> = own.map(|row| row.usd).collect();
            let costs = costs.filter(|costs| !costs.is_empty())?;
            Some(Costed {
                label: agent.name.clone(),
                cost: costs.iter().sum::<f64>() / costs.len() as f64,
                success: agent.headline()?,
                low: agent.rate.interval.low,
                high: agent.rate.interval.high,
            })
        })
        .take(MOST_CURVES)
        .collect();
    (!agents.is_empty()).then(|| {
        cost_against_success(&CostPlot {
            title: "Cost and success".to_owned(),
            axis: "US dollars an attempt, mean".to_owned(),
            agents,
        })
    })
}

/// Over attempts the harness did not lose.
fn steps(summary: &Summary, rows: &[AttemptRow]) -> Option<String> {
    let samples: Vec<Sample> = summary
        .agents
        .iter()
        .map(|agent| {
            let own = rows.iter().filter(|row| row.agent == agent.name && row.perturbation.is_none());
            let ended = own.filter(|row| row.outcome.is_some_and(|outcome| outcome != Outcome::Infra));
            Sample {
                label: agent.name.clone(),
                values: ended.filter_map(|row| row.steps.map(f64::from)).collect(),
            }
        })
        .filter(|sample| !sample.values.is_empty())
        .take(MOST_CURVES)
        .collect();
    (!samples.is_empty())
        .then(|| ecdf(&EcdfPlot { title: "Steps of attempts".to_owned(), axis: "steps".to_owned(), samples }))
}
