//! What all attempts of a run share: browsers, the guard, what must stay hidden.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use umpire_backend::Connections;
use umpire_browser::{Pool, PoolOptions, Remote};
use umpire_model::{Deadline, Manifest, Redactor, RemoteBrowser, Viewport};
use umpire_process::confine;
use umpire_process::guard::Guard;
use umpire_store::{Run, Runs};

use crate::{Accounts, ExecuteError, GuardOptions, Memories, Models, Plan};

const LAUNCH_LIMIT: Duration = Duration::from_mins(1);
const CONFINE_LIMIT: Duration = Duration::from_secs(20);

/// How the stage is to be set.
#[derive(Clone, Debug)]
pub struct StageOptions {
    /// Chromium, if it is not to be searched for.
    pub chromium: Option<PathBuf>,
    /// A browser elsewhere, to be used instead.
    pub remote: Option<Remote>,
    pub viewport: Viewport,
    /// Attempts at a time; warm seats are kept ready for them.
    pub jobs: usize,
    pub redactor: Redactor,
    /// The program itself: it has the hidden commands `guard` and `confine`.
    pub program: PathBuf,
    /// Paths a command agent must not be able to open.
    pub hidden: Vec<PathBuf>,
    /// Folder of files that tasks may upload.
    pub uploads: PathBuf,
    /// Accounts that the plan's instances need, with all they need read.
    pub accounts: Accounts,
    /// What backend checks of the plan may ask.
    pub backends: Connections,
    pub guard: GuardOptions,
    /// What agents with a model ask, and who pays.
    pub models: Models,
    /// The histories of people, for agents that ask them.
    pub memories: Memories,
}

pub struct Stage {
    pub(crate) pool: Pool,
    pub(crate) options: StageOptions,
    _guard: Arc<Guard>,
}

impl Stage {
    /// Sweeps leftovers of dead runners, then starts the guard and the first browser.
    pub async fn set(options: StageOptions) -> Result<Arc<Self>, ExecuteError> {
        // What cannot be swept is somebody else's or already going; neither stops a run.
        let _ = umpire_browser::chromium::sweep();
        let guard = Guard::shared(&options.program, &["guard"])?;
        let pool_options = PoolOptions {
            chromium: options.chromium.clone(),
            remote: options.remote.clone(),
            viewport: options.viewport,
            // One more than can be taken at once: short attempts come in bursts.
            spares: options.jobs + 1,
            ..PoolOptions::default()
        };
        let pool = Pool::start(pool_options, Deadline::after(LAUNCH_LIMIT)).await?;
        Ok(Arc::new(Self { pool, options, _guard: guard }))
    }

    /// The plan's run: the one on disk if there is one, else a new one.
    pub fn open_run(&self, plan: &Plan, runs: &Runs) -> Result<Run, ExecuteError> {
        if let Some(run) = runs.find(&plan.run)? {
            if !run.manifest().is_alike(&self.manifest(plan)) {
                return Err(ExecuteError::OtherPlan { run: plan.run.to_string() });
            }
            return Ok(run);
        }
        Ok(runs.create(&self.manifest(plan), plan.instances.iter().map(Arc::as_ref))?)
    }

    fn manifest(&self, plan: &Plan) -> Manifest {
        let manifest = plan.manifest(now(), self.pool.version().to_owned());
        Manifest { remote: self.remote().cloned(), ..manifest }
    }

    /// Product and build of the browser.
    pub fn browser(&self) -> &str {
        self.pool.version()
    }

    /// Where the browser is, if somebody else started it.
    pub fn remote(&self) -> Option<&RemoteBrowser> {
        self.pool.remote()
    }

    pub(crate) fn redactor(&self) -> Redactor {
        self.options.redactor.clone()
    }

    /// What stands before a command agent's own command, so that it cannot open what is hidden and reaches its page
    /// through the one way in that it was given.
    pub(crate) fn launcher(&self, ports: &[u16]) -> Vec<OsString> {
        if !confine::is_available() {
            return Vec::new();
        }
        let mut words = vec![self.options.program.clone().into_os_string(), "confine".into()];
        for path in &self.options.hidden {
            words.extend(["--hide".into(), path.clone().into_os_string()]);
        }
        for port in ports {
            words.extend(["--port".into(), port.to_string().into()]);
        }
        // Whoever reaches a remote browser directly is not recorded.
        let remote = self.options.remote.as_ref();
        for port in remote.map(Remote::ports_to_close).unwrap_or_default() {
            words.extend(["--close".into(), port.to_string().into()]);
        }
        words.push("--".into());
        words
    }

    /// Confines a command that does nothing. A confinement that fails would otherwise look like a failure of the agent,
    /// in every attempt.
    pub(crate) async fn try_confinement(&self) -> Result<(), ExecuteError> {
        let words = self.launcher(&[]);
        let Some((program, arguments)) = words.split_first() else { return Ok(()) };
        let mut command = tokio::process::Command::new(program);
        command.args(arguments).arg("true").stdin(Stdio::null()).kill_on_drop(true);
        match tokio::time::timeout(CONFINE_LIMIT, command.output()).await {
            Ok(Ok(output)) if output.status.success() => Ok(()),
            Ok(Ok(output)) => {
                Err(ExecuteError::Confinement(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
            }
            Ok(Err(error)) => Err(ExecuteError::Confinement(error.to_string())),
            Err(_) => Err(ExecuteError::Confinement("it did not end".to_owned())),
        }
    }
}

/// Product and build of the browser that is used on this machine, for those who plan a run and leave it to others. It is started once.
pub async fn browser_version(
    chromium: Option<PathBuf>,
    remote: Option<Remote>,
) -> Result<String, ExecuteError> {
    let options = PoolOptions { chromium, remote, spares: 0, ..PoolOptions::default() };
    let pool = Pool::start(options, Deadline::after(LAUNCH_LIMIT)).await?;
    Ok(pool.version().to_owned())
}

/// RFC 3339, UTC, in seconds.
pub fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
