use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use umpire_llm::{Budget, CacheOptions, Caller, Limits};
use umpire_model::Unrecorded;
use umpire_persona::audit::{Audit, audit};
use umpire_persona::queries::{self, BadWish, Masks, QuerySet, problems, write_queries};
use umpire_persona::stages::{Prompts, Stage};
use umpire_persona::{Extent, History, Profile, Tables, free_profile, generate as live, people};
use umpire_runner::load_suite;

use super::by_model::Teller;
use crate::args::{GenerateArgs, Global};
use crate::commands::conduct::{options_beside_runs, say_tape_problems};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grid::{count, grid};
use crate::histories::{file_of, recipe};

/// Folder beside the histories with what is true of their people, which no agent may see.
const PROFILES: &str = "profiles";
/// Folder beside the histories with wishes of their people at all levels, which no agent may see either.
const QUERIES: &str = "queries";
/// Folder of what a model replied.
const REPLIES: &str = "replies";

pub async fn generate(args: &GenerateArgs, global: &Global, config: &Config) -> Result<Exit, Failure> {
    let as_json = global.json;
    let tables = Tables::embedded();
    let (profiles, queries) = (args.out.join(PROFILES), args.out.join(QUERIES));
    for folder in [&profiles, &queries] {
        std::fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
    }
    let made = match (&args.suite, &args.model) {
        (Some(suite), _) => of_suite(tables, suite)?,
        (None, Some(model)) => by_model(tables, args, model, global, config).await?,
        (None, None) => by_seed(tables, args),
    };
    let mut unsound = 0;
    let mut told: Vec<Value> = Vec::new();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for Made { profile, history, wishes } in &made {
        let person = &profile.person.id;
        let file = file_of(&args.out, person);
        std::fs::write(&file, history.to_json()).map_err(|error| at(&file, &error))?;
        let truths = file_of(&profiles, person);
        let text = serde_json::to_string_pretty(profile).map_err(|error| Failure::new(error.to_string()))?;
        std::fs::write(&truths, text).map_err(|error| at(&truths, &error))?;
        let file = file_of(&queries, person);
        let text = queries::to_json(wishes).map_err(|error| Failure::new(error.to_string()))?;
        std::fs::write(&file, text).map_err(|error| at(&file, &error))?;
        let audit = audit(tables, profile, history);
        let mut findings = audit.findings();
        findings.extend(wishes.iter().flat_map(leaks));
        unsound += findings.len();
        for finding in &findings {
            eprintln!("{person}: {finding}");
        }
        told.push(json!({ "person": person, "entries": history.entries.len(), "digest": history.digest(), "wishes": wishes.len(), "audit": audit }));
        rows.push(row(person, history, wishes.len(), &audit));
    }
    if as_json {
        say!("{}", json!({ "people": told }));
    } else {
        let mut out = String::new();
        grid(
            &["person", "entries", "truths", "least support", "least margin", "statements", "wishes"],
            &rows,
            &mut out,
        );
        say!("{}", out.trim_end());
        say!("\n{} histories in {}", count(made.len()), args.out.display());
    }
    if unsound > 0 {
        let problem = format!(
            "{} findings: a truth cannot be inferred, or is said, or a wish gives it away",
            count(unsound)
        );
        return Err(Failure::new(problem).help("what is there was written; do not use it"));
    }
    Ok(Exit::Ok)
}

/// All there is of one person.
struct Made {
    profile: Profile,
    history: History,
    wishes: Vec<QuerySet>,
}

impl Made {
    /// With wishes drawn by this seed. Those that cannot be told at every level without giving something away are left out.
    fn with_drawn_wishes(tables: &Tables, seed: u64, profile: Profile, history: History) -> Self {
        let person = &profile.person.id;
        let sound = |drawn: Result<QuerySet, BadWish>| {
            let why = match drawn {
                Ok(set) => match problems(&set).first() {
                    None => return Some(set),
                    Some(problem) => format!("{}: {problem}", set.id),
                },
                Err(problem) => problem.to_string(),
            };
            eprintln!("{person}: a wish is left out: {why}");
            None
        };
        let drawn = write_queries(tables, Masks::embedded(), seed, &profile);
        let wishes = drawn.into_iter().filter_map(sound).collect();
        Self { profile, history, wishes }
    }
}

/// What the levels of a wish give away or fail to say.
fn leaks(set: &QuerySet) -> impl Iterator<Item = String> {
    problems(set).into_iter().map(move |problem| format!("the wish {}: {problem}", set.id))
}

