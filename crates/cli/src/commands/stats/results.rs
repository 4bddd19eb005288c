//! Attempts to be counted: of a run, or the rows of a file.

use std::collections::HashSet;
use std::path::Path;

use umpire_model::Outcome;
use umpire_report::{rows, summary};
use umpire_stats::AttemptRow;
use umpire_store::Runs;

use crate::failure::Failure;
use crate::open;
use crate::table::{Row, Table};

/// What is named: a file if there is one of that name, else a run.
pub fn results(named: Option<&str>, runs: &Runs) -> Result<Vec<AttemptRow>, Failure> {
    if let Some(file) = named.map(Path::new).filter(|path| path.is_file()) {
        return of_table(&Table::read(file)?);
    }
    let run = open(runs, named)?;
    let counted = summary(&run).map_err(|error| Failure::new(error.to_string()))?;
    rows(&run, &counted).map_err(|error| Failure::new(error.to_string()))
}

const TASK: [&str; 3] = ["task", "task_id", "instance"];
const INSTANCE: [&str; 3] = ["instance", "task", "task_id"];
const TEMPLATE: [&str; 3] = ["template", "template_id", "intent_template_id"];
const SITE: [&str; 2] = ["site", "sites"];
const OUTCOME: [&str; 4] = ["outcome", "success", "passed", "score"];
const REFERENCE: [&str; 2] = ["reference_steps", "reference_length"];

fn of_table(table: &Table) -> Result<Vec<AttemptRow>, Failure> {
    for (what, names) in
        [("who attempted", &["agent"][..]), ("what was attempted", &TASK), ("how it ended", &OUTCOME)]
    {
        if !names.iter().any(|name| table.has(name)) {
            return Err(table
                .at(1, format!("no column says {what}"))
                .help(format!("it is called {}; docs/stats.md lists all columns", names.join(" or "))));
        }
    }
    let mut known = HashSet::new();
    let mut rows = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        let attempt = of_row(table, row)?;
        let id = (attempt.agent.clone(), attempt.instance.clone(), attempt.trial);
        if !known.insert(id) {
            return Err(table
                .at(
                    row.line,
                    format!("{}/{}/{} is there twice", attempt.agent, attempt.instance, attempt.trial),
                )
                .help("a column `trial` tells attempts at one instance apart"));
        }
        rows.push(attempt);
    }
    Ok(rows)
}

fn of_row(table: &Table, row: &Row) -> Result<AttemptRow, Failure> {
    let cell = |names: &[&str]| {
        names.iter().map(|name| row.get(name)).find(|text| !text.is_empty()).unwrap_or_default().to_owned()
    };
    let optional = |names: &[&str]| Some(cell(names)).filter(|text| !text.is_empty());
    let wrong = |name: &str, text: &str, wanted: &str| {
        table.at(row.line, format!("`{name}` is `{text}`, not {wanted}"))
    };
    // An empty outcome is none yet, whatever `passed` beside it says.
    let ended = OUTCOME.iter().find(|name| table.has(name)).map_or("", |name| row.get(name));
    let agent = cell(&["agent"]);
    let (task, instance) = (cell(&TASK), cell(&INSTANCE));
    if agent.is_empty() || instance.is_empty() {
        return Err(table.at(row.line, "it names no agent, or no task"));
    }
    Ok(AttemptRow {
        agent,
        task,
        instance,
        trial: number(table, row, &["trial"])?.unwrap_or(1),
        template: cell(&TEMPLATE),
        site: cell(&SITE),
        category: cell(&["category"]),
        kind: cell(&["kind"]),
        state: optional(&["state"]),
        level: number(table, row, &["level"])?,
        with_hint: flag(&cell(&["with_hint"]))
            .ok_or_else(|| wrong("with_hint", row.get("with_hint"), "true or false"))?,
        perturbation: optional(&["perturbation"]),
        digest: optional(&["digest"]),
        outcome: outcome(ended).map_err(|wanted| wrong("outcome", ended, wanted))?,
        impossible: flag(&cell(&["impossible"]))
            .ok_or_else(|| wrong("impossible", row.get("impossible"), "true or false"))?,
        steps: number(table, row, &["steps"])?,
        reference_steps: number(table, row, &REFERENCE)?,
        seconds: number(table, row, &["seconds"])?,
        tokens: number(table, row, &["tokens"])?,
        usd: number(table, row, &["usd"])?,
    })
}

fn number<T: std::str::FromStr>(table: &Table, row: &Row, names: &[&str]) -> Result<Option<T>, Failure> {
    for name in names {
        let text = row.get(name);
        if !text.is_empty() {
            let read = text.parse().map(Some);
            return read
                .map_err(|_| table.at(row.line, format!("`{name}` is `{text}`, not a number that fits")));
        }
    }
    Ok(None)
}

/// Nothing written is no.
fn flag(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "" | "0" | "0.0" | "false" | "no" => Some(false),
        "1" | "1.0" | "true" | "yes" => Some(true),
        _ => None,
    }
}

/// An outcome by name, or whether it succeeded. Nothing written is an attempt that has no outcome yet.
fn outcome(text: &str) -> Result<Option<Outcome>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    if let Ok(outcome) = serde_json::from_value(serde_json::Value::String(text.to_lowercase())) {
        return Ok(Some(outcome));
    }
    let passed = flag(text).ok_or("an outcome, true, false, 1 or 0")?;
    Ok(Some(if passed { Outcome::Pass } else { Outcome::Fail }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_may_be_named_or_told_as_success() {
        for (text, found) in [
            ("pass", Some(Outcome::Pass)),
            ("Timeout", Some(Outcome::Timeout)),
            ("1", Some(Outcome::Pass)),
            ("0.0", Some(Outcome::Fail)),
            ("False", Some(Outcome::Fail)),
            ("", None),
        ] {
            assert_eq!(outcome(text), Ok(found), "{text}");
        }
        assert!(outcome("maybe").is_err());
    }
}
