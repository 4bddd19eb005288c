//! `umpire sessions make`: one recording for all the states of a task, made of its reference actions and tried for each.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use umpire_browser::{Handler, NetworkPolicy, Pool, PoolOptions, Seat, SeatOptions};
use umpire_model::{Deadline, Filter, Instance, Suite, Task, Unrecorded, Viewport};
use umpire_runner::load_suite;
use umpire_stage::record::enact;
use umpire_stage::replay::{ReplayOptions, Replayer, Wanted};
use umpire_stage::{SESSION_VERSION, Session};
use umpire_worlds::World;

use crate::args::{Global, SessionsMakeArgs};
use crate::console::one_line;
use crate::exit::Exit;
use crate::failure::Failure;

const LIMIT: Duration = Duration::from_mins(2);
const UPLOADS: &str = ".";

pub async fn make(args: &SessionsMakeArgs, global: &Global) -> Result<Exit, Failure> {
    let suite = load_suite(&args.suite).map_err(|error| Failure::new(error.to_string()))?;
    if suite.file.world != "built-in" {
        return Err(Failure::new(
            "sessions are made on built-in sites; on others, `umpire record` makes them",
        ));
    }
    let filter = args.filter.as_deref().map(Filter::parse).transpose();
    let filter = filter.map_err(|error| Failure::new(error.to_string()))?;
    let is_kept = |instance: &Instance| filter.as_ref().is_none_or(|filter| filter.keeps(instance));
    let (chromium, remote) = (global.chromium.clone(), global.remote.remote()?);
    let options = PoolOptions { chromium, remote, ..PoolOptions::default() };
    let studio = Studio {
        pool: Pool::start(options, soon()).await.map_err(|error| Failure::new(error.to_string()))?,
        suite: &suite,
    };
    // Written as they come: whatever stops this leaves what was made.
    let unwritable = |error: std::io::Error| Failure::new(format!("{}: {error}", args.out.display()));
    let mut file = std::fs::File::create(&args.out).map_err(unwritable)?;
    let (mut written, mut left_out) = (0, 0);
    for task in &suite.tasks {
        let states: Vec<Instance> =
            Instance::of(task).into_iter().filter(|one| one.state.is_some() && !one.with_hint).collect();
        if states.len() < 2 || !states.iter().any(is_kept) {
            continue;
        }
        let made = studio.make(task, &states).await;
        tell(task, &states, &made, global.json);
        match made {
            Ok(Made { session, .. }) => {
                let line = serde_json::to_string(&session).unwrap_or_default();
                writeln!(file, "{line}").map_err(unwritable)?;
                written += 1;
            }
            Err(_) => left_out += 1,
        }
    }
    if !global.json {
        say!("\n{written} sessions in {}, {left_out} tasks left out", args.out.display());
    }
    Ok(if written == 0 { Exit::NothingRan } else { Exit::Ok })
}

fn tell(task: &Task, states: &[Instance], made: &Result<Made, String>, as_json: bool) {
    let names: Vec<&str> = states.iter().filter_map(|state| state.state.as_deref()).collect();
    match made {
        Ok(Made { inverted, .. }) if as_json => {
            say!("{}", json!({"task": task.id, "states": names, "inverted": inverted}));
        }
        Err(problem) if as_json => say!("{}", json!({"task": task.id, "states": names, "problem": problem})),
        Ok(Made { session, inverted }) => {
            let how = if *inverted { ", where on is the control's off (`replayed_for`)" } else { "" };
            say!("    made  {}: {} steps, tried for {}{how}", task.id, session.steps.len(), names.join(", "));
        }
        Err(problem) => say!("left out  {}: {}", task.id, one_line(problem, 300)),
    }
}

fn soon() -> Deadline {
    Deadline::after(LIMIT)
}

struct Made {
    session: Session,
    /// The task's `on` is the control's `off`.
    inverted: bool,
}

/// Why a recording does not bring a state about.
enum Misfit {
    Replay(String),
    World(String),
}

/// Where recordings are made and tried.
struct Studio<'a> {
    pool: Pool,
    suite: &'a Suite,
}

impl Studio<'_> {
    /// The recording of the state that has most to be done, if it brings every state about, whichever the world is in.
    async fn make(&self, task: &Task, states: &[Instance]) -> Result<Made, String> {
        let fullest = states.iter().max_by_key(|state| state.reference.len()).ok_or("it has no states")?;
        let session = self.enacted(task, fullest).await?;
        let mut inverted = false;
        let mut tried = self.try_all(&session, states, inverted).await;
        if matches!(&tried, Err(Misfit::World(_))) {
            inverted = true;
            tried = self.try_all(&session, states, inverted).await;
        }
        match tried {
            Ok(()) => Ok(Made { session, inverted }),
            Err(Misfit::World(problem) | Misfit::Replay(problem)) => Err(problem),
        }
    }

    async fn try_all(&self, session: &Session, states: &[Instance], inverted: bool) -> Result<(), Misfit> {
        for state in states {
            for from in states {
                self.try_out(session, state, &from.world, inverted).await?;
            }
        }
        Ok(())
    }

    async fn enacted(&self, task: &Task, instance: &Instance) -> Result<Session, String> {
        let world = self.world(instance, &instance.world)?;
        let seat = self.seat(&world).await?;
        let heading = Session {
            version: SESSION_VERSION,
            name: task.id.clone(),
            recorded_at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            recorder: concat!("umpire-reference ", env!("CARGO_PKG_VERSION")).to_owned(),
            start_url: instance.start_urls.first().cloned().unwrap_or_default(),
            viewport: Viewport::default(),
            steps: Vec::new(),
            remarks: Vec::new(),
        };
        let enacted = enact(&seat, heading, &instance.reference, UPLOADS.as_ref(), soon()).await;
        seat.close(soon()).await;
        enacted.map_err(|error| error.to_string())
    }

    async fn try_out(
        &self,
        session: &Session,
        wanted: &Instance,
        from: &Value,
        inverted: bool,
    ) -> Result<(), Misfit> {
        let state = match (wanted.state.as_deref().unwrap_or_default(), inverted) {
            ("on", true) => "off",
            ("off", true) => "on",
            (state, _) => state,
        };
        let world = self.world(wanted, from).map_err(Misfit::Replay)?;
        let seat = self.seat(&world).await.map_err(Misfit::Replay)?;
        let options = ReplayOptions::new(Wanted::named(state));
        let replayed = Replayer::new(&seat, options).replay(session, soon()).await;
        seat.close(soon()).await;
        replayed.map_err(|error| Misfit::Replay(format!("for {state}: {error}")))?;
        if world.agrees_with(&wanted.world) {
            Ok(())
        } else {
            Err(Misfit::World(format!("for {state}: the controls stand as wanted, and the world does not")))
        }
    }

    fn world(&self, instance: &Instance, patch: &Value) -> Result<Arc<World>, String> {
        World::create(&instance.sites, self.suite.file.seed, patch)
            .map(Arc::new)
            .map_err(|error| error.to_string())
    }

    async fn seat(&self, world: &Arc<World>) -> Result<Seat, String> {
        let origins = world.hosts().into_iter().map(|host| {
            let world = Arc::clone(world);
            let handler: Handler = Arc::new(move |request| world.serve(request));
            (host.to_owned(), handler)
        });
        let network = NetworkPolicy { origins: origins.collect(), ..NetworkPolicy::default() };
        let options = SeatOptions::new(Arc::new(Unrecorded), network);
        self.pool.seat(options, soon()).await.map_err(|error| error.to_string())
    }
}
