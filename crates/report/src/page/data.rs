//! The attempts as the page's list holds them: columns of small numbers, and every text once.

use std::collections::HashMap;

use serde::Serialize;
use umpire_model::Outcome;
use umpire_stats::AttemptRow;

use crate::wording::clipped;
use crate::{AttemptSummary, Summary};

/// Reasons are sentences; a page of a hundred thousand holds the beginning of each.
const REASON_KEPT: usize = 300;

/// What the script of the page reads. `-1` in a column is what is not known.
#[derive(Serialize)]
pub(super) struct ListData<'a> {
    version: u32,
    /// Texts that occur in columns, by index.
    agents: Vec<&'a str>,
    instances: Vec<&'a str>,
    sites: Vec<&'a str>,
    categories: Vec<&'a str>,
    reasons: Vec<String>,
    outcomes: Vec<&'static str>,
    /// One entry an attempt, all of the same length.
    agent: Vec<u32>,
    instance: Vec<u32>,
    site: Vec<u32>,
    category: Vec<u32>,
    trial: Vec<u32>,
    outcome: Vec<u32>,
    reason: Vec<u32>,
    steps: Vec<i64>,
    /// Tenths of a second.
    time: Vec<i64>,
    /// Millionths of a US dollar.
    cost: Vec<i64>,
}

const VERSION: u32 = 1;
/// In the order of [`Outcome::ALL`], with the one that has none last.
const OPEN: &str = "open";

impl<'a> ListData<'a> {
    pub fn of(summary: &'a Summary, rows: &'a [AttemptRow]) -> Self {
        let attempts = &summary.attempts;
        let (agents, agent) = indexed(attempts.iter().map(|attempt| attempt.id.agent.as_str()));
        let (instances, instance) = indexed(attempts.iter().map(|attempt| attempt.id.instance.as_str()));
        let (sites, site) = indexed(rows.iter().map(|row| row.site.as_str()));
        let (categories, category) = indexed(rows.iter().map(|row| row.category.as_str()));
        let (reasons, reason) = indexed(attempts.iter().map(|attempt| attempt.reason.as_str()));
        Self {
            version: VERSION,
            agents,
            instances,
            sites,
            categories,
            reasons: reasons.into_iter().map(|reason| clipped(reason, REASON_KEPT)).collect(),
            outcomes: Outcome::ALL.map(Outcome::as_str).into_iter().chain([OPEN]).collect(),
            agent,
            instance,
            site,
            category,
            trial: attempts.iter().map(|attempt| attempt.id.trial).collect(),
            outcome: attempts.iter().map(outcome_index).collect(),
            reason,
            steps: attempts.iter().map(|attempt| attempt.steps.map_or(-1, i64::from)).collect(),
            time: rows.iter().map(|row| scaled(row.seconds, 10.0)).collect(),
            cost: rows.iter().map(|row| scaled(row.usd, 1e6)).collect(),
        }
    }

    /// JSON that may stand inside a `<script>` element: nothing in it can end the element or begin a comment.
    pub fn embedded(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned());
        json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
    }
}

fn outcome_index(attempt: &AttemptSummary) -> u32 {
    let place = attempt.outcome.and_then(|outcome| Outcome::ALL.iter().position(|one| *one == outcome));
    place.unwrap_or(Outcome::ALL.len()) as u32
}

fn scaled(number: Option<f64>, by: f64) -> i64 {
    number.map_or(-1, |number| (number * by).round() as i64)
}

/// Every text once, in the order of its first appearance, and for each place which one it is.
fn indexed<'a>(texts: impl Iterator<Item = &'a str>) -> (Vec<&'a str>, Vec<u32>) {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let mut all = Vec::new();
    let places = texts
        .map(|text| {
            *seen.entry(text).or_insert_with(|| {
                all.push(text);
                all.len() as u32 - 1
            })
        })
        .collect();
    (all, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_kept_once() {
        assert_eq!(indexed(["b", "a", "b"].into_iter()), (vec!["b", "a"], vec![0, 1, 0]));
    }
}
