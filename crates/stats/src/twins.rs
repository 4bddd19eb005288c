//! The same thing tried in two versions: initial state on and off, with and without a hint where to go, plain
//! and perturbed.

use std::collections::BTreeMap;

use umpire_model::Outcome;

use crate::{AttemptRow, Paired};

/// Which of two versions a row is of; rows that are of neither are left out.
type Side = fn(&AttemptRow) -> Option<bool>;

/// A task's states: `lost` passed only from on, `gained` only from off.
pub fn by_state<'r>(rows: impl IntoIterator<Item = &'r AttemptRow>) -> Paired {
    let side = |row: &AttemptRow| match row.state.as_deref() {
        Some("on") => Some(false),
        Some("off") => Some(true),
        _ => None,
    };
    pairs(rows, side, |row| row.with_hint)
}

/// Without a hint and with it: `lost` passed only without.
pub fn by_hint<'r>(rows: impl IntoIterator<Item = &'r AttemptRow>) -> Paired {
    pairs(rows, |row| Some(row.with_hint), |row| row.state.as_deref())
}

/// Each perturbation against the plain attempts at the same task: `lost` passed only without it. A pair is left out
/// where the harness failed in one of the two, or one has no outcome.
pub fn by_perturbation<'r>(rows: impl IntoIterator<Item = &'r AttemptRow>) -> BTreeMap<String, Paired> {
    let told = |row: &&AttemptRow| row.outcome.is_some_and(|outcome| outcome != Outcome::Infra);
    let (plain, perturbed): (Vec<&AttemptRow>, Vec<&AttemptRow>) =
        rows.into_iter().filter(told).partition(|row| row.perturbation.is_none());
    let key = |row: &'r AttemptRow| (&row.agent, &row.task, row.level, &row.state, row.with_hint, row.trial);
    let plain: BTreeMap<_, bool> = plain.into_iter().map(|row| (key(row), row.passed())).collect();
    let mut found: BTreeMap<String, Vec<(bool, bool)>> = BTreeMap::new();
    for row in perturbed {
        if let (Some(kind), Some(without)) = (&row.perturbation, plain.get(&key(row))) {
            found.entry(kind.clone()).or_default().push((*without, row.passed()));
        }
    }
    found.into_iter().map(|(kind, pairs)| (kind, Paired::of(pairs))).collect()
}

fn pairs<'r, K: Ord>(
    rows: impl IntoIterator<Item = &'r AttemptRow>,
    side: Side,
    version: impl Fn(&'r AttemptRow) -> K,
) -> Paired {
    let mut found: BTreeMap<_, [Option<bool>; 2]> = BTreeMap::new();
    for row in rows {
        let Some(side) = side(row) else { continue };
        let key = (&row.agent, &row.task, row.level, &row.perturbation, row.trial, version(row));
        found.entry(key).or_default()[usize::from(side)] = Some(row.passed());
    }
    Paired::of(found.into_values().filter_map(|[without, with]| Some((without?, with?))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(task: &str, state: Option<&str>, with_hint: bool, passed: bool) -> AttemptRow {
        AttemptRow {
            task: task.to_owned(),
            state: state.map(str::to_owned),
            with_hint,
            outcome: Some(if passed { Outcome::Pass } else { Outcome::Fail }),
            ..AttemptRow::default()
        }
    }

    #[test]
    fn twins_are_paired_by_task_and_the_rest_is_left_out() {
        let rows = [
            row("a", Some("on"), false, true),
            row("a", Some("off"), false, true),
            row("b", Some("on"), false, true),
            row("b", Some("off"), false, false),
            row("c", Some("on"), false, false),
            row("c", Some("off"), false, true),
            row("d", Some("on"), false, true),
            row("e", None, false, true),
        ];
        assert_eq!(by_state(&rows), Paired { both: 1, lost: 1, gained: 1, neither: 0 });
    }

    #[test]
    fn a_hint_is_compared_within_the_same_state() {
        let rows = [
            row("a", Some("on"), false, false),
            row("a", Some("on"), true, true),
            row("a", Some("off"), false, true),
            row("a", Some("off"), true, true),
            row("b", None, true, true),
        ];
        assert_eq!(by_hint(&rows), Paired { both: 1, lost: 0, gained: 1, neither: 0 });
    }

    #[test]
    fn a_perturbation_is_compared_with_the_plain_attempt_of_the_same_trial() {
        let attempt = |task: &str, trial, by: Option<&str>, outcome| AttemptRow {
            trial,
            perturbation: by.map(str::to_owned),
            outcome,
            ..row(task, None, false, false)
        };
        let (pass, fail) = (Some(Outcome::Pass), Some(Outcome::Fail));
        let rows = [
            attempt("a", 1, None, pass),
            attempt("a", 1, Some("popups"), fail),
            attempt("a", 1, Some("latency"), pass),
            attempt("a", 2, None, fail),
            attempt("a", 2, Some("popups"), pass),
            attempt("b", 1, None, pass),
            attempt("b", 1, Some("popups"), Some(Outcome::Infra)),
            attempt("c", 1, None, None),
            attempt("c", 1, Some("popups"), pass),
            attempt("d", 1, Some("popups"), pass),
        ];
        let found = by_perturbation(&rows);
        assert_eq!(found["popups"], Paired { both: 0, lost: 1, gained: 1, neither: 0 });
        assert_eq!(found["latency"], Paired { both: 1, ..Paired::default() });
    }
}
