//! How attempts ended, once each.

use std::collections::HashSet;

use sqlx::postgres::PgRow;
use sqlx::{FromRow as _, PgPool, Row as _};
use umpire_model::{Deadline, Outcome};

use super::{Index, count};
use crate::{Ended, FleetError};

#[derive(Clone, Debug)]
pub(crate) struct NewResult {
    pub(crate) run: String,
    pub(crate) attempt: String,
    pub(crate) ticket: i64,
    pub(crate) worker: String,
    pub(crate) ended: Ended,
    /// Whether anything was recorded that is in the depot under the ticket.
    pub(crate) is_shipped: bool,
    /// It was given up, not carried out.
    pub(crate) is_dead: bool,
}

/// Whether a result counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Committed {
    First,
    /// Another one stands already.
    Late,
}

/// How one attempt ended, as it stands in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRow {
    pub seq: i64,
    pub attempt: String,
    pub ticket: i64,
    pub worker: String,
    pub outcome: Outcome,
    pub reason: String,
    pub ms: u64,
    pub steps: u32,
    pub is_shipped: bool,
    pub is_dead: bool,
}

/// Where a reader of results is.
///
/// Rows are numbered before they are seen, so a row may appear below numbers that were seen already. Transactions tell:
/// whatever is not seen yet belongs to one that was not over, and the database knows the oldest of those.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    xact: u64,
    seq: i64,
}

impl Place {
    /// Where all that the transactions from this one on write comes after.
    pub(crate) fn of(xact: u64) -> Self {
        Self { xact, seq: 0 }
    }
}

/// Some results, in the order of their places.
pub(crate) struct Page {
    pub(crate) rows: Vec<ResultRow>,
    /// The place of the last.
    pub(crate) end: Option<Place>,
    /// All transactions before this one were over, and what they wrote was there to be seen.
    pub(crate) settled: Option<u64>,
}

/// An attempt that was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartRow {
    pub seq: i64,
    pub attempt: String,
    pub worker: String,
}

const COMMIT: &str = "
with ended as (
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[],
            $7::bigint[], $8::bigint[], $9::bool[], $10::bool[])
        as e(run, attempt, ticket, worker, outcome, reason, ms, steps, is_shipped, is_dead)
)
insert into fleet_results (run, attempt, ticket, worker, outcome, reason, ms, steps, is_shipped, is_dead)
select run, attempt, ticket, worker, outcome, reason, ms, steps, is_shipped, is_dead from ended
on conflict (run, attempt) do nothing
returning ticket";

/// One that was committed by a statement whose answer got lost stands under its own ticket; it was first all the same.
const MINE: &str = "select ticket from fleet_results where ticket = any($1) and (run, attempt) in
    (select * from unnest($2::text[], $3::text[]))";

const LATE: &str = "update fleet_starts set ended = now() where ticket = any($1) and ended is null";

pub(super) async fn commit_all(pool: &PgPool, all: &[NewResult]) -> Result<Vec<Committed>, FleetError> {
    let column = |of: fn(&NewResult) -> &str| all.iter().map(|one| of(one).to_owned()).collect::<Vec<_>>();
    let tickets: Vec<i64> = all.iter().map(|one| one.ticket).collect();
    let inserted: Vec<i64> = sqlx::query_scalar(COMMIT)
        .bind(column(|one| &one.run))
        .bind(column(|one| &one.attempt))
        .bind(&tickets)
        .bind(column(|one| &one.worker))
        .bind(column(|one| one.ended.outcome.as_str()))
        .bind(column(|one| &one.ended.reason))
        .bind(all.iter().map(|one| i64::try_from(one.ended.ms).unwrap_or(i64::MAX)).collect::<Vec<_>>())
        .bind(all.iter().map(|one| i64::from(one.ended.steps)).collect::<Vec<_>>())
        .bind(all.iter().map(|one| one.is_shipped).collect::<Vec<_>>())
        .bind(all.iter().map(|one| one.is_dead).collect::<Vec<_>>())
        .fetch_all(pool)
        .await?;
    let mut first: HashSet<i64> = inserted.into_iter().collect();
    if first.len() < all.len() {
        let mine: Vec<i64> = sqlx::query_scalar(MINE)
            .bind(&tickets)
            .bind(column(|one| &one.run))
            .bind(column(|one| &one.attempt))
            .fetch_all(pool)
            .await?;
        first.extend(mine);
        let late: Vec<i64> = tickets.iter().copied().filter(|ticket| !first.contains(ticket)).collect();
        sqlx::query(LATE).bind(late).execute(pool).await?;
    }
    let told = |ticket: &i64| if first.contains(ticket) { Committed::First } else { Committed::Late };
    Ok(tickets.iter().map(told).collect())
}

type Row = (i64, String, i64, String, String, String, i64, i64, bool, bool);
/// A row's transaction, and the oldest that was not over when it was read.
type Placed = (String, String);

fn placed(row: &PgRow) -> Result<(Row, Placed), sqlx::Error> {
    Ok((Row::from_row(row)?, (row.try_get(10)?, row.try_get(11)?)))
}

impl Index {
    pub(crate) async fn commit(&self, result: NewResult) -> Result<Committed, FleetError> {
        self.batches.commit.ask(result).await
    }

