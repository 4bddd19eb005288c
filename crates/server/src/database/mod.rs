//! What the files of runs do not hold: the index derived from them, accounts, sessions, queues, battles and ballots, the
//! audit log.
//!
//! One code base speaks to SQLite and PostgreSQL: numbers are `BIGINT`, everything else `TEXT`, ids are made here.

mod accounts;
mod attempts;
mod audit;
mod ballots;
mod battles;
mod claim;
mod contests;
mod judging;
mod labels;
mod migrations;
mod sessions;

use std::path::PathBuf;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyPool, Executor as _};

pub(crate) use self::attempts::{IndexRow, RunLine};
pub(crate) use self::ballots::VoteError;
pub(crate) use self::battles::Study;
pub(crate) use self::claim::Claim;
pub(crate) use self::labels::Queue;

/// Longest a page waits for a connection.
const ACQUIRE: Duration = Duration::from_secs(10);
const CONNECTIONS: u32 = 8;

#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    #[error("the database at {at} cannot be opened: {source}")]
    Open { at: String, source: sqlx::Error },
    #[error(
        "the database was made by a newer Umpire (version {found}, this one knows {known}): use that one"
    )]
    Newer { found: i64, known: i64 },
    #[error("the lock of the database's battles at {at} cannot be used: {source}")]
    Lock { at: String, source: std::io::Error },
    #[error(
        "another server runs the battles of this database: stop that one, or serve this one without agents"
    )]
    Claimed,
    #[error("database: {0}")]
    Sql(#[from] sqlx::Error),
    #[error("the database holds something unreadable: {0}")]
    Unreadable(String),
}

#[derive(Clone, Debug)]
pub struct Database {
    pool: AnyPool,
    kind: Kind,
}

/// Who else may have it open.
#[derive(Clone, Debug)]
enum Kind {
    InMemory,
    /// SQLite's file: others on this machine.
    File(PathBuf),
    /// PostgreSQL: anybody.
    Shared,
}

impl Kind {
    fn of(url: &str) -> Self {
        match url.strip_prefix("sqlite:") {
            None => Self::Shared,
            Some(_) if url.contains(":memory:") => Self::InMemory,
            Some(file) => {
                let path = file.split('?').next().unwrap_or(file);
                Self::File(path.strip_prefix("//").unwrap_or(path).into())
            }
        }
    }
}

impl Database {
    /// Opens a database and brings it up to date.
    pub async fn open(url: &str) -> Result<Self, DatabaseError> {
        sqlx::any::install_default_drivers();
        let kind = Kind::of(url);
        let is_sqlite = !matches!(kind, Kind::Shared);
        let url = if matches!(kind, Kind::File(_)) && !url.contains('?') {
            format!("{url}?mode=rwc")
        } else {
            url.to_owned()
        };
        let pool = AnyPoolOptions::new()
            .max_connections(if matches!(kind, Kind::InMemory) { 1 } else { CONNECTIONS })
            .min_connections(1)
            .acquire_timeout(ACQUIRE)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if is_sqlite {
                        connection.execute("PRAGMA journal_mode = WAL").await?;
                        // A vote that was acknowledged is on the disk, not on its way there.
                        connection.execute("PRAGMA synchronous = FULL").await?;
                        connection.execute("PRAGMA busy_timeout = 10000").await?;
                        connection.execute("PRAGMA foreign_keys = ON").await?;
                    }
                    Ok(())
                })
            })
            .connect(&url)
            .await
            .map_err(|source| DatabaseError::Open { at: without_password(&url), source })?;
        let database = Self { pool, kind };
        database.migrate(!is_sqlite).await?;
        Ok(database)
    }

    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// An address that can be shown.
fn without_password(url: &str) -> String {
    match url::Url::parse(url) {
        Ok(mut parsed) if parsed.password().is_some() => {
            let _ = parsed.set_password(Some("…"));
            parsed.to_string()
        }
        _ => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let shown = without_password("postgres://umpire:hunter2@db.example/umpire");
        assert!(!shown.contains("hunter2") && shown.contains("db.example"), "{shown}");
    }

    #[test]
    fn a_database_is_told_by_its_address() {
        for (url, path) in [("sqlite:a/b.db", "a/b.db"), ("sqlite:///v/b.db?mode=ro", "/v/b.db")] {
            assert!(matches!(Kind::of(url), Kind::File(file) if file.to_str() == Some(path)), "{url}");
        }
        assert!(matches!(Kind::of("sqlite::memory:"), Kind::InMemory));
        assert!(matches!(Kind::of("postgres://umpire@db/umpire"), Kind::Shared));
    }

    #[tokio::test]
    async fn a_database_is_opened_again_and_keeps_what_it_holds() {
        let folder = tempfile::tempdir().expect("temp");
        let url = format!("sqlite:{}", folder.path().join("server.db").display());
        let first = Database::open(&url).await.expect("made");
        first.note("ann", "signed in", "").await.expect("noted");
        first.close().await;
        let second = Database::open(&url).await.expect("opened");
        assert_eq!(second.audit(10).await.expect("read").len(), 1);
    }

    #[tokio::test]
    async fn a_database_of_a_newer_umpire_is_left_alone() {
        let folder = tempfile::tempdir().expect("temp");
        let url = format!("sqlite:{}", folder.path().join("server.db").display());
        let first = Database::open(&url).await.expect("made");
        sqlx::query("INSERT INTO schema_versions (version) VALUES (999)")
            .execute(&first.pool)
            .await
            .expect("set");
        first.close().await;
        let error = Database::open(&url).await.expect_err("newer");
        assert!(matches!(error, DatabaseError::Newer { found: 999, .. }), "{error}");
    }
}
