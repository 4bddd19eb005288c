//! What became of a model's attempts, beside their score: outcomes, and turns that were lost, by reason. A small model mostly
//! fails by its replies, and that is told apart from failing by what it does.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::model_judges::by_rule;
use crate::setup::journals;

/// Counts of one agent.
#[derive(Debug, Default, PartialEq, Eq)]
struct Account {
    outcomes: BTreeMap<String, usize>,
    calls: usize,
    /// Turns without an action, by what was wrong with the reply.
    lost: BTreeMap<String, usize>,
    /// Actions without effect.
    ineffective: usize,
}

/// Prints a line for each agent of a run.
pub(crate) fn print(run: &Path) -> Result<(), String> {
    for (agent, account) in accounts(run)? {
        println!(
            "{agent:10} {}; {} calls; lost turns: {}; actions without effect: {}",
            listed(&account.outcomes),
            account.calls,
            listed(&account.lost),
            account.ineffective
        );
    }
    Ok(())
}

fn listed(counts: &BTreeMap<String, usize>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

fn accounts(run: &Path) -> Result<BTreeMap<String, Account>, String> {
    let mut accounts: BTreeMap<String, Account> = BTreeMap::new();
    let agent_of = |attempt: &str| attempt.split('/').next().unwrap_or_default().to_owned();
    for (attempt, outcome) in by_rule(run)? {
        *accounts.entry(agent_of(&attempt)).or_default().outcomes.entry(outcome).or_default() += 1;
    }
    let attempts = run.join("attempts");
    for journal in journals(&attempts) {
        let text = std::fs::read_to_string(&journal).map_err(|error| error.to_string())?;
        let place = journal.strip_prefix(&attempts).unwrap_or(&journal).display().to_string();
        let account = accounts.entry(agent_of(&place)).or_default();
        for event in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            account.take(&event);
        }
    }
    Ok(accounts)
}

impl Account {
    fn take(&mut self, event: &Value) {
        match event["type"].as_str() {
            Some("model_called") => self.calls += 1,
            Some("turn_lost") => {
                let reason = kind(event["reason"].as_str().unwrap_or_default());
                *self.lost.entry(reason).or_default() += 1;
            }
            Some("acted") if !event["error"].is_null() => self.ineffective += 1,
            _ => {}
        }
    }
}

/// A reason without what is particular about one reply: the text that was quoted, the number that was named.
fn kind(reason: &str) -> String {
    let clause = reason.split([':', ';']).next().unwrap_or_default();
    let unquoted: Vec<&str> = clause.split('`').step_by(2).map(str::trim).collect();
    let words = unquoted.join(" … ");
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    if words.is_empty() { "other".to_owned() } else { format!("“{words}”") }
}

#[cfg(test)]
mod check {
    use serde_json::json;

    use super::*;

    #[test]
    fn lost_turns_are_counted_by_what_was_wrong() {
        let mut account = Account::default();
        for event in [
            json!({"type": "model_called"}),
            json!({"type": "turn_lost", "reason": "the reply was cut off at the limit of tokens; be brief"}),
            json!({"type": "turn_lost", "reason": "the reply was cut off at the limit of tokens; be brief"}),
            json!({"type": "turn_lost", "reason": "`7a` is not the number of an element"}),
            json!({"type": "acted", "error": "there is no element 9"}),
            json!({"type": "acted"}),
        ] {
            account.take(&event);
        }
        assert_eq!((account.calls, account.ineffective), (1, 1));
        assert_eq!(
            listed(&account.lost),
            "“is not the number of an element” 1, “the reply was cut off at the limit of tokens” 2"
        );
    }
}
