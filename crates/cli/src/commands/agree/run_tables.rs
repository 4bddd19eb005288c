//! A run's verdicts and labels as tables, counted like any others.

use std::collections::BTreeMap;

use umpire_model::standing_labels;
use umpire_store::{FiledVerdict, Run};

use super::columns::ATTEMPT;
use crate::failure::Failure;
use crate::table::{Row, Table};

/// The latest verdict of each judge on the last try of each attempt.
pub fn verdicts(run: &Run) -> Result<Table, Failure> {
    let levels: BTreeMap<String, String> = run
        .instances()?
        .into_iter()
        .filter_map(|facts| {
            Some((facts.id, serde_json::to_value(facts.difficulty).ok()?.as_str()?.to_owned()))
        })
        .collect();
    let mut rows = Vec::new();
    for attempt in run.planned()? {
        let folder = run.attempt(&attempt);
        let tries = folder.tries()?.len() as u32;
        let mut latest: BTreeMap<String, FiledVerdict> = BTreeMap::new();
        for filed in folder.verdicts()?.into_iter().filter(|filed| filed.r#try == tries) {
            latest.insert(filed.verdict.by.clone(), filed);
        }
        for (by, filed) in latest {
            let level = levels.get(&attempt.instance).cloned().unwrap_or_default();
            let outcome = filed.verdict.outcome.to_string();
            rows.push(row(&[
                (ATTEMPT, attempt.to_string()),
                ("by", by),
                ("outcome", outcome),
                ("level", level),
            ]));
        }
    }
    table(run, &[ATTEMPT, "by", "outcome", "level"], rows).ok_or_else(|| {
        Failure::new(format!("{}: nothing is judged yet", run.manifest().run))
            .help("`umpire evaluate` judges a run")
    })
}

/// The labels that stand, on the last try of each attempt.
pub fn labels(run: &Run) -> Result<Table, Failure> {
    let known = run.labels()?;
    let mut rows = Vec::new();
    for label in standing_labels(&known) {
        if run.attempt(&label.attempt).tries()?.len() as u32 != label.r#try {
            continue;
        }
        let success = serde_json::to_value(label.success).ok();
        let success = success.as_ref().and_then(|success| success.as_str()).unwrap_or_default();
        rows.push(row(&[
            (ATTEMPT, label.attempt.to_string()),
            ("annotator", label.annotator.clone()),
            ("success", success.to_owned()),
        ]));
    }
    table(run, &[ATTEMPT, "annotator", "success"], rows).ok_or_else(|| {
        Failure::new(format!("{}: nobody has labelled it", run.manifest().run))
            .help("`umpire labels export` writes a file to fill in, `umpire labels import` brings it back")
    })
}

fn row(cells: &[(&str, String)]) -> Row {
    Row::new(0, cells.iter().map(|(column, cell)| ((*column).to_owned(), cell.clone())).collect())
}

fn table(run: &Run, columns: &[&str], rows: Vec<Row>) -> Option<Table> {
    let columns = columns.iter().map(|column| (*column).to_owned()).collect();
    (!rows.is_empty()).then(|| Table { file: run.folder().to_owned(), columns, rows })
}