    /// Results of a run that were written at `place` or after it, in order, at most `most`.
    pub(crate) async fn results_after(
        &self,
        run: &str,
        place: Place,
        most: usize,
        deadline: Deadline,
    ) -> Result<Page, FleetError> {
        let rows: Vec<(Row, Placed)> = self
            .ask(deadline, || async {
                let asking = sqlx::query(
                    "select seq, attempt, ticket, worker, outcome, reason, ms, steps, is_shipped, is_dead,
                         xact::text, pg_snapshot_xmin(pg_current_snapshot())::text
                     from fleet_results where run = $1 and (xact, seq) > ($2::text::xid8, $3)
                     order by xact, seq limit $4",
                );
                let asking = asking.bind(run).bind(place.xact.to_string()).bind(place.seq).bind(count(most));
                let found = asking.fetch_all(&self.pool).await?;
                Ok(found.iter().map(placed).collect::<Result<_, _>>()?)
            })
            .await?;
        let number = |text: &str| text.parse::<u64>().unwrap_or_default();
        let settled = rows.first().map(|(_, (_, settled))| number(settled));
        let end = rows.last().map(|(row, (xact, _))| Place { xact: number(xact), seq: row.0 });
        let rows = rows.into_iter().map(|(row, _)| result_row(row)).collect::<Result<_, _>>()?;
        Ok(Page { rows, end, settled })
    }

    /// How many attempts of a run have ended.
    pub async fn count_results(&self, run: &str, deadline: Deadline) -> Result<u64, FleetError> {
        let count: i64 = self
            .ask(deadline, || async {
                let counting = sqlx::query_scalar("select count(*) from fleet_results where run = $1");
                Ok(counting.bind(run).fetch_one(&self.pool).await?)
            })
            .await?;
        Ok(count.unsigned_abs())
    }

    /// The names of all attempts of a run that have ended.
    pub(crate) async fn ended_attempts(
        &self,
        run: &str,
        deadline: Deadline,
    ) -> Result<HashSet<String>, FleetError> {
        let names: Vec<String> = self
            .ask(deadline, || async {
                let listing = sqlx::query_scalar("select attempt from fleet_results where run = $1");
                Ok(listing.bind(run).fetch_all(&self.pool).await?)
            })
            .await?;
        Ok(names.into_iter().collect())
    }

    /// Attempts of a run that were begun after the start of this number.
    pub async fn starts_since(
        &self,
        run: &str,
        seq: i64,
        deadline: Deadline,
    ) -> Result<Vec<StartRow>, FleetError> {
        let rows: Vec<(i64, String, String)> = self
            .ask(deadline, || async {
                Ok(sqlx::query_as(
                    "select seq, attempt, worker from fleet_starts where run = $1 and seq > $2
                     order by seq limit 1000",
                )
                .bind(run)
                .bind(seq)
                .fetch_all(&self.pool)
                .await?)
            })
            .await?;
        Ok(rows.into_iter().map(|(seq, attempt, worker)| StartRow { seq, attempt, worker }).collect())
    }

    /// Tickets of a run whose results do not count and of which something may lie in the depot.
    pub(crate) async fn late_tickets(&self, run: &str, deadline: Deadline) -> Result<Vec<i64>, FleetError> {
        self.ask(deadline, || async {
            let listing = sqlx::query_scalar(
                "select s.ticket from fleet_starts s join fleet_results r on r.run = s.run and r.attempt = s.attempt
                 where s.run = $1 and r.ticket <> s.ticket",
            );
            Ok(listing.bind(run).fetch_all(&self.pool).await?)
        })
        .await
    }

    /// The ticket of the result that stands for an attempt.
    pub(crate) async fn standing(
        &self,
        run: &str,
        attempt: &str,
        deadline: Deadline,
    ) -> Result<Option<i64>, FleetError> {
        self.ask(deadline, || async {
            let asking =
                sqlx::query_scalar("select ticket from fleet_results where run = $1 and attempt = $2");
            Ok(asking.bind(run).bind(attempt).fetch_optional(&self.pool).await?)
        })
        .await
    }

    /// It was begun and could not be carried out. Returns how often that has happened to this attempt.
    pub(crate) async fn note_failure(
        &self,
        ticket: i64,
        reason: &str,
        deadline: Deadline,
    ) -> Result<u32, FleetError> {
        let failures: i64 = self
            .ask(deadline, || async {
                let noting = sqlx::query(
                    "update fleet_starts set ended = coalesce(ended, now()), failed = $2 where ticket = $1",
                );
                noting.bind(ticket).bind(reason).execute(&self.pool).await?;
                let counting = sqlx::query_scalar(
                    "select count(*) from fleet_starts one join fleet_starts s using (run, attempt)
                     where one.ticket = $1 and s.failed is not null",
                );
                Ok(counting.bind(ticket).fetch_one(&self.pool).await?)
            })
            .await?;
        Ok(u32::try_from(failures).unwrap_or(u32::MAX))
    }

    /// These were begun and not ended: another may begin them, and nobody died.
    pub(crate) async fn give_back(&self, ticket: i64, deadline: Deadline) -> Result<(), FleetError> {
        self.ask(deadline, || async {
            sqlx::query(LATE).bind(vec![ticket]).execute(&self.pool).await?;
            Ok(())
        })
        .await
    }
}

fn result_row(row: Row) -> Result<ResultRow, FleetError> {
    let (seq, attempt, ticket, worker, outcome, reason, ms, steps, is_shipped, is_dead) = row;
    let outcome = Outcome::ALL.into_iter().find(|known| known.as_str() == outcome).ok_or_else(|| {
        let problem = format!("`{outcome}` is no outcome");
        FleetError::Malformed { place: format!("the result of `{attempt}`"), problem }
    })?;
    let (ms, steps) = (ms.unsigned_abs(), u32::try_from(steps).unwrap_or(u32::MAX));
    Ok(ResultRow { seq, attempt, ticket, worker, outcome, reason, ms, steps, is_shipped, is_dead })
}
