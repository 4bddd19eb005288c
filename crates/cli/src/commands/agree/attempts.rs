//! Labels and verdicts, brought together by attempt.

use std::collections::{BTreeMap, BTreeSet};

use umpire_model::{ADJUDICATOR, AttemptId};

use super::columns::{ATTEMPT, Columns, no_column};
use super::opinion::Opinion;
use crate::args::ColumnArgs;
use crate::failure::Failure;
use crate::table::{Row, Table};

type Key = Vec<String>;

/// One attempt, with all that was said about it.
pub struct Attempt {
    /// Where it stands, for messages: `file:line`, or its name if it comes from no file.
    pub place: String,
    /// Attempts at one task are alike; without a column for it, every attempt is its own.
    pub task: String,
    pub agent: Option<String>,
    /// Values of the columns to group by, and of the level.
    pub groups: BTreeMap<String, String>,
    /// What people say: who settled a dispute, else of several annotators the majority, and the first if there is none.
    /// `Undecided` without label.
    pub human: Opinion,
    /// Every annotation there is but those that settle disputes, for the ceiling; `None` is an annotator who did not decide.
    pub annotations: Vec<Option<bool>>,
    /// What each judge says, in the order of `Gathered::judges`.
    pub verdicts: Vec<Option<bool>>,
}

pub struct Gathered {
    pub attempts: Vec<Attempt>,
    pub judges: Vec<String>,
    /// Annotations of further files about attempts that have no label in the first.
    pub strangers: usize,
}

/// Rows to look at: `column=value` and `column!=value`.
pub struct Condition {
    column: String,
    value: String,
    equal: bool,
}

impl Condition {
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let (column, value, equal) = text
            .split_once("!=")
            .map(|(column, value)| (column, value, false))
            .or_else(|| text.split_once('=').map(|(column, value)| (column, value, true)))
            .ok_or_else(|| {
                Failure::new(format!("`{text}` is no condition")).help("write it as split=test")
            })?;
        Ok(Self { column: column.trim().to_owned(), value: value.trim().to_owned(), equal })
    }
}

/// Drops rows that do not meet the conditions. A file without the column keeps its rows; one of them must have it.
pub fn filter(tables: &mut [&mut Table], conditions: &[Condition]) -> Result<(), Failure> {
    for condition in conditions {
        if !tables.iter().any(|table| table.has(&condition.column)) {
            return Err(no_column(tables[0], &condition.column));
        }
        for table in tables.iter_mut().filter(|table| table.has(&condition.column)) {
            table.rows.retain(|row| (row.get(&condition.column) == condition.value) == condition.equal);
        }
    }
    match tables.iter().find(|table| table.rows.is_empty()) {
        Some(empty) => Err(Failure::new(format!("{}: no row meets --where", empty.file.display()))),
        None => Ok(()),
    }
}

pub fn gather(
    labels: &Table,
    judgments: Option<&Table>,
    further: &[Table],
    columns: &Columns,
    asked: &ColumnArgs,
) -> Result<Gathered, Failure> {
    let same_file = judgments.is_some_and(|table| table.file == labels.file && table.has(&columns.label));
    let mut found: BTreeMap<Key, Attempt> = BTreeMap::new();
    // Reports keep the order of the file.
    let mut order: Vec<Key> = Vec::new();
    for (key, given) in annotations(labels, columns, &columns.label, same_file)? {
        let mut attempt = attempt_of(labels, given[0].row, &key, columns);
        let settled = given.iter().rfind(|annotation| annotation.settles());
        attempt.human = settled.map_or_else(|| majority(&given), |word| word.opinion);
        attempt.annotations = own_opinions(&given).collect();
        found.insert(key.clone(), attempt);
        order.push(key);
    }
    let mut strangers = 0;
    for table in further {
        for (key, given) in annotations(table, columns, &columns.label_in(table)?, false)? {
            match found.get_mut(&key) {
                Some(attempt) => attempt.annotations.extend(own_opinions(&given)),
                None => strangers += given.len(),
            }
        }
    }
    let mut judges: Vec<String> = Vec::new();
    let mut said: BTreeMap<(Key, usize), u64> = BTreeMap::new();
    let judged_rows = judgments.into_iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    for (table, row) in judged_rows {
        let key = key_of(table, row, columns)?;
        let attempt = found.entry(key.clone()).or_insert_with(|| {
            order.push(key.clone());
            attempt_of(table, row, &key, columns)
        });
        for column in columns.by.iter().chain(&columns.level) {
            add_group(attempt, row, column);
        }
        for column in &columns.verdicts {
            let name = judge_name(row, column, columns);
            let judge = judges.iter().position(|known| *known == name).unwrap_or_else(|| {
                judges.push(name.clone());
                judges.len() - 1
            });
            if let Some(line) = said.insert((key.clone(), judge), row.line) {
                return Err(table
                    .at(row.line, format!("{name} judges {} again, after line {line}", key.join(" ")))
                    .help("--key names the columns that tell attempts apart, --judge-name the one that tells judges apart"));
            }
            let verdict = Opinion::of_verdict(row.get(column), asked).map_err(|problem| {
                table
                    .at(row.line, format!("column `{column}`: {problem}"))
                    .help("a verdict is 1 or 0, success or failure; --threshold turns numbers into verdicts")
            })?;
            attempt.verdicts.resize(attempt.verdicts.len().max(judge + 1), None);
            attempt.verdicts[judge] = verdict;
        }
    }
    let mut attempts = Vec::with_capacity(order.len());
    for key in order {
        if let Some(mut attempt) = found.remove(&key) {
            attempt.verdicts.resize(judges.len(), None);
            attempts.push(attempt);
        }
    }
    Ok(Gathered { attempts, judges, strangers })
}

