//! What the queue orders, done: battles begun, stopped and given up, until the server stops.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use umpire_arena::{Battle, BattleId, Contestant, IllegalMove, Order, Phase, StopReason, Time};

use super::{Begun, Contest, Contests, SERVER_STOPPED, Stopped, Unplayed, Wish};
use crate::accounts::random_seed;
use crate::clock::now_ms;

const TICK: Duration = Duration::from_secs(1);
/// How often battles are looked for that nobody voted on.
const SWEEPS: u32 = 60;
/// How long what is stopped is waited for.
const LEAVES_WITHIN: Duration = Duration::from_secs(5);

const WAITED_TOO_LONG: &str = "It waited too long for its turn.";
const RAN_TOO_LONG: &str = "It ran too long.";
const NOBODY_VOTED: &str = "Nobody voted on it in time.";

/// A battle that is to begin, and how it hears that it is not wanted any more.
type Beginning = (BattleId, oneshot::Receiver<Stopped>);

impl Contests {
    /// Carries out the queue's orders until the server stops; then what runs is called off.
    pub(crate) async fn conduct(self: Arc<Self>, mut stopping: watch::Receiver<bool>) {
        let mut ticks = 0_u32;
        loop {
            let (orders, begins) = self.orders().await;
            for order in orders {
                self.carry_out(order).await;
            }
            for (battle, stopped) in begins {
                self.begin(battle, stopped).await;
            }
            if ticks.is_multiple_of(SWEEPS) {
                self.expire_unvoted().await;
            }
            ticks = ticks.wrapping_add(1);
            tokio::select! {
                _ = stopping.wait_for(|stop| *stop) => break,
                () = self.changed.notified() => {}
                () = tokio::time::sleep(TICK) => {}
            }
        }
        let running: Vec<BattleId> = {
            let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
            under_way.drain().map(|(battle, _)| battle).collect()
        };
        for battle in running {
            self.end(&battle, SERVER_STOPPED, |battle, now| if_running(battle, now, Battle::cancel)).await;
        }
    }

    /// What the queue orders. From the moment that it takes a battle for running, which is before any agent begins, the
    /// battle can be called off.
    async fn orders(&self) -> (Vec<Order>, Vec<Beginning>) {
        let mut queue = self.queue.lock().await;
        let orders = queue.tick(Time(now_ms()));
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let mut begins = Vec::new();
        for order in &orders {
            if let Order::Start(battle) = order {
                let (stop, stopped) = oneshot::channel();
                under_way.insert(battle.clone(), stop);
                begins.push((battle.clone(), stopped));
            }
        }
        (orders, begins)
    }

    async fn carry_out(&self, order: Order) {
        match order {
            // It is begun with what it is stopped by.
            Order::Start(_) => {}
            Order::GiveUp(battle) => self.end(&battle, WAITED_TOO_LONG, Battle::expire).await,
            Order::Stop(battle, reason) => {
                if !self.stop(&battle, Stopped { reason, why: RAN_TOO_LONG.to_owned() }) {
                    // Nobody runs it, so nobody will ever say that it ended.
                    self.end(&battle, RAN_TOO_LONG, |battle, now| if_running(battle, now, Battle::expire))
                        .await;
                    let _ = self.queue.lock().await.finished(&battle);
                }
            }
        }
    }

    async fn begin(self: &Arc<Self>, id: BattleId, stopped: oneshot::Receiver<Stopped>) {
        let started = self.database.change_contest(&id, "", |battle| battle.start(Time(now_ms()))).await;
        let wish = self.database.wish(&id).await;
        let (Ok(battle), Ok(Some(wish))) = (started, wish) else {
            eprintln!("umpire serve: battle {id} could not begin");
            self.end(&id, "It could not begin.", Battle::cancel).await;
            self.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            let _ = self.queue.lock().await.finished(&id);
            return;
        };
        tokio::spawn(Arc::clone(self).run(battle, wish, stopped));
    }

