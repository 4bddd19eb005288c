//! What a sitting says on the console.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use umpire_judges::panel::{Docket, Estimate, Panel, Ruled, Sitting};
use umpire_model::{Outcome, Ruling, UsdMicros, Vote};
use umpire_stats::wilson;
use umpire_store::Status;

use crate::failure::Failure;

pub fn estimate(panel: &Panel, docket: &Docket, estimate: &Estimate) {
    let models = panel.options.models.join(", ");
    say!(
        "{} with {models} on {} of run {}: {} votes{}",
        panel.judge.name(),
        if panel.judge.compares() {
            format!("{} pairs of attempts", estimate.attempts)
        } else {
            format!("{} attempts", estimate.attempts)
        },
        panel.run.manifest().run,
        estimate.votes,
        if estimate.kept > 0 { format!(", {} of them on the disk", estimate.kept) } else { String::new() }
    );
    for model in &estimate.by_model {
        let cost =
            model.cost.map_or_else(|| "cost unknown".to_owned(), |cost| format!("about {}", to_cents(cost)));
        say!(
            "  {}: at most about {} calls, {} pictures, {} tokens read and {} written, {cost}",
            model.model,
            grouped(model.calls),
            grouped(model.images),
            grouped(model.usage.input),
            grouped(model.usage.output)
        );
    }
    if docket.left_out > 0 {
        say!("  a sample: {} attempts are left out", docket.left_out);
    }
    if !docket.unjudgeable.is_empty() {
        say!("  {} attempts did not end properly and are not judged", docket.unjudgeable.len());
    }
}

/// An estimate has no fractions of a cent, unless it has nothing else.
fn to_cents(cost: UsdMicros) -> UsdMicros {
    const CENT: u64 = 10_000;
    if cost.0 < CENT { cost } else { UsdMicros(cost.0.div_ceil(CENT) * CENT) }
}

/// `2,209,263`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn estimate_json(panel: &Panel, docket: &Docket, estimate: &Estimate) -> Value {
    json!({
        "event": "estimate",
        "judge": panel.judge.name(),
        "attempts": estimate.attempts,
        "votes": estimate.votes,
        "kept": estimate.kept,
        "left_out": docket.left_out,
        "unjudgeable": docket.unjudgeable,
        "models": estimate.by_model.iter().map(|model| json!({
            "model": model.model,
            "calls": model.calls,
            "images": model.images,
            "usage": model.usage,
            "cost": model.cost,
        })).collect::<Vec<_>>(),
    })
}

/// How one agent fared with a judge.
#[derive(Default)]
struct Row {
    counts: BTreeMap<Ruling, usize>,
    /// Attempts on which rule and judge both have an opinion, and on how many it is the same.
    both: usize,
    same: usize,
    passed_by_rule: usize,
    ruled: usize,
}

pub fn sitting(panel: &Panel, docket: &Docket, sitting: &Sitting) -> Result<(), Failure> {
    say!("");
    if panel.judge.compares() {
        preferences(sitting);
    } else if sitting.ruled.iter().all(|ruled| matches!(ruled.count.ruling, Ruling::Noted | Ruling::Error)) {
        answers(sitting);
    } else {
        rulings(panel, sitting)?;
    }
    errors(sitting);
    effort(sitting);
    if sitting.unpaid > 0 {
        say!(
            "the budget is used up: {} votes were not cast; the same command with more goes on",
            sitting.unpaid
        );
    }
    if docket.left_out > 0 {
        say!("these figures are of a sample: {} attempts were not judged", docket.left_out);
    }
    Ok(())
}

fn rulings(panel: &Panel, sitting: &Sitting) -> Result<(), Failure> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for ruled in &sitting.ruled {
        let row = rows.entry(&ruled.attempt.agent).or_default();
        row.ruled += 1;
        *row.counts.entry(ruled.count.ruling).or_default() += 1;
        let status = panel.run.attempt(&ruled.attempt).status();
        let status = status.map_err(|error| Failure::new(error.to_string()))?;
        if let Status::Ended { verdict: Some(verdict), .. } = status {
            let by_rule = verdict.outcome == Outcome::Pass;
            row.passed_by_rule += usize::from(by_rule);
            if matches!(ruled.count.ruling, Ruling::Pass | Ruling::Fail) {
                row.both += 1;
                row.same += usize::from(by_rule == (ruled.count.ruling == Ruling::Pass));
            }
        }
    }
    let width = rows.keys().map(|agent| agent.len()).max().unwrap_or(0).max(5);
    say!(
        "{:width$}  {:>5} {:>5} {:>9} {:>6}   {:<28} {:>8}   same as by rule",
        "agent",
        "pass",
        "fail",
        "abstained",
        "error",
        "success by this judge",
        "by rule"
    );
    for (agent, row) in &rows {
        let count = |ruling: Ruling| row.counts.get(&ruling).copied().unwrap_or(0);
        let (pass, decided) = (count(Ruling::Pass), count(Ruling::Pass) + count(Ruling::Fail));
        let interval = wilson(pass, decided);
        let rate = match decided {
            0 => "no ruling".to_owned(),
            _ => format!(
                "{:.1} % [{:.1}, {:.1}] of {decided}",
                100.0 * pass as f64 / decided as f64,
                100.0 * interval.low,
                100.0 * interval.high
            ),
        };
        say!(
            "{agent:width$}  {pass:>5} {:>5} {:>9} {:>6}   {rate:<28} {:>6.1} %   {} of {}",
            count(Ruling::Fail),
            count(Ruling::Abstained),
            count(Ruling::Error),
            100.0 * row.passed_by_rule as f64 / row.ruled.max(1) as f64,
            row.same,
            row.both
        );
    }
    Ok(())
}

