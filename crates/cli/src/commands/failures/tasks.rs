use std::path::Path;

use serde_json::json;
use umpire_failures::{
    CLUSTERS_VERSION, Clusters, KnownMode, REWORD_PROMPT, aim, known_mode_of, read_rewording, reword_prompt,
};
use umpire_model::Suite;
use umpire_runner::load_suite;

use super::asking::{ask, asker};
use crate::args::{FailuresTasksArgs, Global};
use crate::commands::conduct::say_tape_problems;
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn tasks(args: &FailuresTasksArgs, global: &Global, config: &Config) -> Result<Exit, Failure> {
    let (mode, terms) = wanted(args)?;
    if args.out.exists() {
        return Err(Failure::new(format!("{} is there already", args.out.display()))
            .help("choose another folder with --out"));
    }
    let mut suite = load_suite(&args.suite)?;
    let reworded = reword(args, global, config, &mut suite, mode, &terms).await?;
    let aimed = aim(&suite, mode, &terms, args.most).map_err(|error| {
        Failure::new(error.to_string())
            .help("--suite names another suite; --mode one of captcha, popups, direct-navigation")
    })?;
    write(&args.out, "suite.toml", &aimed.suite_toml)?;
    write(&args.out, "tasks.jsonl", &aimed.tasks_jsonl)?;
    for (name, text) in &aimed.more_files {
        write(&args.out, name, text)?;
    }
    let out = args.out.display();
    if global.json {
        say!(
            "{}",
            json!({"mode": aimed.mode, "suite": args.out, "provoking": aimed.provoking, "twins": aimed.twins, "reworded": reworded})
        );
        return Ok(Exit::Ok);
    }
    say!(
        "{out}: {} instances that provoke {}, {} twins with nothing in the way{}",
        aimed.provoking,
        aimed.mode,
        aimed.twins,
        if reworded > 0 { format!(", {reworded} tasks in new words") } else { String::new() }
    );
    say!("  next: umpire run --suite {out} --agent AGENT && umpire failures table");
    if let Some(kind) = mode.and_then(|mode| mode.perturbation) {
        say!("  or any suite, with the same in the way: umpire run --suite NAME --perturb {kind}");
    }
    Ok(Exit::Ok)
}

fn wanted(args: &FailuresTasksArgs) -> Result<(Option<KnownMode>, Vec<String>), Failure> {
    if let Some(name) = &args.mode {
        let known: Vec<&str> = KnownMode::ALL.iter().map(|mode| mode.name).collect();
        let mode = KnownMode::by_name(name).ok_or_else(|| {
            Failure::new(format!("there is no mode `{name}`; there are {}", known.join(", ")))
        })?;
        return Ok((Some(mode), Vec::new()));
    }
    let file =
        args.clusters.as_deref().ok_or_else(|| Failure::new("neither --mode nor --clusters is given"))?;
    let text = std::fs::read_to_string(file).map_err(|error| Failure::from(error).in_file(file))?;
    let clusters: Clusters =
        serde_json::from_str(&text).map_err(|error| Failure::new(error.to_string()).in_file(file))?;
    if clusters.version > CLUSTERS_VERSION {
        let problem =
            format!("format version {}, this Umpire reads up to {CLUSTERS_VERSION}", clusters.version);
        return Err(Failure::new(problem).in_file(file));
    }
    let number = args.cluster.unwrap_or(1);
    let chosen = clusters.clusters.iter().find(|cluster| cluster.number == number).ok_or_else(|| {
        Failure::new(format!("there is no group {number}; there are {}", clusters.clusters.len()))
            .in_file(file)
    })?;
    Ok((known_mode_of(&chosen.terms), chosen.terms.clone()))
}

/// Gives tasks new words where a model is there; those it spoils keep their own.
async fn reword(
    args: &FailuresTasksArgs,
    global: &Global,
    config: &Config,
    suite: &mut Suite,
    mode: Option<KnownMode>,
    terms: &[String],
) -> Result<usize, Failure> {
    let Some(asker) = asker(&args.asking, global, config, "rewording tasks")? else { return Ok(0) };
    let Ok(aimed) = aim(suite, mode, terms, args.most) else { return Ok(0) };
    let chosen: Vec<&str> = aimed.tasks_jsonl.lines().collect();
    let tasks: Vec<umpire_model::Task> =
        chosen.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut reworded = 0;
    for some in tasks.chunks(10) {
        match ask(&asker, reword_prompt(REWORD_PROMPT, some)).await {
            Ok(answer) => {
                for (id, intent) in read_rewording(&answer, some) {
                    if let Some(task) = suite.tasks.iter_mut().find(|task| task.id == id) {
                        task.intent = intent;
                        reworded += 1;
                    }
                }
            }
            Err(problem) => eprintln!("{problem}; these tasks keep their words"),
        }
    }
    say_tape_problems(asker.gateway());
    Ok(reworded)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let file = folder.join(name);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, text));
    written.map_err(|error| Failure::from(error).in_file(&file))
}
