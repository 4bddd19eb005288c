//! A CSV or JSONL file, row by row: the whole of each row, or chosen columns without keeping what nobody asked for.
//!
//! A file without quotes is cut at commas and line ends, which is several times faster than a full reader; any other goes
//! through the `csv` crate. Both say the same about the same file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use memchr::{memchr, memchr_iter, memchr2_iter};
use serde_json::Value;

use crate::failure::Failure;

/// A file of rows, read as a whole.
pub struct RowFile {
    /// As the user called it.
    pub name: PathBuf,
    text: String,
    layout: Layout,
    /// In the order of the header, or in which they first occur.
    pub columns: Vec<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Csv { delimiter: u8 },
    JsonLines,
}

/// What a row is given to: its line, and the cells of the chosen columns.
pub type TakeRow<'a> = dyn FnMut(u64, &[&str]) -> Result<(), Failure> + 'a;
/// What a whole row is given to: its line, and its cells by the names of their columns.
pub type TakeWhole<'a> = dyn FnMut(u64, BTreeMap<String, String>) + 'a;

impl RowFile {
    /// `-` is standard input.
    pub fn read(name: &Path) -> Result<Self, Failure> {
        let problem = |error: std::io::Error| Failure::new(format!("{}: {error}", name.display()));
        let bytes = if name == Path::new("-") {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map_err(problem)?;
            bytes
        } else {
            std::fs::read(name).map_err(problem)?
        };
        Self::from_bytes(name, bytes)
    }

