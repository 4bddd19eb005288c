//! Rows as JSON, up to the size that can be judged.

use serde_json::{Map, Value};

use crate::ask::too_long;
use crate::connections::LARGEST_ANSWER;
use crate::problem::Problem;

const MOST_ROWS: usize = 10_000;
const LARGEST_CELL: usize = 1 << 20;

#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Value>,
    bytes: usize,
}

impl Table {
    /// Adds a row; what is too much is refused rather than cut, since a verdict on half an answer would be wrong.
    pub(super) fn push(
        &mut self,
        cells: impl Iterator<Item = Result<(String, Value), Problem>>,
    ) -> Result<(), Problem> {
        if self.rows.len() == MOST_ROWS {
            return Err(Problem::refused(format!("more than {MOST_ROWS} rows; ask for fewer")));
        }
        let mut row = Map::new();
        for cell in cells {
            let (column, value) = cell?;
            let size = value.as_str().map_or_else(|| value.to_string().len(), str::len);
            if size > LARGEST_CELL {
                let limit = LARGEST_CELL >> 20;
                return Err(Problem::refused(format!(
                    "a value in column `{column}` has more than {limit} MiB; ask for a part of it"
                )));
            }
            self.bytes += column.len() + size;
            if row.contains_key(&column) {
                return Err(Problem::refused(format!("two columns are named `{column}`; give one an alias")));
            }
            row.insert(column, value);
        }
        if self.bytes > LARGEST_ANSWER {
            return Err(too_long());
        }
        self.rows.push(Value::Object(row));
        Ok(())
    }

    pub(super) fn into_json(self) -> Value {
        Value::Array(self.rows)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn push(table: &mut Table, cells: &[(&str, Value)]) -> Result<(), Problem> {
        table.push(cells.iter().map(|(column, value)| Ok(((*column).to_owned(), value.clone()))))
    }

    #[test]
    fn too_much_is_refused() {
        let mut table = Table::default();
        for number in 0..MOST_ROWS {
            push(&mut table, &[("n", json!(number))]).expect("a row");
        }
        assert!(push(&mut table, &[("n", json!(0))]).is_err());
        assert_eq!(table.into_json().as_array().map(Vec::len), Some(MOST_ROWS));

        let mut table = Table::default();
        assert!(push(&mut table, &[("n", json!("x".repeat(LARGEST_CELL + 1)))]).is_err());
        let large = [("n", json!("x".repeat(LARGEST_CELL)))];
        for _ in 0..3 {
            push(&mut table, &large).expect("a row");
        }
        assert!(push(&mut table, &large).is_err(), "the whole answer has a limit too");
    }

    #[test]
    fn columns_of_one_name_would_hide_each_other() {
        let mut table = Table::default();
        assert!(push(&mut table, &[("a", json!(1)), ("a", json!(2))]).is_err());
        push(&mut table, &[("b", json!(1)), ("a", json!(null))]).expect("a row");
        assert_eq!(table.into_json(), json!([{"b": 1, "a": null}]));
    }
}
