//! SQLite files: opened read-only, with `query_only` on top; or to set a state up.

use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteQueryResult, SqliteRow};
use sqlx::{ConnectOptions as _, Connection as _, Row as _, Sqlite, TypeInfo as _, ValueRef as _};
use umpire_model::{Deadline, SqlOrder, SqlQuestion};

use super::query::{self, Dialect, not_connected};
use super::{bytes, float, statement};
use crate::problem::Problem;

/// Instructions of SQLite's machine between two looks at the clock.
const INSTRUCTIONS: i32 = 10_000;

pub(crate) async fn rows(file: &str, question: &SqlQuestion, deadline: Deadline) -> Result<Value, Problem> {
    statement::check(&question.query)?;
    statement::check_single(&question.query)?;
    let options = options(file, deadline).read_only(true).pragma("query_only", "ON");
    let mut connection = connect(&options, deadline).await?;
    let mut transaction = connection.begin().await.map_err(SqliteDialect::problem)?;
    let rows = query::rows::<SqliteDialect, Sqlite>(&mut transaction, question).await;
    transaction.rollback().await.map_err(SqliteDialect::problem)?;
    rows
}

pub(crate) async fn carry_out(file: &str, order: &SqlOrder, deadline: Deadline) -> Result<(), Problem> {
    statement::check_single(&order.statement)?;
    let mut connection = connect(&options(file, deadline), deadline).await?;
    let mut transaction = connection.begin().await.map_err(SqliteDialect::problem)?;
    // A transaction that is dropped is rolled back.
    query::execute::<SqliteDialect, Sqlite>(&mut transaction, order).await?;
    transaction.commit().await.map_err(SqliteDialect::problem)
}

fn options(file: &str, deadline: Deadline) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(false)
        .busy_timeout(deadline.left())
        .disable_statement_logging()
}

async fn connect(options: &SqliteConnectOptions, deadline: Deadline) -> Result<SqliteConnection, Problem> {
    let mut connection = SqliteConnection::connect_with(options).await.map_err(not_connected)?;
    // A query that is given up would otherwise go on in its thread.
    connection
        .lock_handle()
        .await
        .map_err(not_connected)?
        .set_progress_handler(INSTRUCTIONS, move || !deadline.passed());
    Ok(connection)
}

struct SqliteDialect;

impl Dialect for SqliteDialect {
    type Database = Sqlite;
    const COUNTS_PARAMETERS: bool = false;

    /// SQLite types values, not columns.
    fn cell(row: &SqliteRow, index: usize) -> Result<Value, Problem> {
        let value = row.try_get_raw(index).map_err(Self::problem)?;
        if value.is_null() {
            return Ok(Value::Null);
        }
        Ok(match value.type_info().name() {
            "INTEGER" | "BOOLEAN" => row.try_get_unchecked::<i64, _>(index).map_err(Self::problem)?.into(),
            "REAL" => float(row.try_get_unchecked::<f64, _>(index).map_err(Self::problem)?),
            "BLOB" => bytes(row.try_get_unchecked(index).map_err(Self::problem)?),
            _ => {
                let content: &[u8] = row.try_get_unchecked(index).map_err(Self::problem)?;
                std::str::from_utf8(content).map_or_else(|_| bytes(content), Value::from)
            }
        })
    }

    fn touched(done: &SqliteQueryResult) -> u64 {
        done.rows_affected()
    }

    fn is_unreachable(error: &dyn sqlx::error::DatabaseError) -> bool {
        // Primary result codes: permission, busy, locked, no memory, interrupted, I/O, corrupt, full, cannot open,
        // not a database.
        const DEPLOYMENT: [i32; 10] = [3, 5, 6, 7, 9, 10, 11, 13, 14, 26];
        let code: Option<i32> = error.code().and_then(|code| code.parse().ok());
        code.is_some_and(|code| DEPLOYMENT.contains(&(code & 0xff)))
    }
}
