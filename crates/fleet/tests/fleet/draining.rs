//! Whoever is told to leave leaves in time, whatever has become of the servers, and takes nothing that has ended along.

use std::path::Path;
use std::time::{Duration, Instant};

use umpire_fleet::{Kept, Leave, WorkerOptions};

use crate::ground::{EASY, Ground, announce, connect_with, followed, options, soon, steward, working};
use crate::simulated::{SimPlan, arrived};
use crate::wire::Wire;

const LIMIT: Duration = Duration::from_mins(1);
/// What giving back may take at most when nobody answers, and as much again for a machine that is busy.
const SOME_SECONDS: Duration = Duration::from_secs(24);
const ENDED: &str = "sim/task-0/1";

fn let_go(folder: &Path, place: usize) {
    std::fs::write(folder.join(format!("go-{place}")), "").expect("written");
}

fn wires_to(ground: &Ground) -> (Wire, Wire) {
    let wire = |port| Wire::to(port).expect("a free port");
    (wire(ground.nats.port()), wire(ground.postgres.port()))
}

/// A worker that has one attempt in hand and one that has ended, when both wires are cut for good; what it kept.
async fn cut_off(ground: &Ground, drain_within: Duration, how: Leave) -> (String, Vec<Kept>) {
    let at = |place: usize| ground.folder.path().join(arrived(place));
    (0..2).for_each(|place| drop(std::fs::remove_file(at(place))));
    let wires = wires_to(ground);
    let far = connect_with(&ground.addresses_at(wires.0.port, wires.1.port), EASY).await;
    let options = options(&ground.scratch(), "far", 2);
    let worker = working(far, WorkerOptions { drain_within, ..options });
    // Not the index is asked: the worker may still wait for its answer there when the wires are cut.
    let begun = async {
        while !(0..2).all(|place| at(place).exists()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LIMIT, begun).await.expect("both are begun");
    wires.0.cut(true);
    wires.1.cut(true);
    let_go(ground.folder.path(), 0);
    let has_ended = async {
        while !kept_files(&ground.scratch()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LIMIT, has_ended).await.expect("it has ended");
    let (id, told) = (worker.id.clone(), Instant::now());
    let kept = tokio::time::timeout(LIMIT, worker.dismiss(how)).await.expect("it left");
    let most = if how == Leave::AtOnce { SOME_SECONDS } else { drain_within + SOME_SECONDS };
    assert!(told.elapsed() < most, "it took {:?}", told.elapsed());
    (id, kept)
}

fn kept_files(scratch: &Path) -> bool {
    let below = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().collect::<Vec<_>>();
    let attempts = below(scratch).into_iter().flat_map(|worker| below(&worker.path().join("attempts")));
    attempts.into_iter().any(|attempt| attempt.path().join("kept.json").exists())
}

fn waiting(ground: &Ground, run: &str) -> SimPlan {
    let meeting_place = Some(ground.folder.path().to_owned());
    // Nothing is done a second time but for the reason that is tested.
    SimPlan { waits: [0, 1].into(), repeatable: false, meeting_place, ..SimPlan::new(run, 2, 5) }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_ended_is_kept_and_the_next_worker_hands_it_in() {
    let Some(ground) = Ground::start() else { return };
    let fleet = connect_with(&ground.addresses(), EASY).await;
    let second = Duration::from_secs(1);
    for (run, drain_within, how) in
        [("kept-1", second, Leave::WhenDone), ("kept-2", 3600 * second, Leave::AtOnce)]
    {
        for place in 0..2 {
            let _ = std::fs::remove_file(ground.folder.path().join(format!("go-{place}")));
        }
        let plan = waiting(&ground, run);
        announce(&fleet, &plan).await;
        let planner = steward(&fleet, &plan);
        let (far, kept) = cut_off(&ground, drain_within, how).await;
        let [one] = kept.as_slice() else { panic!("{run}: it kept {kept:?}") };
        assert_eq!((one.run.as_str(), one.attempt.as_str()), (run, ENDED));
        assert!(one.folder.join("kept.json").exists(), "{}", one.folder.display());
        // Begun again it would never end: the result that was kept is the only one there will be.
        std::fs::remove_file(ground.folder.path().join("go-0")).expect("there");
        let_go(ground.folder.path(), 1);
        let next = working(fleet.clone(), options(&ground.scratch(), "next", 2));
        let rows = followed(&fleet, run, LIMIT).await;
        let workers: Vec<&str> = rows.values().map(|row| row.worker.as_str()).collect();
        assert_eq!(workers, [far.as_str(), next.id.as_str()], "{rows:?}");
        assert!(rows.values().all(|row| !row.is_dead));
        let journal = format!("{run}/attempts/{:016x}/attempts/{ENDED}/journal.jsonl", rows[ENDED].ticket);
        assert_eq!(fleet.depot.get(&journal, soon()).await.expect("shipped"), ENDED.as_bytes());
        planner.await.expect("over");
        assert_eq!(next.dismiss(Leave::WhenDone).await, []);
        let left = std::fs::read_dir(ground.scratch()).map_or(0, Iterator::count);
        assert_eq!(left, 0, "what is handed in is removed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_result_that_comes_second_is_discarded() {
    let Some(ground) = Ground::start() else { return };
    let fleet = connect_with(&ground.addresses(), EASY).await;
    let plan = waiting(&ground, "kept-late");
    announce(&fleet, &plan).await;
    let planner = steward(&fleet, &plan);
    let (_, kept) = cut_off(&ground, Duration::ZERO, Leave::WhenDone).await;
    assert_eq!(kept.len(), 1);
    let_go(ground.folder.path(), 1);
    let elsewhere = working(
        connect_with(&ground.addresses(), EASY).await,
        options(&ground.folder.path().join("elsewhere"), "b", 2),
    );
    let rows = followed(&fleet, &plan.run, LIMIT).await;
    assert!(rows.values().all(|row| row.worker == elsewhere.id), "{rows:?}");
    planner.await.expect("over");
    let next = working(fleet.clone(), options(&ground.scratch(), "next", 2));
    let discarded = async {
        while kept_files(&ground.scratch()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(LIMIT, discarded).await.expect("nobody needs it");
    assert_eq!(followed(&fleet, &plan.run, LIMIT).await, rows, "what counted counts");
    let places = fleet.depot.list(&format!("{}/attempts", plan.run), soon()).await.expect("listed");
    let own = |place: &&String| rows.values().any(|row| place.starts_with(&format!("{:016x}/", row.ticket)));
    assert_eq!(places.iter().filter(own).count(), places.len(), "{places:?}");
    for worker in [elsewhere, next] {
        assert_eq!(worker.dismiss(Leave::WhenDone).await, []);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_could_not_even_join_leaves_when_it_is_told() {
    let Some(ground) = Ground::start() else { return };
    let wires = wires_to(&ground);
    let far = connect_with(&ground.addresses_at(wires.0.port, wires.1.port), EASY).await;
    wires.0.cut(true);
    wires.1.cut(true);
    let worker = working(far, options(&ground.scratch(), "far", 2));
    let leaving = tokio::time::timeout(SOME_SECONDS, worker.dismiss(Leave::WhenDone));
    assert_eq!(leaving.await.expect("it does not wait for the index"), []);
}
