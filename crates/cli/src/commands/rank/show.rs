//! Rankings for a person.

use std::fmt::Write as _;

use super::ranking::{Matrix, Ranked, Ranking};
use super::{Filtered, Found};
use crate::args::{IntervalsBy, RatingMethod, TiesAs};
use crate::grid::{count, grid, percent};

pub fn show(found: &Found) -> String {
    let mut out = format!(
        "Battles  {}: {} between {} models\n",
        found.file.display(),
        count(found.battles),
        found.models
    );
    let _ = writeln!(out, "Method   {}", method(found));
    if let Some(filtered) = &found.filtered {
        let _ = writeln!(out, "Votes    {}", filters(filtered));
    }
    for ranking in &found.rankings {
        out.push('\n');
        if let (Some(column), Some(value)) = (&found.by, &ranking.group) {
            let _ = writeln!(out, "{column} {value}: {} battles", count(ranking.battles));
        }
        table(ranking, &mut out);
        if let Some(matrix) = &ranking.matrix {
            out.push_str(
                "\n  Decided battles that the model of the row won against that of the column, in %\n",
            );
            fractions(matrix, &mut out);
        }
        if !ranking.style.is_empty() {
            out.push_str("\n  What one standard deviation more does to the odds of a win\n");
            let rows: Vec<Vec<String>> = ranking
                .style
                .iter()
                .map(|style| vec![style.feature.clone(), format!("× {:.3}", style.coefficient.exp())])
                .collect();
            grid(&["", "odds"], &rows, &mut out);
        }
        for warning in &ranking.warnings {
            let _ = writeln!(out, "! {}", warning.message);
        }
    }
    out
}

fn method(found: &Found) -> String {
    let method = &found.method;
    let mut parts = vec![match method.rating {
        RatingMethod::Mle if method.style.is_empty() => "Bradley–Terry by maximum likelihood".to_owned(),
        RatingMethod::Mle => format!("Bradley–Terry with {} taken out, penalised", method.style.join(", ")),
        RatingMethod::Elo => "Elo in the order of the rows, K = 4".to_owned(),
    }];
    parts.push(match method.ties {
        TiesAs::Half => "ties are half wins".to_owned(),
        TiesAs::Drop => "ties left out".to_owned(),
    });
    if method.reweight {
        parts.push("pairs count alike".to_owned());
    }
    match method.intervals {
        Some(IntervalsBy::Sandwich) => parts.push("95 % intervals by sandwich".to_owned()),
        Some(IntervalsBy::Bootstrap) => parts.push(format!(
            "95 % intervals by {} rounds of bootstrap, seed {}",
            count(method.rounds),
            method.seed
        )),
        None => {}
    }
    parts.join(" · ")
}

fn filters(filtered: &Filtered) -> String {
    let mut parts = vec![format!("{} of {} kept", count(filtered.kept), count(filtered.of))];
    if let Some(most) = filtered.daily_limit {
        parts.push(format!("{} over the limit of {most} a day", count(filtered.over_limit)));
    }
    if !filtered.flagged.is_empty() {
        parts.push(format!("unlike all others: {}", filtered.flagged.join(", ")));
    }
    parts.join(" · ")
}

fn table(ranking: &Ranking, out: &mut String) {
    let has_intervals = ranking.models.iter().any(|model| model.low.is_some());
    let is_split = ranking.models.iter().any(|model| model.component > 1);
    let width = ranking.models.iter().map(|model| model.rank.to_string().len()).max().unwrap_or(1).max(4);
    let name_width = ranking.models.iter().map(|model| model.model.chars().count()).max().unwrap_or(0).max(5);
    let mut header = vec![format!("{:>width$}  model", "rank"), "rating".to_owned()];
    if has_intervals {
        header.push("interval".to_owned());
    }
    header.extend(["battles".to_owned(), "win rate".to_owned()]);
    if is_split {
        header.push("group".to_owned());
    }
    let row = |model: &Ranked| {
        let mut row = vec![
            format!("{:>width$}  {:<name_width$}", model.rank, model.model),
            format!("{:.1}", model.rating),
        ];
        if has_intervals {
            row.push(match (model.low, model.high) {
                (Some(low), Some(high)) => format!("[{low:.1}, {high:.1}]"),
                _ => "–".to_owned(),
            });
        }
        row.push(count(model.battles));
        row.push(percent(model.win_rate));
        if is_split {
            row.push(model.component.to_string());
        }
        row
    };
    let rows: Vec<Vec<String>> = ranking.models.iter().map(row).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    grid(&header, &rows, out);
}

fn fractions(matrix: &Matrix, out: &mut String) {
    let numbers: Vec<String> = (1..=matrix.models.len()).map(|number| number.to_string()).collect();
    let mut header = vec![""];
    header.extend(numbers.iter().map(String::as_str));
    let rows: Vec<Vec<String>> = matrix
        .models
        .iter()
        .zip(&matrix.win_fraction)
        .enumerate()
        .map(|(at, (model, fractions))| {
            let mut row = vec![format!("{:>2} {model}", at + 1)];
            row.extend(fractions.iter().map(|fraction| percent(*fraction)));
            row
        })
        .collect();
    grid(&header, &rows, out);
}
