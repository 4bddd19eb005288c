//! An account on a site that others use too is used by one attempt at a time, whichever process on this machine makes it.
//!
//! The kernel drops the lock when the process that holds it dies, however it dies. The files stay.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use umpire_model::Deadline;

use super::Account;

const AGAIN: Duration = Duration::from_millis(100);

/// The use of an account; ends when it is dropped.
#[derive(Debug)]
pub struct AccountTurn {
    _lock: File,
}

#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    #[error("{0}, and was not free in time")]
    InUse(InUseBy),
    #[error("account `{account}`: {}: {source}", path.display())]
    File { account: String, path: PathBuf, source: std::io::Error },
}

/// An account that somebody else uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InUseBy {
    pub account: String,
    pub process: Option<u32>,
}

impl std::fmt::Display for InUseBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { account, process } = self;
        match process {
            Some(process) => write!(f, "account `{account}` is in use by process {process}"),
            None => write!(f, "account `{account}` is in use by another process"),
        }
    }
}

impl Account {
    /// Waits until nobody else uses the account; whoever has waited longest comes next. Who is waited for is told once.
    pub async fn take_turn(
        &self,
        deadline: Deadline,
        mut waiting_for: impl FnMut(&InUseBy),
    ) -> Result<Option<AccountTurn>, TurnError> {
        let Some(path) = &self.lock else { return Ok(None) };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| self.unlockable(folder, source))?;
        }
        let mut told = false;
        let mut waiting_for = |user: &InUseBy| {
            if !std::mem::replace(&mut told, true) {
                waiting_for(user);
            }
        };
        // Kept until the lock itself is had: who gives the account back and wants it again finds this one taken.
        let _next = self.lock(&path.with_extension("next"), deadline, &mut waiting_for).await?;
        let mut lock = self.lock(path, deadline, &mut waiting_for).await?;
        lock.set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| writeln!(lock, "{}", std::process::id()))
            .map_err(|source| self.unlockable(path, source))?;
        Ok(Some(AccountTurn { _lock: lock }))
    }

    async fn lock(
        &self,
        path: &Path,
        deadline: Deadline,
        waiting_for: &mut impl FnMut(&InUseBy),
    ) -> Result<File, TurnError> {
        let open = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let file = open.map_err(|source| self.unlockable(path, source))?;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(source)) => return Err(self.unlockable(path, source)),
            }
            let user = self.user();
            if deadline.passed() {
                return Err(TurnError::InUse(user));
            }
            waiting_for(&user);
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Who has written itself into the lock.
    fn user(&self) -> InUseBy {
        let holder = self.lock.as_deref().and_then(|path| fs::read_to_string(path).ok());
        let process = holder.and_then(|holder| holder.trim().parse().ok());
        InUseBy { account: self.name.clone(), process }
    }

    fn unlockable(&self, path: &Path, source: std::io::Error) -> TurnError {
        TurnError::File { account: self.name.clone(), path: path.to_owned(), source }
    }
}
