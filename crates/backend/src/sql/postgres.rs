//! PostgreSQL.

use std::str::FromStr as _;

use serde_json::Value;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgQueryResult, PgRow, PgValueFormat};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, Postgres, Row as _, ValueRef as _,
};
use umpire_model::{Deadline, SqlOrder, SqlQuestion};

use super::postgres_values;
use super::query::{self, Dialect, not_connected};
use super::statement;
use crate::problem::Problem;

pub(crate) async fn rows(url: &str, question: &SqlQuestion, deadline: Deadline) -> Result<Value, Problem> {
    statement::check(&question.query)?;
    let mut connection =
        connect(url, "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY; ", deadline).await?;
    let mut transaction = connection.begin_with("BEGIN READ ONLY").await.map_err(PostgresDialect::problem)?;
    let rows = query::rows::<PostgresDialect, Postgres>(&mut transaction, question).await?;
    transaction.rollback().await.map_err(PostgresDialect::problem)?;
    Ok(rows)
}

pub(crate) async fn carry_out(url: &str, order: &SqlOrder, deadline: Deadline) -> Result<(), Problem> {
    let mut connection = connect(url, "", deadline).await?;
    let mut transaction = connection.begin().await.map_err(PostgresDialect::problem)?;
    // A transaction that is dropped is rolled back.
    query::execute::<PostgresDialect, Postgres>(&mut transaction, order).await?;
    transaction.commit().await.map_err(PostgresDialect::problem)
}

/// Statements rather than start-up options, which poolers in between refuse.
async fn connect(url: &str, first: &str, deadline: Deadline) -> Result<PgConnection, Problem> {
    let options = PgConnectOptions::from_str(url)
        .map_err(not_connected)?
        .application_name("umpire")
        .disable_statement_logging();
    let mut connection = PgConnection::connect_with(&options).await.map_err(not_connected)?;
    // Zero would mean no limit.
    let limit = deadline.left().as_millis().max(1);
    let session = format!("{first}SET statement_timeout = {limit}; SET lock_timeout = {limit}");
    connection.execute(AssertSqlSafe(session)).await.map_err(not_connected)?;
    Ok(connection)
}

struct PostgresDialect;

impl Dialect for PostgresDialect {
    type Database = Postgres;
    const COUNTS_PARAMETERS: bool = true;

    fn cell(row: &PgRow, index: usize) -> Result<Value, Problem> {
        let value = row.try_get_raw(index).map_err(Self::problem)?;
        if value.is_null() {
            return Ok(Value::Null);
        }
        let info = value.type_info();
        let undecodable = || {
            Problem::refused(format!(
                "column {} has a value of type {info} that has no JSON form; cast it to text in the query",
                index + 1
            ))
        };
        let content = value.as_bytes().map_err(|_| undecodable())?;
        match value.format() {
            PgValueFormat::Binary => postgres_values::decode(&info, content).ok_or_else(undecodable),
            PgValueFormat::Text => Err(undecodable()),
        }
    }

    fn touched(done: &PgQueryResult) -> u64 {
        done.rows_affected()
    }

    fn is_unreachable(error: &dyn sqlx::error::DatabaseError) -> bool {
        // Classes of SQLSTATE that are the deployment's: transaction rollback, resources, locks and other objects not
        // ready, operator's intervention (a cancelled query too), system, internal.
        const DEPLOYMENT: [&str; 6] = ["40", "53", "55", "57", "58", "XX"];
        const NOT_ALLOWED: &str = "42501";
        error
            .code()
            .is_some_and(|code| code == NOT_ALLOWED || DEPLOYMENT.iter().any(|class| code.starts_with(class)))
    }
}
