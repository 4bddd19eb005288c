use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, watch};
use umpire_agents::{AgentSpec, ModelAgentSpec, built_in_kinds, model_kinds};
use umpire_llm::GatewayOptions;
use umpire_model::{Day, Deadline, Limits, Perturbation, Redactor, StatesBy, UnknownGuard, Viewport};
use umpire_report::{Summary, console_table, rows, summary};
use umpire_runner::{
    Execution, GuardOptions, Models, Plan, PlanError, PlanRequest, RunEvent, Shard, Stage, StageOptions,
    execute, load_suite,
};
use umpire_store::{Run, Runs};

use super::conduct::{Conduct, check_models, person, say_tape_problems};
use super::fleet::{self, OnFleet};
use super::{account, vault};
use crate::args::{Global, RunArgs};
use crate::aside::remark;
use crate::config::{Config, Settings, merged};
use crate::console::{Console, Style};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::gate::{Gate, Unmet};
use crate::histories;

/// Further tries after an `infra` one.
const DEFAULT_RETRIES: u32 = 2;
/// How long attempts under way may go on after the first Ctrl-C.
const GRACE: Duration = Duration::from_secs(10);

pub async fn run(args: &RunArgs, global: &Global, config: &Config, runs: &Runs) -> Result<Exit, Failure> {
    let settings = merged(flags(args), config, global.profile.as_deref())?;
    let gate = settings.gate.as_deref().map(Gate::parse).transpose()?;
    let suite_name = settings.suite.clone().ok_or_else(|| {
        Failure::new("no suite was named")
            .help("umpire run --suite demo --agent heuristic, or set it in umpire.toml")
    })?;
    let plan = match Plan::build(load_suite(&suite_name)?, request(args, &settings, config)?) {
        Err(nothing @ PlanError::Nothing { .. }) => {
            remark(&nothing.to_string());
            return Ok(Exit::NothingRan);
        }
        built => built?,
    };
    let plan = match args.shard {
        Some(_) if gate.is_some() => {
            return Err(Failure::new("a gate is for a whole run, and this is one share of it")
                .help("leave it out here; after `umpire merge`, `umpire report RUN --gate EXPR`"));
        }
        Some(shard) => plan.share(shard),
        None => plan,
    };
    if args.plan {
        print_plan(&plan, global.json);
        return Ok(Exit::Ok);
    }
    let carried = if args.fleet.servers.fleet.is_some() {
        match Box::pin(fleet::run(&plan, &suite_name, args, &settings, global, runs)).await? {
            OnFleet::Carried(carried) => *carried,
            OnFleet::Over(exit) => return Ok(exit),
        }
    } else {
        if args.fleet.cancel {
            return Err(Failure::new("--cancel is for a run on a fleet, and none was named"));
        }
        let conduct = Conduct::of(args, &settings)?;
        carry_out(&plan, &suite_name, &conduct, global, config, runs).await?
    };
    let summary = summary(&carried.run).map_err(|error| Failure::new(error.to_string()))?;
    let unmet = match &gate {
        Some(gate) => gate.unmet(&summary, &rows(&carried.run, &summary)?),
        None => Vec::new(),
    };
    let exit = exit_code(&carried, plan.units.len(), unmet.is_empty(), settings.max_infra);
    match args.shard {
        Some(shard) if exit == Exit::Ok => conclude_share(&carried, shard, plan.units.len(), global),
        _ => conclude(&carried, &summary, exit, global),
    }
    if exit == Exit::GateFailed {
        say_unmet(&unmet);
    }
    Ok(exit)
}

/// A run that was carried out as far as it got.
pub struct Carried {
    pub run: Run,
    pub execution: Execution,
    pub took: Duration,
}

