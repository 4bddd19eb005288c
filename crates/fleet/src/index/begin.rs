//! May this attempt be begun, here and now?

use std::collections::HashMap;

use sqlx::PgPool;

use super::{Index, ms};
use crate::{FleetError, Timing};

/// Deaths of workers with one attempt in hand after which nobody gets it any more.
const MOST_DEATHS: i64 = 2;
/// Tries that workers could not carry out, after which it is not tried again.
const MOST_FAILURES: i64 = 5;

#[derive(Clone, Debug)]
pub(crate) struct Beginning {
    pub(crate) run: String,
    pub(crate) attempt: String,
    pub(crate) ticket: i64,
    pub(crate) worker: String,
    /// What the worker's machine is called, which stays the same when it starts again.
    pub(crate) name: String,
    /// Somebody may have it in hand: this is a further copy on purpose.
    pub(crate) beside_others: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It is yours.
    Yes,
    /// It has ended; there is nothing to do.
    Ended,
    /// Somebody has it in hand who is alive, or may be. The queue handed it out again because it did not hear of that in time.
    InHand,
    /// Somebody else should have it: here it is in hand already, or came to grief, and there are others.
    ForOthers,
    /// So much went wrong with it that it is not tried again, for this reason.
    GivenUp { reason: String },
    /// The run is over or cancelled.
    Closed,
}

impl Index {
    pub(crate) async fn begin(&self, beginning: Beginning) -> Result<Begun, FleetError> {
        self.batches.begin.ask(beginning).await
    }
}

/// A start counts as alive while its worker says that it has it in hand, or began it since it last said anything; and as a
/// death if its worker was silent for most of a lease and did not take its leave. Whoever is alive again after a broken
/// network is no death any more; so nothing is given up before the deaths are certain, by long silence or because a worker of the
/// same name has joined since. Machines are told apart by name: a worker that was started again is the same machine.
const BEGIN: &str = "
with asked as (
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bool[])
        as a(run, attempt, ticket, worker, name, beside_others)
), known as (
    select a.*, earlier.alive, earlier.silent, earlier.deaths, earlier.failures, earlier.failed,
        exists (select from fleet_results r where r.run = a.run and r.attempt = a.attempt) as has_ended,
        coalesce((select g.state from fleet_runs g where g.run = a.run), 'gone') as state,
        (a.beside_others and earlier.is_here) or (a.name = any(earlier.unlucky) and exists (
            select from fleet_workers w
            where w.seen > now() - $7 * interval '1 ms' and not w.has_left and a.run = any(w.serves)
                and w.name <> all(earlier.unlucky))) as is_for_others
    from asked a
    cross join lateral (
        select
            count(*) filter (where told.is_alive) as alive,
            count(*) filter (where told.is_death) as silent,
            count(*) filter (where told.is_death and (w.worker is null or w.seen <= now() - $11 * interval '1 ms'
                or exists (select from fleet_workers n where n.name = w.name and n.joined > w.seen))) as deaths,
            count(s.failed) as failures,
            (array_agg(s.failed order by s.seq desc) filter (where s.failed is not null))[1] as failed,
            coalesce(bool_or(told.is_alive and told.name = a.name), false) as is_here,
            coalesce(array_agg(told.name) filter (where told.is_death or s.failed is not null), '{}') as unlucky
        from fleet_starts s left join fleet_workers w on w.worker = s.worker
        cross join lateral (select
            coalesce(w.name, '') as name,
            s.ended is null and coalesce(w.seen > now() - $7 * interval '1 ms' and not w.has_left
                and (s.ticket = any(w.running) or s.at > w.seen - $8 * interval '1 ms'), false) as is_alive,
            s.ended is null and (w.worker is null
                or (w.seen <= now() - $7 * interval '1 ms' and not w.has_left)) as is_death
        ) told
        where s.run = a.run and s.attempt = a.attempt and s.ticket <> a.ticket
            and (s.ended is null or s.failed is not null)
    ) earlier
), begun as (
    insert into fleet_starts (ticket, run, attempt, worker)
    select ticket, run, attempt, worker from known
    where not has_ended and state = 'open' and silent < $9 and failures < $10 and not is_for_others
        and (beside_others or alive = 0)
    on conflict (ticket) do nothing
)
select ticket, alive, silent, deaths, failures, failed, has_ended, state, is_for_others from known";

type Row = (i64, i64, i64, i64, i64, Option<String>, bool, String, bool);

pub(super) async fn begin_all(
    pool: &PgPool,
    asked: &[Beginning],
    timing: Timing,
) -> Result<Vec<Begun>, FleetError> {
    let column = |of: fn(&Beginning) -> &str| asked.iter().map(|one| of(one).to_owned()).collect::<Vec<_>>();
    let rows: Vec<Row> = sqlx::query_as(BEGIN)
        .bind(column(|one| &one.run))
        .bind(column(|one| &one.attempt))
        .bind(asked.iter().map(|one| one.ticket).collect::<Vec<_>>())
        .bind(column(|one| &one.worker))
        .bind(column(|one| &one.name))
        .bind(asked.iter().map(|one| one.beside_others).collect::<Vec<_>>())
        .bind(ms(timing.absence()))
        .bind(ms(timing.beat()))
        .bind(MOST_DEATHS)
        .bind(MOST_FAILURES)
        .bind(ms(timing.despair()))
        .fetch_all(pool)
        .await?;
    let mut told: HashMap<i64, Row> = rows.into_iter().map(|row| (row.0, row)).collect();
    let answer = |one: &Beginning| told.remove(&one.ticket).map_or(Begun::Closed, |row| begun(row, one));
    Ok(asked.iter().map(answer).collect())
}

fn begun(row: Row, asked: &Beginning) -> Begun {
    let (_, alive, silent, deaths, failures, failed, has_ended, state, is_for_others) = row;
    if has_ended {
        Begun::Ended
    } else if state != "open" {
        Begun::Closed
    } else if deaths >= MOST_DEATHS {
        let reason = format!("{deaths} workers died while they had this attempt in hand; it was given up");
        Begun::GivenUp { reason }
    } else if failures >= MOST_FAILURES {
        let last = failed.unwrap_or_default();
        Begun::GivenUp {
            reason: format!("given up after {failures} failures, of which the last was: {last}"),
        }
    } else if silent >= MOST_DEATHS || (alive > 0 && !asked.beside_others && !is_for_others) {
        Begun::InHand
    } else if is_for_others {
        Begun::ForOthers
    } else {
        Begun::Yes
    }
}
