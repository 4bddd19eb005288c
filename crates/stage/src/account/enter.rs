use std::path::Path;

use umpire_browser::{Seat, SeatError, StorageState};
use umpire_model::Deadline;

use super::Account;
use super::logged_in::objection;
use crate::replay::{ReplayError, ReplayOptions, Replayer, Wanted};

/// How one got in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// By what an earlier browser remembered.
    Remembered,
    /// By logging in.
    LoggedIn,
}

#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    #[error(transparent)]
    Browser(#[from] SeatError),
    #[error("not logged in as `{account}`: {problem}; there is no recorded session to log in with")]
    NoLogin { account: String, problem: String },
    #[error("logging in as `{account}` failed: {source}")]
    Login { account: String, source: Box<ReplayError> },
    #[error("logged in as `{account}`, but {problem}")]
    StillOut { account: String, problem: String },
}

/// Makes the seat's context that of somebody who is logged in, or says why it cannot be.
pub async fn enter(seat: &Seat, account: &Account, deadline: Deadline) -> Result<Entered, EntryError> {
    if let Some(state) = account.state() {
        seat.restore(&state, deadline).await?;
        let problem = objection(seat, &account.check, &account.site, deadline).await?;
        let Some(problem) = problem else { return Ok(Entered::Remembered) };
        if account.login.is_none() {
            return Err(EntryError::NoLogin { account: account.name.clone(), problem });
        }
    }
    log_in_anew(seat, account, deadline).await?;
    Ok(Entered::LoggedIn)
}

/// Logs in by the recorded session, whatever the context remembers, and looks whether it worked.
pub async fn log_in_anew(seat: &Seat, account: &Account, deadline: Deadline) -> Result<(), EntryError> {
    let name = || account.name.clone();
    let Some(session) = &account.login else {
        let problem = "nothing is remembered".to_owned();
        return Err(EntryError::NoLogin { account: name(), problem });
    };
    let mut options = ReplayOptions::new(Wanted::Recorded);
    options.secrets = account;
    options.uploads = Path::new(".");
    match Replayer::new(seat, options).replay(session, deadline).await {
        Ok(_) => {}
        Err(ReplayError::Browser(error)) => return Err(error.into()),
        Err(source) => return Err(EntryError::Login { account: name(), source: Box::new(source) }),
    }
    match objection(seat, &account.check, &account.site, deadline).await? {
        Some(problem) => Err(EntryError::StillOut { account: name(), problem }),
        None => Ok(()),
    }
}

/// What the seat's context remembers now; the tab in front is left blank.
pub async fn captured(seat: &Seat, account: &Account, deadline: Deadline) -> Result<StorageState, SeatError> {
    let visited = account.login.iter().flat_map(|session| session.steps.iter().map(|step| step.url.as_str()));
    let mut origins: Vec<String> = visited
        .chain([account.site.as_str()])
        .chain(account.check.url.as_deref())
        .filter_map(|address| url::Url::parse(address).ok())
        .map(|url| url.origin().ascii_serialization())
        .collect();
    origins.sort();
    origins.dedup();
    seat.storage(&origins, deadline).await
}
