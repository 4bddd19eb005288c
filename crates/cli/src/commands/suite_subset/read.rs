//! The file of attempts.

use std::path::Path;

use umpire_model::Outcome;
use umpire_stats::hard::Attempt;

use crate::failure::Failure;
use crate::table::{Row, Table};

pub struct Recorded {
    pub attempts: Vec<Attempt>,
    /// Where each of them stands in the file.
    pub lines: Vec<u64>,
    /// Rows that say nothing of how hard a task is: the harness or the task
    /// failed, nothing was judged yet, or the page was perturbed.
    pub unusable: usize,
}

const COLUMNS: &str = "The file needs the columns agent, task, sites (or site), template, category, steps and success \
                       (or outcome, as `umpire report --format csv` writes it); exhausted may be there too.";

impl Recorded {
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let table = Table::read(file)?;
        let sites = if table.has("sites") { "sites" } else { "site" };
        let ending = if !table.has("success") && table.has("outcome") { "outcome" } else { "success" };
        for column in ["agent", "task", sites, "template", "category", "steps", ending] {
            if !table.has(column) {
                return Err(table.at(1, format!("there is no column `{column}`")).help(COLUMNS));
            }
        }
        let mut recorded = Self { attempts: Vec::new(), lines: Vec::new(), unusable: 0 };
        for row in &table.rows {
            let success = if !row.get("perturbation").is_empty() {
                None
            } else if ending == "outcome" {
                passed(&table, row)?
            } else {
                Some(flag(&table, row, "success")?)
            };
            match success {
                Some(success) => {
                    recorded.attempts.push(attempt(&table, row, sites, success)?);
                    recorded.lines.push(row.line);
                }
                None => recorded.unusable += 1,
            }
        }
        Ok(recorded)
    }
}

/// Nothing where the agent was not at fault, or nobody has judged.
fn passed(table: &Table, row: &Row) -> Result<Option<bool>, Failure> {
    let text = row.get("outcome");
    if text.is_empty() {
        return Ok(None);
    }
    let outcome: Outcome = serde_json::from_value(text.into())
        .map_err(|_| table.at(row.line, format!("`{text}` is no outcome")).help(COLUMNS))?;
    Ok((!matches!(outcome, Outcome::Infra | Outcome::Invalid)).then_some(outcome == Outcome::Pass))
}

fn attempt(table: &Table, row: &Row, sites: &str, success: bool) -> Result<Attempt, Failure> {
    let text = |column: &str| match row.get(column) {
        "" => Err(table.at(row.line, format!("the column `{column}` is empty")).help(COLUMNS)),
        text => Ok(text.to_owned()),
    };
    let steps = text("steps")?;
    let steps = steps.parse().map_err(|_| {
        table
            .at(row.line, format!("`{steps}` steps is no whole number"))
            .help("Write how many steps it took, e.g. 12.")
    })?;
    let exhausted = match row.get("exhausted") {
        "" => None,
        _ => Some(flag(table, row, "exhausted")?),
    };
    let mut names: Vec<String> =
        text(sites)?.split(['+', ';', '|', ' ']).filter(|site| !site.is_empty()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    Ok(Attempt {
        agent: text("agent")?,
        task: text("task")?,
        sites: names,
        template: text("template")?,
        category: text("category")?,
        steps,
        success,
        exhausted,
    })
}

/// A score below 1 is no success: a task done in part is not done.
fn flag(table: &Table, row: &Row, column: &str) -> Result<bool, Failure> {
    let text = row.get(column);
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "pass" => return Ok(true),
        "false" | "no" | "fail" => return Ok(false),
        _ => {}
    }
    let score: Option<f64> = text.parse().ok();
    score.filter(|score| (0.0..=1.0).contains(score)).map(|score| score >= 1.0).ok_or_else(|| {
        let problem = format!("`{text}` in the column `{column}` says neither yes nor no");
        table.at(row.line, problem).help("Write 1 or 0, true or false, pass or fail.")
    })
}
