//! `--gate 'success>=0.6@95% and infra<=0.02'`: the conditions a run must meet, each by every agent.
//!
//! [`parse`] reads, [`measure`] measures; here the two are compared and what is not met is put into words. A condition
//! about something that is not there, or not known, is not met: a gate that a misspelt site opens guards nothing.

mod measure;
mod parse;

use std::fmt;

use umpire_report::Summary;
use umpire_stats::AttemptRow;

use measure::{Measured, measured};
pub use parse::BadGate;

/// Conditions that must all hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate(Vec<Condition>);

#[derive(Clone, Debug, PartialEq)]
struct Condition {
    measure: Measure,
    /// Attempts it is about: all of these hold.
    only: Vec<(Field, String)>,
    bound: Bound,
    threshold: f64,
    /// Compare the end of the 95 % interval that is worse for the agent.
    by_interval: bool,
    /// As it was written.
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    AtLeast,
    AtMost,
}

/// Shares of attempts by what became of them, or something about all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Success,
    Outcome(umpire_model::Outcome),
    Open,
    /// US dollars, all attempts together.
    Cost,
    MedianSteps,
    MedianSeconds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Agent,
    Site,
    Category,
    Kind,
    State,
    Level,
    Hint,
    Perturbation,
    Template,
    Task,
}

/// A condition that an agent does not meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Unmet {
    agent: String,
    condition: String,
    found: String,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not meet {}: {}", self.agent, self.condition, self.found)
    }
}

impl Gate {
    pub fn parse(text: &str) -> Result<Self, BadGate> {
        parse::parse(text)
    }

    /// What is not met, agent by agent. A run without agents meets no gate.
    pub fn unmet(&self, summary: &Summary, rows: &[AttemptRow]) -> Vec<Unmet> {
        let mut unmet = Vec::new();
        for condition in &self.0 {
            let named: Vec<&str> = condition.agents(summary);
            if named.is_empty() {
                unmet.push(Unmet {
                    agent: "the run".to_owned(),
                    condition: condition.text.clone(),
                    found: "there is no such agent".to_owned(),
                });
            }
            for agent in named {
                if let Some(found) = condition.why_not(agent, summary, rows) {
                    unmet.push(Unmet { agent: agent.to_owned(), condition: condition.text.clone(), found });
                }
            }
        }
        unmet
    }
}

impl Condition {
    /// The agents it is about.
    fn agents<'a>(&self, summary: &'a Summary) -> Vec<&'a str> {
        let wanted =
            self.only.iter().find(|(field, _)| *field == Field::Agent).map(|(_, name)| name.as_str());
        let all = summary.manifest.agents.iter().map(|agent| agent.name.as_str());
        all.filter(|name| wanted.is_none_or(|wanted| wanted == *name)).collect()
    }

    /// None if it holds.
    fn why_not(&self, agent: &str, summary: &Summary, rows: &[AttemptRow]) -> Option<String> {
        let Measured { value, interval, words } = match measured(self, agent, summary, rows) {
            Ok(measured) => measured,
            Err(unknown) => return Some(unknown),
        };
        let (compared, which) = match (self.by_interval, interval, self.bound) {
            (true, Some(interval), Bound::AtLeast) => {
                (interval.low, Some("the lower end of its 95 % interval"))
            }
            (true, Some(interval), Bound::AtMost) => {
                (interval.high, Some("the upper end of its 95 % interval"))
            }
            _ => (value, None),
        };
        let holds = match self.bound {
            Bound::AtLeast => compared >= self.threshold,
            Bound::AtMost => compared <= self.threshold,
        };
        let which = which.map_or_else(String::new, |which| format!(", and {which} is {}", number(compared)));
        (!holds).then(|| format!("{words}{which}"))
    }
}

/// Up to four digits after the point, without idle ones.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests;
