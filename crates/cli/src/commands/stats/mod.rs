//! `umpire stats`: everything that can be counted over attempts. All estimators are in `umpire_stats`.

pub mod results;
pub mod show;

use std::collections::BTreeMap;

use serde::Serialize;
use umpire_stats::{
    Adequacy, AttemptRow, Comparison, Efficiency, MacroRates, Paired, Rate, Reliabilities, Tally, adequacy,
    against, macro_rates, twins,
};
use umpire_store::Runs;

use crate::args::StatsArgs;
use crate::exit::Exit;
use crate::failure::Failure;

/// What `umpire stats` found.
#[derive(Debug, Serialize)]
pub struct Statistics {
    pub attempts: usize,
    /// Perturbed attempts, which are in no other figure.
    pub perturbed: Vec<UnderPerturbation>,
    pub agents: Vec<AgentStatistics>,
    /// Every other agent against the anchor.
    pub comparisons: Vec<Comparison>,
    pub anchor: Option<String>,
    /// Tasks that cannot be done, rightly called so, and how far the agent had looked.
    pub adequacy: Vec<Adequacy>,
}

/// One agent under one perturbation.
#[derive(Debug, Serialize)]
pub struct UnderPerturbation {
    pub agent: String,
    pub perturbation: String,
    pub rate: Rate,
    /// The same without it and with it.
    pub pairs: Paired,
}

#[derive(Debug, Serialize)]
pub struct AgentStatistics {
    pub agent: String,
    pub rate: Rate,
    pub outcomes: Tally,
    pub macro_rates: MacroRates,
    pub reliability: Reliabilities,
    /// Initial state on and off of the same task.
    pub states: Paired,
    /// Without and with a hint where to go.
    pub hints: Paired,
    pub levels: BTreeMap<usize, Rate>,
    pub efficiency: Efficiency,
}

pub fn stats(args: &StatsArgs, runs: &Runs, as_json: bool) -> Result<Exit, Failure> {
    let rows = results::results(args.results.as_deref(), runs)?;
    let found = statistics(&rows, args)?;
    if as_json {
        say!("{}", serde_json::to_string(&found).map_err(|error| Failure::new(error.to_string()))?);
    } else {
        say!("{}", show::show(&found).trim_end());
    }
    Ok(if found.agents.is_empty() { Exit::NothingRan } else { Exit::Ok })
}

fn statistics(rows: &[AttemptRow], args: &StatsArgs) -> Result<Statistics, Failure> {
    let plain: Vec<AttemptRow> = rows.iter().filter(|row| row.perturbation.is_none()).cloned().collect();
    let mut by_agent: BTreeMap<&str, Vec<&AttemptRow>> = BTreeMap::new();
    for row in &plain {
        by_agent.entry(&row.agent).or_default().push(row);
    }
    let settings = args.bootstrap.into();
    let agents: Vec<AgentStatistics> = by_agent
        .into_iter()
        .filter_map(|(agent, own)| {
            let outcomes = Tally::of(own.iter().map(|row| row.outcome));
            Some(AgentStatistics {
                agent: agent.to_owned(),
                rate: outcomes.rate(),
                outcomes,
                macro_rates: macro_rates(own.iter().copied(), settings)?,
                reliability: Reliabilities::of(own.iter().copied()),
                states: twins::by_state(own.iter().copied()),
                hints: twins::by_hint(own.iter().copied()),
                levels: rates_by(own.iter().filter_map(|row| Some((row.level?, row.outcome)))),
                efficiency: Efficiency::of(own.iter().copied()),
            })
        })
        .collect();
    let anchor = match &args.anchor {
        Some(name) if agents.iter().any(|agent| agent.agent == *name) => Some(name.clone()),
        Some(name) => {
            let known: Vec<&str> = agents.iter().map(|agent| agent.agent.as_str()).collect();
            return Err(Failure::new(format!("no attempt is by `{name}`"))
                .help(format!("agents: {}", known.join(", "))));
        }
        None => agents
            .iter()
            .max_by(|a, b| a.macro_rates.template.value.total_cmp(&b.macro_rates.template.value))
            .map(|best| best.agent.clone()),
    };
    Ok(Statistics {
        attempts: plain.len(),
        perturbed: perturbed(rows),
        comparisons: anchor.as_deref().map_or_else(Vec::new, |anchor| against(&plain, anchor, settings)),
        anchor,
        agents,
        adequacy: adequacy(&plain, args.adequate),
    })
}

fn perturbed(rows: &[AttemptRow]) -> Vec<UnderPerturbation> {
    let mut by_agent: BTreeMap<&str, Vec<&AttemptRow>> = BTreeMap::new();
    for row in rows {
        by_agent.entry(&row.agent).or_default().push(row);
    }
    let of_agent = |(agent, own): (&str, Vec<&AttemptRow>)| {
        let mut pairs = twins::by_perturbation(own.iter().copied());
        let rates = rates_by(own.iter().filter_map(|row| Some((row.perturbation.clone()?, row.outcome))));
        let told = rates.into_iter().map(|(perturbation, rate)| UnderPerturbation {
            agent: agent.to_owned(),
            rate,
            pairs: pairs.remove(&perturbation).unwrap_or_default(),
            perturbation,
        });
        told.collect::<Vec<_>>()
    };
    by_agent.into_iter().flat_map(of_agent).collect()
}

fn rates_by<K: Ord>(outcomes: impl Iterator<Item = (K, Option<umpire_model::Outcome>)>) -> BTreeMap<K, Rate> {
    let mut grouped: BTreeMap<K, Vec<_>> = BTreeMap::new();
    for (key, outcome) in outcomes {
        grouped.entry(key).or_default().push(outcome);
    }
    grouped.into_iter().map(|(key, outcomes)| (key, Tally::of(outcomes).rate())).collect()
}