struct Annotation<'a> {
    row: &'a Row,
    annotator: &'a str,
    opinion: Opinion,
}

impl Annotation<'_> {
    /// It settles a dispute of others.
    fn settles(&self) -> bool {
        self.annotator.starts_with(ADJUDICATOR)
    }
}

/// What those say who were not asked to settle a dispute.
fn own_opinions(given: &[Annotation<'_>]) -> impl Iterator<Item = Option<bool>> {
    given.iter().filter(|annotation| !annotation.settles()).map(|annotation| annotation.opinion.decided())
}

/// The labels of a file by attempt. Whoever labels the same attempt again has changed their mind if there is a time.
fn annotations<'a>(
    table: &'a Table,
    columns: &Columns,
    label: &str,
    repeated_with_each_verdict: bool,
) -> Result<Vec<(Key, Vec<Annotation<'a>>)>, Failure> {
    let mut order: Vec<Key> = Vec::new();
    let mut by_key: BTreeMap<Key, Vec<Annotation<'a>>> = BTreeMap::new();
    for row in &table.rows {
        let key = key_of(table, row, columns)?;
        let opinion = Opinion::of_word(row.get(label)).map_err(|problem| {
            table
                .at(row.line, format!("column `{label}`: {problem}"))
                .help("a label is 1 or 0, success or failure, 2 or unexecutable, or empty")
        })?;
        let annotator = columns.annotator.as_deref().map_or("", |column| row.get(column));
        let given = by_key.entry(key.clone()).or_default();
        if given.is_empty() {
            order.push(key.clone());
        }
        let Some(before) = given.iter_mut().find(|before| before.annotator == annotator) else {
            given.push(Annotation { row, annotator, opinion });
            continue;
        };
        let (time, time_before) = (row.get("time"), before.row.get("time"));
        if repeated_with_each_verdict && before.opinion == opinion {
        } else if !annotator.is_empty() && !time.is_empty() && !time_before.is_empty() {
            if said_at(time) >= said_at(time_before) {
                *before = Annotation { row, annotator, opinion };
            }
        } else {
            return Err(table
                .at(row.line, format!("{} is labelled again, after line {}", key.join(" "), before.row.line))
                .help("--annotator names the column that tells annotators apart, --key those that tell attempts apart"));
        }
    }
    Ok(order.into_iter().filter_map(|key| by_key.remove(&key).map(|given| (key, given))).collect())
}

/// Moments order as moments, whatever their offset; anything else as text, before them.
fn said_at(time: &str) -> (Option<jiff::Timestamp>, &str) {
    (time.parse().ok(), time)
}

fn majority(given: &[Annotation<'_>]) -> Opinion {
    let votes = |opinion: Opinion| given.iter().filter(|annotation| annotation.opinion == opinion).count();
    let (success, failure, unexecutable) =
        (votes(Opinion::Success), votes(Opinion::Failure), votes(Opinion::Unexecutable));
    let most = success.max(failure).max(unexecutable);
    given
        .iter()
        .map(|annotation| annotation.opinion)
        .find(|&opinion| opinion != Opinion::Undecided && votes(opinion) == most)
        .unwrap_or(Opinion::Undecided)
}

fn key_of(table: &Table, row: &Row, columns: &Columns) -> Result<Key, Failure> {
    columns
        .key
        .iter()
        .map(|column| match row.get(column) {
            "" => Err(table.at(row.line, format!("`{column}` is empty, but it names the attempt"))),
            value => Ok(value.to_owned()),
        })
        .collect()
}

fn attempt_of(table: &Table, row: &Row, key: &[String], columns: &Columns) -> Attempt {
    let id =
        columns.key.iter().any(|column| column == ATTEMPT).then(|| row.get(ATTEMPT).parse::<AttemptId>());
    let id = id.and_then(Result::ok);
    let cell = |column: &Option<String>| {
        column.as_deref().map(|column| row.get(column)).filter(|value| !value.is_empty()).map(str::to_owned)
    };
    let mut attempt = Attempt {
        place: match row.line {
            0 => key.join(" "),
            line => format!("{}:{line}", table.file.display()),
        },
        task: cell(&columns.task)
            .or_else(|| id.as_ref().map(|id| id.instance.clone()))
            .unwrap_or_else(|| key.join(" ")),
        agent: cell(&columns.agent).or_else(|| id.as_ref().map(|id| id.agent.clone())),
        groups: BTreeMap::new(),
        human: Opinion::Undecided,
        annotations: Vec::new(),
        verdicts: Vec::new(),
    };
    let named: BTreeSet<&String> = columns.by.iter().chain(&columns.level).collect();
    for column in named {
        add_group(&mut attempt, row, column);
    }
    attempt
}

/// Labels come first: what a file of verdicts says about an attempt only fills gaps.
fn add_group(attempt: &mut Attempt, row: &Row, column: &str) {
    let value = match row.get(column) {
        "" if column == "agent" => attempt.agent.clone().unwrap_or_default(),
        value => value.to_owned(),
    };
    if !value.is_empty() {
        attempt.groups.entry(column.to_owned()).or_insert(value);
    }
}

fn judge_name(row: &Row, column: &str, columns: &Columns) -> String {
    let mut parts: Vec<&str> = columns.judge_names.iter().map(|name| row.get(name)).collect();
    if parts.is_empty() || columns.verdicts.len() > 1 {
        parts.push(column);
    }
    parts.join(" ")
}
