use std::fmt::Write as _;
use std::path::Path;

use umpire_arena::{BALLOT_VERSION, Ballot};
use umpire_failures::{
    Clusters, NAME_PROMPT, Reason, ReasonSource, Settings, cluster as group, known_mode_of, name_prompt,
    read_name, reasons_of_ballot, reasons_of_run,
};
use umpire_llm::GatewayOptions;
use umpire_store::Runs;

use super::asking::{ask, asker};
use crate::args::{FailuresClusterArgs, Global, WordsOf};
use crate::commands::conduct::say_tape_problems;
use crate::config::Config;
use crate::embedder::embedder;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grid::grid;

pub async fn cluster(
    args: &FailuresClusterArgs,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<Exit, Failure> {
    let mut reasons = Vec::new();
    let named: Vec<Option<&str>> = if args.of_runs.is_empty() && args.ballots.is_none() {
        vec![None]
    } else {
        args.of_runs.iter().map(|run| Some(run.as_str())).collect()
    };
    let from: Vec<ReasonSource> = args.from.iter().copied().map(source).collect();
    for run in named {
        let run = crate::open(runs, run)?;
        reasons.extend(reasons_of_run(&run, &run.planned()?, &from)?);
    }
    if let Some(file) = &args.ballots {
        reasons.extend(reasons_of_ballots(file)?);
    }
    let gateway = config.gateway(&GatewayOptions::default())?;
    let embed = args.embedder.as_deref().map(|named| embedder(named, &gateway)).transpose()?;
    let settings =
        Settings { least_groups: args.least, most_groups: args.most, seed: args.seed, ..Settings::default() };
    let mut found = group(reasons, embed.as_deref(), settings).map_err(|error| {
        Failure::new(error.to_string())
            .help("labels (`umpire labels`), judges (`umpire judge`) and failed attempts give reasons; several runs may be named")
    })?;
    name_by_model(args, global, config, &mut found).await?;
    if let Some(out) = &args.out {
        let text = serde_json::to_string_pretty(&found).map_err(|error| Failure::new(error.to_string()))?;
        std::fs::write(out, text + "\n").map_err(|error| Failure::from(error).in_file(out))?;
    }
    if global.json {
        say!("{}", serde_json::to_string(&found).unwrap_or_default());
    } else {
        show(&found, args.out.as_deref());
    }
    Ok(Exit::Ok)
}

fn source(words: WordsOf) -> ReasonSource {
    match words {
        WordsOf::Labels => ReasonSource::Label,
        WordsOf::Votes => ReasonSource::Vote,
        WordsOf::Rules => ReasonSource::Rules,
    }
}

fn reasons_of_ballots(file: &Path) -> Result<Vec<Reason>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| Failure::from(error).in_file(file))?;
    let mut reasons = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = |problem: String| Failure::new(format!("{}:{}: {problem}", file.display(), index + 1));
        let ballot: Ballot = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        if ballot.version > BALLOT_VERSION {
            return Err(at(format!(
                "format version {}, this Umpire reads up to {BALLOT_VERSION}",
                ballot.version
            )));
        }
        reasons.extend(reasons_of_ballot(&ballot));
    }
    Ok(reasons)
}

/// A name that cannot be read, or does not fit, leaves the salient terms in place.
async fn name_by_model(
    args: &FailuresClusterArgs,
    global: &Global,
    config: &Config,
    found: &mut Clusters,
) -> Result<(), Failure> {
    let Some(asker) = asker(&args.asking, global, config, "naming failure modes")? else { return Ok(()) };
    for at in 0..found.clusters.len() {
        let prompt = name_prompt(NAME_PROMPT, found, &found.clusters[at]);
        let answer = ask(&asker, prompt).await;
        let name =
            answer.and_then(|text| read_name(&text, &found.clusters[at]).map_err(|error| error.to_string()));
        match name {
            Ok(name) => found.clusters[at].name = name,
            Err(problem) => eprintln!("group {}: {problem}; its salient terms name it", at + 1),
        }
    }
    say_tape_problems(asker.gateway());
    Ok(())
}

fn show(found: &Clusters, out: Option<&Path>) {
    let coverage = &found.coverage;
    let mut text = String::new();
    let rows: Vec<Vec<String>> = found
        .clusters
        .iter()
        .map(|cluster| {
            let mode = known_mode_of(&cluster.terms).map_or("–", |mode| mode.name);
            vec![
                format!("{} {}", cluster.number, cluster.name),
                cluster.reasons.len().to_string(),
                format!("{:.2}", cluster.silhouette),
                mode.to_owned(),
                if cluster.is_small { "few texts".to_owned() } else { String::new() },
            ]
        })
        .collect();
    grid(&["group", "texts", "silhouette", "mode", ""], &rows, &mut text);
    let _ = writeln!(text);
    for cluster in &found.clusters {
        if let Some(nearest) = found.texts_of(cluster).next() {
            let short: String = nearest.chars().take(100).collect();
            let _ = writeln!(text, "  {}  “{short}”", cluster.number);
        }
    }
    say!(
        "{} reasons, compared by {}",
        coverage.texts,
        if found.vectors == "words" { "words" } else { "meaning" }
    );
    say!("\n{text}");
    if let Some(chosen) = found.chosen() {
        let tried: Vec<String> =
            found.sweep.iter().map(|sweep| format!("{}: {:.2}", sweep.groups, sweep.silhouette)).collect();
        say!("  silhouettes by number of groups  {}", tried.join("  "));
        say!(
            "  stability over {} seeds (adjusted Rand index)  {:.2}",
            found.settings.repeats,
            chosen.stability
        );
    }
    say!(
        "  covered  {} of {} texts clearly in a group, {} in groups of {} or more; {} left over",
        coverage.assigned,
        coverage.texts,
        coverage.in_large_groups,
        found.settings.least_texts,
        coverage.left_over.len()
    );
    if let Some(out) = out {
        say!("  next: umpire failures tasks --clusters {} --cluster 1 --out DIR", out.display());
    }
}
