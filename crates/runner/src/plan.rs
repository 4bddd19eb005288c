use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::json;
use umpire_agents::{AgentSpec, HISTORY_SETTING, Interface};
use umpire_browser::HostPattern;
use umpire_model::{
    AgentEntry, AttemptId, BadDate, BadName, Day, Digest, Filter, FilterError, GuardMode, HistorySettings,
    Instance, Limits, MANIFEST_VERSION, Manifest, Perturbation, RunId, StatesBy, Suite, Viewport,
};
use umpire_perturb::in_its_words;
use umpire_stage::{Session, SessionError};
use umpire_worlds::{Clock, World, WorldError};

use crate::backend::backend_checks;

/// What a user asks for.
#[derive(Clone, Debug)]
pub struct PlanRequest {
    pub agents: Vec<(String, AgentSpec)>,
    pub filter: Option<String>,
    pub trials: u32,
    /// Under which the instances run a second time.
    pub perturbations: Vec<Perturbation>,
    pub seed: u64,
    pub limits: Limits,
    pub viewport: Viewport,
    /// Further tries after an `infra` one.
    pub retries: u32,
    /// Tells apart several runs of one plan.
    pub repeat: u32,
    /// The day it is for sites that are not built in, whose own day never changes.
    pub today: Day,
    /// What happens when an agent is about to do what cannot be undone.
    pub guard: GuardMode,
    /// How initial states are brought about where a task knows more than one way.
    pub states: StatesBy,
    /// How histories of people may be asked, by agents that do.
    pub history: HistorySettings,
}

#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error(transparent)]
    Filter(#[from] FilterError),
    #[error("no agent was named")]
    NoAgent,
    #[error("agent `{0}` is named twice")]
    Twice(String),
    #[error("no instance of suite `{suite}` matches the filter `{filter}`")]
    Nothing { suite: String, filter: String },
    #[error(
        "perturbation `{0}` rewrites the pages of built-in worlds, and this suite's sites are elsewhere; dark and mobile work everywhere"
    )]
    NotOurPages(Perturbation),
    #[error(transparent)]
    Name(#[from] BadName),
    #[error("instance `{instance}`: {source}")]
    World { instance: String, source: WorldError },
    #[error("instance `{instance}`: {source}")]
    Date { instance: String, source: BadDate },
    #[error("session `{session}` of the suite: {source}")]
    Session { session: String, source: SessionError },
}

/// One attempt to be made.
#[derive(Clone, Debug)]
pub struct Unit {
    pub id: AttemptId,
    pub agent: AgentSpec,
    pub instance: Arc<Instance>,
}

/// A deterministic list of attempts: the same request on the same suite gives the same plan and the same run id.
#[derive(Clone, Debug)]
pub struct Plan {
    pub run: RunId,
    pub suite: Suite,
    pub request: PlanRequest,
    /// The day it is for the tasks.
    pub today: Day,
    /// The same, where any of the instances depends on it.
    told_from: Option<Day>,
    pub instances: Vec<Arc<Instance>>,
    /// The suite's recorded sessions, by name.
    pub sessions: Arc<BTreeMap<String, Session>>,
    /// Hosts outside the built-in world that attempts may reach.
    pub hosts: Vec<HostPattern>,
    /// Trial by trial, instance by instance, agent by agent: an interrupted run has whole comparisons.
    pub units: Vec<Unit>,
}

