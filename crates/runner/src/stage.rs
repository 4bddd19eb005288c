//! What all attempts of a run share: browsers, the guard, what must stay hidden.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use umpire_agents::Endpoint;
use umpire_browser::{Pool, PoolOptions};
use umpire_model::{Deadline, Redactor, Viewport};
use umpire_process::confine;
use umpire_process::guard::Guard;
use umpire_store::{Run, Runs};

use crate::{ExecuteError, Plan};

const LAUNCH_LIMIT: Duration = Duration::from_mins(1);

/// How the stage is to be set.
#[derive(Clone, Debug)]
pub struct StageOptions {
    /// Chromium, if it is not to be searched for.
    pub chromium: Option<PathBuf>,
    pub viewport: Viewport,
    /// Attempts at a time; as many warm seats are kept ready.
    pub jobs: usize,
    pub redactor: Redactor,
    /// The program itself: it has the hidden commands `guard` and `confine`.
    pub program: PathBuf,
    /// Paths a command agent must not be able to open.
    pub hidden: Vec<PathBuf>,
    /// Folder of files that tasks may upload.
    pub uploads: PathBuf,
}

pub struct Stage {
    pub(crate) pool: Pool,
    pub(crate) options: StageOptions,
    _guard: Guard,
}

impl Stage {
    /// Sweeps leftovers of dead runners, then starts the guard and the first browser.
    pub async fn set(options: StageOptions) -> Result<Arc<Self>, ExecuteError> {
        // What cannot be swept is somebody else's or already going; neither stops a run.
        let _ = umpire_browser::chromium::sweep();
        let guard = Guard::start(&options.program, &["guard"])?;
        let pool_options = PoolOptions {
            chromium: options.chromium.clone(),
            viewport: options.viewport,
            spares: options.jobs,
            ..PoolOptions::default()
        };
        let pool = Pool::start(pool_options, Deadline::after(LAUNCH_LIMIT)).await?;
        Ok(Arc::new(Self { pool, options, _guard: guard }))
    }

    /// The plan's run: the one on disk if there is one, else a new one.
    pub fn open_run(&self, plan: &Plan, runs: &Runs) -> Result<Run, ExecuteError> {
        if let Some(run) = runs.find(&plan.run)? {
            let fresh = plan.manifest(run.manifest().created.clone(), self.pool.version().to_owned());
            if *run.manifest() != fresh {
                return Err(ExecuteError::OtherPlan { run: plan.run.to_string() });
            }
            return Ok(run);
        }
        let manifest = plan.manifest(now(), self.pool.version().to_owned());
        Ok(runs.create(&manifest, plan.instances.iter().map(Arc::as_ref))?)
    }

    pub(crate) fn redactor(&self) -> Redactor {
        self.options.redactor.clone()
    }

    /// What stands before a command agent's own command, so that it cannot open what is hidden and reaches the browser
    /// through the gate only.
    pub(crate) fn launcher(&self, gate: &Endpoint) -> Vec<OsString> {
        if !confine::is_available() {
            return Vec::new();
        }
        let mut words = vec![self.options.program.clone().into_os_string(), "confine".into()];
        for path in &self.options.hidden {
            words.extend(["--hide".into(), path.clone().into_os_string()]);
        }
        if let Some(port) = gate.http.rsplit(':').next() {
            words.extend(["--port".into(), port.into()]);
        }
        words.push("--".into());
        words
    }
}

/// RFC 3339, UTC, in seconds.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
