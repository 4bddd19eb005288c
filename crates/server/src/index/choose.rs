//! Which attempts of a run to show, and in which order.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use umpire_model::{Filter, FilterError, INSTANCE_FIELDS};
use umpire_report::AttemptSummary;

use super::IndexedRun;

/// What an attempt can be chosen by beside what its instance can.
const OWN_FIELDS: [&str; 5] = ["agent", "trial", "outcome", "reason", "tag"];

/// All of them, for a page that explains.
pub(crate) const ATTEMPT_FIELDS: [&str; 16] = {
    let mut all = [""; 16];
    let mut at = 0;
    while at < OWN_FIELDS.len() {
        all[at] = OWN_FIELDS[at];
        at += 1;
    }
    while at < all.len() {
        all[at] = INSTANCE_FIELDS[at - OWN_FIELDS.len()];
        at += 1;
    }
    all
};

/// How a list of attempts is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// What did not pass first, then as planned.
    #[default]
    Trouble,
    Planned,
    Steps,
    Time,
    Cost,
}

impl Order {
    pub(crate) const ALL: [Self; 5] = [Self::Trouble, Self::Planned, Self::Steps, Self::Time, Self::Cost];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Trouble => "trouble",
            Self::Planned => "planned",
            Self::Steps => "steps",
            Self::Time => "time",
            Self::Cost => "cost",
        }
    }

    pub(crate) fn parse(text: &str) -> Self {
        Self::ALL.into_iter().find(|order| order.as_str() == text).unwrap_or_default()
    }

    fn compare(self, a: &AttemptSummary, b: &AttemptSummary) -> Ordering {
        let most_first = |a: Option<f64>, b: Option<f64>| b.partial_cmp(&a).unwrap_or(Ordering::Equal);
        match self {
            Self::Planned => Ordering::Equal,
            Self::Trouble => trouble(a).cmp(&trouble(b)),
            Self::Steps => most_first(a.steps.map(f64::from), b.steps.map(f64::from)),
            Self::Time => most_first(a.seconds, b.seconds),
            Self::Cost => b.spending.cost.cmp(&a.spending.cost),
        }
    }
}

/// Outcomes as somebody who mends an agent wants to see them: what failed, what the harness lost, what is open.
fn trouble(attempt: &AttemptSummary) -> u8 {
    use umpire_model::Outcome::{Blocked, Budget, Fail, Infra, Invalid, Pass, Timeout};
    match attempt.outcome {
        Some(Fail) => 0,
        Some(Timeout | Budget) => 1,
        Some(Blocked | Invalid) => 2,
        Some(Infra) => 3,
        None => 4,
        Some(Pass) => 5,
    }
}

impl IndexedRun {
    /// Places of the attempts that a filter keeps, in order. An empty filter keeps all.
    pub(crate) fn chosen(&self, filter: &str, order: Order) -> Result<Vec<usize>, FilterError> {
        let filter = match filter.trim() {
            "" => None,
            text => Some(Filter::parse_with(text, &ATTEMPT_FIELDS)?),
        };
        let keeps = |place: &usize| {
            filter.as_ref().is_none_or(|filter| filter.holds(&|field| self.values_of(*place, field)))
        };
        let mut places: Vec<usize> = (0..self.summary.attempts.len()).filter(keeps).collect();
        places.sort_by(|&a, &b| order.compare(&self.summary.attempts[a], &self.summary.attempts[b]));
        Ok(places)
    }

    fn values_of(&self, place: usize, field: &str) -> Vec<String> {
        let attempt = &self.summary.attempts[place];
        let facts = self.facts.get(&attempt.id.instance);
        let of_facts =
            |value: fn(&umpire_store::InstanceFacts) -> Vec<String>| facts.map(value).unwrap_or_default();
        match field {
            "agent" => vec![attempt.id.agent.clone()],
            "trial" => vec![attempt.id.trial.to_string()],
            "outcome" => vec![attempt.outcome.map_or("open", umpire_model::Outcome::as_str).to_owned()],
            "reason" => vec![attempt.reason.clone()],
            "tag" => self.tags[place].clone(),
            "id" => match &attempt.perturbation {
                // A perturbed instance goes with its plain one wherever that is named, as on the command line.
                Some(_) => {
                    let id = &attempt.id.instance;
                    vec![id.clone(), id.split('+').next().unwrap_or(id).to_owned()]
                }
                None => vec![attempt.id.instance.clone()],
            },
            "task" => of_facts(|facts| vec![facts.task.clone()]),
            "template" => of_facts(|facts| vec![facts.template.clone()]),
            "site" => of_facts(|facts| facts.sites.clone()),
            "kind" => of_facts(|facts| vec![facts.kind.as_str().to_owned()]),
            "category" => of_facts(|facts| vec![facts.category.clone()]),
            "state" => of_facts(|facts| vec![facts.state.clone().unwrap_or_else(|| "default".to_owned())]),
            "difficulty" => of_facts(|facts| vec![facts.difficulty.as_str().to_owned()]),
            "hint" => of_facts(|facts| vec![if facts.with_hint { "yes" } else { "no" }.to_owned()]),
            "level" => of_facts(|facts| facts.level.iter().map(ToString::to_string).collect()),
            "perturb" => of_facts(|facts| {
                vec![facts.perturbation.as_ref().map_or_else(|| "none".to_owned(), |p| p.by.to_string())]
            }),
            _ => Vec::new(),
        }
    }
}

/// How often each tag was given among these attempts, the most frequent first.
pub(crate) fn tag_counts(run: &IndexedRun, places: &[usize]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in places.iter().flat_map(|&place| &run.tags[place]) {
        *counts.entry(tag).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> =
        counts.into_iter().map(|(tag, count)| (tag.to_owned(), count)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}
