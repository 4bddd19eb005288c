//! Rows of an answer, as a table for people or as CSV or JSON for machines. What pages and agents wrote cannot steer the
//! terminal or a spreadsheet.

use serde_json::{Map, Value};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, TypeInfo as _, ValueRef as _};
use umpire_report::{clipped, harmless};

use super::Asked;
use crate::args::QueryFormat;

/// Characters of a text in a table; CSV and JSON have all of it.
const CELL: usize = 80;
/// A table is laid out as a whole.
const MOST_ROWS: usize = 100_000;

pub struct Answer {
    format: QueryFormat,
    columns: Vec<String>,
    /// Of a table only, whose widths are known at its end.
    rows: Vec<Vec<String>>,
}

impl Answer {
    pub(super) fn new(format: QueryFormat, columns: Vec<String>) -> Result<Self, Asked> {
        if format == QueryFormat::Json
            && let Some(twice) = columns.iter().enumerate().find(|(at, name)| columns[..*at].contains(name))
        {
            return Err(Asked::Form(format!("two columns are called `{}`: name one with `as`", twice.1)));
        }
        if format == QueryFormat::Csv {
            csv_line(columns.iter().map(|name| harmless(name)));
        }
        Ok(Self { format, columns, rows: Vec::new() })
    }

    pub(super) fn row(&mut self, row: &SqliteRow) -> Result<(), Asked> {
        let cells = (0..self.columns.len()).map(|index| cell(row, index)).collect::<Result<Vec<_>, _>>()?;
        match self.format {
            QueryFormat::Json => {
                let object: Map<String, Value> = self.columns.iter().cloned().zip(cells).collect();
                say!("{}", Value::Object(object));
            }
            QueryFormat::Csv => csv_line(cells.iter().map(|value| match value {
                Value::String(text) => harmless(text),
                Value::Null => String::new(),
                other => other.to_string(),
            })),
            QueryFormat::Table if self.rows.len() >= MOST_ROWS => {
                return Err(Asked::Form(format!(
                    "the answer has more than {MOST_ROWS} rows: ask with a limit, or for --format csv or json"
                )));
            }
            QueryFormat::Table => self.rows.push(cells.iter().map(shown).collect()),
        }
        Ok(())
    }

    pub fn end(self) {
        if self.format != QueryFormat::Table {
            return;
        }
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.chain([self.columns[column].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: &[String]| {
            let padded: Vec<String> =
                cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            padded.join("  ").trim_end().to_owned()
        };
        say!("{}", line(&self.columns));
        say!("{}", line(&widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>()));
        for row in &self.rows {
            say!("{}", line(row));
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => clipped(&text.replace(['\n', '\r', '\t'], " "), CELL),
        // As many digits as a person reads.
        Value::Number(number) => match number.as_f64() {
            Some(real) if number.is_f64() => {
                let text = format!("{real:.4}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

fn csv_line(fields: impl Iterator<Item = String>) {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(fields.collect::<Vec<_>>());
    if let (Ok(()), Ok(line)) = (written, writer.into_inner()) {
        use std::io::Write as _;
        let _ = std::io::stdout().write_all(&line);
    }
}

/// SQLite types values, not columns.
fn cell(row: &SqliteRow, index: usize) -> Result<Value, sqlx::Error> {
    let value = row.try_get_raw(index)?;
    if value.is_null() {
        return Ok(Value::Null);
    }
    Ok(match value.type_info().name() {
        "INTEGER" | "BOOLEAN" => row.try_get_unchecked::<i64, _>(index)?.into(),
        "REAL" => row.try_get_unchecked::<f64, _>(index)?.into(),
        _ => {
            let content: &[u8] = row.try_get_unchecked(index)?;
            String::from_utf8_lossy(content).into_owned().into()
        }
    })
}