impl Plan {
    pub fn build(suite: Suite, request: PlanRequest) -> Result<Self, PlanError> {
        if request.agents.is_empty() {
            return Err(PlanError::NoAgent);
        }
        let mut names = BTreeSet::new();
        if let Some((name, _)) = request.agents.iter().find(|(name, _)| !names.insert(name.clone())) {
            return Err(PlanError::Twice(name.clone()));
        }
        let sessions = sessions_of(&suite)?;
        let filter = request.filter.as_deref().map(Filter::parse).transpose()?;
        let is_built_in = suite.file.world == "built-in";
        let foreign =
            |by: &&Perturbation| !is_built_in && !by.kinds().iter().all(|kind| kind.is_browser_side());
        if let Some(by) = request.perturbations.iter().find(foreign) {
            return Err(PlanError::NotOurPages(by.clone()));
        }
        let today = match suite.file.world.as_str() {
            "built-in" => Clock::TODAY.parse().unwrap_or(request.today),
            _ => request.today,
        };
        let kept = suite
            .instances()
            .into_iter()
            .flat_map(|instance| variants(instance.staged(request.states), &request, filter.as_ref()));
        let mut instances: Vec<Arc<Instance>> = Vec::new();
        let mut depends_on_day = false;
        for instance in kept {
            depends_on_day |= instance.depends_on_day();
            let id = instance.id.clone();
            let told = instance.on(today).map_err(|source| PlanError::Date { instance: id, source })?;
            instances.push(Arc::new(told));
        }
        if instances.is_empty() {
            let filter = filter.map(|f| f.to_string()).unwrap_or_default();
            return Err(PlanError::Nothing { suite: suite.file.name.clone(), filter });
        }
        if is_built_in {
            for instance in instances.iter().filter(|instance| instance.perturbation.is_none()) {
                World::create(&instance.sites, suite.file.seed, &instance.world)
                    .map_err(|source| PlanError::World { instance: instance.id.clone(), source })?;
            }
        }
        let mut units = Vec::new();
        for trial in 1..=request.trials {
            for instance in &instances {
                for (name, spec) in &request.agents {
                    let id = AttemptId::new(name, &instance.id, trial)?;
                    units.push(Unit { id, agent: spec.clone(), instance: Arc::clone(instance) });
                }
            }
        }
        let hosts = suite.file.hosts.iter().map(|host| HostPattern::parse(host)).collect();
        let told_from = depends_on_day.then_some(today);
        let asked = asks_histories(&request, &instances).then_some(&request.history);
        let run = run_id(&suite, &request, told_from, asked)?;
        Ok(Self { run, suite, request, today, told_from, instances, sessions, hosts, units })
    }

    /// What the plan's instances ask of backends.
    pub fn backends(&self) -> impl Iterator<Item = &str> {
        self.instances.iter().flat_map(|instance| {
            let asked = backend_checks(instance).map(|check| check.backend.as_str());
            asked.chain(instance.orders.iter().map(|order| order.backend.as_str()))
        })
    }

    /// Whether any agent of the plan can ask the history of any of its people.
    pub fn asks_histories(&self) -> bool {
        asks_histories(&self.request, &self.instances)
    }

    /// The manifest of this plan; `created` and `browser` are the only parts the plan does not decide.
    pub fn manifest(&self, created: String, browser: String) -> Manifest {
        Manifest {
            version: MANIFEST_VERSION,
            run: self.run.clone(),
            created,
            umpire: env!("CARGO_PKG_VERSION").to_owned(),
            suite: self.suite.file.name.clone(),
            suite_digest: self.suite.digest.clone(),
            rules_digest: umpire_rules::digest(),
            agents: entries(&self.request, self.asks_histories()),
            instances: self.instances.iter().map(|instance| instance.id.clone()).collect(),
            trials: self.request.trials,
            seed: self.request.seed,
            perturbations: self.request.perturbations.clone(),
            browser,
            remote: None,
            viewport: self.request.viewport,
            locale: "en-US".to_owned(),
            timezone: "UTC".to_owned(),
            today: self.told_from,
            limits: self.request.limits,
            retries: self.request.retries,
            guard: self.request.guard,
            states: self.request.states,
            history: self.asks_histories().then(|| self.request.history.clone()),
            denominator: denominator(&self.request),
            imported: None,
        }
    }
}

fn asks_histories(request: &PlanRequest, instances: &[Arc<Instance>]) -> bool {
    request.agents.iter().any(|(_, spec)| spec.may_ask_history())
        && instances.iter().any(|instance| instance.persona.is_some())
}

