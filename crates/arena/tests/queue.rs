//! The queue keeps its promises whatever visitors do.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use umpire_arena::{
    BattleId, NotInQueue, Order, Position, Queue, QueueLimits, QueueRefusal, StopReason, Time, VoterId,
};

fn battle(name: &str) -> BattleId {
    BattleId::new(name)
}

fn voter(name: &str) -> VoterId {
    VoterId::new(name)
}

fn wide() -> QueueLimits {
    QueueLimits { waiting_per_visitor: 1000, waiting: 10_000, per_hour: 10_000, ..QueueLimits::default() }
}

fn started(orders: &[Order]) -> Vec<&str> {
    orders
        .iter()
        .filter_map(|order| match order {
            Order::Start(battle) => Some(battle.as_str()),
            _ => None,
        })
        .collect()
}

/// Starts and finishes one battle after the other.
fn order_of_turns(queue: &mut Queue, now: Time) -> Vec<String> {
    let mut turns = Vec::new();
    loop {
        let orders = queue.tick(now);
        let Some(next) = started(&orders).first().map(|name| (*name).to_owned()) else { return turns };
        queue.finished(&battle(&next)).expect("it runs");
        turns.push(next);
    }
}

#[test]
fn a_visitor_with_many_battles_does_not_come_before_one_with_few() {
    let mut queue = Queue::new(wide());
    for n in 0..4 {
        queue.join(battle(&format!("greedy{n}")), voter("greedy"), Time(n)).expect("allowed");
    }
    queue.join(battle("ann"), voter("ann"), Time(5)).expect("allowed");
    queue.join(battle("ben"), voter("ben"), Time(6)).expect("allowed");
    assert_eq!(queue.place(&battle("ben")), Some(Position::Waiting { ahead: 2, until: Time(3_600_006) }));
    assert_eq!(
        order_of_turns(&mut queue, Time(7)),
        ["greedy0", "ann", "ben", "greedy1", "greedy2", "greedy3"]
    );
}

#[test]
fn newcomers_without_end_hold_up_nobody() {
    let mut queue = Queue::new(wide());
    queue.join(battle("old0"), voter("old"), Time(0)).expect("allowed");
    queue.join(battle("old1"), voter("old"), Time(0)).expect("allowed");
    let mut turn = 0;
    for n in 0..100 {
        queue.join(battle(&format!("new{n}")), voter(&format!("n{n}")), Time(n)).expect("allowed");
        let orders = queue.tick(Time(n));
        let Some(next) = started(&orders).first().map(|name| battle(name)) else {
            panic!("capacity is free")
        };
        queue.finished(&next).expect("it runs");
        turn += 1;
        if next == battle("old1") {
            break;
        }
    }
    assert!(turn <= 4, "the second battle of an old visitor waited for {turn} turns");
}

#[test]
fn limits_are_told_with_what_to_do() {
    let limits = QueueLimits { waiting_per_visitor: 2, per_hour: 3, waiting: 3, ..QueueLimits::default() };
    let mut queue = Queue::new(limits);
    queue.join(battle("a1"), voter("a"), Time(0)).expect("allowed");
    queue.join(battle("a2"), voter("a"), Time(10)).expect("allowed");
    assert_eq!(queue.join(battle("a3"), voter("a"), Time(20)), Err(QueueRefusal::WaitingPerVisitor(2)));
    assert_eq!(queue.join(battle("a1"), voter("b"), Time(20)), Err(QueueRefusal::Known(battle("a1"))));
    assert_eq!(started(&queue.tick(Time(30))), ["a1"]);
    queue.join(battle("a3"), voter("a"), Time(40)).expect("one began");
    queue.join(battle("b1"), voter("b"), Time(40)).expect("allowed");
    assert_eq!(queue.join(battle("c1"), voter("c"), Time(40)), Err(QueueRefusal::Full));
    queue.finished(&battle("a1")).expect("it runs");
    order_of_turns(&mut queue, Time(50));
    assert_eq!(
        queue.join(battle("a4"), voter("a"), Time(60)),
        Err(QueueRefusal::PerHour { asked: 3, wait_ms: 3_600_000 - 60 })
    );
    queue.join(battle("a4"), voter("a"), Time(3_600_000)).expect("an hour after the first");
}