    fn from_bytes(name: &Path, bytes: Vec<u8>) -> Result<Self, Failure> {
        let mut text = String::from_utf8(bytes).map_err(|error| {
            let upto = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + memchr_iter(b'\n', upto).count();
            Failure::new(format!("{}:{line}: this is not UTF-8", name.display()))
        })?;
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let layout = match name.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Layout::Csv { delimiter: b',' },
            Some("tsv") => Layout::Csv { delimiter: b'\t' },
            Some("jsonl" | "ndjson") => Layout::JsonLines,
            _ if text.trim_start().starts_with('{') => Layout::JsonLines,
            _ => Layout::Csv { delimiter: b',' },
        };
        let mut file = Self { name: name.to_owned(), text, layout, columns: Vec::new() };
        file.columns = file.find_columns()?;
        Ok(file)
    }

    pub fn at(&self, line: u64, problem: impl std::fmt::Display) -> Failure {
        Failure::new(format!("{}:{line}: {problem}", self.name.display()))
    }

    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    fn find_columns(&self) -> Result<Vec<String>, Failure> {
        let mut columns: Vec<String> = Vec::new();
        match self.layout {
            Layout::Csv { .. } => {
                let mut reader = self.csv_reader();
                let header = reader.headers().map_err(|error| self.broken(&error))?;
                for name in header.iter().map(str::trim) {
                    if columns.iter().any(|known| known == name) {
                        return Err(self.at(1, format!("the column `{name}` is there twice")));
                    }
                    columns.push(name.to_owned());
                }
            }
            Layout::JsonLines => {
                // Keys of the first row decide: a column that comes later is one that some rows lack.
                if let Some((index, line)) = self.json_rows().next() {
                    columns = self.object(index, line)?.into_iter().map(|(name, _)| name).collect();
                }
            }
        }
        Ok(columns)
    }

    /// Gives every row to `take`, with the cells of these columns, all of which the file has.
    pub fn each(&self, chosen: &[&str], take: &mut TakeRow<'_>) -> Result<(), Failure> {
        match self.layout {
            Layout::JsonLines => self.each_of_json(chosen, take),
            Layout::Csv { delimiter } if self.is_simple() => self.each_of_simple(delimiter, chosen, take),
            Layout::Csv { .. } => self.each_of_csv(chosen, take),
        }
    }

    /// Gives every row to `take` with all that it has; one of JSON may have less than others, or more.
    pub fn each_whole(&self, take: &mut TakeWhole<'_>) -> Result<(), Failure> {
        if self.layout == Layout::JsonLines {
            for (line, text) in self.json_rows() {
                let cells = self.object(line, text)?.into_iter().map(|(name, value)| (name, as_text(&value)));
                take(line, cells.collect());
            }
            return Ok(());
        }
        let names: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        self.each(&names, &mut |line, cells| {
            let whole = names.iter().zip(cells).map(|(name, cell)| ((*name).to_owned(), (*cell).to_owned()));
            take(line, whole.collect());
            Ok(())
        })
    }

    /// No quotes, and lines that end in nothing but a line feed.
    fn is_simple(&self) -> bool {
        let bytes = self.text.as_bytes();
        memchr(b'"', bytes).is_none() && memchr(b'\r', bytes).is_none()
    }

    fn places(&self, chosen: &[&str]) -> Vec<usize> {
        let place = |name: &&str| self.columns.iter().position(|known| known == name);
        chosen.iter().filter_map(place).collect()
    }

    fn each_of_simple(&self, delimiter: u8, chosen: &[&str], take: &mut TakeRow<'_>) -> Result<(), Failure> {
        let places = self.places(chosen);
        let width = self.columns.len();
        // Where in the answer a column goes; most go nowhere.
        let mut slots: Vec<Vec<usize>> = vec![Vec::new(); width];
        for (slot, &column) in places.iter().enumerate() {
            slots[column].push(slot);
        }
        let mut cells: Vec<&str> = vec![""; places.len()];
        let (mut line, mut column, mut from, mut is_header) = (1, 0, 0, true);
        let end = self.text.len();
        let marks =
            memchr2_iter(delimiter, b'\n', self.text.as_bytes()).map(|at| (at, self.text.as_bytes()[at]));
        for (at, mark) in marks.chain([(end, b'\n')]) {
            if mark == b'\n' && column == 0 && from == at {
                // An empty line is no row.
                line += 1;
                from = at + 1;
                continue;
            }
            if let Some(slots) = slots.get(column) {
                for &slot in slots {
                    cells[slot] = &self.text[from..at];
                }
            }
            column += 1;
            from = at + 1;
            if mark == b'\n' {
                if !is_header {
                    if column != width {
                        return Err(self.at(line, unequal(column, width)));
                    }
                    take(line, &cells)?;
                }
                is_header = false;
                line += 1;
                column = 0;
            }
        }
        Ok(())
    }

    fn each_of_csv(&self, chosen: &[&str], take: &mut TakeRow<'_>) -> Result<(), Failure> {
        let places = self.places(chosen);
        let mut reader = self.csv_reader();
        let mut record = csv::StringRecord::new();
        loop {
            match reader.read_record(&mut record) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) => return Err(self.broken(&error)),
            }
            let line = record.position().map_or(0, |position| self.line_of(position));
            let cells: Vec<&str> = places.iter().map(|&at| record.get(at).unwrap_or_default()).collect();
            take(line, &cells)?;
        }
    }

    fn csv_reader(&self) -> csv::Reader<&[u8]> {
        let delimiter = if let Layout::Csv { delimiter } = self.layout { delimiter } else { b',' };
        csv::ReaderBuilder::new().delimiter(delimiter).from_reader(self.text.as_bytes())
    }

    /// A record begins after the empty lines before it, which its position does not count.
    fn line_of(&self, position: &csv::Position) -> u64 {
        let rest = self.text.as_bytes().get(position.byte() as usize..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        position.line() + blank.filter(|byte| **byte == b'\n').count() as u64
    }

    fn broken(&self, error: &csv::Error) -> Failure {
        let line = error.position().map_or(1, |position| self.line_of(position));
        match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                self.at(line, unequal(*len as usize, *expected_len as usize))
            }
            _ => self.at(line, error),
        }
    }

    fn json_rows(&self) -> impl Iterator<Item = (u64, &str)> {
        let lines = self.text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(index, line)| (index as u64 + 1, line))
    }

    fn object(&self, line: u64, text: &str) -> Result<serde_json::Map<String, Value>, Failure> {
        serde_json::from_str(text).map_err(|error| self.at(line, format!("no JSON object: {error}")))
    }

    fn each_of_json(&self, chosen: &[&str], take: &mut TakeRow<'_>) -> Result<(), Failure> {
        for (line, text) in self.json_rows() {
            let object = self.object(line, text)?;
            let mut cells: Vec<String> = Vec::with_capacity(chosen.len());
            for name in chosen {
                let value = object.get(*name);
                cells.push(as_text(value.ok_or_else(|| self.at(line, format!("there is no `{name}`")))?));
            }
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            take(line, &cells)?;
        }
        Ok(())
    }
}