fn sessions_of(suite: &Suite) -> Result<Arc<BTreeMap<String, Session>>, PlanError> {
    let read = |(name, text): (&String, &String)| match Session::read(text) {
        Ok(session) => Ok((name.clone(), session)),
        Err(source) => Err(PlanError::Session { session: name.clone(), source }),
    };
    Ok(Arc::new(suite.sessions.iter().map(read).collect::<Result<_, _>>()?))
}

/// The variants of an instance that the filter keeps. The plain one comes first, and with every perturbed one: without
/// it, there would be nothing to compare.
fn variants(plain: Instance, request: &PlanRequest, filter: Option<&Filter>) -> Vec<Instance> {
    let is_kept = |instance: &Instance| filter.is_none_or(|filter| filter.keeps(instance));
    let mut perturbed: Vec<Instance> = request
        .perturbations
        .iter()
        .map(|by| in_its_words(plain.perturbed(by, request.seed)))
        .filter(|instance| is_kept(instance))
        .collect();
    if !perturbed.is_empty() || is_kept(&plain) {
        perturbed.insert(0, plain);
    }
    perturbed
}

fn denominator(request: &PlanRequest) -> String {
    let mut words = "every planned attempt; infra counts as not passed, its bounds stand beside".to_owned();
    if !request.perturbations.is_empty() {
        words.push_str("; perturbed attempts are counted apart, in pairs with the plain ones");
    }
    words
}

fn entries(request: &PlanRequest, asks_histories: bool) -> Vec<AgentEntry> {
    request.agents.iter().map(|(name, spec)| entry(name, spec, asks_histories)).collect()
}

fn entry(name: &str, spec: &AgentSpec, asks_histories: bool) -> AgentEntry {
    let mut settings = spec.settings();
    if let AgentSpec::Command(command) = spec {
        let confined = if umpire_process::confine::is_available() { "landlock" } else { "no" };
        settings.insert("confined".to_owned(), confined.to_owned());
        // Who comes by a door could always ask there; one with a browser of its own has to be told where.
        if asks_histories && command.interface == Interface::Cdp {
            settings.insert(HISTORY_SETTING.to_owned(), "address".to_owned());
        }
    }
    AgentEntry { name: name.to_owned(), kind: spec.kind().to_owned(), settings }
}

/// Everything that changes what a run measures goes into its name, so that a changed command is a new run.
fn run_id(
    suite: &Suite,
    request: &PlanRequest,
    today: Option<Day>,
    history: Option<&HistorySettings>,
) -> Result<RunId, BadName> {
    let mut decides = json!({
        "suite": suite.digest,
        "rules": umpire_rules::digest(),
        "agents": entries(request, history.is_some()),
        "filter": request.filter,
        "trials": request.trials,
        "perturbations": request.perturbations,
        "seed": request.seed,
        "limits": request.limits,
        "viewport": request.viewport,
        "retries": request.retries,
        "guard": request.guard,
        "repeat": request.repeat,
        "today": today,
    });
    // Left out where it is what it always was, so that older runs keep their names.
    if !request.states.is_default() {
        decides["states"] = json!(request.states);
    }
    if let Some(history) = history {
        decides["history"] = json!(history);
    }
    let digest = Digest::of_json(&decides);
    format!("{}-{}", suite.file.name, &digest.as_str()[..8]).parse()
}

#[cfg(test)]
impl PlanRequest {
    /// Two trials of these built-in agents, for the tests.
    pub(crate) fn of(agents: &[&str]) -> Self {
        let named = |kind: &&str| ((*kind).to_owned(), AgentSpec::built_in(kind).expect("built in"));
        Self {
            agents: agents.iter().map(named).collect(),
            filter: None,
            trials: 2,
            perturbations: Vec::new(),
            seed: 1,
            limits: Limits::default(),
            viewport: Viewport::default(),
            retries: 0,
            repeat: 0,
            today: "2026-01-01".parse().expect("a day"),
            guard: GuardMode::default(),
            states: StatesBy::default(),
            history: HistorySettings {
                method: "lexical".to_owned(),
                keys: "all".to_owned(),
                most: 20,
                threshold: None,
                accesses: 3,
                embedder: None,
                histories: None,
            },
        }
    }
}
