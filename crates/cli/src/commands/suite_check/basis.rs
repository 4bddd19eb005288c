//! What a check of a suite was made on. Where any of it is another one today, what was found no longer says anything.

use std::collections::BTreeSet;

use serde::Serialize;
use umpire_model::{Digest, Suite};
use umpire_worlds::World;

use crate::failure::Failure;

#[derive(Clone, Serialize)]
pub struct Basis {
    /// Of the suite.
    pub digest: Digest,
    pub rules: Digest,
    /// Of what the built-in sites of the suite begin with: their state, and what all public pages of that seed say; none
    /// for sites elsewhere.
    pub world: Option<Digest>,
}

impl Basis {
    pub fn of(suite: &Suite) -> Result<Self, Failure> {
        let world = if suite.file.world == "built-in" {
            let sites: BTreeSet<&String> = suite.tasks.iter().flat_map(|task| &task.sites).collect();
            let sites: Vec<String> = sites.into_iter().cloned().collect();
            let world = World::create(&sites, suite.file.seed, &serde_json::Value::Null)
                .map_err(|error| Failure::new(error.to_string()))?;
            Some(Digest::of_json(&(world.state(), umpire_worlds::digest_of_public_pages(suite.file.seed))))
        } else {
            None
        };
        Ok(Self { digest: suite.digest.clone(), rules: umpire_rules::digest(), world })
    }
}
