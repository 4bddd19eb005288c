//! `umpire suite subset`: the hard tasks of a suite, from attempts of several agents.

mod card;
mod read;
mod show;

use std::path::Path;

use serde_json::json;
use umpire_stats::Bootstrap;
use umpire_stats::hard::{
    Fit, NutsSettings, Policy, Pool, PoolError, PoolSettings, Scores, leave_one_out, paper_policies, select,
    stability, validate,
};
use umpire_webarena::subset::Subset;

use self::card::Card;
use self::read::Recorded;
use crate::args::SubsetArgs;
use crate::exit::Exit;
use crate::failure::Failure;

pub fn subset(args: &SubsetArgs, as_json: bool) -> Result<Exit, Failure> {
    let recorded = Recorded::read(&args.attempts)?;
    let settings =
        PoolSettings { budget: args.budget, excluded_sites: args.exclude_site.iter().cloned().collect() };
    for site in &args.exclude_site {
        if !recorded.attempts.iter().any(|attempt| attempt.sites.contains(site)) {
            return Err(Failure::new(format!(
                "{}: no attempt is at the site `{site}`",
                args.attempts.display()
            ))
            .help("Write --exclude-site as the file spells the site, or leave it away."));
        }
    }
    let pool =
        Pool::new(&recorded.attempts, &settings).map_err(|error| explained(&error, args, &recorded))?;
    let nuts = NutsSettings {
        chains: usize::from(args.chains),
        warmup: args.warmup as usize,
        draws: args.draws as usize,
        seed: args.seed,
        ..NutsSettings::default()
    };
    let policy = Policy {
        hard: args.hard,
        easy: args.easy,
        cap: args.cap,
        easy_cap: args.easy_cap,
        agents: args.min_agents,
        size: args.size,
    };
    let bootstrap = Bootstrap { draws: args.replicates, seed: args.seed };

    let fit = Fit::of(&pool, nuts);
    let scores = Scores::of(&fit, policy.hard);
    let selection = select(&pool, &scores, policy);
    if selection.tasks.is_empty() && pool.multi_site.is_empty() {
        return Err(Failure::new("no task was selected").help(format!(
            "--min-agents is {}: no task was attempted by so many agents, or --cap and --easy-cap allow none.",
            args.min_agents
        )));
    }
    let ablation = args.ablation.then(|| {
        paper_policies().map(|policy| select(&pool, &Scores::of(&fit, policy.hard), policy)).to_vec()
    });
    let card = Card {
        validation: validate(&pool, &selection.tasks, bootstrap),
        stability: stability(&pool, &fit, policy, bootstrap),
        left_out: args.leave_one_out.then(|| leave_one_out(&pool, &selection.tasks, policy, nuts)),
        ablation,
        pool,
        fit,
        scores,
        selection,
        seed: args.seed,
        unusable: recorded.unusable,
    };
    if let Some(out) = &args.out {
        write(out, &card, &args.attempts)?;
    }
    if as_json {
        say!("{}", card.as_json());
    } else {
        say!("{}", show::show(&card).trim_end());
        for warning in card.warnings() {
            eprintln!("warning: {warning}");
        }
    }
    Ok(Exit::Ok)
}

/// The pool counts attempts; a person looks for lines.
fn explained(error: &PoolError, args: &SubsetArgs, recorded: &Recorded) -> Failure {
    let file = args.attempts.display();
    match error {
        PoolError::Contradiction { at, task, field, first, second } => Failure::new(format!(
            "{file}:{}: task `{task}` has {field} `{second}` here, and `{first}` before",
            recorded.lines[*at]
        ))
        .help("A task has the same sites, template and category in every line."),
        PoolError::NoSite { at, task } => {
            Failure::new(format!("{file}:{}: task `{task}` names no site", recorded.lines[*at]))
        }
        PoolError::TooFewAgents(_) | PoolError::TooFewTasks(_) => Failure::new(format!("{file}: {error}"))
            .help("Tasks of several sites and of excluded sites do not count. Add attempts of more agents or at more tasks."),
        PoolError::NoSuccess | PoolError::NoFailure => Failure::new(format!("{file}: {error}"))
            .help("There is nothing to tell hard tasks from easy ones by. Is the column `success` right?"),
    }
}

/// Ids that are all numbers make a subset file of WebArena Verified, which `suite import --subset` reads.
fn write(out: &Path, card: &Card, attempts: &Path) -> Result<(), Failure> {
    let tasks = card.tasks();
    let numbers: Option<Vec<i64>> = tasks.iter().map(|task| task.parse().ok()).collect();
    let about = format!("Hard tasks, selected from {} with seed {}", attempts.display(), card.seed);
    let file = match numbers {
        Some(numbers) => {
            json!(Subset::new(Some(about), numbers).map_err(|error| Failure::new(error.to_string()))?)
        }
        None => json!({"format": "umpire-subset/1", "description": about, "tasks": tasks}),
    };
    let text = serde_json::to_string_pretty(&file).map_err(|error| Failure::new(error.to_string()))?;
    std::fs::write(out, text + "\n").map_err(|error| Failure::new(format!("{}: {error}", out.display())))
}
