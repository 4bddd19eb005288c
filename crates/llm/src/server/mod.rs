//! The gateway for foreign agents: it speaks the providers' own formats, so that an agent needs another base URL and
//! nothing else.
//!
//! Every attempt has a key of its own, which maps to its budgets, its evidence and the models it may ask. A request in
//! the format of the model's provider passes through as it is; in another it is translated, or refused with a reason.

mod answer;
mod guests;
mod refusal;
mod relay;
mod route;
mod signatures;
mod unseen;

use std::io;
use std::sync::Arc;

use umpire_model::Deadline;

use crate::caller::Caller;
use crate::gateway::{Gateway, GatewayError};
use crate::serve::Listening;
pub use guests::Pass;
use guests::{Guest, Guests};

/// A gateway that listens, on this machine only, for the length of a run.
#[derive(Debug)]
pub struct GatewayServer {
    gateway: Arc<Gateway>,
    guests: Arc<Guests>,
    listening: Listening,
}

#[derive(Debug, thiserror::Error)]
pub enum NotAdmitted {
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    #[error("no random key could be drawn: {0}")]
    Random(String),
}

impl GatewayServer {
    pub async fn start(gateway: Arc<Gateway>) -> io::Result<Self> {
        let guests = Arc::new(Guests::default());
        let (served, known) = (Arc::clone(&gateway), Arc::clone(&guests));
        let listening = Listening::start(move |request| {
            let (gateway, guests) = (Arc::clone(&served), Arc::clone(&known));
            async move { Ok(answer::answer(request, &gateway, &guests).await) }
        })
        .await?;
        Ok(Self { gateway, guests, listening })
    }

    /// Lets an attempt ask these models until its deadline, or until the pass is dropped.
    pub fn admit(
        &self,
        caller: Caller,
        models: Vec<String>,
        deadline: Deadline,
    ) -> Result<Pass, NotAdmitted> {
        for model in &models {
            self.gateway.check(model, caller.is_limited_in_money())?;
        }
        let guest = Guest::new(caller, models, deadline);
        Pass::issue(&self.guests, guest, self.listening.address).map_err(NotAdmitted::Random)
    }
}
