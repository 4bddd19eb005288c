//! What only so many attempts may use at a time: accounts, sites. A hold ends with its attempt, or when its worker has been
//! silent for a lease.

use umpire_model::Deadline;

use super::{Index, ms};
use crate::{FleetError, Key};

/// Takes the first place that is free or whose holder went silent; none, if all are in use.
const TAKE: &str = "
insert into fleet_holds (name, place, ticket, worker, until)
select $1, free.number, $3, $4, now() + $5 * interval '1 ms' from generate_series(1, $2) as free(number)
where not exists (select from fleet_holds h where h.name = $1 and h.place = free.number and h.until > now())
order by free.number limit 1
on conflict (name, place) do update
    set ticket = excluded.ticket, worker = excluded.worker, until = excluded.until
    where fleet_holds.until <= now() or fleet_holds.ticket = excluded.ticket
returning place";

const MINE: &str =
    "select exists (select from fleet_holds where name = $1 and ticket = $2 and until > now())";

impl Index {
    /// All of these or none of them. They are taken in the order of their names, so that two attempts that need the same
    /// never wait for each other.
    pub(crate) async fn hold(
        &self,
        keys: &[Key],
        ticket: i64,
        worker: &str,
        deadline: Deadline,
    ) -> Result<bool, FleetError> {
        let mut keys = keys.to_vec();
        keys.sort();
        let all = self.ask(deadline, || async {
            let mut taking = self.pool.begin().await?;
            for key in &keys {
                // Asked again after an answer was lost, it is held already.
                let mine: bool =
                    sqlx::query_scalar(MINE).bind(&key.name).bind(ticket).fetch_one(&mut *taking).await?;
                if mine {
                    continue;
                }
                let place: Option<i64> = sqlx::query_scalar(TAKE)
                    .bind(&key.name)
                    .bind(i64::from(key.at_a_time))
                    .bind(ticket)
                    .bind(worker)
                    .bind(ms(self.timing.lease))
                    .fetch_optional(&mut *taking)
                    .await?;
                if place.is_none() {
                    taking.rollback().await?;
                    return Ok(false);
                }
            }
            taking.commit().await?;
            Ok(true)
        });
        all.await
    }

    pub(crate) async fn let_go(&self, ticket: i64, deadline: Deadline) -> Result<(), FleetError> {
        self.ask(deadline, || async {
            sqlx::query("delete from fleet_holds where ticket = $1").bind(ticket).execute(&self.pool).await?;
            Ok(())
        })
        .await
    }
}
