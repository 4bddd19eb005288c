//! How a plan is carried out, beyond what is in it: jobs, time, money, and who may be asked.

use std::future::Future;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use umpire_agents::AgentSpec;
use umpire_llm::{CacheOptions, Gateway, GatewayOptions, Prices, TapeOptions, UnknownMode};
use umpire_model::{GuardMode, Irreversible, UsdMicros};
use umpire_runner::{Asker, Models, Plan};

use super::run::default_jobs;
use crate::args::{Global, HistoryArgs, RunArgs, SpendingArgs, TapeArgs};
use crate::aside::remark;
use crate::config::{Config, Settings};
use crate::failure::Failure;

pub struct Conduct {
    pub jobs: usize,
    pub run_seconds: Option<u64>,
    /// What models may cost in the whole run.
    pub budget: Option<UsdMicros>,
    pub gateway: GatewayOptions,
    pub history: HistoryArgs,
}

impl Conduct {
    pub fn with_jobs(jobs: Option<usize>) -> Self {
        let jobs = jobs.unwrap_or_else(default_jobs);
        Self {
            jobs,
            run_seconds: None,
            budget: None,
            gateway: GatewayOptions::default(),
            history: HistoryArgs::default(),
        }
    }

    pub fn of(args: &RunArgs, settings: &Settings) -> Result<Self, Failure> {
        Ok(Self {
            run_seconds: args.run_seconds,
            budget: settings.money()?,
            gateway: gateway_options(&args.models.spending.tapes, settings.prices.as_deref())?,
            history: args.history.clone(),
            ..Self::with_jobs(settings.jobs)
        })
    }
}

pub fn gateway_options(args: &TapeArgs, prices_file: Option<&Path>) -> Result<GatewayOptions, Failure> {
    let mut prices = Prices::built_in();
    if let Some(path) = prices_file {
        let at = |problem: String| Failure::new(format!("{}: {problem}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| at(error.to_string()))?;
        prices = Prices::parse(&text).map_err(|error| at(error.to_string()))?.over(&prices);
    }
    let mode = args.cassette_mode.parse().map_err(|error: UnknownMode| Failure::new(error.to_string()))?;
    let cache = args.model_cache.clone().map(|folder| CacheOptions { folder, any_temperature: false });
    let cassette = args.cassette.clone().map(|path| (path, mode));
    Ok(GatewayOptions { prices, tapes: TapeOptions { cache, cassette }, secrets: Vec::new() })
}

/// For commands that ask models beside runs. Prices named on the command line go before those of the profile.
pub fn options_beside_runs(
    spending: &SpendingArgs,
    global: &Global,
    config: &Config,
) -> Result<GatewayOptions, Failure> {
    let settings = config.settings(global.profile.as_deref())?;
    let prices = spending.prices.as_deref().or(settings.prices.as_deref());
    let options = gateway_options(&spending.tapes, prices)?;
    Ok(GatewayOptions { secrets: config.secret_values(), ..options })
}

/// What could not be read from cassettes and caches, or kept in them.
pub fn say_tape_problems(gateway: &Gateway) {
    for problem in gateway.tape_problems() {
        remark(&problem);
    }
}

/// Every model the plan will ask must be there and usable before the first attempt.
pub fn check_models(plan: &Plan, models: &Models, run_is_limited: bool) -> Result<(), Failure> {
    for (name, spec) in &plan.request.agents {
        let (asked, is_limited): (Vec<&str>, bool) = match spec {
            AgentSpec::Model(spec) => {
                (spec.model.as_deref().into_iter().collect(), spec.options.budget.is_some())
            }
            AgentSpec::Command(spec) => {
                (spec.models.iter().map(String::as_str).collect(), spec.budget.is_some())
            }
            AgentSpec::Remote(spec) => {
                (spec.models.iter().map(String::as_str).collect(), spec.budget.is_some())
            }
            AgentSpec::BuiltIn(_) => continue,
        };
        for model in asked {
            let checked = models.gateway.check(model, is_limited || run_is_limited);
            checked.map_err(|error| Failure::new(format!("agent `{name}`: {error}")))?;
        }
    }
    Ok(())
}

/// The person at the terminal, if the guard asks and there is one.
pub fn person(guard: GuardMode) -> Option<Arc<dyn Asker>> {
    (guard == GuardMode::Ask && std::io::stdin().is_terminal()).then(|| Arc::new(AtTerminal::default()) as _)
}

/// One question at a time, whoever asks.
#[derive(Default)]
struct AtTerminal(Arc<tokio::sync::Mutex<()>>);

impl Asker for AtTerminal {
    fn may<'a>(
        &'a self,
        kind: Irreversible,
        request: &'a str,
    ) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async move {
            let _turn = self.0.lock().await;
            let question = format!("   guard: {kind}: {request}\n          let it through? [y/N] ");
            let answer = tokio::task::spawn_blocking(move || {
                let mut terminal = std::io::stderr();
                let _ = write!(terminal, "{question}").and_then(|()| terminal.flush());
                let mut line = String::new();
                let read = std::io::stdin().lock().read_line(&mut line);
                read.is_ok() && line.trim().eq_ignore_ascii_case("y")
            });
            answer.await.unwrap_or(false)
        })
    }
}
