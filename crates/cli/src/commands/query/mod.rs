//! `umpire query RUN "select …"`: SQL over a run's tables.
//!
//! The tables are made from the run's files in a database in memory, only those that the query names, and the run itself is
//! never opened for writing. The database is then closed to everything but reading, and the query to everything but one
//! query.

mod answer;
mod tables;

use std::time::Duration;

use futures_util::TryStreamExt as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Column as _, ConnectOptions as _, Executor as _, SqlSafeStr as _, Statement as _};
use umpire_model::Deadline;
use umpire_store::Run;

use crate::args::{Global, QueryArgs, QueryFormat};
use crate::exit::Exit;
use crate::failure::Failure;
use answer::Answer;
use tables::TABLES;

/// Instructions of SQLite's machine between two looks at the clock.
const INSTRUCTIONS: i32 = 10_000;

pub async fn query(args: &QueryArgs, sql: Option<&str>, global: &Global, run: &Run) -> Result<Exit, Failure> {
    let format = if global.json { QueryFormat::Json } else { args.format };
    if args.tables {
        list_tables(global.json);
        return Ok(Exit::Ok);
    }
    let sql = sql.ok_or_else(|| {
        Failure::new("there is no query")
            .help("umpire query RUN \"select agent, outcome from attempts\"; --tables lists tables")
    })?;
    if let Some(why) = umpire_backend::why_no_query(sql) {
        return Err(Failure::new(format!("the query is refused: {why}")));
    }
    let mut database = SqliteConnectOptions::new()
        .in_memory(true)
        .disable_statement_logging()
        .connect()
        .await
        .map_err(|error| Failure::new(format!("SQLite could not be started: {error}")))?;
    for table in TABLES.iter().filter(|table| names(sql, table.name)) {
        table.fill(run, &mut database).await?;
    }
    let deadline = Deadline::after(Duration::from_secs(args.seconds));
    close_for_writing(&mut database, deadline).await.map_err(|error| Failure::new(error.to_string()))?;
    ask(sql, format, &mut database).await.map_err(|error| explained(&error, deadline, args.seconds))?;
    Ok(Exit::Ok)
}

async fn close_for_writing(database: &mut SqliteConnection, deadline: Deadline) -> Result<(), sqlx::Error> {
    database.execute("pragma query_only = on").await?;
    // A query that is given up would otherwise go on in its thread.
    database.lock_handle().await?.set_progress_handler(INSTRUCTIONS, move || !deadline.passed());
    Ok(())
}

async fn ask(sql: &str, format: QueryFormat, database: &mut SqliteConnection) -> Result<(), Asked> {
    let sql = AssertSqlSafe(sql.to_owned()).into_sql_str();
    // Known before the first row, and where there is none.
    let prepared = (&mut *database).prepare(sql.clone()).await?;
    let columns = prepared.columns().iter().map(|column| column.name().to_owned()).collect();
    let mut answer = Answer::new(format, columns)?;
    let mut rows = sqlx::query(sql).fetch(database);
    while let Some(row) = rows.try_next().await? {
        answer.row(&row)?;
    }
    answer.end();
    Ok(())
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum Asked {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error("{0}")]
    Form(String),
}

fn explained(error: &Asked, deadline: Deadline, seconds: u64) -> Failure {
    match error {
        Asked::Database(_) if deadline.passed() => {
            Failure::new(format!("the query took longer than {seconds} s and was stopped"))
                .help("--seconds gives it more")
        }
        Asked::Database(sqlx::Error::Database(error)) => {
            Failure::new(format!("the query is not understood: {}", error.message()))
                .help("umpire query --tables lists tables and their columns")
        }
        other => Failure::new(other.to_string()),
    }
}

/// Whether the word occurs; in a text it only costs the reading of a table.
fn names(sql: &str, table: &str) -> bool {
    sql.to_ascii_lowercase()
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .any(|word| word == table)
}

fn list_tables(as_json: bool) {
    for table in &TABLES {
        let columns = table.columns();
        if as_json {
            let columns: Vec<_> = columns
                .iter()
                .map(|(name, of, about)| serde_json::json!({ "name": name, "type": of, "about": about }))
                .collect();
            say!("{}", serde_json::json!({ "table": table.name, "about": table.about, "columns": columns }));
        } else {
            say!("{}: {}", table.name, table.about);
            for (name, of, about) in columns {
                say!("  {name:<16} {of:<8} {about}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tables_that_are_named_are_read() {
        assert!(names("select * from Attempts a join votes using (agent)", "attempts"));
        assert!(names("select * from Attempts a join votes using (agent)", "votes"));
        assert!(!names("select steps_taken from attempts", "steps"));
    }
}
