//! One server at a time runs the battles of a database.

use std::fs::{File, OpenOptions, TryLockError};
use std::time::Duration;

use sqlx::{AnyConnection, Connection as _};

use super::{Database, DatabaseError, Kind};

/// What servers of one PostgreSQL database ask for; any number does that nobody else asks for.
const LOCK: i64 = 0x756d_7069_7265;

/// Longest that giving it back may hold up a server that stops.
const RELEASE: Duration = Duration::from_secs(5);

/// That this server runs the battles, until it is released or the process ends, however it ends.
#[must_use = "another server may claim the battles as soon as this is dropped"]
#[derive(Debug)]
pub(crate) enum Claim {
    /// Nobody else can open the database.
    Alone,
    File(File),
    Connection(Box<AnyConnection>),
}

impl Claim {
    /// Whoever asks after this returns may have it.
    pub(crate) async fn release(self) {
        match self {
            Self::Alone => {}
            Self::File(file) => drop(file),
            Self::Connection(mut connection) => {
                let released = async {
                    sqlx::query("SELECT pg_advisory_unlock($1)").bind(LOCK).execute(&mut *connection).await?;
                    connection.close().await
                };
                // Where this fails the session is over, and the lock with it.
                let _ = tokio::time::timeout(RELEASE, released).await;
            }
        }
    }
}

impl Database {
    /// None if another server runs them.
    pub(crate) async fn claim_battles(&self) -> Result<Option<Claim>, DatabaseError> {
        match &self.kind {
            Kind::InMemory => Ok(Some(Claim::Alone)),
            Kind::File(path) => {
                let mut name = path.clone().into_os_string();
                name.push(".battles.lock");
                let unusable = |error: std::io::Error| DatabaseError::Lock {
                    at: name.display().to_string(),
                    source: error,
                };
                let file = OpenOptions::new()
                    .create(true)
                    .write(true)
                    .truncate(false)
                    .open(&name)
                    .map_err(unusable)?;
                match file.try_lock() {
                    Ok(()) => Ok(Some(Claim::File(file))),
                    Err(TryLockError::WouldBlock) => Ok(None),
                    Err(TryLockError::Error(error)) => Err(unusable(error)),
                }
            }
            Kind::Shared => {
                // A connection of its own: the lock is the session's, and the pool closes sessions as it likes.
                let mut connection = self.pool.acquire().await?.detach();
                let is_ours: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)")
                    .bind(LOCK)
                    .fetch_one(&mut connection)
                    .await?;
                Ok(is_ours.then(|| Claim::Connection(Box::new(connection))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_server_at_a_time_claims_the_battles() {
        let folder = tempfile::tempdir().expect("temp");
        let url = format!("sqlite:{}?mode=rwc", folder.path().join("server.db").display());
        let (one, other) =
            (Database::open(&url).await.expect("opened"), Database::open(&url).await.expect("opened"));
        let claim = one.claim_battles().await.expect("asked");
        assert!(claim.is_some() && other.claim_battles().await.expect("asked").is_none());
        drop(claim);
        assert!(other.claim_battles().await.expect("asked").is_some());
    }
}
