//! What is slow at the end is done twice, and the first result counts.

use std::collections::BTreeSet;
use std::time::Duration;

use umpire_fleet::Leave;

use crate::ground::{EASY, Ground, announce, connect_with, followed, soon, starts_of, steward, worker_with};
use crate::simulated::SimPlan;

const STRAGGLERS: [usize; 3] = [5, 7, 11];

#[tokio::test(flavor = "multi_thread")]
async fn a_straggler_is_overtaken_by_its_copy_on_another_worker() {
    let Some(ground) = Ground::start() else { return };
    let fleet = connect_with(&ground.addresses(), EASY).await;
    let meeting_place = Some(ground.folder.path().to_owned());
    let plan = SimPlan { hangs: STRAGGLERS.into(), meeting_place, ..SimPlan::new("slow-1", 20, 5) };
    announce(&fleet, &plan).await;
    let planner = steward(&fleet, &plan);
    let workers = [worker_with(&ground, "a", 4, EASY).await, worker_with(&ground, "b", 4, EASY).await];
    // The first tries would hang for ever, and their workers say all the time that they have them in hand.
    let rows = followed(&fleet, &plan.run, Duration::from_mins(2)).await;
    assert_eq!(rows.len(), 20);
    planner.await.expect("over");
    for place in STRAGGLERS {
        let attempt = format!("sim/task-{place}/1");
        let starts = starts_of(&ground, &plan.run, &attempt).await;
        let [(first, first_name, _), (second, second_name, _)] = starts.as_slice() else {
            panic!("{attempt} was begun by {starts:?}");
        };
        assert_ne!(first_name, second_name, "a machine that is slow does not race against itself");
        assert_eq!(rows[&attempt].worker, *second, "the copy came first, and {first} hangs");
    }
    // Whoever still has a straggler in hand learns that it is in vain.
    let leaving = async {
        for worker in workers {
            assert_eq!(worker.dismiss(Leave::WhenDone).await, []);
        }
    };
    tokio::time::timeout(Duration::from_secs(45), leaving).await.expect("nobody goes on with what has ended");
    for place in STRAGGLERS {
        let starts = starts_of(&ground, &plan.run, &format!("sim/task-{place}/1")).await;
        assert!(starts[0].2, "the one that was overtaken is over: {starts:?}");
    }
    let places = fleet.depot.list(&format!("{}/attempts", plan.run), soon()).await.expect("listed");
    let recorded: BTreeSet<String> =
        places.iter().filter_map(|place| Some(place.split('/').next()?.to_owned())).collect();
    let counted: BTreeSet<String> = rows.values().map(|row| format!("{:016x}", row.ticket)).collect();
    assert_eq!(recorded, counted, "what lost the race is not kept");
}
