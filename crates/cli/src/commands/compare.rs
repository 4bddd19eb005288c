//! `umpire compare`: what changed from one run to another, flips first.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;
use umpire_stats::{AttemptRow, Comparison, Flip, compare as compare_rows, flips};
use umpire_store::Runs;

use super::stats::results::results;
use super::stats::show::would_need;
use crate::args::CompareArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grid::{count, grid, p_value, percent, range, signed};

#[derive(Debug, Serialize)]
struct Compared {
    before: String,
    after: String,
    agents: Vec<AgentCompared>,
}

#[derive(Debug, Serialize)]
struct AgentCompared {
    before: String,
    after: String,
    flips: Vec<Flip>,
    comparison: Comparison,
}

pub fn compare(args: &CompareArgs, runs: &Runs, as_json: bool) -> Result<Exit, Failure> {
    let plain = |named: &str| -> Result<Vec<AttemptRow>, Failure> {
        Ok(results(Some(named), runs)?.into_iter().filter(|row| row.perturbation.is_none()).collect())
    };
    let (before, after) = (plain(&args.before)?, plain(&args.after)?);
    let mut agents = Vec::new();
    for (old, new) in pairs(args, &names(&before), &names(&after))? {
        let (theirs, ours) = (of(&before, &old), of(&after, &new));
        let comparison = compare_rows(&ours, &theirs, args.bootstrap.into());
        if comparison.attempts.pairs() == 0 {
            return Err(Failure::new(format!("`{old}` and `{new}` have no attempt in common"))
                .help("attempts are joined by the content of their instance and the trial"));
        }
        agents.push(AgentCompared { flips: flips(&ours, &theirs), before: old, after: new, comparison });
    }
    let compared = Compared { before: args.before.clone(), after: args.after.clone(), agents };
    if as_json {
        say!("{}", serde_json::to_string(&compared).map_err(|error| Failure::new(error.to_string()))?);
    } else {
        say!("{}", show(&compared, args.flips).trim_end());
    }
    Ok(Exit::Ok)
}

fn of<'a>(rows: &'a [AttemptRow], agent: &str) -> Vec<&'a AttemptRow> {
    rows.iter().filter(|row| row.agent == agent).collect()
}

fn names(rows: &[AttemptRow]) -> BTreeSet<String> {
    rows.iter().map(|row| row.agent.clone()).collect()
}

/// Which agent is compared with which.
fn pairs(
    args: &CompareArgs,
    before: &BTreeSet<String>,
    after: &BTreeSet<String>,
) -> Result<Vec<(String, String)>, Failure> {
    let listed = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
    let unknown = |name: &str, side: &str, names: &BTreeSet<String>| {
        Failure::new(format!("{side}: no attempt is by `{name}`"))
            .help(format!("agents there: {}", listed(names)))
    };
    let mut asked = Vec::new();
    for text in &args.agents {
        let (old, new) = text.split_once('=').unwrap_or((text, text));
        if !before.contains(old) {
            return Err(unknown(old, &args.before, before));
        }
        if !after.contains(new) {
            return Err(unknown(new, &args.after, after));
        }
        asked.push((old.to_owned(), new.to_owned()));
    }
    if !asked.is_empty() {
        return Ok(asked);
    }
    let common: Vec<(String, String)> =
        before.intersection(after).map(|name| (name.clone(), name.clone())).collect();
    match (common.is_empty(), before.len(), after.len()) {
        (false, _, _) => Ok(common),
        (true, 1, 1) => Ok(before.iter().cloned().zip(after.iter().cloned()).collect()),
        (true, _, _) => Err(Failure::new("no agent is in both").help(format!(
            "--agent BEFORE=AFTER; before: {}; after: {}",
            listed(before),
            listed(after)
        ))),
    }
}

fn show(compared: &Compared, most: usize) -> String {
    let mut out = String::new();
    for agent in &compared.agents {
        let name = if agent.before == agent.after {
            agent.after.clone()
        } else {
            format!("{} → {}", agent.before, agent.after)
        };
        let pairs = &agent.comparison.attempts;
        let _ = writeln!(
            out,
            "{name}: {} of {} attempts changed, {} lost, {} gained",
            count(agent.flips.len()),
            count(pairs.pairs()),
            count(pairs.lost),
            count(pairs.gained)
        );
        for flip in agent.flips.iter().take(most) {
            let verb = if flip.gained { "GAINED" } else { "LOST" };
            let _ = writeln!(out, "{verb:>8}  {}/{}", flip.instance, flip.trial);
        }
        if agent.flips.len() > most {
            let _ =
                writeln!(out, "          and {} more; --flips N shows them", count(agent.flips.len() - most));
        }
        if agent.comparison.unpaired > 0 {
            let _ = writeln!(
                out,
                "          {} attempts are in one of the two only",
                count(agent.comparison.unpaired)
            );
        }
        out.push('\n');
    }
    let rows: Vec<Vec<String>> = compared.agents.iter().map(row).collect();
    let header = [
        "agent",
        "before",
        "after",
        "difference",
        "by template",
        "t",
        "bootstrap",
        "p",
        "McNemar p",
        "would need",
    ];
    grid(&header, &rows, &mut out);
    out
}

fn row(agent: &AgentCompared) -> Vec<String> {
    let one = &agent.comparison;
    vec![
        agent.after.clone(),
        percent(one.attempts.without()),
        percent(one.attempts.with()),
        signed(one.attempts.difference()),
        signed(one.by_template.map(|mean| mean.value)),
        range(one.by_template.and_then(|mean| mean.interval)),
        range(one.bootstrap),
        p_value(one.p_value),
        p_value(Some(one.p_mcnemar)),
        would_need(one),
    ]
}
