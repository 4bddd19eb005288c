//! Battles that visitors ask for: let in, queued, run, cancelled, and put to the vote.
//!
//! The queue lives in memory and every change of a battle in the database first, so that a page never waits for something
//! that nobody is going to do: after a restart, what waited waits again, and what ran is called off and says so.

mod admission;
mod conduct;
mod stagehand;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use umpire_arena::{
    Asked, Battle, BattleId, Contestant, NotInQueue, Order, Pairing, Position, Queue, QueueLimits,
    QueueRefusal, StopReason, TaskRules, Time, VoterId, VoterKind,
};
use umpire_model::{Digest, Random, RunId};

pub use self::stagehand::{
    Answering, Begun, Contest, Moderator, OfferedSite, OfferedSuite, OfferedTask, Offers, Playing, Stagehand,
    Unplayed, Wish,
};
use crate::accounts::{is_of_account, random_id, random_seed};
use crate::board::Board;
use crate::clock::now_ms;
use crate::database::{Database, DatabaseError, VoteError};

/// The kind of tasks that visitors put in their own words.
const OWN: &str = "own";
/// One place may have as many battles waiting as so many visitors.
const VISITORS_IN_A_PLACE: usize = 5;
const SERVER_STOPPED: &str = "The server was stopped while it ran.";
/// Enough of a digest that no two tasks share it.
const DIGEST_SHOWN: usize = 16;

/// An arena that visitors may ask for battles.
#[derive(Clone, Debug)]
pub struct ArenaOptions {
    pub stagehand: Arc<dyn Stagehand>,
    pub pairing: Pairing,
    pub limits: QueueLimits,
    pub rules: TaskRules,
    /// The operator's own moderation, and how long it may take.
    pub moderator: Option<(Arc<dyn Moderator>, Duration)>,
    /// A battle that nobody voted on for so long is over.
    pub vote_within: Duration,
}

