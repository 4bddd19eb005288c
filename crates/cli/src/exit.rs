//! The exit codes, which are part of the interface.

use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The gate was met, or there was none.
    Ok = 0,
    BadInput = 1,
    NothingRan = 4,
    /// The same command resumes.
    Incomplete = 5,
    GateFailed = 100,
    TooMuchInfra = 101,
    BudgetReached = 102,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
