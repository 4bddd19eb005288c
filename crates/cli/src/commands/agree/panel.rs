//! Several judges on the same attempts: what they are worth together, and which of two is better.

use std::collections::BTreeMap;

use serde::Serialize;
use umpire_stats::agreement::{Panel, panel_of};
use umpire_stats::{Bootstrap, clustered_bootstrap};
use umpire_stats::{Interval, Paired};

use super::figures::{Estimate, Figures, Pairs, figures, tasks_repeat};
use super::policy::Judged;

#[derive(Debug, Serialize)]
pub struct PanelCard {
    pub judges: Vec<String>,
    pub n: usize,
    #[serde(flatten)]
    pub panel: Panel,
    pub votes: Vec<Vote>,
    pub differences: Vec<Difference>,
}

/// What the judges would be worth as one, by a rule.
#[derive(Debug, Serialize)]
pub struct Vote {
    /// Who must say success: `all`, `any` or `most`.
    pub success_if: &'static str,
    #[serde(flatten)]
    pub figures: Figures,
}

/// The second judge's agreement with people less the first's, on the same attempts.
#[derive(Debug, Serialize)]
pub struct Difference {
    pub first: String,
    pub second: String,
    pub agreement: Estimate,
    /// Exact `McNemar` test.
    pub p_value: f64,
}

/// On the labelled attempts that count for every judge.
pub fn panel(names: &[String], counted: &[Vec<Judged<'_>>], bootstrap: Bootstrap) -> Option<PanelCard> {
    if names.len() < 2 {
        return None;
    }
    let mut together: BTreeMap<usize, (Judged<'_>, Vec<bool>)> = BTreeMap::new();
    for judged in counted {
        for one in judged.iter().filter(|one| one.human.is_some()) {
            together.entry(one.at).or_insert((*one, Vec::new())).1.push(one.judge);
        }
    }
    let complete: Vec<(Judged<'_>, Vec<bool>)> =
        together.into_values().filter(|(_, verdicts)| verdicts.len() == names.len()).collect();
    let attempts: Vec<(bool, Vec<bool>)> =
        complete.iter().filter_map(|(one, verdicts)| Some((one.human?, verdicts.clone()))).collect();
    let panel = panel_of(&attempts)?;
    let mut differences = Vec::new();
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let right: Pairs<'_> = complete
                .iter()
                .filter_map(|(one, verdicts)| {
                    let human = one.human?;
                    Some((one.attempt.task.as_str(), (verdicts[first] == human, verdicts[second] == human)))
                })
                .collect();
            differences.push(difference((&names[first], &names[second]), &right, bootstrap));
        }
    }
    let votes = Panel::RULES
        .into_iter()
        .filter(|(name, _)| *name != "most" || names.len() > 2)
        .map(|(success_if, rule)| {
            let vote = |(one, verdicts): &(Judged<'_>, Vec<bool>)| Some((one.human?, rule(verdicts)));
            let pairs: Pairs<'_> = complete
                .iter()
                .filter_map(|both| Some((both.0.attempt.task.as_str(), vote(both)?)))
                .collect();
            Vote { success_if, figures: figures(&pairs, bootstrap) }
        })
        .collect();
    Some(PanelCard { judges: names.to_vec(), n: attempts.len(), panel, votes, differences })
}

fn difference(names: (&str, &str), right: &Pairs<'_>, bootstrap: Bootstrap) -> Difference {
    let paired = Paired::of(right.iter().map(|pair| pair.1));
    let drawn = |pairs: &[(bool, bool)]| Paired::of(pairs.iter().copied()).difference();
    let interval: Option<Interval> = if tasks_repeat(right) {
        clustered_bootstrap(right, bootstrap, drawn)
    } else {
        Some(paired.interval())
    };
    Difference {
        first: names.0.to_owned(),
        second: names.1.to_owned(),
        agreement: Estimate { value: paired.difference(), interval },
        p_value: paired.p_value(),
    }
}
