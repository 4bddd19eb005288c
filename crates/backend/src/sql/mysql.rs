//! MySQL and MariaDB.

use std::str::FromStr as _;

use serde_json::Value;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlDatabaseError, MySqlQueryResult, MySqlRow};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, MySql, Row as _, ValueRef as _,
};
use umpire_model::{Deadline, SqlOrder, SqlQuestion};

use super::mysql_values;
use super::query::{self, Dialect, not_connected};
use super::statement;
use crate::problem::Problem;

pub(crate) async fn rows(url: &str, question: &SqlQuestion, deadline: Deadline) -> Result<Value, Problem> {
    statement::check(&question.query)?;
    let mut connection = connect(url, deadline).await?;
    connection.execute("SET SESSION TRANSACTION READ ONLY").await.map_err(not_connected)?;
    let mut transaction =
        connection.begin_with("START TRANSACTION READ ONLY").await.map_err(MySqlDialect::problem)?;
    let rows = query::rows::<MySqlDialect, MySql>(&mut transaction, question).await?;
    transaction.rollback().await.map_err(MySqlDialect::problem)?;
    Ok(rows)
}

pub(crate) async fn carry_out(url: &str, order: &SqlOrder, deadline: Deadline) -> Result<(), Problem> {
    let mut connection = connect(url, deadline).await?;
    let mut transaction = connection.begin().await.map_err(MySqlDialect::problem)?;
    // A transaction that is dropped is rolled back.
    query::execute::<MySqlDialect, MySql>(&mut transaction, order).await?;
    transaction.commit().await.map_err(MySqlDialect::problem)
}

async fn connect(url: &str, deadline: Deadline) -> Result<MySqlConnection, Problem> {
    // The driver would otherwise change what `||` means.
    let options = MySqlConnectOptions::from_str(&url.replacen("mariadb:", "mysql:", 1))
        .map_err(not_connected)?
        .pipes_as_concat(false)
        .disable_statement_logging();
    let mut connection = MySqlConnection::connect_with(&options).await.map_err(not_connected)?;
    let version: String = connection
        .fetch_one("SELECT VERSION()")
        .await
        .and_then(|row| row.try_get(0))
        .map_err(not_connected)?;
    connection.execute(AssertSqlSafe(time_limit(&version, deadline))).await.map_err(not_connected)?;
    Ok(connection)
}

/// The two have different names and units for the same thing; zero would mean no limit in both.
fn time_limit(version: &str, deadline: Deadline) -> String {
    let left = deadline.left();
    if version.contains("MariaDB") {
        format!("SET SESSION max_statement_time = {:.3}", left.as_secs_f64().max(0.001))
    } else {
        format!("SET SESSION max_execution_time = {}", left.as_millis().max(1))
    }
}

struct MySqlDialect;

impl Dialect for MySqlDialect {
    type Database = MySql;
    const COUNTS_PARAMETERS: bool = false;

    fn cell(row: &MySqlRow, index: usize) -> Result<Value, Problem> {
        // The driver takes zero dates for null; only a value without content is.
        let Ok(content) = row.try_get_unchecked::<&[u8], _>(index) else {
            return Ok(Value::Null);
        };
        let value = row.try_get_raw(index).map_err(Self::problem)?;
        let info = value.type_info();
        mysql_values::decode(&info, content).ok_or_else(|| {
            Problem::refused(format!(
                "column {} has a value of type {info} that has no JSON form; cast it to text in the query",
                index + 1
            ))
        })
    }

    fn touched(done: &MySqlQueryResult) -> u64 {
        done.rows_affected()
    }

    fn is_unreachable(error: &dyn sqlx::error::DatabaseError) -> bool {
        // Too many connections, access denied (to database, server, table, column), unknown database, shutdown, locks,
        // interrupted, out of time (MariaDB 1969, MySQL 3024).
        const DEPLOYMENT: [u16; 14] =
            [1040, 1044, 1045, 1049, 1053, 1142, 1143, 1203, 1205, 1213, 1317, 1969, 3024, 1129];
        error
            .try_downcast_ref::<MySqlDatabaseError>()
            .is_some_and(|error| DEPLOYMENT.contains(&error.number()))
    }
}
