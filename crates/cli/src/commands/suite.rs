use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use umpire_runner::{BUILT_IN_SUITES, load_suite};
use umpire_store::Runs;
use umpire_worlds::World;
use umpire_worlds::miniwob::{Episode, Folder};

use super::suite_check::{Basis, try_checks};
use super::{suite_audit, suite_exchange, suite_subset};
use crate::args::{Global, SuiteCommand};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn suite(
    command: &SuiteCommand,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<Exit, Failure> {
    match command {
        SuiteCommand::List => list(global.json),
        SuiteCommand::Check(args) => {
            let named: Vec<&str> = args.suite.iter().map(String::as_str).collect();
            let suites = if args.all { BUILT_IN_SUITES } else { &named };
            for suite in suites {
                contents(suite, global.json)?;
            }
            if args.read_only { Ok(Exit::Ok) } else { try_checks(suites, args, global, config, runs).await }
        }
        SuiteCommand::Audit(args) => suite_audit::audit(args, global.json),
        SuiteCommand::Subset(args) => suite_subset::subset(args, global.json),
        SuiteCommand::Import(args) => suite_exchange::import(args, config, global.json),
        SuiteCommand::Export(args) => suite_exchange::export(args, global.json),
    }
}

fn list(as_json: bool) -> Result<Exit, Failure> {
    for name in BUILT_IN_SUITES {
        let suite = load_suite(name)?;
        if as_json {
            let mut line = json!(Basis::of(&suite)?);
            line["name"] = json!(name);
            line["instances"] = suite.instances().len().into();
            say!("{line}");
        } else {
            say!("{name:10} {:>4} instances  {}", suite.instances().len(), suite.file.description);
        }
    }
    Ok(Exit::Ok)
}

/// Loading already refuses what does not fit together; this also builds every initial world.
fn contents(name: &str, as_json: bool) -> Result<(), Failure> {
    let suite = load_suite(name)?;
    let instances = suite.instances();
    if suite.file.world == "built-in" {
        for instance in &instances {
            World::create(&instance.sites, suite.file.seed, &instance.world)
                .map_err(|error| Failure::new(format!("instance `{}`: {error}", instance.id)))?;
        }
    }
    if let Some(folder) = &suite.file.folder {
        Folder::of_suite(folder).map_err(|error| Failure::new(error.to_string()))?;
        for instance in &instances {
            Episode::of(instance)
                .map_err(|error| Failure::new(format!("instance `{}`: {error}", instance.id)))?;
        }
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for instance in &instances {
        *kinds.entry(instance.kind.as_str()).or_default() += 1;
    }
    let templates: BTreeSet<&str> = instances.iter().map(|i| i.template.as_str()).collect();
    let without: Vec<&str> =
        instances.iter().filter(|i| i.reference.is_empty()).map(|i| i.id.as_str()).collect();
    if as_json {
        let found = json!({
            "suite": suite.file.name, "digest": suite.digest, "tasks": suite.tasks.len(),
            "instances": instances.len(), "templates": templates.len(), "kinds": kinds,
            "without_reference": without,
        });
        say!("{found}");
    } else {
        say!(
            "{}: {} tasks, {} instances, {} templates",
            suite.file.name,
            suite.tasks.len(),
            instances.len(),
            templates.len()
        );
        for (kind, count) in kinds {
            say!("  {kind:9} {count:>4}");
        }
        if !without.is_empty() {
            say!("  {} instances have no reference actions, so the oracle cannot do them", without.len());
        }
        say!("  digest {}", suite.digest);
    }
    Ok(())
}
