//! Which columns are what: as the user says, or by their usual names.

use serde::Serialize;

use crate::args::ColumnArgs;
use crate::failure::Failure;
use crate::table::Table;

const TASK: [&str; 4] = ["task_id", "task", "instance", "item"];
const AGENT: [&str; 3] = ["agent", "agent_name", "system"];
const LABEL: [&str; 6] = ["human_label", "human_success", "label", "human", "success", "gold"];
const VERDICT: [&str; 8] = [
    "predicted",
    "predicted_label",
    "verdict",
    "outcome",
    "judgment",
    "judgement",
    "final_eval",
    "prediction",
];
const JUDGE_NAME: [&str; 5] = ["judge", "judge_name", "judge_method", "judge_model", "by"];
const ANNOTATOR: [&str; 2] = ["annotator", "annotator_id"];
const LEVEL: [&str; 2] = ["level", "difficulty"];
const GROUPS: [&str; 4] = ["agent", "level", "difficulty", "benchmark"];

/// A column that holds `agent/instance/trial`, as Umpire names attempts.
pub const ATTEMPT: &str = "attempt";

#[derive(Clone, Debug, Serialize)]
pub struct Columns {
    pub key: Vec<String>,
    pub task: Option<String>,
    pub agent: Option<String>,
    pub level: Option<String>,
    pub label: String,
    pub annotator: Option<String>,
    /// One judge each.
    pub verdicts: Vec<String>,
    pub judge_names: Vec<String>,
    pub by: Vec<String>,
}

impl Columns {
    pub fn find(
        labels: &Table,
        judgments: Option<&Table>,
        asked: &ColumnArgs,
        by: &[String],
    ) -> Result<Self, Failure> {
        let tables: Vec<&Table> = [Some(labels), judgments].into_iter().flatten().collect();
        let label = match &asked.label {
            Some(column) => known(labels, column)?,
            None => first_of(labels, &LABEL).ok_or_else(|| absent(labels, "label", &LABEL))?,
        };
        let verdicts = match judgments {
            None => Vec::new(),
            Some(table) if asked.judge.is_empty() => usual_verdicts(table, &label)?,
            Some(table) => asked.judge.iter().map(|column| known(table, column)).collect::<Result<_, _>>()?,
        };
        let judge_names = match (judgments, &asked.judge_name) {
            (Some(table), Some(column)) => vec![known(table, column)?],
            (Some(table), None) => naming(table, &verdicts),
            (None, _) => Vec::new(),
        };
        let key = if asked.key.is_empty() {
            usual_key(&tables)?
        } else {
            for (table, column) in
                tables.iter().flat_map(|table| asked.key.iter().map(move |key| (table, key)))
            {
                known(table, column)?;
            }
            asked.key.clone()
        };
        let somewhere = |names: &[&str]| tables.iter().find_map(|table| first_of(table, names));
        // The name of an attempt says whose it is.
        let by_attempt = key.iter().any(|column| column == ATTEMPT);
        let groups_by =
            |column: &str| tables.iter().any(|table| table.has(column)) || (by_attempt && column == "agent");
        let by = if by.is_empty() {
            GROUPS.iter().filter(|name| groups_by(name)).map(|name| (*name).to_owned()).collect()
        } else {
            if let Some(unknown) = by.iter().find(|column| !groups_by(column)) {
                return Err(no_column(labels, unknown));
            }
            by.to_vec()
        };
        let annotator = match &asked.annotator {
            Some(column) => Some(known(labels, column)?),
            None => first_of(labels, &ANNOTATOR),
        };
        Ok(Self {
            task: somewhere(&TASK),
            agent: somewhere(&AGENT),
            level: somewhere(&LEVEL),
            key,
            label,
            annotator,
            verdicts,
            judge_names,
            by,
        })
    }

    /// The label column of a further file of labels.
    pub fn label_in(&self, table: &Table) -> Result<String, Failure> {
        if table.has(&self.label) {
            return Ok(self.label.clone());
        }
        first_of(table, &LABEL).ok_or_else(|| absent(table, "label", &LABEL))
    }
}

fn first_of(table: &Table, names: &[&str]) -> Option<String> {
    names.iter().find(|name| table.has(name)).map(|name| (*name).to_owned())
}

fn known(table: &Table, column: &str) -> Result<String, Failure> {
    if table.has(column) { Ok(column.to_owned()) } else { Err(no_column(table, column)) }
}

pub fn no_column(table: &Table, column: &str) -> Failure {
    Failure::new(format!("{}: there is no column `{column}`", table.file.display()))
        .help(format!("its columns are {}", table.columns.join(", ")))
}

fn absent(table: &Table, what: &str, usual: &[&str]) -> Failure {
    Failure::new(format!(
        "{}: no column is called as a {what} usually is ({})",
        table.file.display(),
        usual.join(", ")
    ))
    .help(format!("say which with --{what}; its columns are {}", table.columns.join(", ")))
}

/// A verdict column by name; else every column named after a judge.
fn usual_verdicts(table: &Table, label: &str) -> Result<Vec<String>, Failure> {
    if let Some(column) = VERDICT.iter().find(|name| table.has(name) && **name != label) {
        return Ok(vec![(*column).to_owned()]);
    }
    let named: Vec<String> = table
        .columns
        .iter()
        .filter(|name| name.starts_with("webjudge_") || name.starts_with("judge_"))
        .filter(|name| !JUDGE_NAME.contains(&name.as_str()))
        .cloned()
        .collect();
    if named.is_empty() { Err(absent(table, "judge", &VERDICT)) } else { Ok(named) }
}

/// The columns that tell judges apart: those that vary, or the last one if none does.
fn naming(table: &Table, verdicts: &[String]) -> Vec<String> {
    let there: Vec<&str> = JUDGE_NAME
        .into_iter()
        .filter(|name| table.has(name) && verdicts.iter().all(|verdict| verdict != name))
        .collect();
    let varies = |name: &&str| table.rows.iter().any(|row| row.get(name) != table.rows[0].get(name));
    let varying: Vec<String> = there.iter().copied().filter(varies).map(str::to_owned).collect();
    if varying.is_empty() {
        there.last().map(|name| (*name).to_owned()).into_iter().collect()
    } else {
        varying
    }
}

fn usual_key(tables: &[&Table]) -> Result<Vec<String>, Failure> {
    let shared = |name: &str| tables.iter().all(|table| table.has(name));
    if shared(ATTEMPT) {
        return Ok(vec![ATTEMPT.to_owned()]);
    }
    let task = TASK.into_iter().find(|name| shared(name)).ok_or_else(|| {
        let first = tables[0];
        Failure::new(format!("{}: no column names the task", first.file.display())).help(format!(
            "say which columns name an attempt with --key; its columns are {}",
            first.columns.join(", ")
        ))
    })?;
    let agent = AGENT.into_iter().find(|name| shared(name));
    let trial = shared("trial").then_some("trial");
    Ok([Some(task), agent, trial].into_iter().flatten().map(str::to_owned).collect())
}
