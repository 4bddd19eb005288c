use std::sync::{Mutex, PoisonError};

use crate::Session;

/// What a client asks to begin; what it does not name is up to the reception.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    pub instance: Option<String>,
    pub trial: Option<u32>,
    /// Chooses among the instances where none is named.
    pub seed: Option<u64>,
}

/// Why nothing begins.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Refusal {
    #[error("{0}")]
    Unknown(String),
    #[error("{0}")]
    Full(String),
    #[error("{0}")]
    NothingLeft(String),
    #[error("{0}")]
    Broken(String),
}

/// Hands out attempts to clients.
pub trait Reception: Send + Sync + 'static {
    fn begin(&self, wish: &Wish) -> Result<Session, Refusal>;
}

/// The reception of a single attempt that is under way already.
pub struct OneSession(Mutex<Option<Session>>);

impl OneSession {
    pub fn new(session: Session) -> Self {
        Self(Mutex::new(Some(session)))
    }
}

impl Reception for OneSession {
    fn begin(&self, wish: &Wish) -> Result<Session, Refusal> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_another = |session: &Session| {
            let attempt = session.attempt();
            wish.instance.as_ref().is_some_and(|instance| *instance != attempt.instance)
                || wish.trial.is_some_and(|trial| trial != attempt.trial)
        };
        if let Some(session) = place.as_ref().filter(|session| is_another(session)) {
            let only = &session.attempt().instance;
            return Err(Refusal::Unknown(format!("there is one attempt here, at `{only}`")));
        }
        let gone = || Refusal::NothingLeft("there is one attempt here, and it has begun".to_owned());
        place.take().ok_or_else(gone)
    }
}