#[test]
fn cancelling_is_for_the_owner_and_gives_the_turn_back() {
    let mut queue = Queue::new(QueueLimits { per_hour: 2, ..wide() });
    queue.join(battle("a1"), voter("a"), Time(0)).expect("allowed");
    queue.join(battle("a2"), voter("a"), Time(0)).expect("allowed");
    assert_eq!(queue.cancel(&battle("a1"), &voter("b")), Err(NotInQueue::NotYours(battle("a1"))));
    assert_eq!(queue.cancel(&battle("a1"), &voter("a")), Ok(None));
    assert_eq!(queue.cancel(&battle("a1"), &voter("a")), Err(NotInQueue::Unknown(battle("a1"))));
    queue.join(battle("a3"), voter("a"), Time(1)).expect("the cancelled one does not count");
    assert_eq!(started(&queue.tick(Time(2))), ["a2"]);
    let stop = Order::Stop(battle("a2"), StopReason::Cancelled);
    assert_eq!(queue.cancel(&battle("a2"), &voter("a")), Ok(Some(stop)));
    assert!(started(&queue.tick(Time(3))).is_empty(), "its browsers are still there");
    queue.finished(&battle("a2")).expect("stopped");
    assert_eq!(started(&queue.tick(Time(4))), ["a3"]);
}

#[test]
fn nothing_waits_or_runs_for_ever() {
    let limits = QueueLimits { wait_at_most_ms: 100, run_at_most_ms: 50, ..wide() };
    let mut queue = Queue::new(limits);
    queue.join(battle("a"), voter("a"), Time(0)).expect("allowed");
    queue.join(battle("b"), voter("b"), Time(0)).expect("allowed");
    assert_eq!(queue.tick(Time(0)), [Order::Start(battle("a"))]);
    assert_eq!(queue.tick(Time(49)), []);
    assert_eq!(queue.tick(Time(50)), [Order::Stop(battle("a"), StopReason::Deadline)]);
    assert_eq!(queue.tick(Time(100)), [Order::GiveUp(battle("b"))]);
    assert_eq!(queue.tick(Time(10_050)), [Order::Stop(battle("a"), StopReason::Deadline)], "said again");
}

#[test]
fn after_a_restart_the_order_is_the_same() {
    let asked = [("a1", "a", 0), ("a2", "a", 1), ("b1", "b", 2), ("c1", "c", 3)];
    let mut before = Queue::new(wide());
    for (name, visitor, at) in asked {
        before.join(battle(name), voter(visitor), Time(at)).expect("allowed");
    }
    let stored = asked.iter().rev().map(|(name, visitor, at)| (battle(name), voter(visitor), Time(*at)));
    let limits = QueueLimits { waiting_per_visitor: 1, ..wide() };
    let mut after = Queue::resumed(limits, stored.clone().collect(), stored.collect());
    assert_eq!(order_of_turns(&mut after, Time(9)), order_of_turns(&mut before, Time(9)));
}

#[test]
fn a_restart_does_not_begin_the_hour_anew() {
    let limits = QueueLimits { per_hour: 2, ..wide() };
    let asked = [("a2", "a", 2), ("a1", "a", 1), ("b1", "b", 3)];
    let asked = asked.map(|(name, visitor, at)| (battle(name), voter(visitor), Time(at)));
    let waiting = vec![asked[0].clone()];
    let mut queue = Queue::resumed(limits, waiting, asked.to_vec());
    let refused = queue.join(battle("a3"), voter("a"), Time(10)).expect_err("two were asked for");
    assert_eq!(refused, QueueRefusal::PerHour { asked: 2, wait_ms: 3_600_000 - 9 });
    queue.join(battle("b2"), voter("b"), Time(10)).expect("one was asked for");
    queue.join(battle("a3"), voter("a"), Time(3_600_001)).expect("the first is an hour ago");
}

#[derive(Clone, Debug)]
enum Deed {
    Join { visitor: usize },
    Cancel { which: usize, right_owner: bool },
    Finish { which: usize },
    Pass { millis: u64 },
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        4 => (0..6_usize).prop_map(|visitor| Deed::Join { visitor }),
        1 => (0..40_usize, any::<bool>()).prop_map(|(which, right_owner)| Deed::Cancel { which, right_owner }),
        3 => (0..8_usize).prop_map(|which| Deed::Finish { which }),
        2 => (0..2_000_u64).prop_map(|millis| Deed::Pass { millis }),
    ];
    proptest::collection::vec(deed, 1..120)
}

