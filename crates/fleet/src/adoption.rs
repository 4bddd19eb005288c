//! Workers take over the duties of a planner that is gone.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::task::{AbortHandle, JoinSet};
use umpire_model::Deadline;

use crate::patience::jittered;
use crate::{Steward, Worker};

/// Looks for runs that nobody looks after, and looks after them, until it is dropped.
pub(crate) async fn adopt(worker: Arc<Worker>) {
    let fleet = worker.fleet().clone();
    let mut tending = JoinSet::new();
    let mut tended: HashMap<String, AbortHandle> = HashMap::new();
    loop {
        tokio::time::sleep(jittered(fleet.timing.lease / 2)).await;
        while tending.try_join_next().is_some() {}
        tended.retain(|_, task| !task.is_finished());
        let Ok(open) = fleet.index.open_runs(Deadline::after(fleet.timing.lease)).await else { continue };
        for row in open.iter().filter(|row| !row.is_tended) {
            if tended.contains_key(&row.run) {
                continue;
            }
            let Some(job) = worker.job(row).await else { continue };
            let steward = Steward::new(fleet.clone(), &row.run, worker.id());
            let task = tending.spawn(async move { steward.tend_if_free(job.roster()).await });
            tended.insert(row.run.clone(), task);
        }
    }
}
