//! The `umpire` command: arguments in, rooms called, a person's words out.

/// Prints a line. A reader who has seen enough (`umpire report | head`) is no reason to fail.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

mod arena_config;
mod args;
mod aside;
mod commands;
mod config;
mod console;
mod embedder;
mod exit;
mod failure;
mod gate;
mod grid;
mod histories;
mod rows;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use umpire_browser::farewell;
use umpire_model::{AttemptId, Deadline};
use umpire_store::{Run, Runs, StoreError};
use umpire_telemetry::{self as telemetry, Telemetry};

use args::{Cli, Command, LabelsCommand, TelemetryArgs};
use aside::StandardError;
use config::Config;
use exit::Exit;
use failure::Failure;

/// For a Grid to take its browsers back.
const FAREWELL: std::time::Duration = std::time::Duration::from_secs(15);

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::BadInput.into() } else { Exit::Ok.into() };
        }
    };
    // These two run before anything else exists: the guard must stay tiny, and confinement replaces the process.
    match &cli.command {
        Command::Guard => {
            let cleaned = umpire_process::guard::run();
            return if cleaned.is_ok() { Exit::Ok.into() } else { Exit::BadInput.into() };
        }
        Command::Confine(args) => return fail(commands::confine::confine(args)),
        _ => {}
    }
    umpire_process::heap::keep_freed_memory();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(Failure::new(format!("threads could not be started: {error}"))),
    };
    let result = runtime.block_on(watched(cli));
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => fail(failure),
    }
}

fn fail(failure: Failure) -> ExitCode {
    aside::failed(failure);
    Exit::BadInput.into()
}

/// The command, with whoever wants to watch it told.
async fn watched(cli: Cli) -> Result<Exit, Failure> {
    let TelemetryArgs { log, log_json, otlp, metrics } = &cli.global.telemetry;
    let options = telemetry::Options {
        log: log.clone().or_else(|| log_json.then(|| "info".to_owned())),
        log_as_json: *log_json,
        otlp: otlp.clone().filter(|endpoint| !endpoint.is_empty()),
        metrics: *metrics,
        ..telemetry::Options::default()
    };
    let telemetry = Telemetry::begin(&options).await?;
    aside::is_for(match (&options.log, options.log_as_json) {
        (None, _) => StandardError::Words,
        (Some(_), false) => StandardError::Log,
        (Some(_), true) => StandardError::JsonLog,
    });
    if let Some(address) = telemetry.as_ref().and_then(Telemetry::metrics_address) {
        aside::remark(&format!("metrics at http://{address}/metrics"));
    }
    let result = Box::pin(dispatch(cli)).await;
    match farewell(Deadline::after(FAREWELL)).await {
        0 => {}
        left => aside::remark(&format!(
            "{left} sessions of the Grid could not be ended; they lapse by its own time limit"
        )),
    }
    if let Some(telemetry) = telemetry {
        telemetry.end().await;
    }
    result
}

