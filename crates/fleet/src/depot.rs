//! The depot: what was recorded, and what workers need to take part, in any object store.

mod address;
mod http;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode};
use umpire_model::Deadline;

use crate::patience::Service;
use crate::{FleetError, Voice};
use address::store_at;

pub use address::StoreSettings;

/// For one object, on a slow line.
const STORE_LIMIT: Duration = Duration::from_mins(3);

#[derive(Clone, Debug)]
pub struct Depot {
    store: Arc<dyn ObjectStore>,
    /// Everything of ours is below this.
    root: Path,
    service: Service,
}

impl Depot {
    /// Opens the store at an address and asks it for a first answer: a bucket that is not there, or a key that it does not
    /// take, is told now and not when the first attempt has ended.
    pub async fn connect(
        address: &str,
        settings: &StoreSettings,
        voice: Voice,
        deadline: Deadline,
    ) -> Result<Self, FleetError> {
        let depot = Self::open(address, settings, voice)?;
        let first = || async {
            let listed = depot.store.list(Some(&depot.root)).try_next().await;
            listed.map(drop).map_err(|error| match refusal(&error) {
                Some(problem) => {
                    FleetError::Address { what: "a store", address: address.to_owned(), problem }
                }
                None => error.into(),
            })
        };
        depot.service.ask(deadline, first).await?;
        Ok(depot)
    }

    pub(crate) fn open(address: &str, settings: &StoreSettings, voice: Voice) -> Result<Self, FleetError> {
        let (store, root) = store_at(address, settings)?;
        Ok(Self { store, root, service: Service::new("the store", STORE_LIMIT, voice) })
    }

    /// Whole or not at all, and there for good when this returns.
    pub async fn put(&self, place: &str, content: Bytes, deadline: Deadline) -> Result<(), FleetError> {
        let path = self.path(place)?;
        self.service
            .ask(deadline, || async {
                self.store.put(&path, content.clone().into()).await?;
                Ok(())
            })
            .await
    }

    /// The same, unless something is there already. False if there is.
    pub async fn put_new(&self, place: &str, content: Bytes, deadline: Deadline) -> Result<bool, FleetError> {
        let path = self.path(place)?;
        self.service
            .ask(deadline, || async {
                let options = PutMode::Create.into();
                match self.store.put_opts(&path, content.clone().into(), options).await {
                    Ok(_) => Ok(true),
                    Err(
                        object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. },
                    ) => Ok(false),
                    Err(error) => Err(error.into()),
                }
            })
            .await
    }

    pub async fn get(&self, place: &str, deadline: Deadline) -> Result<Bytes, FleetError> {
        let path = self.path(place)?;
        self.service.ask(deadline, || async { Ok(self.store.get(&path).await?.bytes().await?) }).await
    }

    /// The same, or none where there is nothing.
    pub async fn find(&self, place: &str, deadline: Deadline) -> Result<Option<Bytes>, FleetError> {
        match self.get(place, deadline).await {
            Err(FleetError::Depot(object_store::Error::NotFound { .. })) => Ok(None),
            found => found.map(Some),
        }
    }

    /// Everything below a place, relative to it.
    pub async fn list(&self, place: &str, deadline: Deadline) -> Result<Vec<String>, FleetError> {
        let path = self.path(place)?;
        self.service
            .ask(deadline, || async {
                let listed: Vec<_> = self.store.list(Some(&path)).try_collect().await?;
                let relative = |one: &object_store::ObjectMeta| {
                    let parts: Vec<_> =
                        one.location.prefix_match(&path)?.map(|part| part.as_ref().to_owned()).collect();
                    Some(parts.join("/"))
                };
                Ok(listed.iter().filter_map(relative).collect())
            })
            .await
    }

    /// Removes everything below a place. What is gone already is what was wanted.
    pub async fn remove(&self, place: &str, deadline: Deadline) -> Result<(), FleetError> {
        let path = self.path(place)?;
        self.service
            .ask(deadline, || async {
                let there: Vec<_> =
                    self.store.list(Some(&path)).map_ok(|one| one.location).try_collect().await?;
                let mut removed = self.store.delete_stream(stream::iter(there.into_iter().map(Ok)).boxed());
                while let Some(one) = removed.next().await {
                    match one {
                        Err(object_store::Error::NotFound { .. }) | Ok(_) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                Ok(())
            })
            .await
    }

    fn path(&self, place: &str) -> Result<Path, FleetError> {
        let malformed = |error: object_store::path::Error| FleetError::Malformed {
            place: place.to_owned(),
            problem: error.to_string(),
        };
        let below = Path::parse(place).map_err(malformed)?;
        Ok(self.root.parts().chain(below.parts()).collect())
    }
}

/// What a store's first answer says about the address, if it is a refusal. An error of a list is typed by its provider alone,
/// so the status is read from its words.
fn refusal(error: &object_store::Error) -> Option<String> {
    let said = error.to_string();
    let is = |status: &str| said.contains(&format!("status code: {status}"));
    if is("404") {
        Some("there is no bucket or container of this name".to_owned())
    } else if is("401") || is("403") {
        Some(format!("what was given as a key does not open it; {said}"))
    } else {
        None
    }
}
