//! The whole fleet at a glance, for `umpire top`.

use umpire_model::Deadline;

use super::{Index, WorkerRow, ms};
use crate::FleetError;

/// What a run has come to so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunGlance {
    pub run: String,
    pub state: String,
    pub attempts: u64,
    pub published: u64,
    pub ended: u64,
    pub passed: u64,
    pub infra: u64,
    pub dead: u64,
    /// In the hands of workers that are alive.
    pub running: u64,
    /// Ends within the last minute.
    pub in_last_minute: u64,
    pub age_ms: u64,
}

/// An attempt that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadRow {
    pub run: String,
    pub attempt: String,
    pub reason: String,
}

/// A key in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldRow {
    pub name: String,
    pub in_use: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overview {
    pub workers: Vec<WorkerRow>,
    pub runs: Vec<RunGlance>,
    pub holds: Vec<HoldRow>,
    /// The latest.
    pub dead: Vec<DeadRow>,
}

const RUNS: &str = "
select g.run, g.state, g.attempts, g.published,
    count(r.run), count(r.run) filter (where r.outcome = 'pass'),
    count(r.run) filter (where r.outcome = 'infra'), count(r.run) filter (where r.is_dead),
    (select count(*) from fleet_workers w cross join lateral unnest(w.running) as hand(ticket)
        join fleet_starts s on s.ticket = hand.ticket
        where s.run = g.run and s.ended is null and not w.has_left and w.seen > now() - $1 * interval '1 ms'),
    count(r.run) filter (where r.at > now() - interval '1 minute'),
    (extract(epoch from coalesce(g.ended, now()) - g.created) * 1000)::bigint
from fleet_runs g left join fleet_results r on r.run = g.run
where g.state = 'open' or g.ended > now() - interval '1 hour'
group by g.run, g.state, g.attempts, g.published, g.created, g.ended
order by g.state = 'open' desc, g.created desc
limit greatest(30, (select count(*) from fleet_runs where state = 'open'))";

impl Index {
    pub async fn overview(&self, deadline: Deadline) -> Result<Overview, FleetError> {
        type Row = (String, String, i64, i64, i64, i64, i64, i64, i64, i64, i64);
        type Glances = (Vec<Row>, Vec<(String, i64)>, Vec<(String, String, String)>);
        let workers = self.workers(deadline).await?;
        let (runs, holds, dead): Glances = self
            .ask(deadline, || async {
                let runs = sqlx::query_as(RUNS).bind(ms(self.timing.absence()));
                let runs = runs.fetch_all(&self.pool).await?;
                let holds = sqlx::query_as(
                    "select name, count(*) from fleet_holds where until > now() group by name
                     order by count(*) desc, name limit 10",
                );
                let dead = sqlx::query_as(
                    "select run, attempt, reason from fleet_results where is_dead and at > now() - interval '1 day'
                     order by at desc limit 5",
                );
                Ok((runs, holds.fetch_all(&self.pool).await?, dead.fetch_all(&self.pool).await?))
            })
            .await?;
        let glance = |row: Row| {
            let (run, state, attempts, published, ended, passed, infra, dead, running, minute, age) = row;
            RunGlance {
                run,
                state,
                attempts: attempts.unsigned_abs(),
                published: published.unsigned_abs(),
                ended: ended.unsigned_abs(),
                passed: passed.unsigned_abs(),
                infra: infra.unsigned_abs(),
                dead: dead.unsigned_abs(),
                running: running.unsigned_abs(),
                in_last_minute: minute.unsigned_abs(),
                age_ms: age.max(0).unsigned_abs(),
            }
        };
        Ok(Overview {
            workers,
            runs: runs.into_iter().map(glance).collect(),
            holds: holds
                .into_iter()
                .map(|(name, count)| HoldRow { name, in_use: count.unsigned_abs() })
                .collect(),
            dead: dead.into_iter().map(|(run, attempt, reason)| DeadRow { run, attempt, reason }).collect(),
        })
    }
}
