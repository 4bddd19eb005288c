//! Who is there.

use serde_json::Value;
use umpire_model::Deadline;

use super::{Index, count, ms};
use crate::FleetError;

/// What a worker says of itself, a few times in every lease.
#[derive(Clone, Debug)]
pub(crate) struct Heartbeat<'a> {
    pub(crate) worker: &'a str,
    pub(crate) name: &'a str,
    pub(crate) capacity: &'a Value,
    pub(crate) slots: usize,
    pub(crate) running: &'a [i64],
    pub(crate) serves: &'a [String],
    pub(crate) note: &'a str,
    pub(crate) has_left: bool,
}

/// A worker that joined.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerRow {
    pub worker: String,
    pub name: String,
    pub capacity: Value,
    pub slots: u64,
    pub running: u64,
    pub note: String,
    /// Since its last sign of life.
    pub silent_ms: u64,
    /// It has been silent for longer than one that lives.
    pub is_lost: bool,
}

const BEAT: &str = "
insert into fleet_workers (worker, name, capacity, slots, running, note, has_left, serves)
values ($1, $2, $3::jsonb, $4, $5, $6, $7, $8)
on conflict (worker) do update set seen = now(), capacity = excluded.capacity, slots = excluded.slots,
    running = excluded.running, note = excluded.note, has_left = excluded.has_left,
    serves = excluded.serves";

/// Of those in hand: what has ended elsewhere, and what belongs to a run that is open no more.
const IN_VAIN: &str = "
select s.ticket from fleet_starts s
left join fleet_results r on r.run = s.run and r.attempt = s.attempt
left join fleet_runs g on g.run = s.run
where s.ticket = any($1) and (r.ticket <> s.ticket or (r.ticket is null and g.state is distinct from 'open'))";

impl Index {
    /// Says that a worker is alive, keeps what it holds, and returns the tickets it may stop working on.
    pub(crate) async fn beat(
        &self,
        beat: &Heartbeat<'_>,
        deadline: Deadline,
    ) -> Result<Vec<i64>, FleetError> {
        self.ask(deadline, || async {
            sqlx::query(BEAT)
                .bind(beat.worker)
                .bind(beat.name)
                .bind(beat.capacity.to_string())
                .bind(count(beat.slots))
                .bind(beat.running)
                .bind(beat.note)
                .bind(beat.has_left)
                .bind(beat.serves)
                .execute(&self.pool)
                .await?;
            if beat.running.is_empty() {
                return Ok(Vec::new());
            }
            sqlx::query(
                "update fleet_holds set until = now() + $2 * interval '1 ms'
                 where ticket = any($1) and worker = $3",
            )
            .bind(beat.running)
            .bind(ms(self.timing.lease))
            .bind(beat.worker)
            .execute(&self.pool)
            .await?;
            Ok(sqlx::query_scalar(IN_VAIN).bind(beat.running).fetch_all(&self.pool).await?)
        })
        .await
    }

    /// Workers that are there, and those lost within the last hour.
    pub async fn workers(&self, deadline: Deadline) -> Result<Vec<WorkerRow>, FleetError> {
        type Row = (String, String, String, i64, i64, String, i64);
        let rows: Vec<Row> = self
            .ask(deadline, || async {
                Ok(sqlx::query_as(
                    "select worker, name, capacity::text, slots, cardinality(running)::bigint, note,
                         (extract(epoch from now() - seen) * 1000)::bigint
                     from fleet_workers where not has_left and seen > now() - interval '1 hour' order by name, joined",
                )
                .fetch_all(&self.pool)
                .await?)
            })
            .await?;
        let lost = ms(self.timing.lease).unsigned_abs();
        let told = |(worker, name, capacity, slots, running, note, silent): Row| {
            let silent_ms = silent.max(0).unsigned_abs();
            WorkerRow {
                worker,
                name,
                capacity: serde_json::from_str(&capacity).unwrap_or_default(),
                slots: slots.unsigned_abs(),
                running: running.unsigned_abs(),
                note,
                silent_ms,
                is_lost: silent_ms > lost,
            }
        };
        Ok(rows.into_iter().map(told).collect())
    }
}