fn as_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn unequal(fields: usize, wanted: usize) -> String {
    format!("{fields} fields, but the header has {wanted}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(name: &str, text: &str) -> Result<RowFile, String> {
        RowFile::from_bytes(Path::new(name), text.as_bytes().to_vec()).map_err(|failure| failure.to_string())
    }

    type Read = Result<Vec<(u64, Vec<String>)>, String>;

    fn rows(file: &RowFile, chosen: &[&str], simple: Option<bool>) -> Read {
        let mut found = Vec::new();
        let take: &mut TakeRow<'_> = &mut |line, cells: &[&str]| {
            found.push((line, cells.iter().map(|cell| (*cell).to_owned()).collect()));
            Ok(())
        };
        let read = match simple {
            Some(true) => file.each_of_simple(b',', chosen, take),
            Some(false) => file.each_of_csv(chosen, take),
            None => file.each(chosen, take),
        };
        read.map(|()| found).map_err(|failure| failure.to_string())
    }

    #[test]
    fn csv_and_json_lines_read_alike() {
        let csv = file("f.csv", "\u{feff}b,a,c\n1,\"x,y\",2\n\n3,z,4\n").expect("csv");
        let json = file("f.jsonl", "{\"b\":1,\"a\":\"x,y\",\"c\":2}\n\n{\"a\":\"z\",\"b\":3,\"c\":4}\n")
            .expect("json");
        let [csv, json] = [&csv, &json].map(|file| rows(file, &["a", "b"], None).expect("rows"));
        assert_eq!(csv.iter().map(|(_, cells)| cells).collect::<Vec<_>>(), [&["x,y", "1"], &["z", "3"]]);
        assert_eq!(csv.len(), json.len());
        assert!(csv.iter().zip(&json).all(|(one, other)| one.1 == other.1));
        assert_eq!(csv[1].0, 4, "the line in the file");
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        for (name, text, wanted) in [
            ("f.csv", "a,b\n1,2\n3\n", "f.csv:3: 1 fields, but the header has 2"),
            ("f.csv", "a,b\n\"1\",2\n3,4,5\n", "f.csv:3: 3 fields, but the header has 2"),
            ("f.jsonl", "{\"a\":1,\"b\":2}\n{\"a\":1}\n", "f.jsonl:2: there is no `b`"),
            ("f.jsonl", "{\"a\":1,\"b\":2}\nnothing\n", "f.jsonl:2: no JSON object"),
        ] {
            let found = rows(&file(name, text).expect("a header"), &["a", "b"], None).expect_err(wanted);
            assert!(found.starts_with(wanted), "{found}");
        }
        assert_eq!(file("f.csv", "a,a\n").err().expect("twice"), "f.csv:1: the column `a` is there twice");
        let latin = RowFile::from_bytes(Path::new("f.csv"), b"a,b\n\xe9,2\n".to_vec());
        assert_eq!(latin.err().expect("not UTF-8").to_string(), "f.csv:2: this is not UTF-8");
    }

    proptest! {
        #[test]
        fn the_quick_way_reads_what_the_csv_crate_reads(text in "a,b,c\n(([xyzé ]{0,3},){0,3}[xyzé ]{0,3}\n){0,8}([xyz]{0,2},[xyz]{0,2},[xyz]{0,2})?") {
            let file = file("f.csv", &text).expect("a header");
            prop_assert!(file.is_simple());
            prop_assert_eq!(rows(&file, &["c", "a"], Some(true)), rows(&file, &["c", "a"], Some(false)));
        }
    }
}
