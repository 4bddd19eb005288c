/// What can go wrong between the machines of a fleet, in words for the person who has to mend it.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    #[error("the queue ({0})")]
    Queue(String),
    #[error("the index ({0})")]
    Index(#[from] sqlx::Error),
    #[error("the store ({0})")]
    Depot(#[from] object_store::Error),
    #[error("`{address}` is no address of {what}: {problem}")]
    Address { what: &'static str, address: String, problem: String },
    #[error("{what} could not be reached in time: {problem}")]
    OutOfPatience { what: &'static str, problem: String },
    /// Told to each of those whose request was refused together with others.
    #[error("{0}")]
    Refused(String),
    #[error("there is no run `{0}` in this fleet")]
    NoSuchRun(String),
    #[error("run `{0}` was cancelled; `--repeat 1` begins another")]
    Cancelled(String),
    #[error("{path}: {source}")]
    File { path: std::path::PathBuf, source: std::io::Error },
    #[error("{place} in the store cannot be used: {problem}")]
    Malformed { place: String, problem: String },
    #[error("the index was made by a newer Umpire (version {found}, this one knows {known}): use that one")]
    NewerIndex { found: i64, known: i64 },
    #[error("this part of the fleet is closing")]
    Closing,
}

impl FleetError {
    /// Whether the same request may succeed later, without anybody changing anything but the servers' health.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Queue(_) => true,
            Self::Index(error) => match error {
                sqlx::Error::Io(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::Protocol(_)
                | sqlx::Error::WorkerCrashed => true,
                // Connection, resources, operator (restart, timeout), rolled back.
                sqlx::Error::Database(error) => error.code().is_some_and(|code| {
                    ["08", "53", "57", "40", "55"].iter().any(|class| code.starts_with(class))
                }),
                _ => false,
            },
            Self::Depot(error) => !matches!(
                error,
                object_store::Error::NotFound { .. }
                    | object_store::Error::InvalidPath { .. }
                    | object_store::Error::NotSupported { .. }
                    | object_store::Error::NotImplemented { .. }
                    | object_store::Error::PermissionDenied { .. }
                    | object_store::Error::Unauthenticated { .. }
                    | object_store::Error::UnknownConfigurationKey { .. }
            ),
            _ => false,
        }
    }
}
