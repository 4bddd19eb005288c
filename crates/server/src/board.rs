//! Ballots, counted: standings are made ready beside the pages, at most once a second, and pages read what is ready.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};
use tokio::task::JoinError;
use umpire_arena::{
    AbuseRules, Ballot, BallotFilter, BallotKey, DayStanding, Leaderboard, Resampling, Standings, Suspicion,
    Time, VoterId, VotersCounted, suspicions,
};

use crate::turns::to_the_end;

/// A vote is seen on the leaderboard after this and the time that counting takes.
const AT_MOST_EVERY: Duration = Duration::from_secs(1);
/// Looking for dishonest votes takes longer than counting them.
const MARKS_AT_MOST_EVERY: Duration = Duration::from_secs(20);
/// Counts kept ready. Anybody may ask for a day of their choice, so there are more than memory has room for.
const MOST_VIEWS: usize = 64;
/// Bootstrap rounds of a fresh count.
const ROUNDS: usize = 200;

/// Which ballots a view counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Counted {
    /// Only tasks of this kind.
    pub kind: Option<String>,
    /// Without ballots that look dishonest.
    pub without_marked: bool,
    pub voters: VotersCounted,
    pub from: Option<Time>,
    /// Up to, and without, this moment.
    pub until: Option<Time>,
}

/// A count that is ready to be shown.
pub(crate) struct View {
    /// How much was known when it was made.
    revision: u64,
    made: Instant,
    pub standings: Standings,
    pub history: Vec<DayStanding>,
    /// All kinds of tasks there are votes on.
    pub kinds: BTreeSet<String>,
}

#[derive(Default)]
struct Known {
    ballots: Vec<Ballot>,
    keys: HashSet<BallotKey>,
    left_out: BTreeSet<VoterId>,
    /// Grows with everything that changes a count.
    revision: u64,
}

/// Ballots that look dishonest, as they were at a moment.
#[derive(Clone)]
struct Marks {
    revision: u64,
    found_at: Instant,
    found: Arc<Vec<Suspicion>>,
}

#[derive(Default)]
pub(crate) struct Board {
    known: RwLock<Known>,
    views: Mutex<HashMap<Counted, Arc<View>>>,
    marks: Mutex<Option<Marks>>,
    /// Counting takes a core: one at a time.
    counting: tokio::sync::Mutex<()>,
    /// Looking for dishonest votes takes one for longer: one at a time as well, and nobody's count waits for it but theirs
    /// who asked to be without such votes.
    marking: tokio::sync::Mutex<()>,
    news: Notify,
}

impl Board {
    pub(crate) fn new(ballots: Vec<Ballot>, left_out: BTreeSet<VoterId>) -> Self {
        let keys = ballots.iter().map(Ballot::key).collect();
        Self { known: RwLock::new(Known { ballots, keys, left_out, revision: 1 }), ..Self::default() }
    }

