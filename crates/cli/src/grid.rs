//! Tables of fixed width, and numbers as they stand in them.

use std::fmt::Write as _;

use umpire_stats::Interval;
use umpire_stats::agreement::Share;

/// Rows under a header; the first column to the left, figures to the right.
pub fn grid(header: &[&str], rows: &[Vec<String>], out: &mut String) {
    let header: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
    let width = |column: usize| {
        let cells = rows.iter().chain([&header]).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    for row in [&header].into_iter().chain(rows) {
        let mut line = String::from(" ");
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ =
                if column == 0 { write!(line, " {cell:<width$}") } else { write!(line, "  {cell:>width$}") };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// A proportion in percent; a dash if there is none.
pub fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{:.1}", 100.0 * value))
}

pub fn signed(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{:+.1}", 100.0 * value))
}

pub fn p_value(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
    }
}

/// A coefficient between -1 and 1.
pub fn coefficient(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}

pub fn range(interval: Option<Interval>) -> String {
    interval.map_or_else(String::new, |Interval { low, high }| {
        format!("[{:.1}, {:.1}]", 100.0 * low, 100.0 * high)
    })
}

pub fn share(share: Share) -> String {
    format!("{} ({}/{})", percent(share.value()), share.count, share.of)
}

/// A number with its thousands apart.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_under_each_other() {
        let mut out = String::new();
        let rows = [vec!["a".to_owned(), "5.0".to_owned()], vec!["longer".to_owned(), "–".to_owned()]];
        grid(&["agent", "success"], &rows, &mut out);
        assert_eq!(out, "  agent   success\n  a           5.0\n  longer        –\n");
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!([count(7), count(1200), count(1_234_567)], ["7", "1,200", "1,234,567"]);
    }
}
