//! What each perturbation costs each agent: attempts with it against the plain attempts at the same instances.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use umpire_model::{AgentEntry, Lapse, Outcome, Perturbation};
use umpire_stats::{Interval, Paired};

use crate::AttemptSummary;

/// One agent under one perturbation. A pair is the same instance and trial without and with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Robustness {
    pub agent: String,
    pub perturbation: Perturbation,
    pub pairs: Paired,
    /// Success with minus success without; none without a pair.
    pub difference: Option<f64>,
    /// Newcombe's paired score interval, 95 %.
    pub interval: Interval,
    /// `McNemar`'s exact test, two-sided.
    pub p_value: f64,
    /// Pairs left out because the harness lost an attempt of theirs.
    pub infra: usize,
    /// Pairs that are not complete yet.
    pub open: usize,
    /// Perturbed attempts in which the agent let itself be talked into something.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lapses: BTreeMap<Lapse, usize>,
}

/// Agent by agent, in the order in which agents and perturbations were asked for.
pub(crate) fn robustness(
    agents: &[AgentEntry],
    perturbations: &[Perturbation],
    attempts: &[AttemptSummary],
) -> Vec<Robustness> {
    let plain: HashMap<(&str, &str, u32), Option<Outcome>> = attempts
        .iter()
        .filter(|attempt| attempt.perturbation.is_none())
        .map(|attempt| {
            ((attempt.id.agent.as_str(), attempt.id.instance.as_str(), attempt.id.trial), attempt.outcome)
        })
        .collect();
    let mut rows = Vec::new();
    for agent in agents {
        for by in perturbations {
            let own: Vec<&AttemptSummary> = attempts
                .iter()
                .filter(|a| a.id.agent == agent.name && a.perturbation.as_ref().is_some_and(|p| p.by == *by))
                .collect();
            if !own.is_empty() {
                rows.push(row(&agent.name, by, &own, &plain));
            }
        }
    }
    rows
}

fn row(
    agent: &str,
    by: &Perturbation,
    perturbed: &[&AttemptSummary],
    plain: &HashMap<(&str, &str, u32), Option<Outcome>>,
) -> Robustness {
    let (mut infra, mut open) = (0, 0);
    let mut pairs = Vec::new();
    let mut lapses = BTreeMap::new();
    for attempt in perturbed {
        let instance = attempt.perturbation.as_ref().map_or("", |perturbed| perturbed.plain.as_str());
        let without = plain.get(&(agent, instance, attempt.id.trial)).copied().flatten();
        match (without, attempt.outcome) {
            (Some(Outcome::Infra), _) | (_, Some(Outcome::Infra)) => infra += 1,
            (Some(without), Some(with)) => pairs.push((without == Outcome::Pass, with == Outcome::Pass)),
            _ => open += 1,
        }
        for lapse in &attempt.lapses {
            *lapses.entry(*lapse).or_default() += 1;
        }
    }
    let pairs = Paired::of(pairs);
    Robustness {
        agent: agent.to_owned(),
        perturbation: by.clone(),
        pairs,
        difference: pairs.difference(),
        interval: pairs.interval(),
        p_value: pairs.p_value(),
        infra,
        open,
        lapses,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umpire_model::Perturbed;

    fn attempt(
        instance: &str,
        by: Option<&str>,
        outcome: Option<Outcome>,
        lapses: &[Lapse],
    ) -> AttemptSummary {
        let by: Option<Perturbation> = by.map(|by| by.parse().expect("known"));
        let id = by.as_ref().map_or(instance.to_owned(), |by| format!("{instance}+{by}"));
        AttemptSummary {
            id: format!("a/{id}/1").parse().expect("an id"),
            outcome,
            reason: String::new(),
            tries: 1,
            steps: None,
            counted: None,
            seconds: None,
            spending: umpire_model::Spending::default(),
            perturbation: by.map(|by| Perturbed { by, seed: 1, plain: instance.to_owned() }),
            lapses: lapses.to_vec(),
        }
    }

    #[test]
    fn pairs_are_made_by_instance_and_lost_ones_are_left_out() {
        use Outcome::{Fail, Infra, Pass, Timeout};
        let mut attempts = Vec::new();
        for (instance, without, with, lapses) in [
            ("kept", Some(Pass), Some(Pass), &[Lapse::Obeyed][..]),
            ("lost", Some(Pass), Some(Timeout), &[]),
            ("gained", Some(Fail), Some(Pass), &[]),
            ("never", Some(Fail), Some(Fail), &[Lapse::Obeyed]),
            ("infra-with", Some(Pass), Some(Infra), &[]),
            ("infra-without", Some(Infra), Some(Pass), &[]),
            ("open", Some(Pass), None, &[]),
        ] {
            attempts.push(attempt(instance, None, without, &[]));
            attempts.push(attempt(instance, Some("inject"), with, lapses));
        }
        attempts.push(attempt("kept", Some("dark"), Some(Fail), &[]));
        let agents = [AgentEntry { name: "a".into(), kind: "zero".into(), settings: BTreeMap::new() }];
        let asked = ["inject", "dark", "move"].map(|by| by.parse().expect("known"));
        let rows = robustness(&agents, &asked, &attempts);
        assert_eq!(rows.len(), 2, "nothing ran under `move`");
        assert_eq!(rows[0].pairs, Paired { both: 1, lost: 1, gained: 1, neither: 1 });
        assert_eq!((rows[0].infra, rows[0].open, rows[0].lapses[&Lapse::Obeyed]), (2, 1, 2));
        assert_eq!(rows[1].pairs, Paired { lost: 1, ..Paired::default() });
    }
}
