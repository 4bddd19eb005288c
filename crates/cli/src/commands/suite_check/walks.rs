//! Baselines that browse without reading the task do the same in front of every task that starts alike. So a few walks
//! for each start are made, and each is judged by the checks of every instance with that start: more tries than one walk
//! for each instance, in a fraction of the time.

use std::collections::BTreeMap;
use std::sync::Arc;

use umpire_model::{AttemptId, Digest, Instance, Outcome};
use umpire_rules::evaluate;
use umpire_store::{Run, Status};

use super::{ByPerturbation, perturbation_of};
use crate::failure::Failure;

/// Walks for each start, each with dice of its own.
const WALKS: usize = 3;

/// Instances that look the same to an agent that does not read: the same sites in the same state, the same pages, the
/// same kind of answer, the same perturbation.
pub struct Starts(Vec<Vec<Arc<Instance>>>);

impl Starts {
    pub fn of(instances: &[Arc<Instance>]) -> Self {
        let mut starts: BTreeMap<Digest, Vec<Arc<Instance>>> = BTreeMap::new();
        for instance in instances {
            let Instance { sites, start_urls, world, kind, validity, .. } = instance.as_ref();
            let by = perturbation_of(instance);
            let key = Digest::of_json(&(sites, start_urls, world, kind, validity, by));
            starts.entry(key).or_default().push(Arc::clone(instance));
        }
        Self(starts.into_values().collect())
    }

    /// The plain instances in front of which the walks are made.
    pub fn places(&self) -> Vec<&str> {
        let few = |alike: &Vec<Arc<Instance>>| alike.len().min(WALKS);
        self.0
            .iter()
            .filter(|alike| alike.iter().all(|instance| instance.perturbation.is_none()))
            .flat_map(|alike| (0..few(alike)).map(move |place| &alike[place * alike.len() / few(alike)]))
            .map(|instance| instance.id.as_str())
            .collect()
    }

    /// Judges every walk of a run by the checks of all instances that start like its own.
    pub fn judge(&self, run: &Run) -> Result<ByPerturbation, Failure> {
        let blobs = run.blobs();
        let mut found = ByPerturbation::new();
        for id in run.planned()? {
            let attempt = run.attempt(&id);
            let alike = self.0.iter().find(|alike| alike.iter().any(|instance| instance.id == id.instance));
            let (Some(alike), Status::Ended { .. }) = (alike, attempt.status()?) else { continue };
            let trajectory = attempt.read()?;
            for instance in alike {
                let errors = found.entry(perturbation_of(instance)).or_default();
                let judged = AttemptId::new(&id.agent, &instance.id, id.trial)
                    .map_err(|error| Failure::new(error.to_string()))?;
                let verdict = evaluate(&judged, instance, &trajectory, &blobs);
                // One that the harness lost was not tried, which must not pass for a rejection.
                errors.note(matches!(verdict.outcome, Outcome::Pass | Outcome::Infra), || {
                    format!("{judged}: {} {} (as it went in {id})", verdict.outcome, verdict.reason)
                });
            }
        }
        Ok(found)
    }
}
