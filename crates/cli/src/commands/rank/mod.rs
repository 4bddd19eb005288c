//! `umpire rank`: ratings of models from battles, with intervals, ranks, and what they cannot tell.
//!
//! A file comes in as votes, is filtered and cut into groups, and each group is ranked; all estimators are in
//! `umpire_stats::ratings`.

mod method;
mod ranking;
mod show;
mod votes;

use std::path::PathBuf;

use serde::Serialize;
use umpire_stats::ratings::{FlaggingRule, Vote, flagged_judges, within_daily_limit};

use crate::args::{RankArgs, TiesAs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::rows::RowFile;
use method::Method;
use ranking::{Group, Ranking, ranking};
use votes::Votes;

/// All that the command found.
#[derive(Debug, Serialize)]
struct Found {
    file: PathBuf,
    battles: usize,
    models: usize,
    #[serde(flatten)]
    method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    filtered: Option<Filtered>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    rankings: Vec<Ranking>,
}

/// What the filters on votes left.
#[derive(Debug, Serialize)]
struct Filtered {
    of: usize,
    kept: usize,
    daily_limit: Option<usize>,
    over_limit: usize,
    flagged: Vec<String>,
}

pub fn rank(args: &RankArgs, as_json: bool) -> Result<Exit, Failure> {
    let method = Method::of(args)?;
    let file = RowFile::read(&args.battles)?;
    let votes = Votes::read(&file, args)?;
    let (battles, models) = (votes.battles.len(), votes.battles.models.len());
    let (kept, filtered) = filter(&votes, args);
    let found = Found {
        rankings: rank_groups(&votes, &kept, &method).map_err(|failure| failure.in_file(&file.name))?,
        file: file.name,
        battles,
        models,
        method,
        filtered,
        by: args.by.clone(),
    };
    if as_json {
        let text = serde_json::to_string(&found)
            .map_err(|error| Failure::new(format!("the ranking could not be written: {error}")))?;
        say!("{text}");
    } else {
        say!("{}", show::show(&found).trim_end());
    }
    Ok(Exit::Ok)
}

/// Which rows count: as the daily limit says, then without judges who are unlike the rest of what is left.
fn filter(votes: &Votes, args: &RankArgs) -> (Vec<bool>, Option<Filtered>) {
    let mut kept = vec![true; votes.battles.len()];
    if args.daily_limit.is_none() && !args.drop_flagged {
        return (kept, None);
    }
    let cast: Vec<Vote<'_>> =
        votes.judges.iter().zip(&votes.times).map(|(judge, &time)| Vote { judge, time }).collect();
    if let Some(most) = args.daily_limit {
        kept = within_daily_limit(&cast, most);
    }
    let over_limit = kept.iter().filter(|kept| !**kept).count();
    let mut flagged: Vec<String> = Vec::new();
    if args.drop_flagged {
        let left = votes.battles.filtered(|at| kept[at]);
        let cast_left: Vec<Vote<'_>> =
            cast.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(vote, _)| *vote).collect();
        let unlike = flagged_judges(&left, &cast_left, FlaggingRule::default());
        for (kept, vote) in kept.iter_mut().zip(&cast) {
            *kept &= !unlike.contains(&vote.judge);
        }
        flagged = unlike.into_iter().map(str::to_owned).collect();
    }
    let filtered = Filtered {
        of: kept.len(),
        kept: kept.iter().filter(|kept| **kept).count(),
        daily_limit: args.daily_limit,
        over_limit,
        flagged,
    };
    (kept, Some(filtered))
}

fn rank_groups(votes: &Votes, kept: &[bool], method: &Method) -> Result<Vec<Ranking>, Failure> {
    let counts = |at: usize| kept[at] && (method.ties == TiesAs::Half || !votes.battles.row(at).2.is_tie());
    let all_count = (0..votes.battles.len()).all(counts);
    if votes.groups.is_empty() && all_count {
        return Ok(vec![ranking(
            &Group { name: None, battles: &votes.battles, style: &votes.style },
            method,
        )?]);
    }
    let names: Vec<Option<String>> =
        if votes.groups.is_empty() { vec![None] } else { votes.groups.iter().cloned().map(Some).collect() };
    let mut numbered: Vec<(usize, Option<String>)> = names.into_iter().enumerate().collect();
    numbered.sort_by(|(_, one), (_, other)| one.cmp(other));
    let mut rankings = Vec::new();
    for (number, name) in numbered {
        let is_in = |at: usize| counts(at) && votes.group_of.get(at).is_none_or(|group| *group == number);
        let battles = votes.battles.filtered(is_in);
        let style: Vec<Vec<(f64, f64)>> =
            votes.style.iter().enumerate().filter(|(at, _)| is_in(*at)).map(|(_, row)| row.clone()).collect();
        rankings.push(ranking(&Group { name, battles: &battles, style: &style }, method)?);
    }
    Ok(rankings)
}
