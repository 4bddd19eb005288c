//! Who is signed in.

use sqlx::Row as _;

use super::{Database, DatabaseError};
use crate::accounts::{Account, Role};
use crate::clock::now;

impl Database {
    pub(crate) async fn begin_session(
        &self,
        token_digest: &str,
        account: &str,
        expires: i64,
    ) -> Result<(), DatabaseError> {
        sqlx::query("DELETE FROM sessions WHERE expires < $1").bind(now()).execute(&self.pool).await?;
        sqlx::query("INSERT INTO sessions (token_digest, account, expires) VALUES ($1, $2, $3)")
            .bind(token_digest)
            .bind(account)
            .bind(expires)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    pub(crate) async fn session(&self, token_digest: &str) -> Result<Option<Account>, DatabaseError> {
        let row = sqlx::query(
            "SELECT accounts.name AS name, accounts.role AS role FROM sessions \
             JOIN accounts ON accounts.name = sessions.account \
             WHERE sessions.token_digest = $1 AND sessions.expires >= $2",
        )
        .bind(token_digest)
        .bind(now())
        .fetch_optional(&self.pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let (name, role): (String, String) = (row.try_get("name")?, row.try_get("role")?);
        let role: Role = role.parse().map_err(|()| DatabaseError::Unreadable(format!("role `{role}`")))?;
        Ok(Some(Account { name, role }))
    }

    pub(crate) async fn end_session(&self, token_digest: &str) -> Result<(), DatabaseError> {
        sqlx::query("DELETE FROM sessions WHERE token_digest = $1")
            .bind(token_digest)
            .execute(&self.pool)
            .await?;
        Ok(())
    }
}
