//! Rates in which each template, or each site, counts once, however many tasks it has: the verified WebArena's headline.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::student::around;
use crate::{AttemptRow, Interval, Mean};
use crate::{Bootstrap, clustered_bootstrap};

/// One agent's success, seen in every way that is usual. All of its planned attempts are in each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MacroRates {
    /// Each template counts once.
    pub template: Mean,
    /// Within each site, each template counts once.
    pub by_site: BTreeMap<String, Mean>,
    /// Each site counts once, by the rate above.
    pub site: Mean,
    /// Interval of the plain rate that takes attempts at one template as alike; none for a single template.
    pub clustered: Option<Interval>,
    /// The same by drawing templates.
    pub bootstrap: Option<Interval>,
}

/// None without attempts.
pub fn macro_rates<'r>(
    rows: impl IntoIterator<Item = &'r AttemptRow>,
    settings: Bootstrap,
) -> Option<MacroRates> {
    let rows: Vec<&AttemptRow> = rows.into_iter().collect();
    let mut sites: BTreeMap<&str, Vec<&AttemptRow>> = BTreeMap::new();
    for row in &rows {
        sites.entry(&row.site).or_default().push(row);
    }
    let by_site: BTreeMap<String, Mean> = sites
        .into_iter()
        .filter_map(|(site, rows)| Some((site.to_owned(), Mean::of(&template_rates(&rows))?)))
        .collect();
    let site = Mean::of(&by_site.values().map(|mean| mean.value).collect::<Vec<_>>())?;
    let passed: Vec<(&str, f64)> = rows.iter().map(|row| (row.template(), success(row))).collect();
    Some(MacroRates {
        template: Mean::of(&template_rates(&rows))?,
        by_site,
        site,
        clustered: clustered(&passed),
        bootstrap: clustered_bootstrap(&passed, settings, mean),
    })
}

pub(crate) fn success(row: &AttemptRow) -> f64 {
    f64::from(u8::from(row.passed()))
}

fn mean(values: &[f64]) -> Option<f64> {
    Mean::of(values).map(|mean| mean.value)
}

fn template_rates(rows: &[&AttemptRow]) -> Vec<f64> {
    rates_by_template(rows.iter().copied()).into_values().collect()
}

/// Success by template, over all tasks and trials of it.
pub(crate) fn rates_by_template<'r>(rows: impl Iterator<Item = &'r AttemptRow>) -> BTreeMap<&'r str, f64> {
    let mut counted: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for row in rows {
        let (passed, of) = counted.entry(row.template()).or_default();
        *passed += success(row);
        *of += 1;
    }
    counted.into_iter().map(|(template, (passed, of))| (template, passed / of as f64)).collect()
}

/// Mean ± t · its cluster-robust error, with as many degrees of freedom as there are clusters less one.
fn clustered(values: &[(&str, f64)]) -> Option<Interval> {
    let centre = mean(&values.iter().map(|(_, value)| *value).collect::<Vec<_>>())?;
    let mut residues: BTreeMap<&str, f64> = BTreeMap::new();
    for (cluster, value) in values {
        *residues.entry(cluster).or_default() += value - centre;
    }
    let clusters = residues.len();
    if clusters < 2 {
        return None;
    }
    let squares: f64 = residues.values().map(|residue| residue * residue).sum();
    let correction = clusters as f64 / (clusters - 1) as f64;
    let error = (correction * squares).sqrt() / values.len() as f64;
    Some(around(centre, error, clusters - 1))
}

#[cfg(test)]
mod tests {
    use umpire_model::Outcome;

    use super::*;

    const SETTINGS: Bootstrap = Bootstrap { draws: 500, seed: 7 };

    fn row(site: &str, template: &str, passed: bool) -> AttemptRow {
        AttemptRow {
            site: site.to_owned(),
            template: template.to_owned(),
            outcome: Some(if passed { Outcome::Pass } else { Outcome::Fail }),
            ..AttemptRow::default()
        }
    }

    #[test]
    fn each_template_and_each_site_counts_once() {
        let mut rows = vec![row("shop", "many", true); 8];
        rows.push(row("shop", "one", false));
        rows.push(row("map", "far", false));
        rows.push(row("map", "far", true));
        let rates = macro_rates(&rows, SETTINGS).expect("rows");
        // Templates: 1, 0 and ½. Sites: ½ and ½.
        assert_eq!((rates.template.value, rates.template.units), (0.5, 3));
        assert_eq!((rates.by_site["shop"].value, rates.by_site["shop"].units), (0.5, 2));
        assert_eq!((rates.site.value, rates.site.units), (0.5, 2));
        assert_eq!(macro_rates(&[], SETTINGS), None);
    }

    #[test]
    fn a_task_without_a_template_is_its_own() {
        let task = |name: &str, passed| AttemptRow { task: name.to_owned(), ..row("shop", "", passed) };
        let rates = macro_rates(&[task("a", true), task("b", false)], SETTINGS).expect("rows");
        assert_eq!(rates.template.units, 2);
    }

    #[test]
    fn attempts_alone_in_their_cluster_give_the_textbook_error() {
        // 10 tasks, 5 passed: s = √(.25 · 10/9), error s/√10 = 1/6, t of 9 is 2.262.
        let rows: Vec<AttemptRow> = (0..10).map(|i| row("shop", &format!("t{i}"), i % 2 == 0)).collect();
        let Interval { low, high } =
            macro_rates(&rows, SETTINGS).and_then(|r| r.clustered).expect("clusters");
        assert!((low - (0.5 - 2.262 / 6.0)).abs() < 1e-3 && (high - (0.5 + 2.262 / 6.0)).abs() < 1e-3);
        // Ten times the same observation is no more of it.
        let copied: Vec<AttemptRow> = rows.iter().flat_map(|row| vec![row.clone(); 10]).collect();
        let again = macro_rates(&copied, SETTINGS).and_then(|r| r.clustered).expect("clusters");
        assert!((again.low - low).abs() < 1e-12 && (again.high - high).abs() < 1e-12);
    }
}
