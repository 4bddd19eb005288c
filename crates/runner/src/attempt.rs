//! One try of one attempt: world, seat, agent, evidence.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;
use umpire_agents::{AgentSpec, BuiltIn, Reference, Remote, agent_seed};
use umpire_browser::{HostPattern, PoolError, SeatError};
use umpire_model::{AttemptId, BlobRef, Day, End, EventBody, Evidence as _, Limits, Media, TaskBrief};
use umpire_stage::Session;
use umpire_stage::account::AccountTurn;
use umpire_store::{JournalWriter, StoreError};
use umpire_worlds::miniwob::{Episode, Folder};

use crate::ground::{Ground, viewport};
use crate::models::ModelMind;
use crate::stage::now;
use crate::{RunEvent, Stage, Unit, backend, command, initial, remote, stepwise};

/// What a try needs besides its unit.
pub(crate) struct Setting {
    pub stage: Arc<Stage>,
    pub run_seed: u64,
    /// Seed of the built-in world; `None` if the suite's sites are elsewhere.
    pub world_seed: Option<u64>,
    /// The pages of a foreign world that sets its tasks itself.
    pub folder: Option<Arc<Folder>>,
    /// Hosts outside the built-in world that may be reached.
    pub hosts: Vec<HostPattern>,
    pub limits: Limits,
    /// The suite's recorded sessions, by name.
    pub sessions: Arc<BTreeMap<String, Session>>,
    /// The day it is for the tasks.
    pub today: Day,
    pub events: mpsc::UnboundedSender<RunEvent>,
}

impl Setting {
    /// What the unit's page is to be begun with, in a world whose pages set their tasks themselves.
    pub fn episode_of(&self, unit: &Unit) -> Result<Option<Episode>, Closing> {
        let asked = self.folder.as_ref().map(|_| Episode::of(&unit.instance)).transpose();
        asked.map_err(|error| Closing::infra(error.to_string()))
    }
}

/// How a try ended, not yet written.
#[derive(Clone, Debug)]
pub(crate) struct Closing {
    pub end: End,
    pub detail: String,
    pub steps: u32,
    pub counted: u32,
}

impl Closing {
    pub fn new(end: End, detail: impl Into<String>) -> Self {
        Self { end, detail: detail.into(), steps: 0, counted: 0 }
    }

    pub fn infra(detail: impl Into<String>) -> Self {
        Self::new(End::Infra, detail)
    }

    pub fn after(mut self, steps: u32, counted: u32) -> Self {
        (self.steps, self.counted) = (steps, counted);
        self
    }

    /// The last line of the try, durable when this returns.
    pub fn write(self, journal: &JournalWriter) -> Result<(), StoreError> {
        let Self { end, detail, steps, counted } = self;
        journal.event(EventBody::Ended { end, detail, steps, counted });
        journal.finish()
    }
}

impl From<PoolError> for Closing {
    fn from(error: PoolError) -> Self {
        Self::infra(format!("no browser for the attempt: {error}"))
    }
}

impl From<SeatError> for Closing {
    fn from(error: SeatError) -> Self {
        Self::infra(error.to_string())
    }
}

/// Runs a try up to, but not including, its last line. `turn` is its use of its account; whoever decides in it from
/// elsewhere brings `remote` along.
pub(crate) async fn run_try(
    setting: &Setting,
    unit: &Unit,
    number: u32,
    turn: Result<Option<AccountTurn>, Closing>,
    remote: Option<Remote>,
    journal: &Arc<JournalWriter>,
) -> Closing {
    journal.event(EventBody::Started {
        attempt: unit.id.clone(),
        r#try: number,
        instance: unit.instance.digest(),
        at: now(),
        browser: setting.stage.pool.version().to_owned(),
        remote: setting.stage.remote().cloned().map(Box::new),
        viewport: viewport(setting, &unit.instance),
    });
    let _turn = match turn {
        Ok(turn) => turn,
        Err(closing) => return closing,
    };
    if let Some(reason) = unit.instance.validity.excludes(setting.today) {
        return Closing::new(End::Invalid, reason);
    }
    let ground = match Ground::create(setting, &unit.instance) {
        Ok(ground) => ground,
        Err(error) => return Closing::infra(error.to_string()),
    };
    if let Err(closing) = initial::bring_about(setting, &unit.instance, &ground, journal).await {
        return closing;
    }
    if !is_staged(unit)
        && let Err(closing) = write_before(setting, unit, &ground, journal).await
    {
        return closing;
    }
    let closing = match &unit.agent {
        AgentSpec::BuiltIn(kind) => {
            let reference = kind.wants_reference().then(|| reference_for(*kind, unit, &ground));
            let options = &setting.stage.options;
            let memory = options.memories.of(&options.models, unit, journal);
            let plain = AttemptId { instance: unit.instance.plain_id().to_owned(), ..unit.id.clone() };
            let seed = agent_seed(setting.run_seed, &plain);
            let create = |task: &TaskBrief| kind.create(task, seed, reference.clone(), memory.clone());
            stepwise::run(setting, unit, &ground, journal, create).await
        }
        AgentSpec::Model(spec) => match ModelMind::new(&setting.stage.options, spec, unit, journal) {
            Ok(mind) => stepwise::run(setting, unit, &ground, journal, |task| mind.create(task)).await,
            Err(closing) => closing,
        },
        AgentSpec::Command(spec) => command::run(setting, unit, spec, &ground, journal).await,
        AgentSpec::Remote(spec) => match remote {
            Some(agent) => remote::run(setting, unit, spec, agent, &ground, journal).await,
            None => Closing::infra("nobody is there to decide"),
        },
    };
    if let Some(world) = &ground.world {
        let state = write_state(journal, &world.state());
        journal.event(EventBody::StateAfter { state });
    }
    ground.write_record(journal);
    // Any other end is a verdict by itself.
    if matches!(closing.end, End::Answered | End::Stopped | End::Over) {
        backend::ask_after(setting, &unit.instance, journal).await;
    }
    closing
}

/// The way to the goal, for an agent that may have it: without what the wish leaves unsaid for those that have to find
/// that out.
fn reference_for(kind: BuiltIn, unit: &Unit, ground: &Ground) -> Reference {
    let instance = &unit.instance;
    let actions = instance.reference.clone();
    let whole = Reference { actions, detours: ground.detours(), ..Reference::default() };
    match &instance.persona {
        Some(persona) if kind.wants_blanks() => {
            whole.with_blanks(persona, &instance.category, instance.level)
        }
        _ => whole,
    }
}

/// Whether the harness does something in the attempt's world before the agent does.
pub(crate) fn is_staged(unit: &Unit) -> bool {
    unit.instance.account.is_some()
}

/// Writes how things stand when the agent begins.
pub(crate) async fn write_before(
    setting: &Setting,
    unit: &Unit,
    ground: &Ground,
    journal: &Arc<JournalWriter>,
) -> Result<(), Closing> {
    if let Some(world) = &ground.world {
        let state = write_state(journal, &world.state());
        journal.event(EventBody::StateBefore { state });
    }
    backend::ask_before(setting, &unit.instance, journal).await
}

fn write_state(journal: &JournalWriter, state: &Value) -> BlobRef {
    journal.blob(state.to_string().as_bytes(), Media::Json)
}
