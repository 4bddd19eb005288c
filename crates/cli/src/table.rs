//! A CSV or JSONL file as a whole, each row with its line, so that whatever is wrong can be said with its place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::rows::RowFile;

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
        let read = RowFile::read(file)?;
        let mut table = Self { file: file.to_owned(), columns: read.columns.clone(), rows: Vec::new() };
        read.each_whole(&mut |line, cells| {
            for name in cells.keys() {
                if !table.has(name) {
                    table.columns.push(name.clone());
                }
            }
            table.rows.push(Row { line, cells });
        })?;
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
