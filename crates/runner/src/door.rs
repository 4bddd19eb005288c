//! A command of the user's that is shown the page and says what to do: the ordinary loop runs, and the command is at the
//! wheel of it, by a door of its own.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use umpire_agents::{
    CommandEnd, CommandSpec, CommandTask, Endpoint, Interface, Workspace, remote, run_command,
};
use umpire_door::{About, Ending, Mcp, OneSession, Reception, Server, Session, Steps, Visit, Wish};
use umpire_llm::Pass;
use umpire_model::{Deadline, End, EventBody, Evidence as _};

use crate::Unit;
use crate::attempt::{Closing, Setting};
use crate::models::excused;
use crate::scene::{Rested, Scene};
use crate::stepwise::Stepwise;

/// For the command to end by itself once the attempt is over.
const FAREWELL: Duration = Duration::from_secs(5);

pub(crate) async fn run(
    setting: &Setting,
    unit: &Unit,
    spec: &CommandSpec,
    workspace: &Workspace,
    scene: &Scene,
    rested: Rested,
) -> Closing {
    let (agent, wheel) = remote();
    let options = &setting.stage.options;
    let memory = options.memories.of(&options.models, unit, &scene.journal);
    let mut agent = agent.with_memory(memory);
    let (ended, ending) = oneshot::channel();
    let session = Session::new(unit.id.clone(), wheel, ending);
    let about = About { intent: Some(scene.task.intent.clone()), history: unit.instance.persona.is_some() };
    let (server, endpoint) = match open(spec.interface, session, about).await {
        Ok(opened) => opened,
        Err(error) => return Closing::infra(format!("no way in for the agent: {error}")),
    };
    let clock = scene.clock();
    let models = &setting.stage.options.models;
    let pass = match models.admit(&spec.models, spec.budget, unit, &scene.journal, clock).await {
        Ok(pass) => pass,
        Err(closing) => return closing,
    };
    let variables = pass.as_ref().map(Pass::environment).unwrap_or_default();
    let ports: Vec<u16> = std::iter::once(server.port()).chain(pass.as_ref().map(Pass::port)).collect();
    let launcher = setting.stage.launcher(&ports);
    let task = CommandTask {
        brief: &scene.task,
        response_schema: umpire_rules::response_schema(),
        endpoint: &endpoint,
        workspace,
        launcher: &launcher,
        services: &variables,
    };
    let mut running = std::pin::pin!(run_command(spec, task, Arc::clone(&scene.journal) as _, clock));
    let mut stepwise = Stepwise::new(setting, unit, scene);
    let closing = tokio::select! {
        // An answer that the command was told of before it ended has been taken in here.
        biased;
        closing = stepwise.play(&mut agent, rested, clock) => Ok(closing),
        ended = &mut running => Err(ended),
    };
    drop(agent);
    let closing = match closing {
        Ok(closing) => {
            let _ = ended.send(Ending { outcome: None, detail: closing.detail.clone() });
            let farewell = Deadline::after(FAREWELL.min(Duration::from_secs(spec.grace_seconds)));
            let _ = tokio::time::timeout_at(farewell.at().into(), running).await;
            closing
        }
        Err(Err(error)) => Closing::infra(error.to_string()),
        Err(Ok(CommandEnd::Answered(response))) => {
            scene.journal.event(EventBody::Answered { response });
            Closing::new(End::Answered, "")
        }
        Err(Ok(CommandEnd::Stopped { reason })) => Closing::new(End::Stopped, reason),
        Err(Ok(CommandEnd::Time)) => scene.time_is_over(),
    };
    drop(server);
    stepwise.with_counts(excused(closing, pass.and_then(|pass| pass.last_error())))
}

async fn open(interface: Interface, session: Session, about: About) -> io::Result<(Server, Endpoint)> {
    let reception: Arc<dyn Reception> = Arc::new(OneSession::new(session));
    let is_mcp = interface == Interface::Mcp;
    let visit: Arc<dyn Visit> = if is_mcp {
        Arc::new(Mcp::new(reception, Wish::default(), about))
    } else {
        Arc::new(Steps::new(reception))
    };
    let server = Server::start(0, visit).await?;
    let url = server.url();
    let endpoint = if is_mcp { Endpoint::Mcp(format!("{url}/mcp")) } else { Endpoint::Steps(url) };
    Ok((server, endpoint))
}
