//! `umpire agree --scores`: whether the scores of a judge prefer what people prefer.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use umpire_stats::agreement::{Preferences, preferences_from_scores};

use super::columns::no_column;
use super::table::{Row, Table};
use crate::args::AgreeArgs;
use crate::commands::grid::{coefficient, count, grid, percent, range};
use crate::exit::Exit;
use crate::failure::Failure;

const PAIRS: [(&str, &str); 2] = [("pre_execution", "on_demand"), ("first", "second")];
const HUMAN: [&str; 3] = ["human", "human_label", "preferred"];

/// Pairs that are counted together.
#[derive(Debug, Serialize)]
struct Compared {
    group: String,
    #[serde(flatten)]
    preferences: Preferences,
}

type Pair = (f64, f64, i64);

pub fn scores(args: &AgreeArgs, table: &Table, as_json: bool) -> Result<Exit, Failure> {
    let (first, second) = pair_columns(args, table)?;
    let human = match &args.columns.label {
        Some(column) => column.clone(),
        None => HUMAN.into_iter().find(|name| table.has(name)).unwrap_or("human").to_owned(),
    };
    for column in [&first, &second, &human].into_iter().chain(&args.by) {
        if !table.has(column) {
            return Err(no_column(table, column));
        }
    }
    let mut order: Vec<String> = Vec::new();
    let mut groups: BTreeMap<String, Vec<Pair>> = BTreeMap::new();
    for row in &table.rows {
        let (group, pairs) = read_row(table, row, (&first, &second, &human), &args.by)?;
        let known = groups.entry(group.clone()).or_default();
        if known.is_empty() {
            order.push(group);
        }
        known.extend(pairs);
    }
    let compared: Vec<Compared> = order
        .into_iter()
        .filter_map(|group| {
            let preferences = preferences_from_scores(groups.get(&group)?);
            Some(Compared { group, preferences })
        })
        .collect();
    if as_json {
        let columns = json!({"first": first, "second": second, "human": human, "by": args.by});
        let out = json!({"version": 1, "scores": table.file, "columns": columns, "groups": compared});
        say!("{out}");
    } else {
        say!("{}", show(table, &compared, (&first, &second, &human)).trim_end());
    }
    Ok(Exit::Ok)
}

fn pair_columns(args: &AgreeArgs, table: &Table) -> Result<(String, String), Failure> {
    if let [first, second] = args.columns.pair.as_slice() {
        return Ok((first.clone(), second.clone()));
    }
    PAIRS
        .into_iter()
        .find(|(first, second)| table.has(first) && table.has(second))
        .map(|(first, second)| (first.to_owned(), second.to_owned()))
        .ok_or_else(|| {
            Failure::new(format!(
                "{}: no two columns are called as pairs of scores usually are",
                table.file.display()
            ))
            .help(format!("say which with --pair FIRST,SECOND; its columns are {}", table.columns.join(", ")))
        })
}

/// A row holds one pair, or lists of them, which then are a group of their own.
fn read_row(
    table: &Table,
    row: &Row,
    (first, second, human): (&str, &str, &str),
    by: &[String],
) -> Result<(String, Vec<Pair>), Failure> {
    let lists = [first, second, human].map(|column| serde_json::from_str::<Vec<Value>>(row.get(column)));
    let named: Vec<&str> = by.iter().map(|column| row.get(column)).collect();
    if let [Ok(firsts), Ok(seconds), Ok(humans)] = &lists {
        if firsts.len() != seconds.len() || firsts.len() != humans.len() {
            return Err(table.at(row.line, format!("`{first}`, `{second}` and `{human}` differ in length")));
        }
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let pairs = firsts
            .iter()
            .zip(seconds)
            .zip(humans)
            .map(|((a, b), c)| read_pair([&text(a), &text(b), &text(c)], (first, second)))
            .collect::<Result<_, _>>()
            .map_err(|problem| table.at(row.line, problem))?;
        let group = if named.is_empty() { format!("line {}", row.line) } else { named.join(" ") };
        return Ok((group, pairs));
    }
    let cells = [first, second, human].map(|column| row.get(column));
    let pair = read_pair(cells, (first, second)).map_err(|problem| table.at(row.line, problem))?;
    Ok((if named.is_empty() { "all".to_owned() } else { named.join(" ") }, vec![pair]))
}

fn read_pair([first, second, human]: [&str; 3], names: (&str, &str)) -> Result<Pair, String> {
    let number = |text: &str| {
        text.parse::<f64>()
            .ok()
            .filter(|value| value.is_finite())
            .ok_or_else(|| format!("`{text}` is no score"))
    };
    let preferred = match human {
        "1" | "+1" | "1.0" | "first" => 1,
        "0" | "0.0" | "tie" => 0,
        "-1" | "-1.0" | "second" => -1,
        name if name == names.0 => 1,
        name if name == names.1 => -1,
        other => return Err(format!("`{other}` is no preference: 1 the first, 0 neither, -1 the second")),
    };
    Ok((number(first)?, number(second)?, preferred))
}

fn show(table: &Table, compared: &[Compared], (first, second, human): (&str, &str, &str)) -> String {
    let mut out = format!(
        "Scores  {}: does the larger of `{first}` and `{second}` go with what people prefer (`{human}`)?\n\n",
        table.file.display()
    );
    let rows: Vec<Vec<String>> = compared
        .iter()
        .map(|Compared { group, preferences }| {
            let accuracy = preferences.accuracy;
            vec![
                group.clone(),
                count(accuracy.of),
                percent(accuracy.value()),
                range((accuracy.of > 0).then(|| accuracy.interval())),
                coefficient(preferences.pearson),
                coefficient(preferences.spearman),
            ]
        })
        .collect();
    grid(&["", "n", "accuracy", "interval", "Pearson", "Spearman"], &rows, &mut out);
    out.push_str(
        "\nAccuracy in %, with Wilson's 95 % interval: the scores prefer what people prefer; equal scores are a tie. The\n\
         correlations are of the preferences, 1 for the first, 0 for a tie, -1 for the second. A dash is not defined: one\n\
         side always says the same.\n",
    );
    out
}
