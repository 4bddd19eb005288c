//! Who may do more than read.

use sqlx::Row as _;

use super::{Database, DatabaseError};
use crate::accounts::Role;
use crate::clock::now;

pub(crate) struct AccountRow {
    pub name: String,
    pub role: Role,
    pub password_hash: String,
    pub created: i64,
}

impl Database {
    /// Makes an account, or gives it another role and password; whoever was signed in with the old one no longer is.
    pub(crate) async fn put_account(&self, name: &str, role: Role, hash: &str) -> Result<(), DatabaseError> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query(
            "INSERT INTO accounts (name, role, password_hash, created) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (name) DO UPDATE SET role = excluded.role, password_hash = excluded.password_hash",
        )
        .bind(name)
        .bind(role.as_str())
        .bind(hash)
        .bind(now())
        .execute(&mut *transaction)
        .await?;
        sqlx::query("DELETE FROM sessions WHERE account = $1").bind(name).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    pub(crate) async fn account(&self, name: &str) -> Result<Option<AccountRow>, DatabaseError> {
        let row = sqlx::query("SELECT name, role, password_hash, created FROM accounts WHERE name = $1")
            .bind(name)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(read).transpose()
    }

    pub(crate) async fn accounts(&self) -> Result<Vec<AccountRow>, DatabaseError> {
        let rows = sqlx::query("SELECT name, role, password_hash, created FROM accounts ORDER BY name")
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(read).collect()
    }
}

fn read(row: &sqlx::any::AnyRow) -> Result<AccountRow, DatabaseError> {
    let role: String = row.try_get("role")?;
    Ok(AccountRow {
        name: row.try_get("name")?,
        role: role.parse().map_err(|()| DatabaseError::Unreadable(format!("role `{role}`")))?,
        password_hash: row.try_get("password_hash")?,
        created: row.try_get("created")?,
    })
}
