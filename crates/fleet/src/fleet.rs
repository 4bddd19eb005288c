use std::time::Duration;

use umpire_model::Deadline;

use crate::patience::Service;
use crate::{Depot, FleetError, Index, Queue, StoreSettings, Timing, Voice};

/// For the first contact: an address that is wrong should be told soon.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// For one answer of the queue or the index; more than either allows itself.
const ANSWER_LIMIT: Duration = Duration::from_secs(15);

/// Where the three servers are.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// `nats://…`
    pub queue: String,
    /// `postgres://…`
    pub index: String,
    /// `s3://…`, `gs://…`, `az://…`, `file:///…`
    pub store: String,
}

/// The three servers, connected.
#[derive(Clone, Debug)]
pub struct Fleet {
    pub queue: Queue,
    pub index: Index,
    pub depot: Depot,
    pub timing: Timing,
    pub voice: Voice,
}

impl Fleet {
    /// Connects to all three, makes what is missing there, and says which one is not there.
    pub async fn connect(
        addresses: &Addresses,
        name: &str,
        timing: Timing,
        voice: Voice,
    ) -> Result<Self, FleetError> {
        let deadline = Deadline::after(CONNECT_LIMIT);
        let service = |what| Service::new(what, ANSWER_LIMIT, voice.clone());
        let settings = StoreSettings::from_environment();
        let depot = Depot::connect(&addresses.store, &settings, voice.clone(), deadline).await?;
        let index = Index::connect(&addresses.index, timing, service("the index"), deadline).await?;
        let queue = Queue::connect(&addresses.queue, name, timing, service("the queue"), deadline).await?;
        Ok(Self { queue, index, depot, timing, voice })
    }

    /// When an attempt in hand is given up because a server does not come back.
    pub(crate) fn patience(&self) -> Deadline {
        Deadline::after(self.timing.outage)
    }
}
