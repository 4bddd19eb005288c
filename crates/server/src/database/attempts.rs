//! The index of attempts, as rows.

use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use umpire_stats::Tally;

use super::{Database, DatabaseError};

/// One attempt as it was when its files looked like `stamp`.
pub(crate) struct IndexRow {
    pub attempt: String,
    pub stamp: String,
    /// JSON.
    pub entry: String,
}

/// What the list of runs says of one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunLine {
    /// By agent, in the manifest's order: plain attempts by outcome.
    pub agents: Vec<(String, Tally)>,
}

impl Database {
    pub(crate) async fn indexed_attempts(&self, run: &str) -> Result<Vec<IndexRow>, DatabaseError> {
        let rows = sqlx::query("SELECT attempt, stamp, entry FROM indexed_attempts WHERE run = $1")
            .bind(run)
            .fetch_all(&self.pool)
            .await?;
        rows.into_iter()
            .map(|row| {
                Ok(IndexRow {
                    attempt: row.try_get("attempt")?,
                    stamp: row.try_get("stamp")?,
                    entry: row.try_get("entry")?,
                })
            })
            .collect()
    }

    /// Writes rows that changed, and the run's line, at once.
    pub(crate) async fn put_indexed(
        &self,
        run: &str,
        rows: &[IndexRow],
        line: &RunLine,
    ) -> Result<(), DatabaseError> {
        let line =
            serde_json::to_string(line).map_err(|error| DatabaseError::Unreadable(error.to_string()))?;
        let mut transaction = self.pool.begin().await?;
        for row in rows {
            sqlx::query(
                "INSERT INTO indexed_attempts (run, attempt, stamp, entry) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (run, attempt) DO UPDATE SET stamp = excluded.stamp, entry = excluded.entry",
            )
            .bind(run)
            .bind(&row.attempt)
            .bind(&row.stamp)
            .bind(&row.entry)
            .execute(&mut *transaction)
            .await?;
        }
        sqlx::query(
            "INSERT INTO indexed_runs (run, line) VALUES ($1, $2) \
             ON CONFLICT (run) DO UPDATE SET line = excluded.line",
        )
        .bind(run)
        .bind(line)
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    /// What was last known of each run, by name. A line that cannot be read is as good as none.
    pub(crate) async fn run_lines(&self) -> Result<Vec<(String, RunLine)>, DatabaseError> {
        let rows = sqlx::query("SELECT run, line FROM indexed_runs").fetch_all(&self.pool).await?;
        let mut lines = Vec::with_capacity(rows.len());
        for row in rows {
            let (run, line): (String, String) = (row.try_get("run")?, row.try_get("line")?);
            lines.extend(serde_json::from_str(&line).ok().map(|line| (run, line)));
        }
        Ok(lines)
    }

    /// Throws the index away; it is built again from the files.
    pub async fn forget_index(&self) -> Result<(), DatabaseError> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query("DELETE FROM indexed_attempts").execute(&mut *transaction).await?;
        sqlx::query("DELETE FROM indexed_runs").execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }
}