proptest! {
    /// Capacity and limits hold at every moment, and every battle that was let in ends in exactly one way.
    #[test]
    fn nothing_is_lost_and_capacity_is_never_exceeded(deeds in deeds(), capacity in 1..4_usize) {
        let limits = QueueLimits {
            running: capacity,
            running_per_visitor: 2,
            waiting_per_visitor: 4,
            waiting: 12,
            per_hour: 15,
            wait_at_most_ms: 5_000,
            run_at_most_ms: 3_000,
        };
        let mut queue = Queue::new(limits);
        let mut now = Time(0);
        let mut owner: BTreeMap<BattleId, VoterId> = BTreeMap::new();
        let mut waiting: BTreeSet<BattleId> = BTreeSet::new();
        let mut running: BTreeSet<BattleId> = BTreeSet::new();
        let mut ended: BTreeMap<BattleId, &str> = BTreeMap::new();
        for deed in deeds {
            match deed {
                Deed::Join { visitor } => {
                    let (id, who) = (battle(&format!("b{}", owner.len())), voter(&format!("v{visitor}")));
                    if queue.join(id.clone(), who.clone(), now).is_ok() {
                        owner.insert(id.clone(), who);
                        waiting.insert(id);
                    }
                }
                Deed::Cancel { which, right_owner } => {
                    let id = battle(&format!("b{which}"));
                    let who = owner.get(&id).filter(|_| right_owner).cloned().unwrap_or(voter("nobody"));
                    match queue.cancel(&id, &who) {
                        Ok(None) => {
                            prop_assert!(waiting.remove(&id));
                            prop_assert!(ended.insert(id, "cancelled").is_none());
                        }
                        Ok(Some(order)) => {
                            prop_assert_eq!(order, Order::Stop(id.clone(), StopReason::Cancelled));
                            prop_assert!(running.contains(&id));
                        }
                        Err(_) => prop_assert!(!right_owner || !(waiting.contains(&id) || running.contains(&id))),
                    }
                }
                Deed::Finish { which } => {
                    if let Some(id) = running.iter().nth(which).cloned() {
                        queue.finished(&id).expect("it runs");
                        running.remove(&id);
                        prop_assert!(ended.insert(id, "finished").is_none());
                    }
                }
                Deed::Pass { millis } => now = now.plus(millis),
            }
            for order in queue.tick(now) {
                match order {
                    Order::Start(id) => {
                        prop_assert!(waiting.remove(&id));
                        prop_assert!(running.insert(id));
                    }
                    Order::GiveUp(id) => {
                        prop_assert!(waiting.remove(&id));
                        prop_assert!(ended.insert(id, "given up").is_none());
                    }
                    Order::Stop(id, reason) => {
                        prop_assert_eq!(reason, StopReason::Deadline);
                        prop_assert!(running.contains(&id));
                    }
                }
            }
            prop_assert!(running.len() <= capacity);
            prop_assert_eq!((queue.waiting(), queue.running()), (waiting.len(), running.len()));
            prop_assert_eq!(owner.len(), waiting.len() + running.len() + ended.len());
            let mut of_visitor: BTreeMap<&VoterId, usize> = BTreeMap::new();
            for id in &running {
                *of_visitor.entry(&owner[id]).or_default() += 1;
            }
            prop_assert!(of_visitor.values().all(|count| *count <= 2));
            // Work is done while there is any that may be done.
            if running.len() < capacity {
                prop_assert!(waiting.iter().all(|id| of_visitor.get(&owner[id]).copied().unwrap_or(0) >= 2));
            }
        }
    }

    /// Between two turns of somebody who waits, every other visitor has at most two: nobody starves.
    #[test]
    fn turns_are_shared_evenly(counts in proptest::collection::vec(1..12_usize, 2..6)) {
        let mut queue = Queue::new(wide());
        let mut at = 0;
        for (visitor, count) in counts.iter().enumerate() {
            for n in 0..*count {
                queue.join(battle(&format!("{visitor}-{n}")), voter(&visitor.to_string()), Time(at)).expect("wide");
                at += 1;
            }
        }
        let turns = order_of_turns(&mut queue, Time(at));
        prop_assert_eq!(turns.len(), counts.iter().sum::<usize>());
        let visitor_of = |turn: &String| turn.split('-').next().unwrap_or_default().to_owned();
        for (visitor, count) in counts.iter().enumerate() {
            let own: Vec<usize> = (0..turns.len()).filter(|at| visitor_of(&turns[*at]) == visitor.to_string()).collect();
            prop_assert_eq!(own.len(), *count);
            for two in own.windows(2) {
                let mut between: BTreeMap<String, usize> = BTreeMap::new();
                for turn in &turns[two[0] + 1..two[1]] {
                    *between.entry(visitor_of(turn)).or_default() += 1;
                }
                prop_assert!(between.values().all(|count| *count <= 2), "{turns:?}");
            }
        }
    }
}
