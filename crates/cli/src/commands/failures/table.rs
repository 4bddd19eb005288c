use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use umpire_failures::{FailureTable, Findings, QuestionSet, findings_of_attempt, findings_of_votes};
use umpire_model::AttemptId;
use umpire_store::{InstanceFacts, Run, Status};

use crate::args::{FailuresTableArgs, SetArg, ToldBy};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grid::{grid, percent};

pub fn table(args: &FailuresTableArgs, run: &Run, as_json: bool) -> Result<Exit, Failure> {
    let instances: BTreeMap<String, InstanceFacts> =
        run.instances()?.into_iter().map(|instance| (instance.id.clone(), instance)).collect();
    let mut ended: Vec<AttemptId> = Vec::new();
    for attempt in run.planned()? {
        if matches!(run.attempt(&attempt).status()?, Status::Ended { .. }) {
            ended.push(attempt);
        }
    }
    if ended.is_empty() {
        return Err(Failure::new(format!(
            "no attempt of {} has ended: there is nothing to count",
            run.manifest().run
        )));
    }
    let sets = sets(args, &ended, &instances);
    let by_rule = match args.by {
        ToldBy::Rules => Some(told_by_rule(run, &ended)?),
        ToldBy::Votes => None,
    };
    let mut shown = 0;
    for set in sets {
        let fits = |attempt: &&AttemptId| {
            let category = instances.get(&attempt.instance).map_or("", |instance| instance.category.as_str());
            set.categories().is_empty() || set.categories().contains(&category)
        };
        // Tasks made for the mode are counted; where there are none, all are.
        let mut counted: Vec<&AttemptId> = ended.iter().filter(fits).collect();
        if counted.is_empty() {
            counted = ended.iter().collect();
        }
        let found: Vec<(String, Findings)> = match &by_rule {
            Some(told) => counted
                .iter()
                .filter_map(|id| told.get(*id).map(|found| (id.agent.clone(), found.clone())))
                .collect(),
            None => told_by_votes(run, set, &counted)?,
        };
        if found.is_empty() {
            eprintln!("no judge `{0}` has voted: `umpire judge --judge {0} --model MODEL`", set.name());
            continue;
        }
        shown += 1;
        show(
            set,
            &FailureTable::of(set, found.iter().map(|(agent, found)| (agent.as_str(), found))),
            as_json,
        );
    }
    Ok(if shown == 0 { Exit::NothingRan } else { Exit::Ok })
}

/// Those that were named, or those that the attempts' tasks provoke.
fn sets(
    args: &FailuresTableArgs,
    ended: &[AttemptId],
    instances: &BTreeMap<String, InstanceFacts>,
) -> Vec<QuestionSet> {
    if !args.sets.is_empty() {
        return args
            .sets
            .iter()
            .map(|set| match set {
                SetArg::Captcha => QuestionSet::Captcha,
                SetArg::Popups => QuestionSet::Popups,
                SetArg::Navigation => QuestionSet::Navigation,
                SetArg::FailureMode => QuestionSet::FailureMode,
            })
            .collect();
    }
    let tried: BTreeSet<&str> = ended
        .iter()
        .filter_map(|attempt| instances.get(&attempt.instance))
        .map(|instance| instance.category.as_str())
        .collect();
    let provoked = |set: &QuestionSet| {
        set.categories().is_empty() || set.categories().iter().any(|category| tried.contains(category))
    };
    QuestionSet::ALL.into_iter().filter(provoked).collect()
}

fn told_by_rule(run: &Run, attempts: &[AttemptId]) -> Result<BTreeMap<AttemptId, Findings>, Failure> {
    attempts.iter().map(|id| Ok((id.clone(), findings_of_attempt(run, id)?))).collect()
}

fn told_by_votes(
    run: &Run,
    set: QuestionSet,
    attempts: &[&AttemptId],
) -> Result<Vec<(String, Findings)>, Failure> {
    let mut told = Vec::new();
    for id in attempts {
        let votes = run.attempt(id).votes()?;
        told.extend(findings_of_votes(set, &votes).map(|found| (id.agent.clone(), found)));
    }
    Ok(told)
}

fn show(set: QuestionSet, table: &FailureTable, as_json: bool) {
    if as_json {
        say!("{}", json!(table));
        return;
    }
    let mut header = vec!["agent", "attempts"];
    header.extend(table.headers(set));
    // A column that is nothing but zeros says so once, below.
    let is_idle = |column: usize| {
        column > 0 && table.rows.iter().all(|row| row.shares[column].value().unwrap_or(0.0) == 0.0)
    };
    let idle: Vec<&str> =
        (0..table.columns.len()).filter(|column| is_idle(*column)).map(|column| header[column + 2]).collect();
    let kept: Vec<usize> = (0..table.columns.len()).filter(|column| !is_idle(*column)).collect();
    let mut cells: Vec<&str> = header[..2].to_vec();
    cells.extend(kept.iter().map(|column| header[column + 2]));
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| {
            let mut line = vec![row.agent.clone(), row.attempts.to_string()];
            line.extend(kept.iter().map(|column| percent(row.shares[*column].value())));
            line
        })
        .collect();
    let mut text = String::new();
    grid(&cells, &rows, &mut text);
    say!("{}, in % {}\n\n{text}", set.name(), among(set));
    if !idle.is_empty() {
        say!("  nobody: {}\n", idle.join(", "));
    }
}

fn among(set: QuestionSet) -> &'static str {
    match set {
        QuestionSet::Captcha => "of attempts; from the second column on, of those that met a wall",
        QuestionSet::Popups => {
            "of attempts; detected and completed of those that were covered, closed of those that detected it"
        }
        QuestionSet::Navigation | QuestionSet::FailureMode => "of attempts",
    }
}
