//! Runs of the fleet, and who looks after each.

use std::sync::Arc;
use std::time::Instant;

use umpire_model::Deadline;

use super::{Index, count, ms};
use crate::FleetError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    Open,
    /// Every attempt has ended.
    Done,
    Cancelled,
}

impl RunState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
        }
    }

    fn parse(text: &str) -> Self {
        match text {
            "done" => Self::Done,
            "cancelled" => Self::Cancelled,
            _ => Self::Open,
        }
    }
}

/// A run to be made known.
#[derive(Clone, Debug)]
pub struct NewRun {
    pub run: String,
    pub attempts: usize,
    /// Labels a worker must have.
    pub needs: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    pub run: String,
    pub attempts: u64,
    pub published: u64,
    pub state: RunState,
    pub needs: Vec<String>,
    /// Whether somebody looks after it.
    pub is_tended: bool,
}

/// The right to look after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It is yours; so many attempts are published.
    Mine { published: u64 },
    /// Somebody else has it, and is alive.
    Taken,
    /// There is nothing to look after any more.
    Over,
}

/// An attempt in somebody's hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnderWay {
    pub(crate) attempt: String,
    /// How many have it in hand.
    pub(crate) hands: u64,
    /// Since the first of them began.
    pub(crate) age_ms: u64,
}

const CLAIM: &str = "
update fleet_runs set steward = $2, steward_seen = now()
where run = $1 and state = 'open'
    and (steward is null or steward = $2 or steward_seen <= now() - $3 * interval '1 ms')
returning published";

const UNDER_WAY: &str = "
select s.attempt, count(*)::bigint, (extract(epoch from max(now() - s.at)) * 1000)::bigint
from fleet_workers w
cross join lateral unnest(w.running) as hand(ticket)
join fleet_starts s on s.ticket = hand.ticket
left join fleet_results r on r.run = s.run and r.attempt = s.attempt
where w.seen > now() - $2 * interval '1 ms' and not w.has_left and s.run = $1 and s.ended is null and r.run is null
group by s.attempt";

/// Of the latest only, so that the answer costs the same at the end of a million.
const MEDIAN: &str = "
select percentile_disc(0.5) within group (order by ms) from
    (select ms from fleet_results where run = $1 and not is_dead order by seq desc limit 1000) latest";

impl Index {
    /// Makes a run known; one that is known already stays as it is.
    pub async fn open_run(&self, run: &NewRun, deadline: Deadline) -> Result<(), FleetError> {
        self.ask(deadline, || async {
            sqlx::query(
                "insert into fleet_runs (run, attempts, needs) values ($1, $2, $3) on conflict do nothing",
            )
            .bind(&run.run)
            .bind(count(run.attempts))
            .bind(&run.needs)
            .execute(&self.pool)
            .await?;
            Ok(())
        })
        .await
    }

    pub async fn find_run(&self, run: &str, deadline: Deadline) -> Result<Option<RunRow>, FleetError> {
        Ok(self.runs(Some(run), deadline).await?.pop())
    }

    /// Runs that have something left to do, oldest first. All workers of a process share one look a second.
    pub(crate) async fn open_runs(&self, deadline: Deadline) -> Result<Arc<Vec<RunRow>>, FleetError> {
        let mut latest = self.open_runs.lock().await;
        if let Some((at, runs)) = latest.as_ref()
            && at.elapsed() < self.timing.poll
        {
            return Ok(Arc::clone(runs));
        }
        let runs = Arc::new(self.runs(None, deadline).await?);
        *latest = Some((Instant::now(), Arc::clone(&runs)));
        Ok(runs)
    }

