//! The arena of `umpire serve`: who meets, on what, and how both attempts are run.

mod moderation;
mod own_task;
mod stagehand;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use umpire_arena::{Scrubber, TaskRules};
use umpire_model::{GuardMode, Suite};
use umpire_runner::load_suite;
use umpire_server::{ArenaOptions, Moderator, OfferedSite, OfferedSuite, OfferedTask, Offers};
use umpire_store::Runs;
use umpire_worlds::site_hosts;

use self::moderation::Hook;
use self::stagehand::{LocalStagehand, Means};
use super::run::resolve_agent;
use crate::arena_config::ArenaConfig;
use crate::args::{Global, ServeArgs};
use crate::config::{Config, Settings};
use crate::failure::Failure;

/// What a battle takes beyond the attempts themselves: browsers start, states are written, tries are made again.
const BEYOND_ATTEMPTS: u64 = 60;

/// The arena that flags and `[arena]` describe; none, if neither names an agent.
pub fn arena(
    args: &ServeArgs,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<Option<ArenaOptions>, Failure> {
    let mut wanted = config.arena().cloned().unwrap_or_default();
    for (given, of) in [(&args.agents, &mut wanted.agents), (&args.suites, &mut wanted.suites)] {
        if !given.is_empty() {
            of.clone_from(given);
        }
    }
    for host in &args.allowed_hosts {
        wanted.hosts.push(host.parse().map_err(|error| Failure::new(format!("--allow-host: {error}")))?);
    }
    if wanted.agents.is_empty() {
        return match config.arena() {
            Some(_) => {
                Err(Failure::new("[arena] names no agents").help("agents = [\"heuristic\", \"mine\"]"))
            }
            None if !args.suites.is_empty() || !args.allowed_hosts.is_empty() => {
                Err(Failure::new("an arena needs agents").help("umpire serve --agent heuristic --agent mine"))
            }
            None => Ok(None),
        };
    }
    check(&wanted)?;
    let moderator: Option<(Arc<dyn Moderator>, Duration)> = match &wanted.moderation {
        Some(moderation) => {
            let hook = Hook::new(moderation, config.folder())?;
            Some((Arc::new(hook), Duration::from_secs(moderation.seconds)))
        }
        None => None,
    };
    warn_of_names(&wanted.agents);
    let rules = TaskRules { most_characters: wanted.most_characters, hosts: rules_of(&wanted)? };
    let pairing = wanted.pairing();
    pairing.probabilities(&[]).map_err(|error| Failure::new(format!("[arena]: {error}")))?;
    let limits = wanted.limits;
    let vote_within = Duration::from_secs(wanted.vote_within_hours.saturating_mul(3600));
    let stagehand = Arc::new(LocalStagehand::new(means(wanted, global, config, runs)?));
    Ok(Some(ArenaOptions { stagehand, pairing, limits, rules, moderator, vote_within }))
}

/// An agent that goes by an ordinary word is not hidden where it says its own name.
fn warn_of_names(agents: &[String]) {
    for name in Scrubber::new(agents).cannot_hide(agents) {
        eprintln!(
            "warning: the agent `{name}` goes by an ordinary word, which stays in what voters see: \
             give it another name, [agents.NAME] with kind = \"{name}\""
        );
    }
}

fn check(wanted: &ArenaConfig) -> Result<(), Failure> {
    let wrong = |problem: &str| Err(Failure::new(format!("[arena]: {problem}")));
    if wanted.suites.is_empty() && !wanted.own_tasks {
        return wrong("with `own_tasks = false` and no suites there is nothing to ask");
    }
    if wanted.seconds == 0 || wanted.actions == 0 || wanted.limits.running == 0 {
        return wrong("`seconds`, `actions` and `limits.running` are at least 1");
    }
    let longest = wanted.limits.run_at_most_ms / 1000;
    if wanted.seconds.saturating_add(BEYOND_ATTEMPTS) > longest {
        return Err(Failure::new(format!(
            "[arena]: an attempt of {} seconds does not fit into a battle of {longest}",
            wanted.seconds
        ))
        .help(format!("limits.run_at_most_ms is at least {BEYOND_ATTEMPTS} seconds more than `seconds`")));
    }
    Ok(())
}

/// The built-in sites may always be named: within an attempt they are its own copies, never this machine.
fn rules_of(wanted: &ArenaConfig) -> Result<Vec<umpire_arena::HostRule>, Failure> {
    let mut hosts = wanted.hosts.clone();
    for (host, _) in site_hosts() {
        hosts.push(host.parse().map_err(|error| Failure::new(format!("{error}")))?);
    }
    Ok(hosts)
}

fn means(wanted: ArenaConfig, global: &Global, config: &Config, runs: &Runs) -> Result<Means, Failure> {
    let model = wanted.model.as_deref();
    let mut agents = BTreeMap::new();
    for name in &wanted.agents {
        agents.insert(name.clone(), resolve_agent(name, model, config)?);
    }
    let mut suites: BTreeMap<String, Suite> = BTreeMap::new();
    let mut offered = Vec::new();
    for name in &wanted.suites {
        let suite = load_suite(name)?;
        offered.push(offer(name, &suite));
        suites.insert(name.clone(), suite);
    }
    let guard = match (&wanted.guard, wanted.hosts.is_empty()) {
        (Some(guard), _) => Some(guard.clone()),
        (None, true) => None,
        (None, false) => Some(GuardMode::Deny.to_string()),
    };
    let settings = Settings {
        actions: Some(wanted.actions),
        seconds: Some(wanted.seconds),
        retries: Some(1),
        budget: wanted.budget.clone(),
        guard,
        ..Settings::default()
    };
    // Both are asked for once now, so that a wrong word is told at the start and not to the first visitor.
    settings.money()?;
    super::run::request_with(Vec::new(), None, &settings)?;
    Ok(Means {
        offers: Offers {
            sites: sites(),
            suites: offered,
            own_tasks: wanted.own_tasks,
            elsewhere: !wanted.hosts.is_empty(),
        },
        agents,
        suites,
        hosts: wanted.hosts,
        settings,
        global: global.clone(),
        config: config.clone(),
        runs: runs.clone(),
    })
}

/// One address a site: the first is where people go, the others are parts of its pages.
fn sites() -> Vec<OfferedSite> {
    let mut sites: Vec<OfferedSite> = Vec::new();
    for (host, site) in site_hosts() {
        if !sites.iter().any(|known| known.name == *site) {
            sites.push(OfferedSite { name: (*site).to_owned(), url: format!("http://{host}/") });
        }
    }
    // Whoever does not say where to begin begins by searching.
    sites.sort_by_key(|site| site.name != "search");
    sites
}

/// What needs an account is left out: visitors do not act in somebody's name.
fn offer(name: &str, suite: &Suite) -> OfferedSuite {
    let tasks = suite.instances().into_iter().filter(|instance| instance.account.is_none());
    let tasks = tasks.map(|instance| OfferedTask {
        intent: instance.intent.clone(),
        kind: instance.kind.as_str().to_owned(),
        id: instance.id,
    });
    OfferedSuite {
        name: name.to_owned(),
        description: suite.file.description.clone(),
        tasks: tasks.collect(),
    }
}
