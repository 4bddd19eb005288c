//! What only one may use at a time is used by one at a time, and what leaves gives back what it had.

use std::time::Duration;

use umpire_fleet::{Leave, Timing};

use crate::ground::{EASY, Ground, QUICK, announce, connect_with, followed, soon, steward, worker_with};
use crate::simulated::SimPlan;

const LIMIT: Duration = Duration::from_mins(2);

#[tokio::test(flavor = "multi_thread")]
async fn attempts_with_one_account_never_meet() {
    let Some(ground) = Ground::start() else { return };
    let fleet = connect_with(&ground.addresses(), EASY).await;
    let meeting_place = ground.folder.path().to_owned();
    let plan = SimPlan {
        accounts: 3,
        repeatable: false,
        meeting_place: Some(meeting_place.clone()),
        ..SimPlan::new("keys-1", 60, 8)
    };
    announce(&fleet, &plan).await;
    let planner = steward(&fleet, &plan);
    let workers = [worker_with(&ground, "a", 4, EASY).await, worker_with(&ground, "b", 4, EASY).await];
    assert_eq!(followed(&fleet, &plan.run, LIMIT).await.len(), 60);
    assert!(!meeting_place.join("too-many").exists(), "two attempts used one account");
    planner.await.expect("over");
    for worker in workers {
        worker.dismiss(Leave::WhenDone).await;
    }
    let held = fleet.index.overview(soon()).await.expect("asked").holds;
    assert_eq!(held, [], "nothing is held when nobody works");
}

#[tokio::test(flavor = "multi_thread")]
async fn three_at_a_time_are_three_and_never_four() {
    let Some(ground) = Ground::start() else { return };
    let fleet = connect_with(&ground.addresses(), EASY).await;
    let meeting_place = ground.folder.path().to_owned();
    let plan = SimPlan {
        accounts: 1,
        at_a_time: 3,
        waits: [0, 1, 2].into(),
        repeatable: false,
        meeting_place: Some(meeting_place.clone()),
        ..SimPlan::new("keys-3", 40, 20)
    };
    announce(&fleet, &plan).await;
    let planner = steward(&fleet, &plan);
    let workers = [worker_with(&ground, "a", 4, EASY).await, worker_with(&ground, "b", 4, EASY).await];
    let three_have_met = async {
        while !meeting_place.join("as-many-as-may").exists() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LIMIT, three_have_met).await.expect("there was room for three");
    for place in 0..3 {
        std::fs::write(meeting_place.join(format!("go-{place}")), "").expect("written");
    }
    assert_eq!(followed(&fleet, &plan.run, LIMIT).await.len(), 40);
    assert!(!meeting_place.join("too-many").exists(), "four used what three may use");
    planner.await.expect("over");
    for worker in workers {
        worker.dismiss(Leave::WhenDone).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_leaves_at_once_gives_back_what_it_had() {
    // As many as a worker takes at a time: each is a chance for a sign of life to come behind the last word.
    const IN_HAND: usize = 16;
    let Some(ground) = Ground::start() else { return };
    // What is not given back comes again long after the test has failed.
    let timing = Timing { lease: Duration::from_mins(1), ..QUICK };
    let fleet = connect_with(&ground.addresses(), timing).await;
    let meeting_place = Some(ground.folder.path().to_owned());
    // Every first try hangs: only who leaves can free it.
    let plan = SimPlan {
        hangs: (0..IN_HAND).collect(),
        repeatable: false,
        meeting_place,
        ..SimPlan::new("drain-1", IN_HAND, 1)
    };
    announce(&fleet, &plan).await;
    let planner = steward(&fleet, &plan);
    let first = worker_with(&ground, "a", IN_HAND, timing).await;
    let all_hang = async {
        let has_begun = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("began-");
        let begun =
            || std::fs::read_dir(ground.folder.path()).expect("there").flatten().filter(has_begun).count();
        while begun() < IN_HAND {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LIMIT, all_hang).await.expect("all are in hand");
    first.dismiss(Leave::AtOnce).await;
    let second = worker_with(&ground, "b", IN_HAND, timing).await;
    let rows = followed(&fleet, &plan.run, Duration::from_secs(40)).await;
    assert!(rows.values().all(|row| row.worker == second.id && !row.is_dead));
    planner.await.expect("over");
    second.dismiss(Leave::WhenDone).await;
}
