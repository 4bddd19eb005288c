//! The part of asking that all databases share.

use futures_util::TryStreamExt as _;
use serde_json::Value;
use sqlx::query::Query;
use sqlx::{
    AssertSqlSafe, Column as _, ColumnIndex, Database, Either, Encode, Executor, IntoArguments, Row,
    SqlSafeStr as _, SqlStr, Statement as _, Type,
};
use umpire_model::{SqlOrder, SqlQuestion};

use super::table::Table;
use crate::problem::Problem;

/// A database as this file needs to know it.
pub(super) trait Dialect {
    type Database: Database;

    /// Whether a wrong number of parameters is an error of the query's. Elsewhere it is one of the driver's, or no error
    /// at all.
    const COUNTS_PARAMETERS: bool;

    fn cell(row: &<Self::Database as Database>::Row, index: usize) -> Result<Value, Problem>;

    /// Rows that a statement touched.
    fn touched(done: &<Self::Database as Database>::QueryResult) -> u64;

    /// Whether an error of a running query is the deployment's or the question's.
    fn is_unreachable(error: &dyn sqlx::error::DatabaseError) -> bool;

    fn problem(error: sqlx::Error) -> Problem {
        match error {
            sqlx::Error::Database(error) if Self::is_unreachable(error.as_ref()) => {
                Problem::unreachable(error.message())
            }
            sqlx::Error::Database(error) => Problem::refused(error.message()),
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed => Problem::unreachable(error.to_string()),
            _ => Problem::refused(error.to_string()),
        }
    }
}

/// A problem of connecting is never the question's fault.
pub(super) fn not_connected(error: sqlx::Error) -> Problem {
    match error {
        // May quote the URL.
        sqlx::Error::Configuration(_) => Problem::unreachable("the connection's URL cannot be used"),
        error => Problem::unreachable(format!("no connection: {error}")),
    }
}

/// Runs a query in the transaction that `connection` is in.
pub(super) async fn rows<D, DB>(
    connection: &mut DB::Connection,
    question: &SqlQuestion,
) -> Result<Value, Problem>
where
    D: Dialect<Database = DB>,
    DB: Database,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    usize: ColumnIndex<DB::Row>,
    for<'q> bool: Encode<'q, DB> + Type<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> f64: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> Option<String>: Encode<'q, DB> + Type<DB>,
{
    let sql = AssertSqlSafe(question.query.clone()).into_sql_str();
    if !D::COUNTS_PARAMETERS {
        let prepared = connection.prepare(sql.clone()).await.map_err(D::problem)?;
        let given = question.parameters.len();
        let expected = match prepared.parameters() {
            Some(Either::Left(types)) => types.len(),
            Some(Either::Right(count)) => count,
            None => given,
        };
        if expected != given {
            let problem = format!("the query has {expected} placeholders, the check {given} parameters");
            return Err(Problem::refused(problem));
        }
    }
    let query = bound::<DB>(sql, &question.parameters)?;
    let mut table = Table::default();
    let mut found = query.fetch(connection);
    while let Some(row) = found.try_next().await.map_err(D::problem)? {
        table.push(
            row.columns()
                .iter()
                .enumerate()
                .map(|(index, column)| Ok((column.name().to_owned(), D::cell(&row, index)?))),
        )?;
    }
    Ok(table.into_json())
}

/// Runs a statement in the transaction that `connection` is in; the transaction is the caller's to end.
pub(super) async fn execute<D, DB>(connection: &mut DB::Connection, order: &SqlOrder) -> Result<(), Problem>
where
    D: Dialect<Database = DB>,
    DB: Database,
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> bool: Encode<'q, DB> + Type<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> f64: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> Option<String>: Encode<'q, DB> + Type<DB>,
{
    let query = bound::<DB>(AssertSqlSafe(order.statement.clone()).into_sql_str(), &order.parameters)?;
    let touched = D::touched(&query.execute(connection).await.map_err(D::problem)?);
    match order.rows {
        Some(wanted) if wanted != touched => {
            Err(Problem::refused(format!("it touched {touched} rows, and should have touched {wanted}")))
        }
        _ => Ok(()),
    }
}

/// The statement with its parameters in place.
fn bound<DB>(sql: SqlStr, parameters: &[Value]) -> Result<Query<'static, DB, DB::Arguments>, Problem>
where
    DB: Database,
    for<'q> bool: Encode<'q, DB> + Type<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
    for<'q> f64: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> Option<String>: Encode<'q, DB> + Type<DB>,
{
    let mut query: Query<'static, DB, DB::Arguments> = sqlx::query(sql);
    for parameter in parameters {
        query = match parameter {
            Value::Null => query.bind(None::<String>),
            Value::Bool(truth) => query.bind(*truth),
            Value::String(text) => query.bind(text.clone()),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => query.bind(whole),
                (None, Some(float)) if !number.is_u64() => query.bind(float),
                _ => return Err(Problem::refused(format!("the parameter {number} is too large"))),
            },
            Value::Array(_) | Value::Object(_) => {
                return Err(Problem::refused(format!("the parameter {parameter} is no single value")));
            }
        };
    }
    Ok(query)
}
