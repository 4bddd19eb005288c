//! Success rates with the judge's errors taken out.

use std::collections::BTreeMap;

use serde::Serialize;
use umpire_stats::Bootstrap;
use umpire_stats::agreement::{
    Confusion, CorrectedRate, PoweredRate, Share, Uncorrectable, powered_rate, rogan_gladen,
};

use super::figures::{Estimate, bias, pairs_of};
use super::policy::Judged;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Correction {
    /// None for all agents together.
    pub agent: Option<String>,
    /// Of the labelled attempts.
    pub human: Share,
    /// Of all attempts, with a label or without.
    pub judge: Share,
    /// Judge's rate less people's, on the labelled attempts.
    pub bias: Estimate,
    /// The judge's errors taken from the labels of the other agents.
    pub from_other_agents: Option<RoganGladen>,
    /// The judge's errors taken from this agent's own labels; only where there are attempts without one.
    pub from_own_labels: Option<RoganGladen>,
    /// Own labels and verdicts beyond them; only where there are attempts without a label.
    pub prediction_powered: Option<PoweredRate>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoganGladen {
    Rate(CorrectedRate),
    Impossible(Uncorrectable),
}

impl RoganGladen {
    fn of(judged: Share, errors: &Confusion) -> Self {
        match rogan_gladen(judged, errors) {
            Ok(rate) => Self::Rate(rate),
            Err(reason) => Self::Impossible(reason),
        }
    }

    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Rate(rate) => Some(rate.value),
            Self::Impossible(_) => None,
        }
    }
}

/// What correction does to the distance between judge's and human rate, on agents that have both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gap {
    pub agents: usize,
    /// Mean of |judge's rate - human rate|.
    pub judge: f64,
    /// Mean of |corrected rate - human rate|, errors taken from the other agents.
    pub corrected: Option<f64>,
}

pub fn corrections(judged: &[Judged<'_>], bootstrap: Bootstrap) -> Vec<Correction> {
    let mut by_agent: BTreeMap<&str, Vec<Judged<'_>>> = BTreeMap::new();
    for one in judged {
        if let Some(agent) = one.attempt.agent.as_deref() {
            by_agent.entry(agent).or_default().push(*one);
        }
    }
    let mut made: Vec<Correction> = Vec::new();
    if by_agent.len() > 1 {
        for (agent, attempts) in &by_agent {
            let others = judged.iter().filter(|one| one.attempt.agent.as_deref() != Some(agent));
            made.push(correct(Some((*agent).to_owned()), attempts, Some(&errors_of(others)), bootstrap));
        }
    }
    made.push(correct(None, judged, None, bootstrap));
    made
}

fn errors_of<'a, 'b: 'a>(judged: impl Iterator<Item = &'a Judged<'b>>) -> Confusion {
    Confusion::of(judged.filter_map(|one| Some((one.human?, one.judge))))
}

fn correct(
    agent: Option<String>,
    attempts: &[Judged<'_>],
    others: Option<&Confusion>,
    bootstrap: Bootstrap,
) -> Correction {
    let labelled: Vec<(bool, bool)> =
        attempts.iter().filter_map(|one| Some((one.human?, one.judge))).collect();
    let beyond: Vec<bool> = attempts.iter().filter(|one| one.human.is_none()).map(|one| one.judge).collect();
    let own = Confusion::of(labelled.iter().copied());
    let judge = Share::counting(attempts.iter().map(|one| one.judge));
    let gaps_to_fill = !beyond.is_empty() && !labelled.is_empty();
    Correction {
        agent,
        human: own.human_rate(),
        judge,
        bias: bias(&pairs_of(attempts), bootstrap),
        from_other_agents: others.map(|errors| RoganGladen::of(judge, errors)),
        from_own_labels: gaps_to_fill.then(|| RoganGladen::of(judge, &own)),
        prediction_powered: if gaps_to_fill { powered_rate(&labelled, &beyond) } else { None },
    }
}

pub fn gap(corrections: &[Correction]) -> Option<Gap> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let of_agents: Vec<&Correction> = corrections.iter().filter(|one| one.agent.is_some()).collect();
    let distance = |rate: Option<f64>, one: &Correction| Some((rate? - one.human.value()?).abs());
    let judge: Vec<f64> = of_agents.iter().filter_map(|one| distance(one.judge.value(), one)).collect();
    let corrected: Vec<f64> =
        of_agents.iter().filter_map(|one| distance(one.from_other_agents.as_ref()?.value(), one)).collect();
    (!judge.is_empty()).then(|| Gap {
        agents: judge.len(),
        judge: mean(&judge),
        corrected: (corrected.len() == judge.len()).then(|| mean(&corrected)),
    })
}
