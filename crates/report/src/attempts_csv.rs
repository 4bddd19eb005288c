//! Attempts as CSV, one a line.

use umpire_stats::AttemptRow;

use crate::columns::{ATTEMPT_COLUMNS, Cell, records};
use crate::{ReportError, Summary};

pub fn csv(summary: &Summary, rows: &[AttemptRow]) -> Result<String, ReportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(ATTEMPT_COLUMNS.map(|column| column.name))?;
    for record in records(summary.manifest.run.as_str(), rows, &summary.attempts) {
        writer.write_record(ATTEMPT_COLUMNS.iter().map(|column| field(column.value(&record))))?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn field(cell: Cell<'_>) -> String {
    match cell {
        Cell::Text(text) => harmless(text),
        Cell::Whole(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Truth(truth) => truth.to_string(),
        Cell::Unknown => String::new(),
    }
}

/// A text of a page or an agent that a spreadsheet would take for a formula gets an apostrophe in front, which
/// spreadsheets take for "this is text".
pub fn harmless(text: &str) -> String {
    let first = text.trim_start_matches(' ').chars().next();
    let is_formula = first.is_some_and(|c| "=+-@\t\r\n|%＝＋－＠".contains(c));
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_run_is_text() {
        for (given, written) in [
            ("=HYPERLINK(\"http://evil\")", "'=HYPERLINK(\"http://evil\")"),
            ("+1", "'+1"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("  =1", "'  =1"),
            ("＝1", "'＝1"),
            ("the answer is =1", "the answer is =1"),
            ("", ""),
        ] {
            assert_eq!(harmless(given), written);
        }
    }
}