    /// One battle from its beginning to the vote, or to nothing.
    async fn run(self: Arc<Self>, battle: Battle, wish: Wish, stopped: oneshot::Receiver<Stopped>) {
        let id = battle.id.clone();
        let (tell, told) = oneshot::channel();
        let contest = Contest {
            battle: id.to_string(),
            wish,
            agents: [battle.left.agent.clone(), battle.right.agent.clone()],
            seed: random_seed(),
        };
        let mut playing = AbortOnDrop(tokio::spawn(self.options.stagehand.play(contest, tell)));
        let (mut told, mut stopped) = (told, stopped);
        let mut is_noted = false;
        // Where it is recorded is written down before anything else is heard of, and is never cut short.
        let ended = loop {
            tokio::select! {
                biased;
                begun = &mut told, if !is_noted => {
                    is_noted = true;
                    if let Ok(begun) = begun {
                        self.note_begun(&id, begun).await;
                    }
                }
                stopped = &mut stopped => break Err(stopped.ok()),
                played = &mut playing.0 => {
                    break Ok(played.unwrap_or_else(|panic| Err(Unplayed(format!("the harness broke: {panic}")))));
                }
            }
        };
        if ended.is_err() {
            playing.0.abort();
            let _ = tokio::time::timeout(LEAVES_WITHIN, &mut playing.0).await;
        }
        // It may have begun at the very moment at which it ended.
        if !is_noted && let Ok(begun) = told.try_recv() {
            self.note_begun(&id, begun).await;
        }
        match ended {
            Ok(Ok(())) => self.end(&id, "", Battle::finish).await,
            Ok(Err(Unplayed(why))) => {
                eprintln!("umpire serve: battle {id}: {why}");
                self.end(&id, "It could not be carried out; neither agent is to blame.", Battle::cancel)
                    .await;
            }
            Err(Some(Stopped { reason: StopReason::Cancelled, why })) => {
                self.end(&id, &why, Battle::cancel).await;
            }
            Err(Some(Stopped { reason: StopReason::Deadline, why })) => {
                self.end(&id, &why, Battle::expire).await;
            }
            // The server stops, and has said so.
            Err(None) => return,
        }
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        let _ = self.queue.lock().await.finished(&id);
        self.changed.notify_one();
    }

    async fn note_begun(&self, id: &BattleId, Begun { run, attempts: [left, right] }: Begun) {
        self.withheld.add(run.clone());
        let noted = self.database.change_contest(id, "", |battle| {
            for (side, attempt) in [(&mut battle.left, left), (&mut battle.right, right)] {
                *side = Contestant { run: Some(run.clone()), attempt: Some(attempt), ..side.clone() };
            }
            Ok(())
        });
        if let Err(error) = noted.await {
            eprintln!("umpire serve: battle {id}: {error}");
        }
    }

    async fn end(&self, id: &BattleId, why: &str, how: Move) {
        let changed = self.database.change_contest(id, why, |battle| how(battle, Time(now_ms()))).await;
        if let Err(error) = changed {
            eprintln!("umpire serve: battle {id}: {error}");
        }
    }

    async fn expire_unvoted(&self) {
        let longest = u64::try_from(self.options.vote_within.as_millis()).unwrap_or(u64::MAX);
        let before = now_ms().saturating_sub(longest);
        match self.database.unvoted_contests(before).await {
            Ok(unvoted) => {
                for battle in unvoted {
                    self.end(&battle, NOBODY_VOTED, Battle::expire).await;
                }
            }
            Err(error) => eprintln!("umpire serve: {error}"),
        }
    }
}

type Move = fn(&mut Battle, Time) -> Result<(), IllegalMove>;

/// One that ended by itself at the same moment is left as it is.
fn if_running(battle: &mut Battle, now: Time, how: Move) -> Result<(), IllegalMove> {
    if matches!(battle.phase(), Phase::Running { .. }) { how(battle, now) } else { Ok(()) }
}

/// A contest that is given up must not go on behind our back.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