async fn dispatch(cli: Cli) -> Result<Exit, Failure> {
    let global = &cli.global;
    let config = Config::load(global.config.as_deref())?;
    let runs_dir = match &global.runs {
        Some(dir) => dir.clone(),
        None => config.settings(global.profile.as_deref())?.runs.unwrap_or_else(|| PathBuf::from("runs")),
    };
    let runs = Runs::new(&runs_dir);
    match &cli.command {
        Command::Demo(args) => commands::demo::demo(args, global, &config, &runs).await,
        Command::Run(args) => commands::run::run(args, global, &config, &runs).await,
        Command::Worker(args) => commands::fleet::worker(args, global, &config, &runs).await,
        Command::Top(args) => commands::fleet::top(args, global).await,
        Command::Steps(args) => commands::remote::steps(args, global, &config, &runs).await,
        Command::Mcp(args) => commands::remote::mcp(args, global, &config, &runs).await,
        Command::Evaluate(args) if args.recorded.attempts.is_some() => {
            commands::recorded::evaluate(&args.recorded, &config, global.json).await
        }
        Command::Evaluate(args) => {
            commands::evaluate::evaluate(&open(&runs, args.run.as_deref())?, global.json)
        }
        Command::Judge(args) if args.list => commands::judge::list(&config, global.json),
        Command::Judge(args) if args.study.is_some() => {
            commands::judge::judge_study(args, global, &config, &runs).await
        }
        Command::Judge(args) => {
            commands::judge::judge(args, global, &config, open(&runs, args.run.as_deref())?).await
        }
        Command::Agree(args) => {
            let run = args.run.as_deref().map(|run| open(&runs, Some(run))).transpose()?;
            commands::agree::agree(args, run.as_ref(), global.json)
        }
        Command::Rank(args) => commands::rank::rank(args, global.json),
        Command::Labels(LabelsCommand::Export(args)) => {
            commands::labels::export(args, &open(&runs, args.run.as_deref())?, global.json)
        }
        Command::Labels(LabelsCommand::Import(args)) => {
            commands::labels::import(args, &open(&runs, args.run.as_deref())?, global.json)
        }
        Command::Labels(LabelsCommand::Categories) => Ok(commands::labels::categories(global.json)),
        Command::Failures(command) => commands::failures::failures(command, global, &config, &runs).await,
        Command::Stats(args) => commands::stats::stats(args, &runs, global.json),
        Command::Persona(command) => commands::persona::persona(command, &runs, global, &config).await,
        Command::Compare(args) => commands::compare::compare(args, &runs, global.json),
        Command::Report(args) => commands::report::report(args, global, &open(&runs, args.run.as_deref())?),
        Command::Query(args) => {
            // Without a run the one word is the query: `umpire query "select …"` asks the latest.
            let (run, sql) = match (&args.run, &args.sql) {
                (Some(one), None) if !args.tables => (None, Some(one.as_str())),
                (run, sql) => (run.as_deref(), sql.as_deref()),
            };
            commands::query::query(args, sql, global, &open(&runs, run)?).await
        }
        Command::Show(args) => commands::show::show(args, global, &open(&runs, args.run.as_deref())?),
        Command::View(args) => commands::view::view(&open(&runs, args.run.as_deref())?, &args.out),
        Command::Serve(args) => commands::serve::serve(args, global, &config, &runs).await,
        Command::Merge(args) => commands::merge::merge(args, global, &runs),
        Command::Import(args) => commands::import::import(args, global.json, &runs),
        Command::Export(args) => {
            let (run, attempt) = match args.what.parse::<AttemptId>() {
                Ok(attempt) => (open(&runs, args.run.as_deref())?, Some(attempt)),
                Err(_) => (open(&runs, Some(&args.what))?, None),
            };
            commands::export::export(args, &run, attempt.as_ref(), global).await
        }
        Command::Record(args) => commands::record::record(args, global).await,
        Command::Replay(args) => commands::replay::replay(args, global, &config).await,
        Command::Match(args) => commands::match_values::match_values(args, global.json),
        Command::Suite(command) => commands::suite::suite(command, global, &config, &runs).await,
        Command::Sessions(command) => commands::sessions::sessions(command, global).await,
        Command::Account(command) => commands::account::account(command, global, &config).await,
        Command::Vault(command) => commands::vault::vault(command, &config, global.json),
        Command::Worlds(command) => commands::worlds::worlds(command, global).await,
        Command::Doctor(args) => match &args.run {
            Some(run) => commands::doctor::run(run, args, global, &runs),
            None => commands::doctor::machine(global, &runs_dir).await,
        },
        Command::Init(args) => commands::init::init(args),
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Cli::command(), "umpire", &mut std::io::stdout());
            Ok(Exit::Ok)
        }
        Command::Guard | Command::Confine(_) => {
            Err(Failure::new("this command is handled before the runtime starts"))
        }
    }
}

/// The named run, or the latest.
fn open(runs: &Runs, prefix: Option<&str>) -> Result<Run, Failure> {
    let explain = |error: StoreError| {
        Failure::new(error.to_string()).help("`umpire run` makes a run; `--runs DIR` says where they are")
    };
    match prefix {
        Some(prefix) => runs.open(prefix).map_err(explain),
        None => runs.latest().map_err(explain)?.ok_or_else(|| {
            Failure::new(format!("there is no run in {}", runs.root().display()))
                .help("`umpire run` makes a run; `--runs DIR` says where they are")
        }),
    }
}
