//! The table a run ends with, in a terminal or a pipe.

use umpire_model::Outcome;

use crate::wording::{
    figures, infra_bounds, interval, lapses, p_value, percent, points, points_interval, spent,
};
use crate::{Dimension, Summary};

/// Wide enough for three sites and ten categories, narrow enough for a terminal beside an editor.
const WIDTH: usize = 118;
const GAP: &str = "  ";

/// Headline per agent, then one table per slice. Colour carries nothing that the text does not say.
pub fn console_table(summary: &Summary, colour: bool) -> String {
    let paint = Paint { on: colour };
    let manifest = &summary.manifest;
    let mut out = format!(
        "{}  suite {}  {}\n\n",
        paint.bold(&format!("run {}", manifest.run)),
        manifest.suite,
        summary.arithmetic(),
    );
    headline(summary, &paint, &mut out);
    for (by, values) in summary.telling_dimensions() {
        slice_tables(summary, by, &values, &paint, &mut out);
    }
    robustness(summary, &paint, &mut out);
    out.push('\n');
    let note = format!(
        "95 % Wilson intervals; denominator: {}; bounds: all infra and open attempts failed … all passed",
        manifest.denominator
    );
    out.push_str(&paint.dim(&note));
    out.push('\n');
    if let Some(imported) = &manifest.imported {
        let origin = format!("imported from {}; not recorded: {}", imported.format, imported.lacking());
        out.push_str(&paint.dim(&origin));
        out.push('\n');
    }
    if let Some(open) = summary.open_in_words() {
        out.push_str(&paint.warn(&open));
        out.push('\n');
    }
    out
}

/// Success with and without each perturbation, and what is not in any of the numbers above.
fn robustness(summary: &Summary, paint: &Paint, out: &mut String) {
    if summary.robustness.is_empty() {
        return;
    }
    let header = [
        "agent",
        "perturbation",
        "pairs",
        "without %",
        "with %",
        "diff",
        "95 %",
        "lost",
        "gained",
        "p",
        "infra",
        "open",
        "talked into",
    ];
    let rows: Vec<Vec<String>> = summary
        .robustness
        .iter()
        .map(|row| {
            vec![
                row.agent.clone(),
                row.perturbation.to_string(),
                row.pairs.pairs().to_string(),
                percent(row.pairs.without()),
                percent(row.pairs.with()),
                points(row.difference),
                points_interval(&row.interval),
                row.pairs.lost.to_string(),
                row.pairs.gained.to_string(),
                p_value(row),
                row.infra.to_string(),
                row.open.to_string(),
                lapses(row),
            ]
        })
        .collect();
    out.push_str(&paint.bold("\nRobustness"));
    out.push_str(&paint.dim("  the same instances without and with; not part of the rates above"));
    out.push('\n');
    table(&header.map(str::to_owned), &rows, paint, out);
}

fn headline(summary: &Summary, paint: &Paint, out: &mut String) {
    let shown: Vec<Outcome> = Outcome::ALL
        .into_iter()
        .filter(|outcome| {
            matches!(outcome, Outcome::Pass | Outcome::Fail | Outcome::Infra)
                || summary.agents.iter().any(|agent| agent.outcomes.count(*outcome) > 0)
        })
        .collect();
    let mut header: Vec<String> = ["agent", "rate %", "95 %", "infra bounds"].map(str::to_owned).to_vec();
    header.extend(shown.iter().map(Outcome::to_string));
    header.extend(["open", "steps", "time"].map(str::to_owned));
    let spends = summary.agents.iter().any(|agent| !agent.spending.is_nothing());
    if spends {
        header.extend(["tokens", "cost"].map(str::to_owned));
    }
    let rows: Vec<Vec<String>> = summary
        .agents
        .iter()
        .map(|agent| {
            let mut row = vec![
                agent.name.clone(),
                percent(agent.headline()),
                interval(&agent.rate),
                infra_bounds(&agent.rate),
            ];
            row.extend(figures(agent, &shown));
            if spends {
                row.extend(spent(&agent.spending));
            }
            row
        })
        .collect();
    table(&header, &rows, paint, out);
}

/// A dimension with more values than this scrolls the headline off the screen.
const MOST_VALUES: usize = 10;

fn slice_tables(summary: &Summary, by: Dimension, values: &[String], paint: &Paint, out: &mut String) {
    if values.len() > MOST_VALUES {
        let left_out = format!("{}: {} values, in the HTML report", by.title(), values.len());
        out.push('\n');
        out.push_str(&paint.dim(&left_out));
        out.push('\n');
        return;
    }
    let first = summary.agents.iter().map(|agent| agent.name.chars().count()).max().unwrap_or(0);
    let first = first.max(by.title().chars().count());
    let mut rest = values;
    while !rest.is_empty() {
        let fitting = columns_that_fit(rest, first);
        let (now, later) = rest.split_at(fitting);
        rest = later;
        let header: Vec<String> = std::iter::once(by.title().to_owned()).chain(now.iter().cloned()).collect();
        let rows: Vec<Vec<String>> = summary
            .agents
            .iter()
            .map(|agent| {
                let cells = now.iter().map(|value| {
                    agent.slice(by, value).map_or_else(
                        || "–".to_owned(),
                        |slice| format!("{}/{}", slice.rate.passed, slice.rate.planned),
                    )
                });
                std::iter::once(agent.name.clone()).chain(cells).collect()
            })
            .collect();
        out.push('\n');
        table(&header, &rows, paint, out);
    }
}

fn columns_that_fit(values: &[String], first: usize) -> usize {
    /// No cell is narrower than a fraction such as `120/120`.
    const FRACTION: usize = 7;
    let mut used = first;
    let fitting = values.iter().take_while(|value| {
        used += GAP.len() + value.chars().count().max(FRACTION);
        used <= WIDTH
    });
    fitting.count().max(1)
}

/// First column to the left, numbers to the right.
fn table(header: &[String], rows: &[Vec<String>], paint: &Paint, out: &mut String) {
    let widths: Vec<usize> = (0..header.len())
        .map(|column| {
            let cells = std::iter::once(&header[column]).chain(rows.iter().map(|row| &row[column]));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(column, (cell, width))| {
                    if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        padded.join(GAP).trim_end().to_owned()
    };
    out.push_str(&paint.dim(&line(header)));
    out.push('\n');
    for row in rows {
        out.push_str(&line(row));
        out.push('\n');
    }
}

struct Paint {
    on: bool,
}

impl Paint {
    fn bold(&self, text: &str) -> String {
        self.with("1", text)
    }

    fn dim(&self, text: &str) -> String {
        self.with("2", text)
    }

    fn warn(&self, text: &str) -> String {
        self.with("33", text)
    }

    fn with(&self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
