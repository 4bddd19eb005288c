//! The tables. They stand beside those of `umpire serve`, if both use one database.

use sqlx::{Connection as _, PgPool};

use crate::FleetError;

/// Each is applied once, in this order. An applied one is never edited.
const STEPS: [&str; 3] = ["
create table fleet_runs (
    run text primary key,
    attempts bigint not null,
    -- How many of them, from the first, are in the queue.
    published bigint not null default 0,
    state text not null default 'open',
    needs text[] not null default '{}',
    created timestamptz not null default now(),
    ended timestamptz,
    -- Whoever looks after the run, and when it last said so.
    steward text,
    steward_seen timestamptz
);
create table fleet_workers (
    worker text primary key,
    name text not null,
    joined timestamptz not null default now(),
    seen timestamptz not null default now(),
    has_left boolean not null default false,
    capacity jsonb not null,
    slots bigint not null,
    -- Tickets of what it has in hand.
    running bigint[] not null default '{}',
    note text not null default ''
);
-- One row each time an attempt is begun. The ticket is the fence: what is recorded under one never meets another's.
create table fleet_starts (
    ticket bigint primary key,
    seq bigint generated always as identity,
    run text not null,
    attempt text not null,
    worker text not null,
    at timestamptz not null default now(),
    -- Set if it was given back or came second; the one that won has its row in the results.
    ended timestamptz
);
create index fleet_starts_attempt on fleet_starts (run, attempt);
create index fleet_starts_seq on fleet_starts (run, seq);
-- How attempts ended: once each, whoever comes first.
create table fleet_results (
    run text not null,
    attempt text not null,
    seq bigint generated always as identity,
    ticket bigint not null,
    worker text not null,
    outcome text not null,
    reason text not null,
    ms bigint not null,
    steps bigint not null,
    is_shipped boolean not null,
    is_dead boolean not null,
    at timestamptz not null default now(),
    primary key (run, attempt)
);
create index fleet_results_seq on fleet_results (run, seq);
-- Who uses what only so many may use at a time.
create table fleet_holds (
    name text not null,
    place bigint not null,
    ticket bigint not null,
    worker text not null,
    until timestamptz not null,
    primary key (name, place)
);
create index fleet_holds_ticket on fleet_holds (ticket);
", "
-- The transaction that wrote it, by which a reader knows what it cannot have seen yet.
alter table fleet_results add column xact xid8 not null default pg_current_xact_id();
create index fleet_results_xact on fleet_results (run, xact, seq);
drop index fleet_results_seq;
", "
-- Why its worker could not carry it out, if it could not.
alter table fleet_starts add column failed text;
-- Runs that it takes part in.
alter table fleet_workers add column serves text[] not null default '{}';
"];
/// Any number that nobody else locks.
const LOCK: i64 = 0x756d_7069_7265;

pub(super) async fn bring_up_to_date(pool: &PgPool) -> Result<(), FleetError> {
    let mut connection = pool.acquire().await?;
    let mut change = connection.begin().await?;
    // Ten workers that start at once must not make the tables ten times.
    sqlx::query("select pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *change).await?;
    sqlx::raw_sql("create table if not exists fleet_schema (version bigint not null)")
        .execute(&mut *change)
        .await?;
    let found: Option<i64> =
        sqlx::query_scalar("select max(version) from fleet_schema").fetch_one(&mut *change).await?;
    let (found, known) = (found.unwrap_or(0), super::count(STEPS.len()));
    if found > known {
        return Err(FleetError::NewerIndex { found, known });
    }
    for (version, step) in (1_i64..).zip(STEPS).skip(usize::try_from(found).unwrap_or(0)) {
        sqlx::raw_sql(step).execute(&mut *change).await?;
        sqlx::query("insert into fleet_schema values ($1)").bind(version).execute(&mut *change).await?;
    }
    change.commit().await?;
    Ok(())
}
