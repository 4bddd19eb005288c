//! What was done, by whom, when. Rows are added and read, never changed.

use sqlx::Row as _;

use super::{Database, DatabaseError};
use crate::accounts::random_id;
use crate::clock::now;

pub(crate) struct AuditRow {
    pub noted: i64,
    pub who: String,
    pub did: String,
    pub about: String,
}

impl Database {
    pub(crate) async fn note(&self, who: &str, did: &str, about: &str) -> Result<(), DatabaseError> {
        sqlx::query("INSERT INTO audit (id, noted, who, did, about) VALUES ($1, $2, $3, $4, $5)")
            .bind(random_id())
            .bind(now())
            .bind(who)
            .bind(did)
            .bind(about)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The latest first.
    pub(crate) async fn audit(&self, most: i64) -> Result<Vec<AuditRow>, DatabaseError> {
        let rows = sqlx::query("SELECT noted, who, did, about FROM audit ORDER BY noted DESC, id LIMIT $1")
            .bind(most)
            .fetch_all(&self.pool)
            .await?;
        rows.into_iter()
            .map(|row| {
                Ok(AuditRow {
                    noted: row.try_get("noted")?,
                    who: row.try_get("who")?,
                    did: row.try_get("did")?,
                    about: row.try_get("about")?,
                })
            })
            .collect()
    }
}
