//! The tables, version by version. A version that was released is never edited; what changes is another one.

use super::{Database, DatabaseError};

const VERSIONS: [&str; 4] = [
    include_str!("version_1.sql"),
    include_str!("version_2.sql"),
    include_str!("version_3.sql"),
    include_str!("version_4.sql"),
];

/// Any number nobody else locks by.
const LOCK: &str = "SELECT pg_advisory_xact_lock(827350117)";

impl Database {
    /// Each version is applied whole or not at all; of two servers that start at once, one waits.
    pub(super) async fn migrate(&self, is_postgres: bool) -> Result<(), DatabaseError> {
        let known = i64::try_from(VERSIONS.len()).unwrap_or(i64::MAX);
        let mut transaction = self.pool.begin().await?;
        if is_postgres {
            sqlx::query(LOCK).execute(&mut *transaction).await?;
        }
        sqlx::query("CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY)")
            .execute(&mut *transaction)
            .await?;
        let found: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM schema_versions")
            .fetch_one(&mut *transaction)
            .await?;
        if found > known {
            return Err(DatabaseError::Newer { found, known });
        }
        for (version, sql) in (1_i64..).zip(VERSIONS).filter(|(version, _)| *version > found) {
            sqlx::raw_sql(sql).execute(&mut *transaction).await?;
            sqlx::query("INSERT INTO schema_versions (version) VALUES ($1)")
                .bind(version)
                .execute(&mut *transaction)
                .await?;
        }
        Ok(transaction.commit().await?)
    }
}