    /// The named one, or all that are open.
    async fn runs(&self, run: Option<&str>, deadline: Deadline) -> Result<Vec<RunRow>, FleetError> {
        type Row = (String, i64, i64, String, Vec<String>, bool);
        let rows: Vec<Row> = self
            .ask(deadline, || async {
                let asking = sqlx::query_as(
                    "select run, attempts, published, state, needs,
                         coalesce(steward_seen > now() - $1 * interval '1 ms', false)
                     from fleet_runs where run = $2 or ($2 is null and state = 'open') order by created, run",
                );
                Ok(asking.bind(ms(self.timing.lease)).bind(run).fetch_all(&self.pool).await?)
            })
            .await?;
        let told = |(run, attempts, published, state, needs, is_tended): Row| RunRow {
            run,
            attempts: attempts.unsigned_abs(),
            published: published.unsigned_abs(),
            state: RunState::parse(&state),
            needs,
            is_tended,
        };
        Ok(rows.into_iter().map(told).collect())
    }

    /// Takes the right to look after a run, or says again that it is still wanted.
    pub(crate) async fn claim(
        &self,
        run: &str,
        steward: &str,
        deadline: Deadline,
    ) -> Result<Claim, FleetError> {
        self.ask(deadline, || async {
            let published: Option<i64> = sqlx::query_scalar(CLAIM)
                .bind(run)
                .bind(steward)
                .bind(ms(self.timing.lease))
                .fetch_optional(&self.pool)
                .await?;
            if let Some(published) = published {
                return Ok(Claim::Mine { published: published.unsigned_abs() });
            }
            let is_open: bool = sqlx::query_scalar(
                "select exists (select from fleet_runs where run = $1 and state = 'open')",
            )
            .bind(run)
            .fetch_one(&self.pool)
            .await?;
            Ok(if is_open { Claim::Taken } else { Claim::Over })
        })
        .await
    }

    /// Gives the right back, so that the next need not wait for a lease.
    pub(crate) async fn release(
        &self,
        run: &str,
        steward: &str,
        deadline: Deadline,
    ) -> Result<(), FleetError> {
        self.ask(deadline, || async {
            let letting = sqlx::query(
                "update fleet_runs set steward = null, steward_seen = null where run = $1 and steward = $2",
            );
            letting.bind(run).bind(steward).execute(&self.pool).await?;
            Ok(())
        })
        .await
    }

    /// So many attempts are published. It never goes back: a steward that was taken for dead may still be writing.
    pub(crate) async fn note_published(
        &self,
        run: &str,
        count: u64,
        deadline: Deadline,
    ) -> Result<(), FleetError> {
        self.ask(deadline, || async {
            sqlx::query("update fleet_runs set published = greatest(published, $2) where run = $1")
                .bind(run)
                .bind(i64::try_from(count).unwrap_or(i64::MAX))
                .execute(&self.pool)
                .await?;
            Ok(())
        })
        .await
    }

    /// Ends a run for good. The first end stands.
    pub async fn close_run(&self, run: &str, state: RunState, deadline: Deadline) -> Result<(), FleetError> {
        self.ask(deadline, || async {
            sqlx::query("update fleet_runs set state = $2, ended = now() where run = $1 and state = 'open'")
                .bind(run)
                .bind(state.as_str())
                .execute(&self.pool)
                .await?;
            Ok(())
        })
        .await
    }

    /// What of a run is in the hands of workers that are alive.
    pub(crate) async fn under_way(&self, run: &str, deadline: Deadline) -> Result<Vec<UnderWay>, FleetError> {
        let rows: Vec<(String, i64, i64)> = self
            .ask(deadline, || async {
                let asking = sqlx::query_as(UNDER_WAY).bind(run).bind(ms(self.timing.absence()));
                Ok(asking.fetch_all(&self.pool).await?)
            })
            .await?;
        let told = |(attempt, hands, age): (String, i64, i64)| UnderWay {
            attempt,
            hands: hands.unsigned_abs(),
            age_ms: age.max(0).unsigned_abs(),
        };
        Ok(rows.into_iter().map(told).collect())
    }

    /// What an attempt of the run usually takes, in milliseconds.
    pub(crate) async fn usual_ms(&self, run: &str, deadline: Deadline) -> Result<Option<u64>, FleetError> {
        let median: Option<i64> = self
            .ask(deadline, || async { Ok(sqlx::query_scalar(MEDIAN).bind(run).fetch_one(&self.pool).await?) })
            .await?;
        Ok(median.map(i64::unsigned_abs))
    }
}