/// Executes a plan with console or JSON events, stopping cleanly on Ctrl-C.
pub async fn carry_out(
    plan: &Plan,
    suite_name: &str,
    conduct: &Conduct,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<Carried, Failure> {
    let options = stage_options(plan, suite_name, conduct, global, config, runs)?;
    let gateway = Arc::clone(&options.models.gateway);
    let stage = Stage::set(options).await?;
    let run = stage.open_run(plan, runs)?;
    let (events, mut received) = mpsc::unbounded_channel();
    let (stop, stopped) = watch::channel(false);
    let deadline = conduct.run_seconds.map(|seconds| Deadline::after(Duration::from_secs(seconds)));
    let started = Instant::now();
    let mut console = (!global.json).then(|| Console::new(global.colour));
    let finished = {
        let executing = execute(plan, &run, &stage, conduct.jobs, deadline, stopped, events);
        follow(executing, &mut received, &stop, console.as_mut()).await
    };
    let execution = match finished {
        Some(finished) => finished?,
        None => Execution::abandoned(plan, &run)?,
    };
    while let Ok(event) = received.try_recv() {
        show(&event, console.as_mut());
    }
    drop(stage);
    let took = started.elapsed();
    let done = RunEvent::Done { run: plan.run.clone(), tally: execution.tally, ms: took.as_millis() as u64 };
    show(&done, console.as_mut());
    say_tape_problems(&gateway);
    Ok(Carried { run, execution, took })
}

/// Shows events until the run is done. The first Ctrl-C lets attempts under way end; the second, or the end of
/// patience, gives them up, and then there is no result.
async fn follow<T>(
    executing: impl Future<Output = T>,
    received: &mut mpsc::UnboundedReceiver<RunEvent>,
    stop: &watch::Sender<bool>,
    mut console: Option<&mut Console>,
) -> Option<T> {
    let mut executing = std::pin::pin!(executing);
    // One stream for the whole run: a signal between two turns of the loop must not be lost.
    let mut interrupts = signal(SignalKind::interrupt()).ok();
    let mut patience: Option<Deadline> = None;
    loop {
        let give_up = async {
            match patience {
                Some(patience) => tokio::time::sleep_until(patience.at().into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            Some(event) = received.recv() => show(&event, console.as_deref_mut()),
            finished = &mut executing => return Some(finished),
            () = next(&mut interrupts) => {
                if patience.replace(Deadline::after(GRACE)).is_some() {
                    return None;
                }
                let _ = stop.send(true);
                show(&RunEvent::Stopping, console.as_deref_mut());
            }
            () = give_up => return None,
        }
    }
}

/// The next Ctrl-C; never, if signals cannot be had.
pub async fn next(interrupts: &mut Option<Signal>) {
    match interrupts {
        Some(interrupts) => drop(interrupts.recv().await),
        None => std::future::pending().await,
    }
}

pub fn show(event: &RunEvent, console: Option<&mut Console>) {
    if let Some(console) = console {
        console.on(event);
    } else {
        let line = serde_json::to_string(event).unwrap_or_default();
        let _ = writeln!(std::io::stdout(), "{line}");
    }
}

/// The table, the bounds, and what to type next.
fn conclude(carried: &Carried, summary: &Summary, exit: Exit, global: &Global) {
    if global.json {
        return;
    }
    let style = Style::for_stdout(global.colour);
    say!("\n{}", console_table(summary, style.colour));
    say!("{:>8} {:.1}s  run {}", "Took", carried.took.as_secs_f64(), carried.run.manifest().run);
    let id = &carried.run.manifest().run;
    match exit {
        Exit::Incomplete => say!("    next: the same command goes on where this one stopped"),
        Exit::BudgetReached if carried.execution.out_of_money => {
            say!("    next: what models may cost is spent; the same command goes on with a larger --budget");
        }
        Exit::BudgetReached => say!("    next: the run's time is up; the same command goes on"),
        _ => say!("    next: umpire report {id} · umpire view {id}"),
    }
}

/// A share has no score: most of what was planned is made elsewhere.
fn conclude_share(carried: &Carried, shard: Shard, attempts: usize, global: &Global) {
    if global.json {
        return;
    }
    let manifest = carried.run.manifest();
    say!("\nshare {shard}: {attempts} of {} attempts are made", manifest.planned());
    say!("{:>8} {:.1}s  run {}", "Took", carried.took.as_secs_f64(), manifest.run);
    say!(
        "    next: umpire merge, with this folder and those of the other shares: {}",
        carried.run.folder().display()
    );
}

fn exit_code(carried: &Carried, planned: usize, gate_is_met: bool, max_infra: Option<f64>) -> Exit {
    let tally = carried.execution.tally;
    if tally.unfinished > 0 {
        let Execution { out_of_time, out_of_money, .. } = carried.execution;
        return if out_of_time || out_of_money { Exit::BudgetReached } else { Exit::Incomplete };
    }
    if max_infra.is_some_and(|most| tally.infra as f64 > most * planned as f64) {
        return Exit::TooMuchInfra;
    }
    if gate_is_met { Exit::Ok } else { Exit::GateFailed }
}

/// Beside the machine's output, if that is what was asked for.
pub fn say_unmet(unmet: &[Unmet]) {
    for one in unmet {
        remark(&format!("gate: {one}"));
    }
}

fn flags(args: &RunArgs) -> Settings {
    Settings {
        suite: args.suite.clone(),
        agents: args.agents.clone(),
        trials: args.trials,
        jobs: args.jobs,
        seed: args.seed,
        actions: args.actions,
        seconds: args.seconds,
        retries: args.retries,
        gate: args.gate.clone(),
        max_infra: args.max_infra,
        runs: None,
        model: args.models.model.clone(),
        budget: args.models.spending.budget.clone(),
        guard: args.guard.clone(),
        prices: args.models.spending.prices.clone(),
    }
}

fn request(args: &RunArgs, settings: &Settings, config: &Config) -> Result<PlanRequest, Failure> {
    let model = settings.model.as_deref();
    let agents = settings.agents.iter().map(|name| Ok((name.clone(), resolve_agent(name, model, config)?)));
    Ok(PlanRequest {
        perturbations: perturbations(&args.perturbations)?,
        repeat: args.repeat,
        today: args.today.unwrap_or_else(today),
        states: args.states.into(),
        history: histories::settings(&args.history, config)?,
        ..request_with(agents.collect::<Result<_, Failure>>()?, args.filter.clone(), settings)?
    })
}

pub fn perturbations(kinds: &[String]) -> Result<Vec<Perturbation>, Failure> {
    Perturbation::list(kinds).map_err(|unknown| Failure::new(unknown.to_string()))
}

/// A request for these agents with what the settings say, and the defaults of everything else.
pub fn request_with(
    agents: Vec<(String, AgentSpec)>,
    filter: Option<String>,
    settings: &Settings,
) -> Result<PlanRequest, Failure> {
    let defaults = Limits::default();
    let guard = settings.guard.as_deref().map(str::parse).transpose();
    Ok(PlanRequest {
        agents,
        filter,
        trials: at_least_one("trials", settings.trials.unwrap_or(1))?,
        perturbations: Vec::new(),
        seed: settings.seed.unwrap_or(1),
        limits: Limits {
            actions: at_least_one("actions", settings.actions.unwrap_or(defaults.actions))?,
            seconds: at_least_one("seconds", settings.seconds.unwrap_or(defaults.seconds))?,
        },
        viewport: Viewport::default(),
        retries: settings.retries.unwrap_or(DEFAULT_RETRIES),
        repeat: 0,
        today: today(),
        guard: guard.map_err(|error: UnknownGuard| Failure::new(error.to_string()))?.unwrap_or_default(),
        states: StatesBy::default(),
        history: histories::plain_settings(),
    })
}

/// A request for built-in agents with the defaults of everything else.
pub fn request_for(kinds: &[&str], filter: Option<String>) -> Result<PlanRequest, Failure> {
    let named = |kind: &&str| AgentSpec::built_in(kind).map(|spec| ((*kind).to_owned(), spec));
    let agents = kinds.iter().map(named).collect::<Result<_, _>>();
    let agents = agents.map_err(|unknown| Failure::new(unknown.to_string()))?;
    request_with(agents, filter, &Settings::default())
}

/// The day it is, in UTC.
fn today() -> Day {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date().into()
}

fn at_least_one<N: Default + PartialEq>(name: &str, value: N) -> Result<N, Failure> {
    if value == N::default() { Err(Failure::new(format!("{name} must be at least 1"))) } else { Ok(value) }
}

/// An agent named in the configuration, or a built-in kind; `model` is for one that names none.
pub fn resolve_agent(name: &str, model: Option<&str>, config: &Config) -> Result<AgentSpec, Failure> {
    let named = config.agent(name).cloned();
    let spec = named.map_or_else(|| AgentSpec::built_in(name), Ok).map_err(|unknown| {
        let mine: Vec<&str> = config.agent_names().collect();
        let mine =
            if mine.is_empty() { String::new() } else { format!("; in umpire.toml: {}", mine.join(", ")) };
        let kinds: Vec<&str> = built_in_kinds().into_iter().chain(model_kinds()).collect();
        Failure::new(unknown.to_string()).help(format!("built in: {}{mine}", kinds.join(", ")))
    })?;
    let spec = match spec {
        AgentSpec::Model(spec) => AgentSpec::Model(with_model(name, spec, model, config)?),
        other => other,
    };
    spec.check().map_err(|problem| Failure::new(format!("agent `{name}`: {problem}")))?;
    Ok(spec)
}

/// The agent with its model and what the provider calls it, which a number has to carry.
fn with_model(
    agent: &str,
    spec: ModelAgentSpec,
    default: Option<&str>,
    config: &Config,
) -> Result<ModelAgentSpec, Failure> {
    let model = spec.model.clone().or_else(|| default.map(str::to_owned)).ok_or_else(|| {
        Failure::new(format!("agent `{agent}` asks a model, and none is named"))
            .help("--model NAME, or `model` in its table; models are `[models.NAME]` in umpire.toml")
    })?;
    let identity = config.model_identity(&model);
    Ok(ModelAgentSpec { model: Some(model), identity, ..spec })
}

pub fn stage_options(
    plan: &Plan,
    suite_name: &str,
    conduct: &Conduct,
    global: &Global,
    config: &Config,
    runs: &Runs,
) -> Result<StageOptions, Failure> {
    let program =
        std::env::current_exe().map_err(|error| Failure::new(format!("umpire's own path: {error}")))?;
    // The runs folder must exist before the first attempt, or it could not be hidden from that one.
    std::fs::create_dir_all(runs.root())
        .map_err(|error| Failure::new(format!("{}: {error}", runs.root().display())))?;
    let suite = PathBuf::from(suite_name);
    let backends = config.connections(plan.backends())?;
    let mut hidden = places_of_answers(&suite, runs, &program);
    hidden.extend(backends.files());
    // It may be asked, not read.
    hidden.extend(conduct.history.histories.iter().chain(&conduct.history.history_index).cloned());
    if plan.backends().next().is_some() {
        // It may say how to get into what the checks ask and the orders change.
        hidden.push(global.config.clone().unwrap_or_else(|| PathBuf::from("umpire.toml")));
    }
    let agent_secrets = plan.request.agents.iter().flat_map(|(_, spec)| match spec {
        AgentSpec::Command(command) => command.secret_values(),
        AgentSpec::BuiltIn(_) | AgentSpec::Model(_) | AgentSpec::Remote(_) => Vec::new(),
    });
    let accounts = account::of_plan(plan, config)?;
    let remote = global.remote.remote()?;
    if !accounts.is_empty() {
        // Attempts are given what the vault knows of their own account, and nothing else.
        hidden.extend([vault::file(config), vault::file(config).with_added_extension("accounts")]);
    }
    let secrets: Vec<String> = config
        .secret_values()
        .into_iter()
        .chain(agent_secrets)
        .chain(accounts.values().flat_map(|account| account.secret_values()))
        .chain(backends.secret_values().iter().cloned())
        .chain(remote.iter().flat_map(|remote| remote.address.secret_values()))
        .collect();
    let gateway = GatewayOptions { secrets: secrets.clone(), ..conduct.gateway.clone() };
    let models = Models::new(config.gateway(&gateway)?, conduct.budget);
    check_models(plan, &models, conduct.budget.is_some())?;
    let memories = histories::memories(&conduct.history, plan, &models)?;
    Ok(StageOptions {
        chromium: global.chromium.clone(),
        remote,
        viewport: plan.request.viewport,
        jobs: conduct.jobs,
        redactor: Redactor::new(secrets.iter().chain(models.gateway.secret_values())),
        program,
        hidden: hidden.iter().filter_map(|path| path.canonicalize().ok()).collect(),
        uploads: suite.join("files"),
        accounts,
        backends,
        guard: GuardOptions {
            mode: plan.request.guard,
            rules: config.guard_rules().to_vec(),
            person: person(plan.request.guard),
        },
        models,
        memories,
    })
}

/// Where expected answers are: the suite, the runs and their reports, this program, which has the built-in suites
/// inside, and, where it was built from a clone, its other copies and its sources.
fn places_of_answers(suite: &Path, runs: &Runs, program: &Path) -> Vec<PathBuf> {
    let mut places =
        vec![suite.to_owned(), runs.root().to_owned(), PathBuf::from("report"), program.to_owned()];
    let build = program.parent().filter(|folder| folder.join("deps").is_dir());
    places.extend(build.map(Path::to_owned));
    places.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites"));
    places
}

/// Each attempt keeps about one core of Chromium busy while it acts, and waits the rest of the time.
pub fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
}

fn print_plan(plan: &Plan, as_json: bool) {
    if as_json {
        for unit in &plan.units {
            say!("{}", json!({"attempt": unit.id, "intent": unit.instance.intent}));
        }
        return;
    }
    say!(
        "run {}: {} instances × {} agents × {} trials = {} attempts",
        plan.run,
        plan.instances.len(),
        plan.request.agents.len(),
        plan.request.trials,
        plan.units.len()
    );
    for instance in &plan.instances {
        say!("  {:30} {:9} {}", instance.id, instance.kind.as_str(), instance.intent);
    }
}
