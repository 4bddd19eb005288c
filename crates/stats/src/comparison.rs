//! One agent against another on the same instances.
//!
//! The unit is the template, as for macro rates: paired differences take away how hard a template is, so two agents can
//! be told apart whose own intervals overlap.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::macro_rate::{rates_by_template, success};
use crate::power::{Needed, needed};
use crate::{AttemptRow, Interval, Mean, Paired, benjamini_hochberg, holm};
use crate::{Bootstrap, clustered_bootstrap};

/// What an agent did that another did not, on attempts that both have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    pub agent: String,
    pub anchor: String,
    /// Mean difference of success by template, agent less anchor; none if they share no template.
    pub by_template: Option<Mean>,
    /// Two-sided, of the mean above; and corrected for all comparisons made at once, by Holm and by Benjamini–Hochberg.
    pub p_value: Option<f64>,
    pub p_holm: Option<f64>,
    pub p_fdr: Option<f64>,
    /// Attempt by attempt: `lost` are the anchor's alone, `gained` the agent's alone. Its test is `McNemar`'s.
    pub attempts: Paired,
    pub p_mcnemar: f64,
    /// Of the plain difference, drawing templates.
    pub bootstrap: Option<Interval>,
    /// How much more would separate the two; none if there is nothing to separate.
    pub needed: Option<Needed>,
    /// Attempts of either that the other does not have.
    pub unpaired: usize,
}

/// A pair of attempts of which one passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flip {
    pub instance: String,
    pub trial: u32,
    /// The agent passed where the anchor did not; otherwise the other way round.
    pub gained: bool,
}

/// Attempts are the same if they are at the same instance, by its content where that is known, in the same trial.
type Key<'r> = (&'r str, u32);

fn key(row: &AttemptRow) -> Key<'_> {
    (row.digest.as_deref().unwrap_or(&row.instance), row.trial)
}

fn by_key<'r>(rows: &[&'r AttemptRow]) -> BTreeMap<Key<'r>, &'r AttemptRow> {
    rows.iter().map(|row| (key(row), *row)).collect()
}

/// Every other agent against `anchor`, in the order of their names.
pub fn against(rows: &[AttemptRow], anchor: &str, settings: Bootstrap) -> Vec<Comparison> {
    let of = |agent: &str| rows.iter().filter(|row| row.agent == agent).collect::<Vec<_>>();
    let agents: BTreeSet<&str> =
        rows.iter().map(|row| row.agent.as_str()).filter(|name| *name != anchor).collect();
    let anchored = of(anchor);
    let mut all: Vec<Comparison> =
        agents.into_iter().map(|agent| compare(&of(agent), &anchored, settings)).collect();
    correct(&mut all);
    all
}

/// Rows of one agent against rows of another, or of the same one in another run.
pub fn compare(agent: &[&AttemptRow], anchor: &[&AttemptRow], settings: Bootstrap) -> Comparison {
    let (ours, theirs) = (by_key(agent), by_key(anchor));
    let common: Vec<(&AttemptRow, &AttemptRow)> =
        ours.iter().filter_map(|(key, row)| Some((*row, *theirs.get(key)?))).collect();
    let (one, other): (Vec<&AttemptRow>, Vec<&AttemptRow>) = common.iter().copied().unzip();
    let reference = rates_by_template(other.into_iter());
    let differences: Vec<f64> = rates_by_template(one.into_iter())
        .into_iter()
        .filter_map(|(template, rate)| Some(rate - reference.get(template)?))
        .collect();
    let by_template = Mean::of(&differences);
    let attempts = Paired::of(common.iter().map(|(ours, theirs)| (theirs.passed(), ours.passed())));
    let drawn: Vec<(&str, f64)> =
        common.iter().map(|(ours, theirs)| (ours.template(), success(ours) - success(theirs))).collect();
    let name = |rows: &[&AttemptRow]| rows.first().map(|row| row.agent.clone()).unwrap_or_default();
    Comparison {
        agent: name(agent),
        anchor: name(anchor),
        p_value: by_template.and_then(|mean| mean.p_value()),
        p_holm: None,
        p_fdr: None,
        needed: by_template.and_then(|mean| needed(&mean, &common)),
        by_template,
        p_mcnemar: attempts.p_value(),
        attempts,
        bootstrap: clustered_bootstrap(&drawn, settings, |drawn| Mean::of(drawn).map(|mean| mean.value)),
        unpaired: ours.len() + theirs.len() - 2 * common.len(),
    }
}

