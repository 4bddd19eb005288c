//! Rows of a CSV or JSONL file, each with its line, so that whatever is wrong can be said with its place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::failure::Failure;

pub struct Table {
    pub file: PathBuf,
    /// In the order in which they first occur.
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

pub struct Row {
    /// 0 if it comes from no file.
    pub line: u64,
    cells: BTreeMap<String, String>,
}

impl Row {
    pub fn new(line: u64, cells: BTreeMap<String, String>) -> Self {
        Self { line, cells }
    }

    /// What stands in a column, without spaces around it; empty if there is nothing.
    pub fn get(&self, column: &str) -> &str {
        self.cells.get(column).map_or("", |cell| cell.trim())
    }
}

impl Table {
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut table = Self { file: file.to_owned(), columns: Vec::new(), rows: Vec::new() };
        if is_json_lines(file, text) {
            table.read_json_lines(text)?;
        } else {
            table.read_csv(text)?;
        }
        if table.rows.is_empty() {
            return Err(Failure::new(format!("{}: there is no row in it", file.display())));
        }
        Ok(table)
    }

    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    pub fn at(&self, line: u64, problem: impl std::fmt::Display) -> Failure {
        Failure::new(format!("{}:{line}: {problem}", self.file.display()))
    }

    fn read_csv(&mut self, text: &str) -> Result<(), Failure> {
        let tabs = self.file.extension().is_some_and(|extension| extension == "tsv");
        let mut reader =
            csv::ReaderBuilder::new().delimiter(if tabs { b'\t' } else { b',' }).from_reader(text.as_bytes());
        let broken = |file: &Path, error: &csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            Failure::new(format!("{}:{line}: {}", file.display(), reason(error)))
        };
        let header = reader.headers().map_err(|error| broken(&self.file, &error))?;
        self.columns = header.iter().map(|name| name.trim().to_owned()).collect();
        if let Some(twice) =
            self.columns.iter().enumerate().find(|(at, name)| self.columns[..*at].contains(name))
        {
            return Err(self.at(1, format!("the column `{}` is there twice", twice.1)));
        }
        for record in reader.records() {
            let record = record.map_err(|error| broken(&self.file, &error))?;
            let line = record.position().map_or(0, csv::Position::line);
            let cells = self.columns.iter().cloned().zip(record.iter().map(str::to_owned)).collect();
            self.rows.push(Row { line, cells });
        }
        Ok(())
    }

    fn read_json_lines(&mut self, text: &str) -> Result<(), Failure> {
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let number = index as u64 + 1;
            let object: serde_json::Map<String, Value> = serde_json::from_str(line)
                .map_err(|error| self.at(number, format!("no JSON object: {error}")))?;
            for name in object.keys() {
                if !self.has(name) {
                    self.columns.push(name.clone());
                }
            }
            let cells = object.into_iter().map(|(name, value)| (name, as_text(&value))).collect();
            self.rows.push(Row { line: number, cells });
        }
        Ok(())
    }
}

fn is_json_lines(file: &Path, text: &str) -> bool {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("csv" | "tsv") => false,
        Some("jsonl" | "ndjson") => true,
        _ => text.trim_start().starts_with('{'),
    }
}

/// A reason without the position, which stands before it already.
fn reason(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields, but the header has {expected_len}")
        }
        _ => error.to_string(),
    }
}

fn as_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Table, Failure> {
        let folder = tempfile::tempdir().expect("temp dir");
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("written");
        Table::read(&file)
    }

    #[test]
    fn csv_and_json_lines_read_alike() {
        let csv = read("a.csv", "\u{feff}task,human_label\nt1,1\n\"t,2\",\n").expect("csv");
        let lines = read(
            "a.jsonl",
            "{\"task\":\"t1\",\"human_label\":1}\n\n{\"task\":\"t,2\",\"human_label\":null}\n",
        )
        .expect("jsonl");
        for table in [&csv, &lines] {
            assert_eq!(table.columns, ["task", "human_label"]);
            let rows: Vec<(&str, &str)> =
                table.rows.iter().map(|row| (row.get("task"), row.get("human_label"))).collect();
            assert_eq!(rows, [("t1", "1"), ("t,2", "")]);
        }
        assert_eq!((csv.rows[1].line, lines.rows[1].line), (3, 3));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (name, text, expected) in [
            ("a.csv", "a,b\n1,2\n1,2,3\n", "a.csv:3: 3 fields, but the header has 2"),
            ("a.csv", "a,a\n1,2\n", "a.csv:1: the column `a` is there twice"),
            ("a.jsonl", "{\"a\":1}\n{\"a\":\n", "a.jsonl:2: no JSON object"),
            ("a.jsonl", "[1]\n", "a.jsonl:1: no JSON object"),
            ("a.csv", "a,b\n", "there is no row in it"),
        ] {
            let message = read(name, text).err().map(|failure| failure.to_string()).unwrap_or_default();
            assert!(message.contains(expected), "{message}");
        }
    }
}
