//! A command of the user's drives the browser itself; the harness watches, counts and takes the pictures. One that wants
//! to be shown the page step by step is in [`crate::door`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use umpire_agents::{
    CommandEnd, CommandSpec, CommandTask, Endpoint, HISTORY_URL, Interface, Workspace, run_command,
};
use umpire_door::{History, Server};
use umpire_llm::Pass;
use umpire_model::{Action, Deadline, End, EventBody, Evidence as _};
use umpire_store::JournalWriter;

use crate::attempt::{Closing, Setting};
use crate::entrance::Entrance;
use crate::ground::Ground;
use crate::models::excused;
use crate::scene::{Rested, SEAT_LIMIT, Scene};
use crate::{RunEvent, Unit, door};

pub(crate) async fn run(
    setting: &Setting,
    unit: &Unit,
    spec: &CommandSpec,
    ground: &Ground,
    journal: &Arc<JournalWriter>,
) -> Closing {
    let workspace = match Workspace::create() {
        Ok(workspace) => workspace,
        Err(error) => return Closing::infra(format!("no folder for the agent: {error}")),
    };
    let episode = match setting.episode_of(unit) {
        Ok(episode) => episode,
        Err(closing) => return closing,
    };
    let entrance = Entrance::new(setting, unit, ground, journal);
    let mut options = entrance.seat_options();
    options.upload_folders.push(workspace.out_dir());
    let pool = &setting.stage.pool;
    let seat = match spec.interface {
        Interface::Cdp => pool.seat_for_client(options, Deadline::after(SEAT_LIMIT)).await,
        Interface::Steps | Interface::Mcp => pool.seat(options, Deadline::after(SEAT_LIMIT)).await,
    };
    let seat = match seat {
        Ok(seat) => seat,
        Err(error) => return error.into(),
    };
    let entered = entrance.enter(&seat).await;
    let task = unit.instance.brief(&setting.limits);
    let mut scene = Scene { seat, task, journal: Arc::clone(journal), episode: None };
    let opened = match entered {
        Ok(()) => scene.open(unit.instance.validity.canary.as_ref(), episode.as_ref()).await,
        Err(closing) => Err(closing),
    };
    let closing = match opened {
        Ok(rested) if spec.interface != Interface::Cdp => {
            door::run(setting, unit, spec, &workspace, &scene, rested).await
        }
        Ok(rested) => {
            let mut watch = Watch { setting, unit, scene: &scene, steps: Arc::default(), counted: 0 };
            let (Ok(closing) | Err(closing)) = watch.over(spec, &workspace, rested).await;
            closing.after(watch.step(), watch.counted)
        }
        Err(closing) => closing,
    };
    scene.close().await;
    closing
}

struct Watch<'a> {
    setting: &'a Setting,
    unit: &'a Unit,
    scene: &'a Scene,
    /// Pictures taken; whoever keeps the history reads it too.
    steps: Arc<AtomicU32>,
    counted: u32,
}

