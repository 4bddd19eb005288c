//! A run is planned, worked on and followed, whoever is there.

use std::time::Duration;

use umpire_fleet::{FleetError, Leave, NewRun, RunState, Steward};
use umpire_model::Deadline;

use crate::ground::{Ground, announce, followed, labelled_worker, soon, steward, worker};
use crate::simulated::{SimPlan, outcome_of};

const LIMIT: Duration = Duration::from_mins(2);

#[tokio::test(flavor = "multi_thread")]
async fn every_attempt_ends_once_and_what_it_recorded_arrives() {
    let Some(ground) = Ground::start() else { return };
    let fleet = ground.fleet().await;
    let plan = SimPlan::new("plain-1", 120, 5);
    announce(&fleet, &plan).await;
    // Two planners at once publish nothing twice that matters.
    let planners = [steward(&fleet, &plan), steward(&fleet, &plan)];
    let workers = [worker(&ground, "a", 4).await, worker(&ground, "b", 4).await];
    let rows = followed(&fleet, &plan.run, LIMIT).await;
    assert_eq!(rows.len(), 120);
    for (attempt, row) in &rows {
        assert_eq!(row.outcome, outcome_of(attempt), "{attempt}");
        let to = ground.folder.path().join("run").join(&row.worker);
        umpire_fleet::fetch(&fleet.depot, &plan.run, row.ticket, &to, soon()).await.expect("it is there");
        let journal = std::fs::read_to_string(to.join("attempts").join(attempt).join("journal.jsonl"));
        assert_eq!(journal.expect("fetched"), *attempt);
    }
    for planner in planners {
        planner.await.expect("both notice the end");
    }
    assert_eq!(
        fleet.index.find_run(&plan.run, soon()).await.expect("asked").map(|run| run.state),
        Some(RunState::Done)
    );
    // Who comes later sees the same.
    assert_eq!(followed(&fleet, &plan.run, LIMIT).await, rows);
    for worker in workers {
        worker.dismiss(Leave::WhenDone).await;
    }
    assert_eq!(
        fleet.index.workers(soon()).await.expect("asked"),
        [],
        "those who left in order are not listed"
    );
    let left = std::fs::read_dir(ground.scratch()).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing stays on the workers");
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_finish_what_a_dead_planner_began() {
    let Some(ground) = Ground::start() else { return };
    let fleet = ground.fleet().await;
    // One that died before it published anything, and one that died in the middle of it: the claim is all that is left.
    for run in ["orphan-1", "orphan-2"] {
        let plan = SimPlan::new(run, 30, 5);
        announce(&fleet, &plan).await;
        if run == "orphan-2" {
            let roster = plan.roster();
            let dead = Steward::new(fleet.clone(), run, "dead");
            let some = tokio::time::timeout(Duration::from_millis(150), dead.tend(&roster)).await;
            assert!(some.is_err(), "nobody works, so it cannot have come to an end");
        }
    }
    let worker = worker(&ground, "a", 4).await;
    for run in ["orphan-1", "orphan-2"] {
        assert_eq!(followed(&fleet, run, LIMIT).await.len(), 30);
    }
    worker.dismiss(Leave::WhenDone).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_that_lost_everything_is_filled_again() {
    let Some(mut ground) = Ground::start() else { return };
    let fleet = ground.fleet().await;
    let plan = SimPlan::new("lost-1", 40, 5);
    announce(&fleet, &plan).await;
    let planner = steward(&fleet, &plan);
    while fleet.index.find_run(&plan.run, soon()).await.expect("asked").is_none_or(|run| run.published < 40) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    ground.nats.kill();
    ground.nats.lose_disk();
    ground.nats.restart();
    let worker = worker(&ground, "a", 4).await;
    assert_eq!(followed(&fleet, &plan.run, LIMIT).await.len(), 40);
    planner.await.expect("over");
    worker.dismiss(Leave::WhenDone).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_waits_for_a_worker_with_its_labels_and_can_be_cancelled() {
    let Some(ground) = Ground::start() else { return };
    let fleet = ground.fleet().await;
    let plan = SimPlan::new("label-1", 5, 1);
    plan.put(&fleet).await;
    let new = NewRun { run: plan.run.clone(), attempts: 5, needs: vec!["eu".to_owned()] };
    fleet.index.open_run(&new, soon()).await.expect("known");
    let planner = steward(&fleet, &plan);
    let stranger = worker(&ground, "a", 2).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(fleet.index.count_results(&plan.run, soon()).await.expect("asked"), 0);
    let fitting = labelled_worker(&ground, "b", 2, &["eu", "large"]).await;
    let rows = followed(&fleet, &plan.run, LIMIT).await;
    assert!(rows.values().all(|row| row.worker == fitting.id));
    planner.await.expect("over");

    let endless = SimPlan::new("cancel-1", 40, 600_000);
    announce(&fleet, &endless).await;
    let planner = steward(&fleet, &endless);
    tokio::time::sleep(Duration::from_millis(500)).await;
    fleet.index.close_run("cancel-1", RunState::Cancelled, soon()).await.expect("cancelled");
    planner.await.expect("nothing to look after");
    let client = async_nats::connect(&ground.addresses().queue).await.expect("there");
    let queued = async_nats::jetstream::new(client).get_stream("UMPIRE_WORK").await.expect("there");
    assert_eq!(queued.cached_info().state.messages, 0, "nobody will ask for what was not begun");
    // What was in hand is dropped at the next beat, so nobody has to be waited for.
    let leaving = async {
        stranger.dismiss(Leave::WhenDone).await;
        fitting.dismiss(Leave::WhenDone).await;
    };
    // Half of what would end them anyway.
    tokio::time::timeout(Duration::from_secs(30), leaving).await.expect("nothing is in hand any more");
}

#[tokio::test]
async fn what_is_not_there_is_named() {
    let Some(ground) = Ground::start() else { return };
    let nobody = umpire_fleet::Addresses { queue: "nats://127.0.0.1:1".to_owned(), ..ground.addresses() };
    let connecting = umpire_fleet::Fleet::connect(
        &nobody,
        "test",
        umpire_fleet::Timing::default(),
        umpire_fleet::Voice::silent(),
    );
    let error = tokio::time::timeout(Duration::from_secs(20), connecting)
        .await
        .expect("in time")
        .expect_err("nobody");
    assert!(matches!(&error, FleetError::OutOfPatience { what: "the queue", .. }), "{error}");
    let fleet = ground.fleet().await;
    let missing = fleet.depot.get("demo-1/commission.json", Deadline::after(Duration::from_secs(5))).await;
    assert!(missing.is_err_and(|error| error.to_string().contains("commission.json")));
}