fn preferences(sitting: &Sitting) {
    let mut rows: BTreeMap<(&str, &str), [usize; 4]> = BTreeMap::new();
    for ruled in &sitting.ruled {
        let Some(against) = &ruled.against else { continue };
        let row = rows.entry((&ruled.attempt.agent, &against.agent)).or_default();
        for vote in &ruled.votes {
            match vote.findings["better"].as_str() {
                Some("first") => row[0] += 1,
                Some("second") => row[1] += 1,
                Some(_) => row[2] += 1,
                None => {}
            }
            row[3] += usize::from(vote.findings["consistent"] == false);
        }
    }
    say!(
        "{:30} {:>7} {:>7} {:>5}   orders that contradict each other",
        "first against second",
        "first",
        "second",
        "tie"
    );
    for ((one, other), [first, second, tie, swayed]) in rows {
        say!("{:30} {first:>7} {second:>7} {tie:>5}   {swayed}", format!("{one} against {other}"));
    }
}

/// How often each question was answered with yes, agent by agent.
fn answers(sitting: &Sitting) {
    let mut rows: BTreeMap<&str, (usize, BTreeMap<&str, usize>)> = BTreeMap::new();
    for (ruled, vote) in votes(sitting).filter(|(_, vote)| vote.ruling == Ruling::Noted) {
        let (asked, yes) = rows.entry(&ruled.attempt.agent).or_default();
        *asked += 1;
        for (question, answer) in vote.findings.as_object().into_iter().flatten() {
            *yes.entry(question).or_default() += usize::from(*answer == true);
        }
    }
    for (agent, (asked, yes)) in rows {
        say!("{agent}: {asked} answers");
        for (question, count) in yes {
            say!("  {question:24} {count:>5}  {:>5.1} %", 100.0 * count as f64 / asked.max(1) as f64);
        }
    }
}

fn votes(sitting: &Sitting) -> impl Iterator<Item = (&Ruled, &Vote)> {
    sitting.ruled.iter().flat_map(|ruled| ruled.votes.iter().map(move |vote| (ruled, vote)))
}

fn errors(sitting: &Sitting) {
    const SHOWN: usize = 5;
    let failed: Vec<&Vote> =
        votes(sitting).map(|(_, vote)| vote).filter(|vote| vote.ruling == Ruling::Error).collect();
    if failed.is_empty() {
        return;
    }
    say!(
        "{} votes have no answer; they count for neither side, and the same command asks again:",
        failed.len()
    );
    for vote in failed.iter().take(SHOWN) {
        say!("  {} by {}: {}", vote.attempt, vote.model, vote.reason);
    }
    if failed.len() > SHOWN {
        say!("  and {} more", failed.len() - SHOWN);
    }
}

fn effort(sitting: &Sitting) {
    let all: Vec<&Vote> = votes(sitting).map(|(_, vote)| vote).collect();
    let calls: usize = all.iter().map(|vote| vote.calls.len()).sum();
    let tokens: u64 =
        all.iter().map(|vote| vote.spending().usage).map(|usage| usage.input + usage.output).sum();
    let sum = |of: fn(&Vote) -> u32| all.iter().map(|vote| u64::from(of(vote))).sum::<u64>();
    say!("votes: {} cast, {} kept from before; spent now: {}", sitting.cast, sitting.kept, sitting.spent);
    say!(
        "{} calls and {} pictures in all, where the plain pipeline takes {} and {}; {} tokens, {} a vote",
        grouped(calls as u64),
        grouped(sum(|vote| vote.shown.images)),
        grouped(sum(|vote| vote.shown.plain_calls)),
        grouped(sum(|vote| vote.shown.plain_images)),
        grouped(tokens),
        grouped(tokens / all.len().max(1) as u64)
    );
    let canaries = sum(|vote| vote.shown.canaries);
    if canaries > 0 {
        let marked = all.iter().filter(|vote| vote.shown.canaries > 0).count();
        say!(
            "{canaries} sentences that speak to a judge were found in what pages and agents wrote, in {marked} votes"
        );
    }
}

pub fn sitting_json(panel: &Panel, sitting: &Sitting) -> Value {
    json!({
        "event": "judged",
        "judge": panel.judge.name(),
        "ruled": sitting.ruled.iter().map(|ruled| json!({
            "attempt": ruled.attempt,
            "against": ruled.against,
            "count": ruled.count,
        })).collect::<Vec<_>>(),
        "kept": sitting.kept,
        "cast": sitting.cast,
        "unpaid": sitting.unpaid,
        "spent": sitting.spent,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_people_read_them() {
        for (number, told) in [(0, "0"), (999, "999"), (1_000, "1,000"), (2_209_263, "2,209,263")] {
            assert_eq!(grouped(number), told);
        }
        for (micros, told) in [(7_717_658, "$7.72"), (42, "$0.000042"), (0, "$0.00")] {
            assert_eq!(to_cents(UsdMicros(micros)).to_string(), told);
        }
    }
}
