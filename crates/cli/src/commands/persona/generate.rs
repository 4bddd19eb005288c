use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use umpire_persona::audit::{Audit, audit};
use umpire_persona::{Extent, History, Profile, Tables, free_profile, generate as live, people};
use umpire_runner::load_suite;

use crate::args::GenerateArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grid::{count, grid};
use crate::histories::{file_of, recipe};

pub fn generate(args: &GenerateArgs, as_json: bool) -> Result<Exit, Failure> {
    let tables = Tables::embedded();
    let made = match &args.suite {
        Some(suite) => of_suite(tables, suite)?,
        None => by_seed(tables, args),
    };
    std::fs::create_dir_all(&args.out).map_err(|error| at(&args.out, &error))?;
    let mut unsound = 0;
    let mut told: Vec<Value> = Vec::new();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (profile, history) in &made {
        let person = &profile.person.id;
        let file = file_of(&args.out, person);
        std::fs::write(&file, history.to_json()).map_err(|error| at(&file, &error))?;
        let audit = audit(tables, profile, history);
        let findings = audit.findings();
        unsound += findings.len();
        for finding in &findings {
            eprintln!("{person}: {finding}");
        }
        told.push(json!({ "person": person, "entries": history.entries.len(), "digest": history.digest(), "audit": audit }));
        rows.push(row(person, history, &audit));
    }
    if as_json {
        say!("{}", json!({ "people": told }));
    } else {
        let mut out = String::new();
        grid(
            &["person", "entries", "truths", "least support", "least margin", "statements"],
            &rows,
            &mut out,
        );
        say!("{}", out.trim_end());
        say!("\n{} histories in {}", count(made.len()), args.out.display());
    }
    if unsound > 0 {
        let problem = format!("{} findings: a truth cannot be inferred, or is said", count(unsound));
        return Err(Failure::new(problem).help("the histories were written; do not use them"));
    }
    Ok(Exit::Ok)
}

fn of_suite(tables: &Tables, name: &str) -> Result<Vec<(Profile, History)>, Failure> {
    let suite = load_suite(name)?;
    let recipe =
        recipe(&suite)?.ok_or_else(|| Failure::new(format!("suite `{name}` says nothing of histories")))?;
    let wishing = suite.tasks.iter().filter_map(|task| task.persona.as_ref());
    let names: BTreeSet<&str> = wishing.map(|persona| persona.id.as_str()).collect();
    let make = |person: &&str| -> Result<(Profile, History), Failure> {
        let broken = |error: umpire_persona::BadHistories| Failure::new(format!("{person}: {error}"));
        let profile = recipe.profile(tables, &suite.tasks, person).map_err(broken)?;
        Ok((profile, recipe.history(tables, &suite.tasks, person).map_err(broken)?))
    };
    names.iter().map(make).collect()
}

fn by_seed(tables: &Tables, args: &GenerateArgs) -> Vec<(Profile, History)> {
    let extent = Extent { entries: args.entries, until: args.until };
    let make = |person| {
        let profile = free_profile(tables, args.seed, person);
        let history = live(tables, args.seed, &profile, extent).history;
        (profile, history)
    };
    people(tables, args.seed, args.people).into_iter().map(make).collect()
}

fn row(person: &str, history: &History, audit: &Audit) -> Vec<String> {
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
    ]
}

fn at(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}