    /// Counts ballots that are stored, unless they are counted already.
    pub(crate) fn take_in(&self, ballots: impl IntoIterator<Item = Ballot>) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let before = known.ballots.len();
        for ballot in ballots {
            if known.keys.insert(ballot.key()) {
                known.ballots.push(ballot);
            }
        }
        if known.ballots.len() == before {
            return;
        }
        known.revision += 1;
        drop(known);
        self.news.notify_one();
    }

    pub(crate) fn counted_ballots(&self) -> usize {
        self.known.read().unwrap_or_else(PoisonError::into_inner).ballots.len()
    }

    /// When the latest of them was cast.
    pub(crate) fn latest(&self) -> Time {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.ballots.iter().map(|ballot| ballot.at).max().unwrap_or(Time(0))
    }

    pub(crate) fn set_left_out(&self, voters: BTreeSet<VoterId>) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.left_out == voters {
            return;
        }
        known.left_out = voters;
        known.revision += 1;
        drop(known);
        self.news.notify_one();
    }

    /// What a look at all ballots gives, on a thread of its own: there may be a million. New ones wait for its end, so it
    /// counts or picks out, and whatever takes longer is done with what it gave.
    pub(crate) async fn look<T: Send + 'static>(
        self: &Arc<Self>,
        look: impl FnOnce(&[Ballot]) -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let board = Arc::clone(self);
        let looking = move || {
            let known = board.known.read().unwrap_or_else(PoisonError::into_inner);
            look(&known.ballots)
        };
        tokio::task::spawn_blocking(looking).await
    }

    pub(crate) async fn ballots(
        self: &Arc<Self>,
        wanted: impl Fn(&Ballot) -> bool + Send + 'static,
    ) -> Result<Vec<Ballot>, JoinError> {
        let picked = move |ballots: &[Ballot]| -> Vec<Ballot> {
            ballots.iter().filter(|ballot| wanted(ballot)).cloned().collect()
        };
        self.look(picked).await
    }

    fn revision(&self) -> u64 {
        self.known.read().unwrap_or_else(PoisonError::into_inner).revision
    }

    fn ready(&self, counted: &Counted) -> Option<Arc<View>> {
        self.views.lock().unwrap_or_else(PoisonError::into_inner).get(counted).cloned()
    }

    /// The standings. Those of all ballots are kept fresh by [`Board::keep_fresh`] and cost nothing here; others are
    /// counted when they are asked for, at most once a second.
    pub(crate) async fn view(self: &Arc<Self>, counted: Counted) -> Option<Arc<View>> {
        let is_fresh = |view: &Arc<View>| {
            counted == Counted::default()
                || view.revision == self.revision()
                || view.made.elapsed() < AT_MOST_EVERY
        };
        if let Some(view) = self.ready(&counted).filter(is_fresh) {
            return Some(view);
        }
        let marks = if counted.without_marked { Some(self.marks().await?) } else { None };
        let turn = self.counting.lock().await;
        // Somebody may have counted while this one waited for its turn.
        if let Some(view) = self.ready(&counted).filter(is_fresh) {
            return Some(view);
        }
        let view = self.count(counted, marks).await;
        drop(turn);
        view
    }

    async fn count(
        self: &Arc<Self>,
        counted: Counted,
        marks: Option<Arc<Vec<Suspicion>>>,
    ) -> Option<Arc<View>> {
        let board = Arc::clone(self);
        let wanted = counted.clone();
        let view =
            tokio::task::spawn_blocking(move || board.counted(&wanted, marks.as_deref())).await.ok()?;
        let view = Arc::new(view);
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if views.len() >= MOST_VIEWS && !views.contains_key(&counted) {
            let others = views.iter().filter(|(counted, _)| **counted != Counted::default());
            let oldest = others.min_by_key(|(_, view)| view.made).map(|(counted, _)| counted.clone());
            if let Some(oldest) = oldest {
                views.remove(&oldest);
            }
        }
        views.insert(counted, Arc::clone(&view));
        drop(views);
        Some(view)
    }

    fn counted(&self, wanted: &Counted, marks: Option<&Vec<Suspicion>>) -> View {
        let made = Instant::now();
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let marked: HashSet<_> = marks.into_iter().flatten().map(|mark| mark.ballot.clone()).collect();
        let left_out: BTreeSet<usize> = known
            .ballots
            .iter()
            .enumerate()
            .filter(|(_, ballot)| known.left_out.contains(&ballot.voter) || marked.contains(&ballot.key()))
            .map(|(place, _)| place)
            .collect();
        let filter = BallotFilter {
            task_kinds: wanted.kind.iter().cloned().collect(),
            voters: wanted.voters,
            from: wanted.from,
            until: wanted.until,
            ..BallotFilter::default()
        };
        let leaderboard = Leaderboard::of(filter, &known.ballots, &left_out);
        let kinds = known.ballots.iter().map(|ballot| ballot.task_kind.clone()).collect();
        let revision = known.revision;
        // Votes that come while the ratings are fitted do not wait for it.
        drop(known);
        let standings = leaderboard.standings(Resampling { rounds: ROUNDS, ..Resampling::default() });
        View { revision, made, standings, history: leaderboard.history(), kinds }
    }

    fn known_marks(&self) -> Option<Arc<Vec<Suspicion>>> {
        let revision = self.revision();
        let known = self.marks.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let is_fresh = known.revision == revision || known.found_at.elapsed() < MARKS_AT_MOST_EVERY;
        is_fresh.then_some(known.found)
    }

    /// Ballots of people that look dishonest, as of a little while ago.
    pub(crate) async fn marks(self: &Arc<Self>) -> Option<Arc<Vec<Suspicion>>> {
        if let Some(found) = self.known_marks() {
            return Some(found);
        }
        // Carried through though whoever asked has left: the next who ask have it, instead of beginning anew.
        to_the_end(Arc::clone(self).find_marks()).await.ok()?
    }

    async fn find_marks(self: Arc<Self>) -> Option<Arc<Vec<Suspicion>>> {
        let _turn = self.marking.lock().await;
        // Somebody may have looked while this one waited for its turn.
        if let Some(found) = self.known_marks() {
            return Some(found);
        }
        let revision = self.revision();
        let ballots = self.ballots(|_| true).await.ok()?;
        let found =
            tokio::task::spawn_blocking(move || suspicions(&ballots, &AbuseRules::default())).await.ok()?;
        let found = Arc::new(found);
        *self.marks.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Marks { revision, found_at: Instant::now(), found: Arc::clone(&found) });
        Some(found)
    }

    /// Counts whenever ballots came, at most once a second, until the server stops.
    pub(crate) async fn keep_fresh(self: Arc<Self>, mut stopping: watch::Receiver<bool>) {
        loop {
            let turn = self.counting.lock().await;
            let _ = self.count(Counted::default(), None).await;
            drop(turn);
            tokio::select! {
                _ = stopping.wait_for(|stop| *stop) => return,
                () = async {
                    tokio::time::sleep(AT_MOST_EVERY).await;
                    self.news.notified().await;
                } => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_count_of_all_votes_does_not_wait_for_a_look_for_dishonest_ones() {
        let board = Arc::new(Board::new(Vec::new(), BTreeSet::new()));
        let looking = board.marking.lock().await;
        let asked = {
            let board = Arc::clone(&board);
            let honest = Counted { without_marked: true, ..Counted::default() };
            tokio::spawn(async move { board.view(honest).await })
        };
        tokio::task::yield_now().await;
        let all = tokio::time::timeout(Duration::from_secs(20), board.view(Counted::default())).await;
        assert!(all.is_ok_and(|view| view.is_some()));
        assert!(!asked.is_finished(), "it waits for the look");
        drop(looking);
        assert!(asked.await.expect("it ends").is_some());
    }

    #[tokio::test]
    async fn what_was_found_is_kept_though_whoever_asked_has_left() {
        let board = Arc::new(Board::new(Vec::new(), BTreeSet::new()));
        let looking = board.marking.lock().await;
        let left = tokio::time::timeout(Duration::from_millis(1), board.marks()).await;
        assert!(left.is_err() && board.known_marks().is_none());
        drop(looking);
        // Turns are given in the order in which they were asked for.
        drop(board.marking.lock().await);
        assert!(board.known_marks().is_some());
    }
}
