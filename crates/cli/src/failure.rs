use std::fmt;

/// A failure for a person to read: what went wrong, and what to do about it.
#[derive(Debug)]
pub struct Failure {
    message: String,
    help: Option<String>,
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// The same failure with the file it is about in front.
    #[must_use]
    pub fn in_file(mut self, file: &std::path::Path) -> Self {
        self.message = format!("{}: {}", file.display(), self.message);
        self
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl miette::Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }
}

/// Any typed error of a room becomes a failure with its whole chain of causes.
macro_rules! from_errors {
    ($($error:ty),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::new(error.to_string())
            }
        })+
    };
}

from_errors!(
    crate::gate::BadGate,
    std::io::Error,
    umpire_exchange::ExportError,
    umpire_model::BadName,
    umpire_report::ReportError,
    umpire_runner::ExecuteError,
    umpire_runner::JudgeError,
    umpire_runner::LoadError,
    umpire_runner::PlanError,
    umpire_store::MergeError,
    umpire_store::StoreError,
    umpire_telemetry::TelemetryError,
);
