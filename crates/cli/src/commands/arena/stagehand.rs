//! Runs both attempts of a battle as an ordinary run: one instance, two agents, at the same time.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};
use umpire_agents::AgentSpec;
use umpire_arena::HostRule;
use umpire_browser::HostPattern;
use umpire_model::Suite;
use umpire_runner::{Plan, Stage, execute};
use umpire_server::{Begun, Contest, Offers, Playing, Stagehand, Unplayed, Wish};
use umpire_store::Runs;

use super::own_task;
use crate::args::Global;
use crate::commands::conduct::Conduct;
use crate::commands::run::{request_with, stage_options};
use crate::config::{Config, Settings};
use crate::failure::Failure;

/// All that running a battle takes.
#[derive(Debug)]
pub struct Means {
    pub offers: Offers,
    pub agents: BTreeMap<String, AgentSpec>,
    pub suites: BTreeMap<String, Suite>,
    pub hosts: Vec<HostRule>,
    pub settings: Settings,
    pub global: Global,
    pub config: Config,
    pub runs: Runs,
}

/// Both sides run at once.
const SIDES: usize = 2;

#[derive(Debug)]
pub struct LocalStagehand(Arc<Means>);

impl LocalStagehand {
    pub fn new(means: Means) -> Self {
        Self(Arc::new(means))
    }
}

impl Stagehand for LocalStagehand {
    fn offers(&self) -> &Offers {
        &self.0.offers
    }

    fn play(&self, contest: Contest, begun: oneshot::Sender<Begun>) -> Playing {
        let means = Arc::clone(&self.0);
        Box::pin(
            async move { means.play(contest, begun).await.map_err(|failure| Unplayed(failure.to_string())) },
        )
    }
}

impl Means {
    async fn play(&self, contest: Contest, begun: oneshot::Sender<Begun>) -> Result<(), Failure> {
        let (suite_name, plan) = self.plan(&contest)?;
        let attempts: Vec<_> = plan.units.iter().map(|unit| unit.id.clone()).collect();
        let attempts = attempts.try_into().map_err(|_| Failure::new("a battle has one attempt a side"))?;
        // Nobody listens any more if the battle was called off.
        let _ = begun.send(Begun { run: plan.run.clone(), attempts });
        let conduct = Conduct { budget: self.settings.money()?, ..Conduct::with_jobs(Some(SIDES)) };
        let options = stage_options(&plan, suite_name, &conduct, &self.global, &self.config, &self.runs)?;
        // A stage of its own: what is called off takes its browsers along, and no battle sees another's.
        let stage = Stage::set(options).await?;
        let run = stage.open_run(&plan, &self.runs)?;
        let (events, _) = mpsc::unbounded_channel();
        let (_stop, stopped) = watch::channel(false);
        let execution = execute(&plan, &run, &stage, SIDES, None, stopped, events).await?;
        if execution.tally.infra > 0 || execution.tally.unfinished > 0 {
            return Err(Failure::new("the harness failed on one side, so the two cannot be compared"));
        }
        Ok(())
    }

    fn plan<'c>(&self, contest: &'c Contest) -> Result<(&'c str, Plan), Failure> {
        let named = |name: &String| {
            let spec = self.agents.get(name).cloned();
            spec.map(|spec| (name.clone(), spec))
                .ok_or_else(|| Failure::new(format!("there is no agent `{name}` here")))
        };
        let agents = contest.agents.iter().map(named).collect::<Result<_, _>>()?;
        let (name, suite, filter) = match &contest.wish {
            Wish::Own { text, kind_of_work, start_url } => {
                let suite = own_task::suite(&contest.battle, text, *kind_of_work, start_url, &self.hosts)
                    .map_err(|error| Failure::new(error.to_string()))?;
                (own_task::SUITE, suite, None)
            }
            Wish::Drawn { suite: name, instance } => {
                let suite = self.suites.get(name).cloned();
                let suite = suite.ok_or_else(|| Failure::new(format!("there is no suite `{name}` here")))?;
                (name.as_str(), suite, Some(format!("id={instance}")))
            }
        };
        let settings = Settings { seed: Some(contest.seed), ..self.settings.clone() };
        let mut plan = Plan::build(suite, request_with(agents, filter, &settings)?)?;
        if matches!(contest.wish, Wish::Own { .. }) {
            plan.hosts = self.hosts.iter().map(pattern).collect();
        }
        Ok((name, plan))
    }
}

/// A visitor chose the address, so its name must lead to the public internet, unless the operator named a local host.
fn pattern(rule: &HostRule) -> HostPattern {
    let pattern = HostPattern::parse(&String::from(rule.clone()));
    if rule.is_local() { pattern } else { pattern.public_only() }
}