/// Why a visitor does not get a battle.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoBattle {
    #[error("{}", .0.join("\n"))]
    Refused(Vec<String>),
    #[error(transparent)]
    Limit(#[from] QueueRefusal),
    #[error("{0} battles of one place wait")]
    PerPlace(usize),
    #[error("no two agents can meet: {0}")]
    NoPair(String),
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// Why something that runs is to end, for the queue and for the visitor.
struct Stopped {
    reason: StopReason,
    why: String,
}

pub(crate) struct Contests {
    options: ArenaOptions,
    database: Database,
    board: Arc<Board>,
    withheld: Arc<Withheld>,
    /// Held while a battle is put into queue and database, so that it is in both or in neither.
    queue: tokio::sync::Mutex<Queue>,
    /// Where battles that wait were asked for, as keyed hashes.
    places: Mutex<HashMap<BattleId, String>>,
    /// How to stop what runs.
    under_way: Mutex<HashMap<BattleId, oneshot::Sender<Stopped>>>,
    changed: Notify,
}

impl Contests {
    /// Takes up what an earlier server left: battles that waited wait again, unless their visitors cannot be known any
    /// more; battles that ran are called off.
    pub(crate) async fn resume(
        options: ArenaOptions,
        database: Database,
        board: Arc<Board>,
        withheld: Arc<Withheld>,
        knows_visitors: bool,
    ) -> Result<Self, DatabaseError> {
        let mut waiting = Vec::new();
        for battle in call_off(&database, knows_visitors).await? {
            waiting.push((battle.id, battle.visitor, battle.at));
        }
        let asked = database.asked_since(now_ms().saturating_sub(Queue::HOUR)).await?;
        let asked = asked.into_iter().map(|battle| (battle.id, battle.visitor, battle.at)).collect();
        let queue = tokio::sync::Mutex::new(Queue::resumed(options.limits, waiting, asked));
        Ok(Self {
            options,
            database,
            board,
            withheld,
            queue,
            places: Mutex::default(),
            under_way: Mutex::default(),
            changed: Notify::new(),
        })
    }

    pub(crate) fn offers(&self) -> &Offers {
        self.options.stagehand.offers()
    }

    pub(crate) fn rules(&self) -> &TaskRules {
        &self.options.rules
    }

    pub(crate) fn limits(&self) -> &QueueLimits {
        &self.options.limits
    }

    /// Waiting and running battles.
    pub(crate) async fn busy(&self) -> (usize, usize) {
        let queue = self.queue.lock().await;
        (queue.waiting(), queue.running())
    }

    /// A task of the suite that nobody could foresee.
    pub(crate) fn drawn_from(&self, suite: &str) -> Option<Wish> {
        let suite = self.offers().suite(suite)?;
        // Of none there is none to draw.
        let task = suite.tasks.get(Random::new(random_seed()).below(suite.tasks.len().max(1)))?;
        Some(Wish::Drawn { suite: suite.name.clone(), instance: task.id.clone() })
    }

    /// Lets a wish in, draws who meets, and queues it.
    pub(crate) async fn ask(
        &self,
        visitor: &VoterId,
        origin: Option<String>,
        wish: Wish,
    ) -> Result<BattleId, NoBattle> {
        let asked = self.asked(&wish).await?;
        let pairing = self.options.pairing.clone();
        // What models say teaches nothing about what people would.
        let ballots = self
            .board
            .ballots(|ballot| ballot.by == VoterKind::Person)
            .await
            .map_err(|error| NoBattle::NoPair(error.to_string()))?;
        let pair = tokio::task::spawn_blocking(move || pairing.draw(&ballots, random_seed()))
            .await
            .map_err(|error| NoBattle::NoPair(error.to_string()))?
            .map_err(|error| NoBattle::NoPair(error.to_string()))?;
        let now = Time(now_ms());
        let battle = Battle::queued(
            BattleId(random_id()),
            asked,
            Contestant::named(pair.one),
            Contestant::named(pair.other),
            visitor.clone(),
            now,
            random_seed(),
        );
        let mut queue = self.queue.lock().await;
        self.waits_in_place(&queue, origin, &battle.id)?;
        queue.join(battle.id.clone(), visitor.clone(), now)?;
        if let Err(error) = self.database.add_contest(&battle, &wish).await {
            let _ = queue.cancel(&battle.id, visitor);
            return Err(error.into());
        }
        drop(queue);
        self.changed.notify_one();
        Ok(battle.id)
    }

    /// Whoever forgets their cookie is a new visitor, but not in a new place.
    fn waits_in_place(
        &self,
        queue: &Queue,
        origin: Option<String>,
        battle: &BattleId,
    ) -> Result<(), NoBattle> {
        let Some(origin) = origin else { return Ok(()) };
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.retain(|waiting, _| matches!(queue.place(waiting), Some(Position::Waiting { .. })));
        let waiting = places.values().filter(|place| **place == origin).count();
        if waiting >= self.options.limits.waiting_per_visitor.saturating_mul(VISITORS_IN_A_PLACE) {
            return Err(NoBattle::PerPlace(waiting));
        }
        places.insert(battle.clone(), origin);
        Ok(())
    }

    async fn asked(&self, wish: &Wish) -> Result<Asked, NoBattle> {
        match wish {
            Wish::Own { text, start_url, .. } => {
                let moderator = self.options.moderator.as_ref();
                let moderator = moderator.map(|(moderator, limit)| (moderator.as_ref(), *limit));
                let refusals = admission::refusals(&self.options.rules, moderator, text, start_url).await;
                if !refusals.is_empty() {
                    return Err(NoBattle::Refused(refusals));
                }
                let digest = Digest::of(format!("{start_url}\n{text}").as_bytes());
                let task = format!("{OWN}-{}", &digest.as_str()[..DIGEST_SHOWN]);
                Ok(Asked { text: text.clone(), task, kind: OWN.to_owned() })
            }
            Wish::Drawn { suite, instance } => {
                let found = self.offers().suite(suite);
                let task = found.and_then(|suite| suite.tasks.iter().find(|task| task.id == *instance));
                let task =
                    task.ok_or_else(|| NoBattle::Refused(vec!["this task is not offered here".to_owned()]))?;
                Ok(Asked { text: task.intent.clone(), task: task.id.clone(), kind: task.kind.clone() })
            }
        }
    }

    pub(crate) async fn place(&self, battle: &BattleId) -> Option<Position> {
        self.queue.lock().await.place(battle)
    }

    /// Its visitor, or an operator in their stead, no longer wants it.
    pub(crate) async fn cancel(&self, battle: &Battle, why: &str) -> Result<(), VoteError> {
        let mut queue = self.queue.lock().await;
        match queue.cancel(&battle.id, &battle.visitor) {
            Ok(None) => {
                let ended = self
                    .database
                    .change_contest(&battle.id, why, |battle| battle.cancel(Time(now_ms())))
                    .await;
                drop(queue);
                self.changed.notify_one();
                ended.map(|_| ())
            }
            Ok(Some(Order::Stop(id, reason))) => {
                drop(queue);
                self.stop(&id, Stopped { reason, why: why.to_owned() });
                Ok(())
            }
            // It ended by itself just now.
            Ok(Some(_))
            | Err(NotInQueue::Unknown(_) | NotInQueue::NotRunning(_) | NotInQueue::NotYours(_)) => Ok(()),
        }
    }

    /// False if nothing of it is under way here.
    fn stop(&self, battle: &BattleId, stopped: Stopped) -> bool {
        let stop = self.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(battle);
        stop.is_some_and(|stop| stop.send(stopped).is_ok())
    }
}

/// Calls off what an earlier server left running, and what waits for visitors that nobody can be any more. Returns what
/// may wait on.
pub(crate) async fn call_off(
    database: &Database,
    knows_visitors: bool,
) -> Result<Vec<Battle>, DatabaseError> {
    let mut waiting = Vec::new();
    for battle in database.unfinished_contests().await? {
        let is_queued = battle.phase().name() == "queued";
        let why = if !is_queued {
            SERVER_STOPPED
        } else if !knows_visitors && !is_of_account(&battle.visitor) {
            "The server was started anew and no longer knows its visitors."
        } else {
            waiting.push(battle);
            continue;
        };
        database.call_off(&battle.id, why).await?;
    }
    Ok(waiting)
}

/// Runs of battles that were not voted on: nobody is told who it was, so nobody but operators may look into them.
#[derive(Debug, Default)]
pub(crate) struct Withheld(RwLock<HashSet<RunId>>);

impl Withheld {
    pub(crate) fn new(runs: impl IntoIterator<Item = RunId>) -> Self {
        Self(RwLock::new(runs.into_iter().collect()))
    }

    pub(crate) fn has(&self, run: &RunId) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains(run)
    }

    /// What the database says now. A run that is being noted may not be there yet, so only a vote lets one go.
    pub(crate) fn bring_up_to_date(&self, runs: Vec<(RunId, bool)>) {
        let mut withheld = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (run, is_voted) in runs {
            if is_voted {
                withheld.remove(&run);
            } else {
                withheld.insert(run);
            }
        }
    }

    fn add(&self, run: RunId) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(run);
    }

    /// Its battle has its vote.
    pub(crate) fn release(&self, battle: &Battle) {
        let mut runs = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for run in [&battle.left, &battle.right].into_iter().filter_map(|side| side.run.as_ref()) {
            runs.remove(run);
        }
    }
}