fn of_suite(tables: &Tables, name: &str) -> Result<Vec<Made>, Failure> {
    let suite = load_suite(name)?;
    let recipe =
        recipe(&suite)?.ok_or_else(|| Failure::new(format!("suite `{name}` says nothing of histories")))?;
    let wishing = suite.tasks.iter().filter_map(|task| task.persona.as_ref());
    let names: BTreeSet<&str> = wishing.map(|persona| persona.id.as_str()).collect();
    let make = |person: &&str| -> Result<Made, Failure> {
        let broken = |error: umpire_persona::BadHistories| Failure::new(format!("{person}: {error}"));
        let profile = recipe.profile(tables, &suite.tasks, person).map_err(broken)?;
        let history = recipe.history(tables, &suite.tasks, person).map_err(broken)?;
        let own =
            suite.tasks.iter().filter(|task| task.persona.as_ref().is_some_and(|one| one.id == **person));
        Ok(Made { profile, history, wishes: own.filter_map(QuerySet::of_task).collect() })
    };
    names.iter().map(make).collect()
}

fn by_seed(tables: &Tables, args: &GenerateArgs) -> Vec<Made> {
    let extent = Extent { entries: args.entries, until: args.until };
    let make = |person| {
        let profile = free_profile(tables, args.seed, person);
        let history = live(tables, args.seed, &profile, extent).history;
        Made::with_drawn_wishes(tables, args.seed, profile, history)
    };
    people(tables, args.seed, args.people).into_iter().map(make).collect()
}

async fn by_model(
    tables: &Tables,
    args: &GenerateArgs,
    model: &str,
    global: &Global,
    config: &Config,
) -> Result<Vec<Made>, Failure> {
    let mut options = options_beside_runs(&args.spending, global, config)?;
    // A year is hundreds of questions: what was answered once is kept, whatever ends the command.
    options
        .tapes
        .cache
        .get_or_insert_with(|| CacheOptions { folder: args.out.join(REPLIES), any_temperature: true });
    let gateway = config.gateway(&options)?;
    let budget = Budget::new("histories", Limits { money: args.spending.money()?, ..Limits::default() });
    let extent = Extent { entries: args.entries, until: args.until };
    let mut made = Vec::new();
    for person in people(tables, args.seed, args.people) {
        let caller = Caller::new(&person.id, vec![Arc::clone(&budget)], Arc::new(Unrecorded));
        let asker = gateway.asker(model, caller).map_err(|error| Failure::new(error.to_string()))?;
        let teller = Teller { model: Arc::new(asker), prompts: prompts(args)?, jobs: args.jobs.max(1) };
        let name = person.id.clone();
        let told = teller.tell(tables, person, extent).await?;
        if told.left_out > 0 {
            eprintln!("{name}: {} months or events could not be read and are left out", told.left_out);
        }
        let entries = told.history.entries.len();
        if is_far_off(entries, args.entries) {
            eprintln!("{name}: {} entries, where about {} were asked for", count(entries), args.entries);
        }
        made.push(Made::with_drawn_wishes(tables, args.seed, told.profile, told.history));
    }
    say_tape_problems(&gateway);
    Ok(made)
}

/// A quarter more or less is what a model may make of it.
fn is_far_off(entries: usize, wanted: u32) -> bool {
    let wanted = wanted as usize;
    entries.abs_diff(wanted) * 4 > wanted
}

fn prompts(args: &GenerateArgs) -> Result<Prompts, Failure> {
    let Some(folder) = &args.prompts else { return Ok(Prompts::default()) };
    let mut own = Vec::new();
    for file in Stage::ALL.map(Stage::file) {
        match std::fs::read_to_string(folder.join(file)) {
            Ok(text) => own.push((file.to_owned(), text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(at(&folder.join(file), &error)),
        }
    }
    if own.is_empty() {
        let wanted = Stage::ALL.map(Stage::file).join(", ");
        return Err(Failure::new(format!("{}: none of {wanted} is there", folder.display())));
    }
    Prompts::with(&own).map_err(|error| Failure::new(format!("{}/{error}", folder.display())))
}

fn row(person: &str, history: &History, wishes: usize, audit: &Audit) -> Vec<String> {
    let least = |of: &dyn Fn(&umpire_persona::audit::Support) -> i64| {
        audit.support.iter().map(of).min().map_or_else(|| "–".to_owned(), |least| least.to_string())
    };
    vec![
        person.to_owned(),
        count(history.entries.len()),
        audit.support.len().to_string(),
        least(&|one| i64::try_from(one.count).unwrap_or(i64::MAX)),
        least(&|one| one.margin()),
        audit.statements.len().to_string(),
        count(wishes),
    ]
}

fn at(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}
