#[path = "../../../model/tests/made_up/mod.rs"]
mod made_up;

use umpire_model::{AgentEntry, Outcome, Spending, UsdMicros};
use umpire_report::AttemptSummary;

use super::*;

/// Attempts of one agent: site, outcome, steps, seconds.
type Attempt = (&'static str, Option<Outcome>, u32, f64);

fn counted(agents: &[(&str, &str, Vec<Attempt>)]) -> (Summary, Vec<AttemptRow>) {
    let (mut attempts, mut rows) = (Vec::new(), Vec::new());
    for (agent, _, own) in agents {
        for (index, (site, outcome, steps, seconds)) in own.iter().enumerate() {
            let instance = format!("{site}-{index}");
            rows.push(AttemptRow {
                agent: (*agent).to_owned(),
                instance: instance.clone(),
                site: (*site).to_owned(),
                outcome: *outcome,
                steps: Some(*steps),
                seconds: Some(*seconds),
                ..AttemptRow::default()
            });
            attempts.push(AttemptSummary {
                id: format!("{agent}/{instance}/1").parse().expect("an id"),
                outcome: *outcome,
                reason: String::new(),
                tries: 1,
                steps: Some(*steps),
                counted: None,
                seconds: Some(*seconds),
                spending: Spending { calls: 1, cost: UsdMicros(250_000), ..Spending::default() },
                perturbation: None,
                lapses: Vec::new(),
            });
        }
    }
    let entries = agents.iter().map(|(name, kind, _)| AgentEntry {
        name: (*name).to_owned(),
        kind: (*kind).to_owned(),
        settings: std::collections::BTreeMap::new(),
    });
    let manifest = made_up::manifest("r", entries.collect(), &[]);
    (Summary { version: 1, manifest, agents: Vec::new(), attempts, robustness: Vec::new() }, rows)
}

fn passes(passed: usize, planned: usize) -> Vec<Attempt> {
    let outcome = |index| Some(if index < passed { Outcome::Pass } else { Outcome::Fail });
    (0..planned).map(|index| ("shop", outcome(index), 4, 10.0)).collect()
}

fn is_met(gate: &str, agents: &[(&str, &str, Vec<Attempt>)]) -> bool {
    let (summary, rows) = counted(agents);
    Gate::parse(gate).expect(gate).unmet(&summary, &rows).is_empty()
}

#[test]
fn the_rate_or_the_worse_end_of_its_interval() {
    // Wilson for 8 of 10 is [0.490, 0.943], for 80 of 100 [0.711, 0.867]: Newcombe 1998 and R's prop.test.
    for (gate, passed, planned, met) in [
        ("success>=0.6", 6, 10, true),
        ("success >= 0.6", 5, 10, false),
        ("success>=60%", 6, 10, true),
        ("success>=0.6@95%", 8, 10, false),
        ("success>=0.48@95%", 8, 10, true),
        ("success>=0.6@95%", 80, 100, true),
        ("success<=0.9", 8, 10, true),
        ("success<=0.9@95%", 8, 10, false),
        ("success<=0.95 @ 95%", 8, 10, true),
        ("fail<=0.2", 8, 10, true),
        ("fail<=0.1", 8, 10, false),
    ] {
        assert_eq!(
            is_met(gate, &[("a", "oracle", passes(passed, planned))]),
            met,
            "{gate} {passed}/{planned}"
        );
    }
}

#[test]
fn every_agent_must_meet_every_condition() {
    let agents = [("good", "oracle", passes(9, 10)), ("bad", "oracle", passes(2, 10))];
    let (summary, rows) = counted(&agents);
    let unmet = Gate::parse("success>=0.5 and fail<=0.5").expect("a gate").unmet(&summary, &rows);
    let words: Vec<String> = unmet.iter().map(Unmet::to_string).collect();
    assert_eq!(
        words,
        [
            "bad does not meet success>=0.5: 2 of 10 attempts passed, which is 0.2",
            "bad does not meet fail<=0.5: 8 of 10 attempts fail, which is 0.8",
        ]
    );
    assert!(is_met("success[agent=good]>=0.5", &agents));
    assert!(!is_met("success[agent=bad]>=0.5", &agents));
}

#[test]
fn medians_costs_and_slices() {
    let own: Vec<Attempt> = vec![
        ("shop", Some(Outcome::Pass), 3, 5.0),
        ("shop", Some(Outcome::Fail), 9, 50.0),
        ("hub", Some(Outcome::Pass), 5, 20.0),
        // Lost by the harness: in the denominator, not in the medians.
        ("hub", Some(Outcome::Infra), 90, 900.0),
        ("hub", None, 90, 900.0),
    ];
    for (gate, met) in [
        ("median_steps<=5", true),
        ("median_steps<=4.9", false),
        ("median_seconds<=20", true),
        ("median_seconds<=19", false),
        ("cost<=1.25usd", true),
        ("cost<=$1.24", false),
        ("infra<=0.2", true),
        ("infra<=0.02", false),
        ("open<=0.2", true),
        ("success[site=shop]>=0.5", true),
        ("success[site=hub]>=0.5", false),
        ("cost[site=shop]<=0.5", true),
        ("infra<=0.2 and success>=0.4", true),
    ] {
        assert_eq!(is_met(gate, &[("a", "oracle", own.clone())]), met, "{gate}");
    }
}

#[test]
fn what_is_not_there_or_not_known_meets_nothing() {
    let agents = [("a", "oracle", passes(10, 10))];
    for gate in ["success[site=shpo]>=0", "success[agent=b]>=0", "infra[perturbation=popups]<=1"] {
        assert!(!is_met(gate, &agents), "{gate}");
    }
    let (mut summary, rows) = counted(&[("a", "command", passes(10, 10))]);
    summary.attempts[3].spending = Spending::default();
    let cost = Gate::parse("cost<=100usd").expect("a gate");
    let unmet = cost.unmet(&summary, &rows);
    assert!(unmet[0].to_string().contains("1 of its 10 attempts cost is not known"), "{}", unmet[0]);
    summary.attempts[3].spending = Spending { calls: 1, unknown: 1, ..Spending::default() };
    assert_eq!(cost.unmet(&summary, &rows).len(), 1);
}

#[test]
fn what_is_not_a_gate_is_explained_at_its_place() {
    for (text, at, problem) in [
        ("", 0, "one of success"),
        ("speed>=1", 0, "one of success"),
        ("success>0.5", 7, "`>=` or `<=`"),
        ("success>=60", 9, "60 is not a share"),
        ("success>=-1", 9, "a number"),
        ("success>=", 9, "a number"),
        ("success>=0.5@99%", 13, "95%"),
        ("success>=0.5@high", 13, "95%"),
        ("cost<=5@95%", 7, "interval"),
        ("cost<=five", 6, "an amount"),
        ("median_steps<=50%", 14, "no share"),
        ("success[colour=red]>=0.5", 8, "chosen by one of agent"),
        ("success[site]>=0.5", 12, "a `=`"),
        ("success[site=]>=0.5", 13, "a value"),
        ("success[site=shop>=0.5", 22, "`]`"),
        ("success>=0.5 or infra<=0.1", 13, "`and`"),
        ("success>=0.5 and", 16, "one of success"),
        ("success[site=shop,site=hub]>=0.5", 23, "already"),
        ("success[hint=yes]>=0.5", 13, "`with`"),
    ] {
        let error = Gate::parse(text).expect_err(text).to_string();
        let caret = error.lines().last().expect("a line").chars().count() - 3;
        assert!(error.contains(problem), "{text}: {error}");
        assert_eq!(caret, at, "{text}: {error}");
    }
}
