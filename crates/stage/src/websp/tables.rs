//! The tables beside the task files. Their rows are matched by instance; rows with stray cells are read as far as they go.

use std::collections::BTreeMap;

use super::{DatasetError, DatasetFiles};

pub(super) struct Tables {
    /// Instruction and category.
    categories: BTreeMap<String, (String, String)>,
    elements: BTreeMap<String, Vec<String>>,
    actions: BTreeMap<String, Vec<String>>,
    logins: BTreeMap<String, String>,
}

impl Tables {
    pub fn read(files: &DatasetFiles) -> Result<Self, DatasetError> {
        let categories = rows("task_categorization.csv", files.categories.as_deref())?;
        let elements = rows("ground_truth_ui_elements.csv", files.ui_elements.as_deref())?;
        let logins = rows("login_files.csv", files.logins.as_deref())?;
        let cell = |row: &csv::StringRecord, at: usize| row.get(at).unwrap_or_default().trim().to_owned();
        let actions = match files.actions.as_deref() {
            Some(text) => serde_json::from_str(text).map_err(|error| DatasetError {
                file: "ground_truth_actions.json",
                line: Some(error.line()),
                problem: error.to_string(),
            })?,
            None => BTreeMap::new(),
        };
        Ok(Self {
            categories: categories.iter().map(|row| (cell(row, 0), (cell(row, 1), cell(row, 2)))).collect(),
            elements: elements.iter().map(|row| (cell(row, 0), kinds(&cell(row, 2)))).collect(),
            actions,
            logins: logins.iter().map(|row| (cell(row, 0), cell(row, 1))).collect(),
        })
    }

    pub fn instruction(&self, id: &str) -> Option<&str> {
        self.categories.get(id).map(|(instruction, _)| instruction.as_str())
    }

    pub fn category(&self, id: &str) -> Option<&str> {
        self.categories.get(id).map(|(_, category)| category.as_str()).filter(|category| !category.is_empty())
    }

    /// Kinds of elements an instance is about, each once, in the order they are met.
    pub fn elements(&self, id: &str) -> Vec<String> {
        self.elements.get(id).cloned().unwrap_or_default()
    }

    pub fn actions(&self, id: &str) -> &[String] {
        self.actions.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    pub fn login(&self, site: &str) -> Option<&str> {
        self.logins.get(site).map(String::as_str).filter(|file| !file.is_empty())
    }
}

fn kinds(cell: &str) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    for kind in cell.split(',').map(str::trim).filter(|kind| !kind.is_empty()) {
        if !kinds.iter().any(|known| known == kind) {
            kinds.push(kind.to_owned());
        }
    }
    kinds
}

fn rows(file: &'static str, text: Option<&str>) -> Result<Vec<csv::StringRecord>, DatasetError> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let rows: Result<Vec<_>, _> = reader.records().collect();
    rows.map_err(|error| DatasetError {
        file,
        line: error.position().and_then(|position| usize::try_from(position.line()).ok()),
        problem: error.to_string(),
    })
}
