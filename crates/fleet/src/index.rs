//! The index: what has ended, who has begun what, who is alive. It is the truth of the fleet, and the only clock: all times
//! are the database's own.

mod batch;
mod begin;
mod holds;
mod overview;
mod results;
mod runs;
mod schema;
mod workers;

use std::str::FromStr as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use tokio::sync::Mutex;
use umpire_model::Deadline;

use crate::patience::Service;
use crate::{FleetError, Timing};
use batch::Batches;

pub(crate) use begin::Beginning;
pub use begin::Begun;
pub use overview::{DeadRow, HoldRow, Overview, RunGlance};
pub use results::{Committed as Verdicted, ResultRow, StartRow};
pub(crate) use results::{NewResult, Place};
pub(crate) use runs::{Claim, UnderWay};
pub use runs::{NewRun, RunRow, RunState};
pub(crate) use workers::Heartbeat;
pub use workers::WorkerRow;

/// Statements are small. One that takes longer met a server in trouble and is repeated.
const STATEMENT_LIMIT: Duration = Duration::from_secs(5);
const ACQUIRE_LIMIT: Duration = Duration::from_secs(5);
/// Each process asks in batches, so few connections are enough for many attempts; a database has them for many processes.
const CONNECTIONS: u32 = 2;
const IDLE_LIMIT: Duration = Duration::from_secs(20);

#[derive(Clone, Debug)]
pub struct Index {
    pool: PgPool,
    timing: Timing,
    service: Service,
    batches: Batches,
    open_runs: Arc<Mutex<Option<Look>>>,
}

impl Index {
    pub(crate) async fn connect(
        url: &str,
        timing: Timing,
        service: Service,
        deadline: Deadline,
    ) -> Result<Self, FleetError> {
        let options = PgConnectOptions::from_str(url).map_err(|error| FleetError::Address {
            what: "an index",
            // The address may hold a password.
            address: url.split_once("://").map_or("…", |(scheme, _)| scheme).to_owned() + "://…",
            problem: error.to_string(),
        })?;
        let limit = STATEMENT_LIMIT.as_millis().to_string();
        let options = options
            .application_name("umpire")
            .options([("statement_timeout", limit.as_str()), ("client_min_messages", "warning")]);
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(ACQUIRE_LIMIT)
            .idle_timeout(IDLE_LIMIT)
            .connect_lazy_with(options);
        service.ask(deadline, || schema::bring_up_to_date(&pool)).await?;
        let batches = Batches::start(&pool, timing, &service);
        Ok(Self { pool, timing, service, batches, open_runs: Arc::default() })
    }

    /// Asks until the database answers.
    async fn ask<T, F, R>(&self, deadline: Deadline, request: F) -> Result<T, FleetError>
    where
        F: FnMut() -> R + Send,
        R: Future<Output = Result<T, FleetError>> + Send,
    {
        self.service.ask(deadline, request).await
    }
}

/// Open runs, and when they were looked for.
type Look = (Instant, Arc<Vec<RunRow>>);

/// Numbers go to the database with a sign.
fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Spans go to the database as milliseconds.
fn ms(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}
