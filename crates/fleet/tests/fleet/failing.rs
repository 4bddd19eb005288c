//! What cannot be carried out is given up, and what kills is not given to the same machine again.

use std::collections::BTreeSet;
use std::time::Duration;

use umpire_fleet::Leave;
use umpire_model::Outcome;

use crate::ground::{
    EASY, Ground, announce, connect_with, followed, letters, served, starts_of, steward, worker_with,
};
use crate::process::Actor;
use crate::simulated::SimPlan;

const LIMIT: Duration = Duration::from_mins(1);

#[tokio::test(flavor = "multi_thread")]
async fn what_no_machine_can_carry_out_is_given_up_after_five_failures() {
    let Some(ground) = Ground::start() else { return };
    let fleet = connect_with(&ground.addresses(), EASY).await;
    let plan = SimPlan { fails: [3].into(), ..SimPlan::new("fails-1", 12, 5) };
    announce(&fleet, &plan).await;
    let workers = [worker_with(&ground, "a", 2, EASY).await, worker_with(&ground, "b", 2, EASY).await];
    served(&ground, &plan.run, 2).await;
    let planner = steward(&fleet, &plan);
    let rows = followed(&fleet, &plan.run, LIMIT).await;
    let failing = "sim/task-3/1";
    let given_up: Vec<&String> = rows.iter().filter(|(_, row)| row.is_dead).map(|(name, _)| name).collect();
    assert_eq!((rows.len(), given_up), (12, vec![&failing.to_owned()]));
    let row = &rows[failing];
    assert_eq!(row.outcome, Outcome::Infra);
    assert!(row.reason.contains("5 failures") && row.reason.contains("no space left"), "{}", row.reason);
    let starts = starts_of(&ground, &plan.run, failing).await;
    assert_eq!(starts.len(), 5, "{starts:?}");
    let first_two: BTreeSet<&str> = starts.iter().take(2).map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(
        first_two,
        BTreeSet::from(["a", "b"]),
        "where it failed it is not tried again before others have"
    );
    let letters = letters(&ground, &plan.run).await;
    assert_eq!(letters.into_iter().collect::<Vec<_>>(), [(failing.to_owned(), row.reason.clone())]);
    planner.await.expect("over");
    for worker in workers {
        worker.dismiss(Leave::WhenDone).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn poison_takes_no_machine_down_twice() {
    let Some(ground) = Ground::start() else { return };
    let fleet = connect_with(&ground.addresses(), EASY).await;
    let start = |name: &str| Actor::worker(&ground.addresses(), &ground.scratch(), name, 1, EASY.lease);
    let mut machines = ["a", "b"].map(|name| (name, start(name)));
    for run in ["poison-1", "poison-2", "poison-3"] {
        let plan = SimPlan { poison: [2].into(), ..SimPlan::new(run, 6, 5) };
        announce(&fleet, &plan).await;
        served(&ground, run, 2).await;
        let planner = steward(&fleet, &plan);
        let rows = {
            let following = followed(&fleet, run, LIMIT);
            tokio::pin!(following);
            loop {
                tokio::select! {
                    rows = &mut following => break rows,
                    // What died is started again at once, as its supervisor would.
                    () = tokio::time::sleep(Duration::from_millis(20)) => {
                        for (name, machine) in &mut machines {
                            if !machine.is_alive() {
                                *machine = start(name);
                            }
                        }
                    }
                }
            }
        };
        planner.await.expect("over");
        let poison = "sim/task-2/1";
        let given_up: Vec<&String> =
            rows.iter().filter(|(_, row)| row.is_dead).map(|(name, _)| name).collect();
        assert_eq!((rows.len(), given_up), (6, vec![&poison.to_owned()]));
        let starts = starts_of(&ground, run, poison).await;
        let names: BTreeSet<&str> = starts.iter().map(|(_, name, _)| name.as_str()).collect();
        assert_eq!((starts.len(), names), (2, BTreeSet::from(["a", "b"])), "{starts:?}");
    }
}
