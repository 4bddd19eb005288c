//! Battles out of a file, with whatever else of their rows is asked for.

use umpire_stats::ratings::{Battles, Winner};

use crate::args::RankArgs;
use crate::failure::Failure;
use crate::rows::RowFile;

const MODEL_A: [&str; 4] = ["model_a", "agent_a", "a", "left"];
const MODEL_B: [&str; 4] = ["model_b", "agent_b", "b", "right"];
const WINNER: [&str; 5] = ["winner", "vote", "preferred", "outcome", BALLOT];
/// The vote in a ballot of the arena, which says in another column who cast it.
const BALLOT: &str = "choice";
const CAST_BY: &str = "by";
const PERSON: &str = "person";
const JUDGE: [&str; 5] = ["judge", "user", "voter", "annotator", "user_id"];
const TIME: [&str; 4] = ["tstamp", "timestamp", "time", "created_at"];

/// A file's votes, and what stands beside them, row by row.
pub struct Votes {
    pub battles: Battles,
    /// The values of `--by`, each once, and which of them a row has.
    pub groups: Vec<String>,
    pub group_of: Vec<usize>,
    pub judges: Vec<String>,
    pub times: Vec<f64>,
    /// What both sides show, feature by feature.
    pub style: Vec<Vec<(f64, f64)>>,
}

impl Votes {
    pub fn read(file: &RowFile, args: &RankArgs) -> Result<Self, Failure> {
        let columns = &args.columns;
        let mut chosen = vec![
            find(file, columns.model_a.as_deref(), &MODEL_A, "model-a")?,
            find(file, columns.model_b.as_deref(), &MODEL_B, "model-b")?,
            find(file, columns.winner.as_deref(), &WINNER, "winner")?,
        ];
        let by = args.by.as_ref().map(|column| known(file, column)).transpose()?;
        let by = by.map(|column| push(&mut chosen, column));
        let needs_judge = args.daily_limit.is_some() || args.drop_flagged;
        let judge = if needs_judge {
            let judge = find(file, columns.judge.as_deref(), &JUDGE, "judge")?;
            let time = find(file, columns.time.as_deref(), &TIME, "time")?;
            Some((push(&mut chosen, judge), push(&mut chosen, time)))
        } else {
            None
        };
        let mut features = Vec::new();
        for feature in &args.style {
            let sides = [format!("{feature}_a"), format!("{feature}_b")];
            let [a, b] = [known(file, &sides[0])?, known(file, &sides[1])?];
            features.push((push(&mut chosen, a), push(&mut chosen, b)));
        }
        let is_ballots = chosen[2] == BALLOT && file.has(CAST_BY);
        let cast_by = is_ballots.then(|| push(&mut chosen, CAST_BY.to_owned()));
        let mut votes = Self {
            battles: Battles::default(),
            groups: Vec::new(),
            group_of: Vec::new(),
            judges: Vec::new(),
            times: Vec::new(),
            style: Vec::new(),
        };
        let names: Vec<&str> = chosen.iter().map(String::as_str).collect();
        file.each(&names, &mut |line, cells| {
            if cast_by.is_some_and(|at| !matches!(cells[at], "" | PERSON)) {
                return Ok(());
            }
            if let Some(side) = [0, 1].into_iter().find(|side| cells[*side].is_empty()) {
                return Err(
                    file.at(line, format!("`{}` is empty: every battle needs two models", names[side]))
                );
            }
            votes.battles.push(cells[0], cells[1], winner(cells));
            if let Some(at) = by {
                votes.put_in_group(cells[at]);
            }
            if let Some((judge, time)) = judge {
                votes.judges.push(cells[judge].to_owned());
                votes.times.push(seconds(cells[time]).ok_or_else(|| {
                    let wanted = "seconds since 1970, or a time such as 2026-11-15T12:00:00Z";
                    file.at(line, format!("`{}` is no time in `{}`: {wanted}", cells[time], names[time]))
                })?);
            }
            if !features.is_empty() {
                let number = |at: usize| {
                    cells[at].trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| {
                        file.at(line, format!("`{}` in `{}` is no number", cells[at], names[at]))
                    })
                };
                let row: Result<Vec<(f64, f64)>, Failure> =
                    features.iter().map(|&(a, b)| Ok((number(a)?, number(b)?))).collect();
                votes.style.push(row?);
            }
            Ok(())
        })?;
        if votes.battles.is_empty() {
            return Err(Failure::new(format!("{}: there is no battle in it", file.name.display()))
                .help("a battle is a row with two models and a vote"));
        }
        Ok(votes)
    }

    fn put_in_group(&mut self, value: &str) {
        let group = self.groups.iter().position(|known| known == value).unwrap_or_else(|| {
            self.groups.push(value.to_owned());
            self.groups.len() - 1
        });
        self.group_of.push(group);
    }
}

fn push(columns: &mut Vec<String>, column: String) -> usize {
    columns.push(column);
    columns.len() - 1
}

/// A label, or the name of the model that won.
fn winner(cells: &[&str]) -> Winner {
    match Winner::from_label(cells[2]) {
        Winner::Unknown if cells[2] == cells[0] && cells[0] != cells[1] => Winner::A,
        Winner::Unknown if cells[2] == cells[1] && cells[0] != cells[1] => Winner::B,
        Winner::Unknown => match cells[2] {
            "left" => Winner::A,
            "right" => Winner::B,
            "both-bad" => Winner::BothBad,
            _ => Winner::Unknown,
        },
        winner => winner,
    }
}

fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = text.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
    number.or_else(|| Some(text.parse::<jiff::Timestamp>().ok()?.as_duration().as_secs_f64()))
}

fn known(file: &RowFile, column: &str) -> Result<String, Failure> {
    if file.has(column) {
        return Ok(column.to_owned());
    }
    Err(Failure::new(format!("{}: there is no column `{column}`", file.name.display()))
        .help(its_columns(file)))
}

fn find(file: &RowFile, said: Option<&str>, usual: &[&str], option: &str) -> Result<String, Failure> {
    if let Some(column) = said {
        return known(file, column);
    }
    usual.iter().find(|name| file.has(name)).map(|name| (*name).to_owned()).ok_or_else(|| {
        Failure::new(format!(
            "{}: no column is called as this usually is ({})",
            file.name.display(),
            usual.join(", ")
        ))
        .help(format!("say which with --{option} COLUMN; {}", its_columns(file)))
    })
}

fn its_columns(file: &RowFile) -> String {
    if file.columns.is_empty() {
        "the file is empty".to_owned()
    } else {
        format!("its columns are {}", file.columns.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vote_may_name_the_model() {
        assert_eq!(winner(&["gpt", "claude", "claude"]), Winner::B);
        assert_eq!(winner(&["gpt", "claude", "gpt"]), Winner::A);
        assert_eq!(winner(&["b", "a", "b"]), Winner::B, "a label first");
        assert_eq!(winner(&["gpt", "gpt", "gpt"]), Winner::Unknown);
        let sides = ["left", "right", "tie", "both-bad"].map(|choice| winner(&["gpt", "claude", choice]));
        assert_eq!(sides, [Winner::A, Winner::B, Winner::Tie, Winner::BothBad], "as ballots say it");
    }

    #[test]
    fn times_are_seconds_or_written_out() {
        assert_eq!(seconds("86400.5"), Some(86_400.5));
        assert_eq!(seconds("1970-01-02T01:00:00+01:00"), Some(86_400.0));
        assert_eq!(seconds("yesterday"), None);
    }
}
