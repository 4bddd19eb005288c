//! The run behind a door, and who hands out its attempts.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use umpire_agents::{AgentSpec, Interface, RemoteSpec, remote};
use umpire_door::{About, Ending, Reception, Refusal, Session, Wish};
use umpire_llm::Gateway;
use umpire_model::{Deadline, NotMoney, Outcome, RunId};
use umpire_runner::{Desk, DeskError, ExecuteError, Plan, PlanRequest, RunEvent, Stage, load_suite};
use umpire_store::{Runs, StoreError};

use crate::args::{Global, RemoteArgs};
use crate::commands::conduct::{Conduct, gateway_options, say_tape_problems};
use crate::commands::run::{perturbations, request_with, stage_options};
use crate::config::{Config, Settings, merged};
use crate::failure::Failure;
use crate::histories;

/// Runs of one plan that are tried before giving up on finding one that is neither finished nor in use.
const MOST_REPEATS: u32 = 10_000;

/// A run that is open to clients.
pub struct Open {
    pub run: RunId,
    pub instances: Vec<String>,
    pub reception: Arc<FrontDesk>,
    plan: Plan,
    gateway: Arc<Gateway>,
}

/// Begins attempts of the run, each in a task of its own.
pub struct FrontDesk {
    desk: Arc<Desk>,
    attempts: Mutex<JoinSet<()>>,
}

impl Open {
    pub async fn run(
        args: &RemoteArgs,
        interface: Interface,
        filter: Option<String>,
        global: &Global,
        config: &Config,
        runs: &Runs,
    ) -> Result<Self, Failure> {
        let settings = merged(flags(args), config, global.profile.as_deref())?;
        let suite_name = settings.suite.clone().ok_or_else(|| {
            Failure::new("no suite was named").help("name one: --suite demo, or set it in umpire.toml")
        })?;
        let mut request = PlanRequest {
            perturbations: perturbations(&args.perturbations)?,
            history: histories::settings(&args.history, config)?,
            ..request_with(
                vec![(args.agent_name.clone(), whoever_comes(args, interface)?)],
                filter,
                &settings,
            )?
        };
        let suite = load_suite(&suite_name)?;
        let first = Plan::build(suite.clone(), request.clone())?;
        let conduct = Conduct {
            budget: settings.money()?,
            gateway: gateway_options(&args.spending.tapes, settings.prices.as_deref())?,
            history: args.history.clone(),
            ..Conduct::with_jobs(Some(args.sessions))
        };
        let stage = stage_options(&first, &suite_name, &conduct, global, config, runs)?;
        let gateway = Arc::clone(&stage.models.gateway);
        let stage = Stage::set(stage).await?;
        let wanted = args.repeat.map_or(0..MOST_REPEATS, |repeat| repeat..repeat + 1);
        let is_chosen = args.repeat.is_some();
        for repeat in wanted {
            request.repeat = repeat;
            let plan = Plan::build(suite.clone(), request.clone())?;
            let run = match stage.open_run(&plan, runs) {
                Err(ExecuteError::OtherPlan { .. }) if !is_chosen => continue,
                opened => opened?,
            };
            if !is_chosen && Desk::is_done(&plan, &run).map_err(ExecuteError::from)? {
                continue;
            }
            let (events, received) = mpsc::unbounded_channel();
            let desk = match Desk::open(&plan, &run, &stage, args.sessions.max(1), events) {
                // Another process serves it.
                Err(ExecuteError::Store(StoreError::Locked { .. })) if !is_chosen => continue,
                opened => opened?,
            };
            tokio::spawn(tell(received, global.json));
            let reception = Arc::new(FrontDesk { desk: Arc::new(desk), attempts: Mutex::default() });
            let instances = plan.instances.iter().map(|instance| instance.id.clone()).collect();
            return Ok(Self { run: plan.run.clone(), instances, reception, plan, gateway });
        }
        Err(Failure::new("all runs of this plan are finished or in use").help("name one with --repeat N"))
    }

    /// What holds for all instances: an intent, if they have the same, and whether any of them has a history.
    pub fn about(&self) -> About {
        let instances = &self.plan.instances;
        let intent = instances.first().map(|first| &first.intent);
        let same = intent.filter(|intent| instances.iter().all(|other| other.intent == **intent));
        About { intent: same.cloned(), history: self.plan.asks_histories() }
    }

    pub fn say_problems(&self) {
        say_tape_problems(&self.gateway);
    }
}

fn flags(args: &RemoteArgs) -> Settings {
    Settings {
        suite: args.suite.clone(),
        trials: args.trials,
        seed: args.seed,
        actions: args.actions,
        seconds: args.seconds,
        guard: args.guard.clone(),
        budget: args.spending.budget.clone(),
        prices: args.spending.prices.clone(),
        ..Settings::default()
    }
}

fn whoever_comes(args: &RemoteArgs, interface: Interface) -> Result<AgentSpec, Failure> {
    let budget = args.attempt_budget.as_deref().map(str::parse).transpose();
    let budget = budget.map_err(|error: NotMoney| Failure::new(error.to_string()))?;
    Ok(AgentSpec::Remote(RemoteSpec { interface, models: args.models.clone(), budget }))
}

/// Says on standard error what becomes of attempts: standard output may be a client's.
async fn tell(mut events: mpsc::UnboundedReceiver<RunEvent>, as_json: bool) {
    while let Some(event) = events.recv().await {
        if as_json {
            eprintln!("{}", serde_json::to_value(&event).unwrap_or(Value::Null));
        } else if let RunEvent::Finished { attempt, outcome, ms, steps, .. } = &event {
            eprintln!("{outcome:>8} {attempt}  {steps} steps, {:.1} s", *ms as f64 / 1000.0);
        }
    }
}

impl FrontDesk {
    /// Waits for the attempts under way, whose clients have gone.
    pub async fn settle(&self, deadline: Deadline) {
        let mut attempts = std::mem::take(&mut *self.attempts.lock().unwrap_or_else(PoisonError::into_inner));
        let _ = tokio::time::timeout_at(deadline.at().into(), async {
            while attempts.join_next().await.is_some() {}
        })
        .await;
    }
}

impl Reception for FrontDesk {
    fn begin(&self, wish: &Wish) -> Result<Session, Refusal> {
        let taken = self.desk.take(wish.instance.as_deref(), wish.trial, wish.seed).map_err(|error| {
            let said = error.to_string();
            match error {
                DeskError::Unknown(_) => Refusal::Unknown(said),
                DeskError::Full(_) => Refusal::Full(said),
                DeskError::NothingLeft | DeskError::Spent => Refusal::NothingLeft(said),
                DeskError::Store(_) => Refusal::Broken(said),
            }
        })?;
        let (agent, wheel) = remote();
        let (ended, ending) = oneshot::channel();
        let session = Session::new(taken.unit().id.clone(), wheel, ending);
        let desk = Arc::clone(&self.desk);
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        while attempts.try_join_next().is_some() {}
        attempts.spawn(async move {
            let ending = match desk.attempt(taken, agent).await {
                Ok(Some(verdict)) => Ending::judged(verdict.outcome),
                Ok(None) => Ending { outcome: None, detail: DeskError::Spent.to_string() },
                Err(error) => {
                    eprintln!("{error}");
                    Ending::judged(Outcome::Infra)
                }
            };
            // A client that has gone does not care.
            let _ = ended.send(ending);
        });
        Ok(session)
    }
}
