/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    /// Asking again, or repairing the deployment, may help.
    #[error("{0}")]
    Unreachable(String),
    /// No backend can answer this question in this form.
    #[error("{0}")]
    Refused(String),
}

impl Problem {
    pub(crate) fn unreachable(reason: impl Into<String>) -> Self {
        Self::Unreachable(reason.into())
    }

    pub(crate) fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(reason.into())
    }
}
