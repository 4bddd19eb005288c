//! An attempt whose agent came by itself, to `umpire steps` or `umpire mcp`.

use std::sync::Arc;
use std::time::Duration;

use umpire_agents::{Remote, RemoteSpec};
use umpire_llm::Pass;
use umpire_model::Deadline;
use umpire_store::JournalWriter;

use crate::Unit;
use crate::attempt::{Closing, Setting};
use crate::ground::Ground;
use crate::models::excused;
use crate::stepwise;

/// For the page to be opened, before the attempt's own time begins. The key to the models ends with the attempt anyway.
const OPENING: Duration = Duration::from_mins(3);

pub(crate) async fn run(
    setting: &Setting,
    unit: &Unit,
    spec: &RemoteSpec,
    agent: Remote,
    ground: &Ground,
    journal: &Arc<JournalWriter>,
) -> Closing {
    let clock = Deadline::after(Duration::from_secs(setting.limits.seconds) + OPENING);
    let models = &setting.stage.options.models;
    let pass = match models.admit(&spec.models, spec.budget, unit, journal, clock).await {
        Ok(pass) => pass,
        Err(closing) => return closing,
    };
    let addresses = pass.as_ref().map(Pass::environment).unwrap_or_default();
    let options = &setting.stage.options;
    let memory = options.memories.of(&options.models, unit, journal);
    let agent = agent.with_models(addresses.into_iter().collect()).with_memory(memory);
    let closing = stepwise::in_scene(setting, unit, ground, journal, |_| Box::new(agent)).await;
    excused(closing, pass.and_then(|pass| pass.last_error()))
}
