//! Models judge the attempts of a run.

mod study;
mod told;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use umpire_judges::asking::Parser;
use umpire_judges::frames::Darkroom;
use umpire_judges::judge::Judge;
use umpire_judges::panel::{Docket, Panel, PanelError, PanelOptions, Sitting};
use umpire_judges::vote::Counting;
use umpire_llm::{Budget, CacheOptions, Gateway, Limits};
use umpire_model::Ruling;
use umpire_store::Run;

pub use self::study::judge_study;
use super::conduct::{options_beside_runs, say_tape_problems};
use crate::args::{CountBy, Global, JudgeArgs, ReadBy};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

/// All judges, with what each is for.
pub fn list(config: &Config, as_json: bool) -> Result<Exit, Failure> {
    for name in config.judge_names() {
        let judge = config.judge(name)?;
        if as_json {
            say!("{}", json!({ "judge": judge.name, "about": judge.about, "evidence": judge.evidence }));
        } else {
            say!("{:18} {}", judge.name, judge.about);
        }
    }
    Ok(Exit::Ok)
}

pub async fn judge(args: &JudgeArgs, global: &Global, config: &Config, run: Run) -> Result<Exit, Failure> {
    let gateway = gateway(args, global, config, Some(run.folder().join("judge-cache")))?;
    let budget = Budget::new("judge", Limits { money: args.spending.money()?, ..Limits::default() });
    let options = options(args, global, config)?;
    let darkroom = Arc::new(Darkroom::default());
    let mut worst = Exit::Ok;
    for name in judges(args, "webjudge") {
        let panel = Panel {
            run: run.clone(),
            judge: Judge::new(config.judge(&name)?),
            gateway: Arc::clone(&gateway),
            budget: Arc::clone(&budget),
            darkroom: Arc::clone(&darkroom),
            options: options.clone(),
        };
        let docket = panel.docket().map_err(explain)?;
        let estimate = panel.estimate(&docket).map_err(explain)?;
        if global.json {
            say!("{}", told::estimate_json(&panel, &docket, &estimate));
        } else {
            told::estimate(&panel, &docket, &estimate);
        }
        if args.estimate {
            continue;
        }
        let sitting = sit(&panel, &docket, estimate.votes, global.json).await?;
        if global.json {
            say!("{}", told::sitting_json(&panel, &sitting));
        } else {
            told::sitting(&panel, &docket, &sitting)?;
        }
        let exit = exit(&sitting);
        worst = if worst == Exit::Ok { exit } else { worst };
    }
    say_tape_problems(&gateway);
    Ok(worst)
}

fn judges(args: &JudgeArgs, otherwise: &str) -> Vec<String> {
    if args.judges.is_empty() { vec![otherwise.to_owned()] } else { args.judges.clone() }
}

/// What is asked once is not paid for twice: replies are kept with the run, whatever became of the vote they were for.
fn gateway(
    args: &JudgeArgs,
    global: &Global,
    config: &Config,
    cache: Option<PathBuf>,
) -> Result<Arc<Gateway>, Failure> {
    let mut options = options_beside_runs(&args.spending, global, config)?;
    options.tapes.cache = match options.tapes.cache {
        _ if args.no_cache => None,
        Some(named) => Some(CacheOptions { any_temperature: true, ..named }),
        None => cache.map(|folder| CacheOptions { folder, any_temperature: true }),
    };
    config.gateway(&options)
}

fn options(args: &JudgeArgs, global: &Global, config: &Config) -> Result<PanelOptions, Failure> {
    let mut models = args.models.clone();
    if models.is_empty() {
        models.extend(config.settings(global.profile.as_deref())?.model);
    }
    Ok(PanelOptions {
        models,
        samples: args.samples,
        parser: match args.parser {
            ReadBy::Strict => Parser::Strict,
            ReadBy::Reference => Parser::Reference,
        },
        counting: counting(args)?,
        jobs: args.jobs,
        at_most: args.sample,
    })
}

fn counting(args: &JudgeArgs) -> Result<Counting, Failure> {
    if args.weights.is_empty() {
        return Ok(match args.count {
            CountBy::Majority => Counting::Majority,
            CountBy::Unanimous => Counting::Unanimous,
        });
    }
    if args.count == CountBy::Unanimous {
        return Err(Failure::new("votes that must all agree have no weights: leave out --weight or --count"));
    }
    let weights = args.weights.iter().map(|written| {
        let wrong = || Failure::new(format!("`{written}` is not MODEL=WEIGHT, such as gpt=2"));
        let (model, weight) = written.split_once('=').ok_or_else(wrong)?;
        let weight = weight.parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
        Ok((model.to_owned(), weight.ok_or_else(wrong)?))
    });
    Ok(Counting::Weighted(weights.collect::<Result<_, Failure>>()?))
}

async fn sit(panel: &Panel, docket: &Docket, votes: u64, as_json: bool) -> Result<Sitting, Failure> {
    let bar = if as_json || !std::io::stderr().is_terminal() {
        ProgressBar::hidden()
    } else {
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} votes  {msg}");
        ProgressBar::new(votes).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    };
    let sitting = panel.sit(docket, |heard| {
        bar.inc(1);
        bar.set_message(heard.vote.attempt.to_string());
        if as_json {
            say!("{}", json!({ "event": "vote", "kept": heard.kept, "vote": heard.vote }));
        }
    });
    let sitting = sitting.await.map_err(explain);
    bar.finish_and_clear();
    sitting
}

fn explain(error: PanelError) -> Failure {
    match error {
        PanelError::NoModel => Failure::new(error.to_string()).help(
            "`umpire judge --model NAME`, where umpire.toml has a [models.NAME]; docs/models.md says how",
        ),
        error => Failure::new(error.to_string()),
    }
}

fn exit(sitting: &Sitting) -> Exit {
    let errors =
        sitting.ruled.iter().any(|ruled| ruled.votes.iter().any(|vote| vote.ruling == Ruling::Error));
    match (sitting.ruled.is_empty(), sitting.unpaid > 0, errors) {
        (true, ..) => Exit::NothingRan,
        (_, true, _) => Exit::BudgetReached,
        (_, _, true) => Exit::Incomplete,
        _ => Exit::Ok,
    }
}