/// Puts in what the p-values are worth, seen together.
fn correct(all: &mut [Comparison]) {
    let tested: Vec<usize> = (0..all.len()).filter(|&at| all[at].p_value.is_some()).collect();
    let p_values: Vec<f64> = tested.iter().filter_map(|&at| all[at].p_value).collect();
    let (holm, fdr) = (holm(&p_values), benjamini_hochberg(&p_values));
    for (place, &at) in tested.iter().enumerate() {
        (all[at].p_holm, all[at].p_fdr) = (Some(holm[place]), Some(fdr[place]));
    }
}

/// What changed from the anchor to the agent; what was lost comes first.
pub fn flips(agent: &[&AttemptRow], anchor: &[&AttemptRow]) -> Vec<Flip> {
    let theirs = by_key(anchor);
    let mut flips: Vec<Flip> = by_key(agent)
        .into_iter()
        .filter_map(|(key, ours)| {
            let gained = ours.passed();
            let other = theirs.get(&key)?;
            (gained != other.passed()).then(|| Flip {
                instance: ours.instance.clone(),
                trial: ours.trial,
                gained,
            })
        })
        .collect();
    flips.sort_by(|a, b| (a.gained, &a.instance, a.trial).cmp(&(b.gained, &b.instance, b.trial)));
    flips
}

#[cfg(test)]
mod tests {
    use umpire_model::Outcome;

    use super::*;

    const SETTINGS: Bootstrap = Bootstrap { draws: 500, seed: 7 };

    fn rows(agent: &str, passed: &[(&str, &str, bool)]) -> Vec<AttemptRow> {
        let row = |&(template, instance, passed): &(&str, &str, bool)| AttemptRow {
            agent: agent.to_owned(),
            template: template.to_owned(),
            instance: instance.to_owned(),
            outcome: Some(if passed { Outcome::Pass } else { Outcome::Fail }),
            ..AttemptRow::default()
        };
        passed.iter().map(row).collect()
    }

    #[test]
    fn differences_are_taken_template_by_template() {
        let mut all =
            rows("a", &[("t", "t1", true), ("t", "t2", true), ("u", "u1", false), ("v", "v1", true)]);
        all.extend(rows(
            "b",
            &[("t", "t1", false), ("t", "t2", true), ("u", "u1", false), ("w", "w1", true)],
        ));
        let found = against(&all, "b", SETTINGS);
        let [comparison] = found.as_slice() else { panic!("{found:?}") };
        // t: 1 − ½, u: 0 − 0; v and w are not common.
        let mean = comparison.by_template.expect("templates");
        assert_eq!((mean.value, mean.units), (0.25, 2));
        assert_eq!(comparison.attempts, Paired { both: 1, lost: 0, gained: 1, neither: 1 });
        assert_eq!((comparison.unpaired, comparison.anchor.as_str()), (2, "b"));
        assert_eq!(comparison.p_holm, comparison.p_value, "one comparison needs no correction");
    }

    #[test]
    fn a_task_that_changed_under_its_name_is_not_the_same() {
        let mut ours = rows("a", &[("t", "t1", true)]);
        let mut theirs = rows("a", &[("t", "t1", false)]);
        ours[0].digest = Some("new".to_owned());
        theirs[0].digest = Some("old".to_owned());
        let (ours, theirs): (Vec<_>, Vec<_>) = (ours.iter().collect(), theirs.iter().collect());
        let found = compare(&ours, &theirs, SETTINGS);
        assert_eq!((found.attempts.pairs(), found.unpaired, flips(&ours, &theirs)), (0, 2, Vec::new()));
    }

    #[test]
    fn flips_tell_what_was_lost_first() {
        let ours = rows("a", &[("t", "x", true), ("t", "y", false), ("t", "z", true)]);
        let theirs = rows("b", &[("t", "x", false), ("t", "y", true), ("t", "z", true)]);
        let found = flips(&ours.iter().collect::<Vec<_>>(), &theirs.iter().collect::<Vec<_>>());
        let told: Vec<(&str, bool)> =
            found.iter().map(|flip| (flip.instance.as_str(), flip.gained)).collect();
        assert_eq!(told, [("y", false), ("x", true)]);
    }
}