impl Watch<'_> {
    async fn over(
        &mut self,
        spec: &CommandSpec,
        workspace: &Workspace,
        rested: Rested,
    ) -> Result<Closing, Closing> {
        let scene = self.scene;
        let endpoint = scene.seat.endpoint().ok_or_else(|| Closing::infra("the seat has no gate"))?;
        let clock = scene.clock();
        let models = &self.setting.stage.options.models;
        let pass = models.admit(&spec.models, spec.budget, self.unit, &scene.journal, clock).await?;
        let history = self.open_history(clock).await?;
        let mut variables = pass.as_ref().map(Pass::environment).unwrap_or_default();
        variables.extend(history.as_ref().map(|server| (HISTORY_URL, History::address(&server.url()))));
        let port = endpoint.http.rsplit(':').next().and_then(|port| port.parse().ok());
        let ports: Vec<u16> = port
            .into_iter()
            .chain(pass.as_ref().map(Pass::port))
            .chain(history.as_ref().map(Server::port))
            .collect();
        let launcher = self.setting.stage.launcher(&ports);
        let endpoint = Endpoint::Cdp { http: endpoint.http.clone(), ws: endpoint.websocket.clone() };
        let task = CommandTask {
            brief: &scene.task,
            response_schema: umpire_rules::response_schema(),
            endpoint: &endpoint,
            workspace,
            launcher: &launcher,
            services: &variables,
        };
        self.look(rested, clock).await?;
        let running = run_command(spec, task, Arc::clone(&scene.journal) as _, clock);
        let ended = tokio::select! {
            ended = running => ended.map_err(|error| Closing::infra(error.to_string()))?,
            closing = self.follow(clock) => return closing,
            closing = scene.until_ended_by_page() => {
                // The action that ended it may still be on its way to be counted and looked at.
                self.count();
                if let Ok(rested) = scene.settle(clock).await {
                    let _ = self.look(rested, clock).await;
                }
                return Ok(closing);
            }
        };
        if let Some(closing) = scene.ended_by_page() {
            return Ok(closing);
        }
        let is_over_budget = self.count();
        // The last picture is evidence, but the attempt is over: a page that cannot be seen any more changes nothing.
        if let Ok(rested) = scene.settle(clock).await {
            let _ = self.look(rested, clock).await;
        }
        if scene.seat.is_gone() {
            return Err(Closing::infra("the browser went away while the agent ran"));
        }
        if is_over_budget {
            return Ok(scene.actions_are_used_up());
        }
        let closing = match ended {
            CommandEnd::Answered(response) => {
                scene.journal.event(EventBody::Answered { response });
                Closing::new(End::Answered, "")
            }
            CommandEnd::Stopped { reason } => Closing::new(End::Stopped, reason),
            CommandEnd::Time => scene.time_is_over(),
        };
        Ok(excused(closing, pass.and_then(|pass| pass.last_error())))
    }

    /// A port at which the history of the person can be asked, where the task is for one.
    async fn open_history(&self, clock: Deadline) -> Result<Option<Server>, Closing> {
        let options = &self.setting.stage.options;
        let Some(memory) = options.memories.of(&options.models, self.unit, &self.scene.journal) else {
            return Ok(None);
        };
        let history = History::new(memory, Arc::clone(&self.steps), clock);
        let server = Server::start(0, Arc::new(history)).await;
        server.map(Some).map_err(|error| Closing::infra(format!("no way to the history: {error}")))
    }

    fn step(&self) -> u32 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Takes a picture after each burst of actions. Ends only if the attempt has to.
    async fn follow(&mut self, clock: Deadline) -> Result<Closing, Closing> {
        let mut activity = self.scene.seat.client_activity();
        loop {
            if activity.changed().await.is_err() {
                // The gate is closed; the command notices and ends by itself.
                std::future::pending::<()>().await;
            }
            let last = activity.borrow_and_update().last.clone();
            if self.count() {
                return Ok(self.scene.actions_are_used_up());
            }
            let rested = self.scene.settle(clock).await?;
            if let Some(action) = last {
                self.note(action);
            }
            // A page may be between two documents; the next burst is looked at again.
            if let Err(closing) = self.look(rested, clock).await
                && self.scene.seat.is_gone()
            {
                return Err(closing);
            }
        }
    }

    /// Takes over what the gate has counted; true if that is more than the attempt may use.
    fn count(&mut self) -> bool {
        let limit = self.scene.task.limits.actions;
        let counted = u32::try_from(self.scene.seat.client_activity().borrow().counted).unwrap_or(u32::MAX);
        self.counted = counted.min(limit);
        counted > limit
    }

    fn note(&self, action: Action) {
        let (attempt, step) = (self.unit.id.clone(), self.step());
        let _ = self.setting.events.send(RunEvent::Step { attempt, step, action: action.to_string() });
        self.scene.journal.event(EventBody::Acted { step, action, at: None, error: None, took_ms: 0 });
    }

    async fn look(&mut self, rested: Rested, clock: Deadline) -> Result<(), Closing> {
        let step = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        self.scene.look(step, rested, clock).await.map(drop)
    }
}
